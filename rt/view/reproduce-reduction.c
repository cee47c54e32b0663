// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the reduction of a finding: small whole numbers of the same type, whose result is exact, and the same
// operation. One of the program becomes one that is associative and does not commute.
#include <inttypes.h>
#include <string.h>
#include "api/fns.h"
#include "log/content.h"
#include "log/signature.h"
#include "standard/function.h"
#include "view/reproduce-collective.h"

static const char *c_type(const char *name) {
  static const char *const rows[][2] = {{"MPI_CHAR", "char"},
                                        {"MPI_SIGNED_CHAR", "signed char"},
                                        {"MPI_BYTE", "unsigned char"},
                                        {"MPI_UNSIGNED_CHAR", "unsigned char"},
                                        {"MPI_SHORT", "short"},
                                        {"MPI_UNSIGNED_SHORT", "unsigned short"},
                                        {"MPI_INT", "int"},
                                        {"MPI_UNSIGNED", "unsigned"},
                                        {"MPI_LONG", "long"},
                                        {"MPI_UNSIGNED_LONG", "unsigned long"},
                                        {"MPI_FLOAT", "float"},
                                        {"MPI_LONG_LONG_INT", "long long"},
                                        {"MPI_DOUBLE", "double"},
                                        {"MPI_UNSIGNED_LONG_LONG", "unsigned long long"},
                                        {"MPI_INT8_T", "signed char"},
                                        {"MPI_LONG_DOUBLE", "long double"},
                                        {"MPI_INT16_T", "short"},
                                        {"MPI_UINT8_T", "unsigned char"},
                                        {"MPI_INT32_T", "int"},
                                        {"MPI_UINT16_T", "unsigned short"},
                                        {"MPI_INT64_T", "long"},
                                        {"MPI_UINT32_T", "unsigned"},
                                        {"MPI_UINT64_T", "unsigned long"},
                                        {"MPI_C_BOOL", "_Bool"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i][0], name)) return rows[i][1];
  return NULL;
}

static bool is_own(uint32_t op) { return op == MCK_OP_USER || op == MCK_OP_USER_ORDERED; }

// a o b in C; NULL: not of these operations.
static const char *c_operation(uint32_t op) {
  switch (op) {
  case MCK_OP_MAX: return "a > b ? a : b";
  case MCK_OP_MIN: return "a < b ? a : b";
  case MCK_OP_SUM: return "a + b";
  case MCK_OP_PROD: return "a * b";
  case MCK_OP_LAND: return "a && b";
  case MCK_OP_BAND: return "a & b";
  case MCK_OP_LOR: return "a || b";
  case MCK_OP_BOR: return "a | b";
  case MCK_OP_LXOR: return "!a != !b";
  case MCK_OP_BXOR: return "a ^ b";
  case MCK_OP_USER: return "a + b";
  case MCK_OP_USER_ORDERED: return "a ? a : b";
  default: return NULL;
  }
}

// The numbers of elements that each rank gives and gets.
struct counts {
  uint64_t given, got[64];
};

static void write_head(const struct mck_reproduce *w, const struct mck_event *call, const char *type, size_t n) {
  const char *basic = c_type(type);
  fprintf(w->out,
          "\ntypedef %s number;\n\n// What a rank gives: 0 to 3, so that no result is rounded or too large.\n"
          "static number given(int rank, int i, int round) { return (number)((i * 7 + rank * 5 + round) %% %d); }\n\n"
          "static number combine(number a, number b) { return (number)(%s); }\n\n"
          "// Of the ranks from 0 to last.\n"
          "static number expected(int last, int i, int round) {\n"
          "  number all = given(0, i, round);\n"
          "  for (int rank = 1; rank <= last; rank++) all = combine(all, given(rank, i, round));\n"
          "  return all;\n}\n",
          basic, call->coll.op == MCK_OP_PROD && n > 3 ? 2 : 4, c_operation(call->coll.op));
  if (is_own(call->coll.op))
    fprintf(w->out, "\nstatic void own(void *in, void *inout, int *n, MPI_Datatype *type) {\n  (void)type;\n"
                    "  for (int i = 0; i < *n; i++) ((number *)inout)[i] = combine(((number *)in)[i], ((number "
                    "*)inout)[i]);\n}\n");
}

static void write_main(const struct mck_reproduce *w, const struct mck_event *call, const struct counts *c, size_t n) {
  fprintf(w->out,
          "\nint main(int argc, char **argv) {\n"
          "  int rank, size, wrong = 0, rounds = argc > 1 ? atoi(argv[1]) : 100;\n"
          "  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
          "  MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
          "  if (size != %zu) {\n    if (rank == 0) printf(\"%zu ranks are needed\\n\");\n"
          "    MPI_Abort(MPI_COMM_WORLD, 2);\n  }\n"
          "  number *out = calloc(%" PRIu64 ", sizeof *out), *in = calloc(%" PRIu64 ", sizeof *in);\n",
          n, n, c->given + 1, c->given + 1);
  if (is_own(call->coll.op))
    fprintf(w->out, "  MPI_Op op;\n  MPI_Op_create(own, %d, &op);\n", call->coll.op == MCK_OP_USER);
  else fprintf(w->out, "  MPI_Op op = %s;\n", mck_op_name(call->coll.op));
  fprintf(w->out, "  int counts[] = {");
  for (size_t k = 0; k < n; k++) fprintf(w->out, "%s%" PRIu64, k ? ", " : "", c->got[k]);
  fprintf(w->out, "}, first = 0;\n  for (int k = 0; k < rank; k++) first += counts[k];\n");
}

static void write_call(const struct mck_reproduce *w, const struct mck_event *call, const struct counts *c,
                       const char *type) {
  uint16_t blocking = mck_std(call->fn)->blocking;
  bool has_request = blocking != call->fn;
  fprintf(w->out,
          "  for (int round = 0; round < rounds; round++) {\n    MPI_Request request;\n    (void)request;\n"
          "    for (int i = 0; i < %" PRIu64 "; i++) out[i] = given(rank, i, round), in[i] = 0;\n    %s(out, in, ",
          c->given, mck_fn_names[call->fn]);
  if (blocking == MCK_FN_MPI_Reduce_scatter) fprintf(w->out, "counts, ");
  else if (blocking == MCK_FN_MPI_Reduce_scatter_block) fprintf(w->out, "counts[0], ");
  else fprintf(w->out, "%" PRIu64 ", ", c->given);
  fprintf(w->out, "%s, op, ", type);
  if (blocking == MCK_FN_MPI_Reduce) fprintf(w->out, "%d, ", call->coll.root);
  fprintf(w->out, "MPI_COMM_WORLD%s);\n", has_request ? ", &request" : "");
  if (has_request) fprintf(w->out, "    MPI_Wait(&request, MPI_STATUS_IGNORE);\n");
}

static void write_check(const struct mck_reproduce *w, const struct mck_event *call) {
  enum mck_std_flow flow = mck_std(call->fn)->flow;
  bool is_scatter = flow == MCK_STD_FLOW_REDUCE_SCATTER, is_scan = flow == MCK_STD_FLOW_SCAN;
  const char *last = is_scan ? "rank" : flow == MCK_STD_FLOW_EXSCAN ? "rank - 1" : "size - 1";
  fprintf(w->out, "    for (int i = 0; i < counts[rank]");
  if (flow == MCK_STD_FLOW_REDUCE) fprintf(w->out, " && rank == %d", call->coll.root);
  if (flow == MCK_STD_FLOW_EXSCAN) fprintf(w->out, " && rank > 0");
  fprintf(w->out,
          "; i++) {\n      if (in[i] == expected(%s, %si, round)) continue;\n"
          "      printf(\"round %%d: rank %%d: element %%d of the result is wrong\\n\", round, rank, i);\n"
          "      wrong++;\n      break;\n    }\n  }\n",
          last, is_scatter ? "first + " : "");
  if (is_own(call->coll.op)) fprintf(w->out, "  MPI_Op_free(&op);\n");
  fprintf(w->out, "%s", mck_reproduce_tail);
}

const char *mck_reproduce_reduction(struct mck_reproduce *w, const struct mck_reproduce_meeting *m) {
  struct counts c = {0};
  const struct mck_reader *first = &w->view->logs[m->logs[0]].reader;
  const struct mck_event *call = &first->events[m->events[0]], *sent = mck_reproduce_part(first, m->events[0], false);
  const char *name = sent && sent->content.type < MCK_TYPE_USER ? mck_basic_name(sent->content.type) : NULL;
  if (m->n > sizeof c.got / sizeof *c.got) return "reductions of more than 64 ranks cannot be reproduced so far";
  if (!name || !c_type(name) || !c_operation(call->coll.op))
    return "only reductions of numbers can be reproduced so far";
  c.given = mck_content_body(sent)->count;
  for (size_t k = 0; k < m->n; k++) {
    const struct mck_event *got = mck_reproduce_part(&w->view->logs[m->logs[k]].reader, m->events[k], true);
    c.got[k] = got ? mck_content_body(got)->count : 0;
  }
  write_head(w, call, name, m->n);
  write_main(w, call, &c, m->n);
  write_call(w, call, &c, name);
  write_check(w, call);
  return NULL;
}
