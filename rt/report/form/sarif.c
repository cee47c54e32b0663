// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (sarif.h). The first place is the location, the others are related locations that the message links to.
// Each deciding place has a thread flow of its own: its stack, from main inwards. GitHub reads the help of a rule, one
// location, linked related locations, code flows, and primaryLocationLineHash; the rest is for other viewers.
#define _GNU_SOURCE 1
#include "report/form/sarif.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "report/fingerprint.h"
#include "report/json-build.h"

#define set mck_json_set
#define append mck_json_append
#define finish mck_json_finish

struct builder {
  const struct mck_report *report;
  char here[PATH_MAX]; // the working directory and a slash, or ""
  int rule_of[MCK_CHECK_COUNT];
  json_t *rules;
};

// RFC 3986: bytes that are not unreserved become %NN.
static char *write_uri(const char *path, bool is_relative) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  if (!is_relative && *path == '/') fputs("file://", out);
  for (const unsigned char *p = (const unsigned char *)path; *p; p++)
    if (isalnum(*p) || strchr("-._~/", *p)) putc(*p, out);
    else fprintf(out, "%%%02X", *p);
  return fclose(out) == 0 ? text : NULL;
}

// Files below the working directory are relative: a viewer has the sources at another place.
static json_t *make_artifact(const struct builder *b, const char *path) {
  size_t n = strlen(b->here);
  bool is_below = n && strncmp(path, b->here, n) == 0, is_relative = is_below || *path != '/';
  char *uri = write_uri(is_below ? path + n : path, is_relative);
  json_t *o = json_object();
  bool is_whole = uri && set(o, "uri", json_string(uri)) &&
                  (!is_relative || set(o, "uriBaseId", json_string("SRCROOT")));
  free(uri);
  return finish(o, is_whole);
}

static json_t *make_message(const char *text) { return json_pack("{s:o}", "text", mck_json_text(text)); }

// id: of a related location; -1: none. A frame without a line is its module.
static json_t *make_location(const struct builder *b, const struct mck_source_frame *frame, const char *label, int id) {
  json_t *o = json_object(), *physical = json_object();
  bool is_whole = o && physical;
  if (id >= 0) is_whole &= set(o, "id", json_integer(id));
  if (label) is_whole &= set(o, "message", make_message(label));
  const char *path = frame && frame->file                       ? frame->file
                     : frame && frame->module && *frame->module ? frame->module
                                                                : NULL;
  if (path) {
    is_whole &= set(physical, "artifactLocation", make_artifact(b, path));
    if (frame->file && frame->line > 0)
      is_whole &= set(physical, "region", json_pack("{s:i}", "startLine", frame->line));
    is_whole = is_whole && set(o, "physicalLocation", json_incref(physical));
  }
  if (frame && frame->function)
    is_whole &= set(o, "logicalLocations",
                    json_pack("[{s:o,s:s}]", "fullyQualifiedName", mck_json_text(frame->function), "kind", "function"));
  json_decref(physical);
  return finish(o, is_whole);
}

static const struct mck_source_frame *find_frame(const struct mck_source_stack *stack) {
  return stack->count ? &stack->frames[mck_stack_user(stack)] : NULL;
}

// A bracket in a message begins a link (3.11.6).
static void write_plain(FILE *out, const char *text) {
  for (const char *p = text ? text : ""; *p; p++) {
    if (strchr("[]\\", *p)) putc('\\', out);
    putc(*p, out);
  }
}

static json_t *make_result_message(const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  write_plain(out, f->text);
  fputs(".", out);
  for (uint32_t i = 0; i < f->nplaces; i++) {
    fputs(i ? "; " : " ", out);
    if (find_frame(&group->stacks[i])) putc('[', out);
    write_plain(out, f->places[i].label && f->places[i].label[0] ? f->places[i].label : "here");
    if (find_frame(&group->stacks[i])) fprintf(out, "](%u)", i);
  }
  if (f->why) fputs("\n", out), write_plain(out, f->why);
  fputs("\nHelp: ", out);
  write_plain(out, f->help && f->help[0] ? f->help : mck_check_infos[f->check].help);
  json_t *message = fclose(out) == 0 ? make_message(text) : NULL;
  free(text);
  return message;
}

static json_t *make_flow(const struct builder *b, const struct mck_place *place, const struct mck_source_stack *stack) {
  json_t *steps = json_array();
  bool is_whole = steps != NULL;
  for (unsigned k = stack->count; k-- > 0 && is_whole;) {
    json_t *location = make_location(b, &stack->frames[k], k ? "calls" : place->label, -1);
    is_whole = append(steps, json_pack("{s:o}", "location", location));
  }
  return json_pack("{s:o}", "locations", finish(steps, is_whole));
}

static bool add_places(const struct builder *b, json_t *o, const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  json_t *related = json_array(), *flows = json_array(), *locations = json_array();
  bool is_whole = related && flows && locations;
  for (uint32_t i = 0; i < f->nplaces && is_whole; i++) {
    const struct mck_source_frame *frame = find_frame(&group->stacks[i]);
    if (!frame) continue;
    if (!json_array_size(locations)) is_whole &= append(locations, make_location(b, frame, NULL, -1));
    is_whole &= append(related, make_location(b, frame, f->places[i].label, (int)i));
    if (mck_place_is_deciding(f, i)) is_whole &= append(flows, make_flow(b, &f->places[i], &group->stacks[i]));
  }
  // GitHub refuses a result without a location: what belongs to no place of the source is about the program.
  const char *program = b->report->run->program;
  struct mck_source_frame whole = {.module = program && *program ? program : "program"};
  if (is_whole && !json_array_size(locations)) is_whole = append(locations, make_location(b, &whole, NULL, -1));
  if (is_whole && json_array_size(flows)) is_whole = set(o, "codeFlows", json_pack("[{s:O}]", "threadFlows", flows));
  is_whole = is_whole && set(o, "locations", json_incref(locations)) &&
             set(o, "relatedLocations", json_incref(related));
  json_decref(related), json_decref(flows), json_decref(locations);
  return is_whole;
}

static const char *level_of(enum mck_severity severity) {
  return severity == MCK_ERROR ? "error" : severity == MCK_WARNING ? "warning" : "note";
}

// Common Weakness Enumeration of a family of kinds.
static const char *weakness_of(const char *id) {
  static const struct {
    const char *family, *tag;
  } tags[] = {{"rma.race", "external/cwe/cwe-362"},    {"message.race", "external/cwe/cwe-362"},
              {"deadlock", "external/cwe/cwe-833"},    {"leak.", "external/cwe/cwe-401"},
              {"type.", "external/cwe/cwe-843"},       {"arg.memory", "external/cwe/cwe-119"},
              {"rma.range", "external/cwe/cwe-787"},   {"buffer.", "external/cwe/cwe-362"},
              {"handle.freed", "external/cwe/cwe-672"}};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (strncmp(id, tags[i].family, strlen(tags[i].family)) == 0) return tags[i].tag;
  return NULL;
}

static bool add_rule(struct builder *b, enum mck_check check) {
  const struct mck_check_info *info = &mck_check_infos[check];
  const char *level = level_of(mck_check_severity(check)), *weakness = weakness_of(info->id);
  if (b->rule_of[check] >= 0) return true;
  char text[256];
  snprintf(text, sizeof text, "%s. The page docs/checks/%s.md of mpicc-check has a wrong and a right program.",
           info->help, info->id);
  json_t *tags = weakness ? json_pack("[s,s]", "mpi", weakness) : json_pack("[s]", "mpi");
  json_t *rule = json_pack("{s:s,s:{s:s},s:{s:s},s:{s:s,s:s},s:{s:s},s:{s:o,s:s,s:s}}", "id", info->id,
                           "shortDescription", "text", info->id, "fullDescription", "text", info->help, "help", "text",
                           text, "markdown", text, "defaultConfiguration", "level", level, "properties", "tags", tags,
                           "precision", "very-high", "problem.severity",
                           strcmp(level, "note") == 0 ? "recommendation" : level);
  b->rule_of[check] = (int)json_array_size(b->rules);
  return append(b->rules, rule);
}

static bool add_known(json_t *o, const struct mck_group *group) {
  bool is_whole = true;
  if (group->baseline != MCK_BASELINE_NONE)
    is_whole &= set(o, "baselineState", json_string(group->baseline == MCK_BASELINE_NEW ? "new" : "unchanged"));
  if (group->suppression) // a comment stands at a place of the finding, a rule in a file of its own
    is_whole &= set(o, "suppressions",
                    json_pack("[{s:s,s:s,s:o}]", "kind", group->is_in_source ? "inSource" : "external", "status",
                              "accepted", "justification", mck_json_text(group->suppression)));
  return is_whole;
}

static json_t *make_result(struct builder *b, const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  json_t *o = json_object(), *ranks = json_array();
  bool is_whole = o && ranks && add_rule(b, f->check);
  for (size_t i = 0; i < group->nranks && is_whole; i++) is_whole = append(ranks, json_integer(group->ranks[i]));
  is_whole = is_whole && set(o, "ruleId", json_string(mck_check_infos[f->check].id)) &&
             set(o, "ruleIndex", json_integer(b->rule_of[f->check])) &&
             set(o, "level", json_string(level_of(f->severity))) && set(o, "message", make_result_message(group)) &&
             add_places(b, o, group) &&
             set(o, "partialFingerprints",
                 json_pack("{s:s,s:s}", "primaryLocationLineHash", group->fingerprint, "mpiccCheck/v1",
                           group->fingerprint)) &&
             set(o, "occurrenceCount", json_integer((json_int_t)(group->count ? group->count : 1))) &&
             set(o, "properties", json_pack("{s:O}", "ranks", ranks)) && add_known(o, group);
  json_decref(ranks);
  return finish(o, is_whole);
}

// Warnings of the compiler are results where they are; of one that the run has confirmed the finding speaks.
static bool is_result(const struct mck_static_warning_of_run *w) { return !w->is_confirmed; }

// The rule of a kind, or of one that only the compiler finds. -1: out of memory.
static int find_rule(struct builder *b, const char *kind) {
  for (size_t i = 0; i < json_array_size(b->rules); i++)
    if (strcmp(json_string_value(json_object_get(json_array_get(b->rules, i), "id")), kind) == 0) return (int)i;
  for (int i = 0; i < MCK_CHECK_COUNT; i++)
    if (strcmp(mck_check_infos[i].id, kind) == 0) return add_rule(b, (enum mck_check)i) ? b->rule_of[i] : -1;
  json_t *rule = json_pack("{s:s,s:{s:s},s:{s:s},s:{s:s}}", "id", kind, "shortDescription", "text", kind, "help",
                           "text", "The page docs/static-checks.md of mpicc-check has a wrong and a right program.",
                           "defaultConfiguration", "level", "warning");
  return append(b->rules, rule) ? (int)json_array_size(b->rules) - 1 : -1;
}

static json_t *make_warning(struct builder *b, const struct mck_static_warning_of_run *w) {
  const struct mck_static_place *p = &w->place;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  write_plain(out, p->text);
  fputs(w->state == MCK_STATIC_UNEXECUTED ? ". The compiler warned of it; no rank executed it in this run."
                                          : ". The compiler warned of it.",
        out);
  json_t *message = fclose(out) == 0 ? make_message(text) : NULL, *o = json_object(), *region = json_object();
  free(text);
  bool is_whole = region && set(region, "startLine", json_integer(p->line)) &&
                  (!p->column || set(region, "startColumn", json_integer(p->column)));
  json_t *place = is_whole ? json_pack("{s:o,s:O}", "artifactLocation", make_artifact(b, p->file), "region", region)
                           : NULL;
  json_decref(region);
  int rule = find_rule(b, p->kind);
  is_whole = rule >= 0 && set(o, "message", message) && set(o, "ruleId", json_string(p->kind)) &&
             set(o, "ruleIndex", json_integer(rule)) && set(o, "level", json_string("warning")) &&
             set(o, "locations",
                 json_pack("[{s:o,s:[{s:o,s:s}]}]", "physicalLocation", place, "logicalLocations", "fullyQualifiedName",
                           mck_json_text(p->function), "kind", "function")) &&
             set(o, "partialFingerprints",
                 json_pack("{s:s,s:s}", "primaryLocationLineHash", w->fingerprint, "mpiccCheck/v1", w->fingerprint));
  if (w->suppression)
    is_whole = is_whole && set(o, "suppressions",
                               json_pack("[{s:s,s:s,s:o}]", "kind", "external", "status", "accepted", "justification",
                                         mck_json_text(w->suppression)));
  return finish(o, is_whole);
}

static bool add_results(struct builder *b, json_t *results) {
  const struct mck_report *r = b->report;
  bool is_whole = true;
  for (size_t i = 0; i < r->groups.count && is_whole; i++) {
    bool is_listed = r->warnings.count && r->groups.items[i].finding->check == MCK_CHECK_STATIC_UNEXECUTED;
    if (!is_listed) is_whole = append(results, make_result(b, &r->groups.items[i]));
  }
  for (size_t i = 0; i < r->warnings.count && is_whole; i++)
    if (is_result(&r->warnings.items[i])) is_whole = append(results, make_warning(b, &r->warnings.items[i]));
  return is_whole;
}

char *mck_sarif_make(struct mck_report *report, size_t *size) {
  struct builder b = {.report = report, .rules = json_array()};
  json_t *results = json_array();
  bool is_whole = b.rules && results;
  if (getcwd(b.here, sizeof b.here - 1) && strcmp(b.here, "/") != 0) strcat(b.here, "/");
  else b.here[0] = 0;
  for (int i = 0; i < MCK_CHECK_COUNT; i++) b.rule_of[i] = -1;
  is_whole = is_whole && add_results(&b, results);
  char *base = write_uri(b.here[0] ? b.here : "/", false);
  json_t *driver = is_whole ? json_pack("{s:s,s:s,s:s,s:O}", "name", "mpicc-check", "version", MCK_VERSION,
                                        "semanticVersion", MCK_VERSION, "rules", b.rules)
                            : NULL;
  json_t *run = driver && base ? json_pack("{s:{s:o},s:{s:s},s:{s:{s:s}},s:s,s:[{s:b}],s:O,s:{s:o}}", "tool", "driver",
                                           driver, "automationDetails", "id", "mpicc-check/", "originalUriBaseIds",
                                           "SRCROOT", "uri", base, "columnKind", "unicodeCodePoints", "invocations",
                                           "executionSuccessful", !report->run->is_incomplete, "results", results,
                                           "properties", "coverage", mck_coverage_build(&report->coverage))
                               : NULL;
  json_t *root = run ? json_pack("{s:s,s:s,s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                                 "version", "2.1.0", "runs", run)
                     : NULL;
  char *text = mck_json_dump(root, JSON_INDENT(1));
  json_decref(root), json_decref(results), json_decref(b.rules);
  free(base);
  *size = text ? strlen(text) : 0;
  return text;
}
