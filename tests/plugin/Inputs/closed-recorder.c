// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The world of random polling loops (closed.py): an MPI for which nothing comes, clocks, other threads, handlers, memory of others. From poll CALM
// on all of these change. A loop that ends then, or asks for something new, while its calls have the marks of a closed loop is reported: "FALSE".
// Marks are read as by the runtime (record/call/poll-list.h).
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "abi.h"
#include "closed.h"

enum { CALM = 60, POLLS = 2500, MEMORY = 64, ASKED_MAX = 64 };
#define HANDLE(name) __asm__(".comm " #name ",64,16");
HANDLE(ompi_mpi_comm_world) HANDLE(ompi_request_null) HANDLE(ompi_mpi_int) HANDLE(ompi_mpi_info_null) HANDLE(ompi_mpi_win_null)
static char handles[64];
jmp_buf mck_stop;
static uint64_t mark, polls, open_at, asked[ASKED_MAX];
static uint32_t iteration, settled;
static unsigned state, nmemory, nasked, threads_left;
static bool has_new, is_hung, was_counted;
static u *memory[MEMORY], seconds;
static void (*handler)(int);
static void *(*thread)(void *);
static void *thread_argument;
extern u gx[4];
extern volatile u gv[4];
extern Atomic ga[4];

void __mck_attach_closed(uint32_t version, uint64_t **where) {
  if (version == MCK_CLOSED_VERSION) *where = &mark;
}

static unsigned draw(void) { return state = state * 1664525u + 1013904223u, state >> 8; }
static u value(void) { return draw() % 3 ? draw() % 6 : draw() % 2000; }

// --- what changes by itself ---
static void tick(void) {
  if (polls < CALM || draw() % 4) return;
  switch (draw() % 10) {
  case 0: seconds += draw() % 3 ? draw() % 5 : draw() % 1000; break;
  case 1: gx[draw() % 4] = value(); break;
  case 2: gv[draw() % 4] = value(); break;
  case 3: ga[draw() % 4] = value(); break;
  case 4: if (nmemory) *memory[draw() % nmemory] = value(); break;
  case 5: if (handler) handler(SIGUSR1); break;
  case 6: if (thread && threads_left && threads_left--) thread(thread_argument); break;
  case 7: poke(draw(), value()); break;
  case 8: if (draw() % 2) setenv("MCK_STOP", "1", 1); else unsetenv("MCK_STOP"); break;
  default: if (nmemory) *memory[draw() % nmemory] += 1;
  }
}
u unknown(void) { return polls < CALM ? 0 : value(); }
static u other_function(void) { return unknown(); }
u (*world_function(void))(void) { return other_function; }
u world_size(void) { return 3; }
void escape(u *variable) {
  if (nmemory < MEMORY) memory[nmemory++] = variable;
}
int clock_gettime(clockid_t id, struct timespec *t) { return (void)id, t->tv_sec = seconds, t->tv_nsec = (long)(draw() % 1000), 0; }
int gettimeofday(struct timeval *t, void *zone) { return (void)zone, t->tv_sec = seconds, t->tv_usec = 0, 0; }
time_t time(time_t *t) { return t ? *t = seconds : (time_t)seconds; }
clock_t clock(void) { return seconds; }
int rand(void) { return (int)unknown(); }
long random(void) { return (long)unknown(); }
clock_t times(struct tms *t) { return memset(t, 0, sizeof *t), (clock_t)seconds; }
int stat(const char *name, struct stat *about) { return (void)name, (void)about, unknown() == 1 ? 0 : -1; }
ssize_t recv(int file, void *to, size_t n, int flags) { return (void)file, (void)flags, memset(to, 0, n), unknown() == 1; }
int poll(struct pollfd *files, nfds_t n, int limit) { return (void)files, (void)n, (void)limit, unknown() == 1; }
int fgetc(FILE *file) { return (void)file, (int)unknown() - 1; }
int fflush(FILE *file) { return (void)file, (int)unknown(); }
int sem_trywait(sem_t *s) { return (void)s, errno = (int)unknown(), unknown() == 1 ? 0 : -1; }
int pthread_mutex_trylock(pthread_mutex_t *m) { return (void)m, (int)unknown(); }
int sigpending(sigset_t *set) { return memset(set, (int)unknown(), sizeof *set), 0; }
int kill(pid_t process, int number) { return (void)process, (void)number, (int)unknown(); }
ssize_t read(int file, void *to, size_t n) { return (void)file, memset(to, (int)unknown(), n), unknown() == 1; }
int access(const char *name, int mode) { return (void)name, (void)mode, unknown() == 1 ? 0 : -1; }
int usleep(useconds_t t) { return (void)t, unknown() == 1 ? -1 : 0; }
int nanosleep(const struct timespec *t, struct timespec *left) {
  if (left) left->tv_sec = t->tv_sec, left->tv_nsec = (long)unknown();
  return unknown() == 1 ? -1 : 0;
}
int sched_yield(void) { return unknown() == 1 ? -1 : 0; }
int printf(const char *format, ...) { return (void)format, (int)unknown(); }
int puts(const char *text) { return (void)text, (int)unknown(); }
int putchar(int c) { return (void)c, (int)unknown(); }
void exit(int code) { (void)code; longjmp(mck_stop, 2); }
__sighandler_t signal(int number, __sighandler_t f) { return (void)number, handler = f, SIG_DFL; }
int pthread_create(pthread_t *t, const pthread_attr_t *how, void *(*f)(void *), void *x) {
  return (void)how, *t = 0, thread = f, thread_argument = x, threads_left = 3, 0;
}

// --- MPI, as long as nothing comes ---
static void ask(uint64_t what, bool is_null) {
  polls++;
  bool holds = (mark & ~MCK_CLOSED_NULLS) >> MCK_CLOSED_COUNT_SHIFT && (!is_null || mark & MCK_CLOSED_NULLS);
  uint32_t now = holds ? (uint32_t)mark : 0;
  was_counted = now >= settled;
  if (!was_counted) {
    open_at = polls;
    if (now < iteration || !iteration) settled = now ? now + MCK_CLOSED_SETTLED : UINT32_MAX, nasked = 0;
    iteration = now;
  }
  mark = now ? mark - (UINT64_C(1) << MCK_CLOSED_COUNT_SHIFT) : 0;
  bool is_known = false;
  for (unsigned i = 0; i < nasked; i++) is_known |= asked[i] == what;
  if (!is_known && nasked < ASKED_MAX) {
    if (was_counted && now > settled + 1) has_new = true;
    asked[nasked++] = what;
  } else if (!is_known) was_counted = false, open_at = polls; // the list is full
  tick();
  if (has_new || polls >= POLLS) longjmp(mck_stop, 1);
}
static uint64_t key(int kind, uint64_t a, uint64_t b) { return ((uint64_t)kind * 1000003 + a) * 1000003 + b; }
static void lose(MPI_Status *status) { // undefined
  if (status != MPI_STATUS_IGNORE) status->MPI_SOURCE = (int)unknown(), status->MPI_TAG = (int)unknown();
}
static void ask_all(int kind, int n, MPI_Request *r) {
  uint64_t what = (uint64_t)n;
  for (int i = 0; i < n; i++) what = what * 1000003 + (uint64_t)r[i];
  ask(key(kind, what, 0), false);
}
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  *flag = 0, lose(status);
  ask(key(1, (uint64_t)source, (uint64_t)tag * 7 + (uint64_t)comm), false);
  return 0;
}
int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *m, MPI_Status *status) {
  *m = (MPI_Message)(uintptr_t)draw();
  return MPI_Iprobe(source, tag, comm, flag, status);
}
int MPI_Test(MPI_Request *r, int *flag, MPI_Status *status) {
  bool is_null = *r == MPI_REQUEST_NULL;
  *flag = is_null, lose(status);
  ask(is_null ? key(2, 0, 0) : key(2, (uint64_t)*r, 0), is_null);
  return 0;
}
int MPI_Request_get_status(MPI_Request r, int *flag, MPI_Status *status) {
  *flag = 0, lose(status);
  ask(key(3, (uint64_t)r, 0), false);
  return 0;
}
int MPI_Testall(int n, MPI_Request r[], int *flag, MPI_Status s[]) { (void)s, *flag = 0, ask_all(4, n, r); return 0; }
int MPI_Testany(int n, MPI_Request r[], int *index, int *flag, MPI_Status *s) {
  *flag = 0, *index = MPI_UNDEFINED, lose(s), ask_all(5, n, r);
  return 0;
}
int MPI_Testsome(int n, MPI_Request r[], int *count, int indices[], MPI_Status s[]) {
  (void)s, *count = 0, indices[0] = (int)unknown(), ask_all(6, n, r);
  return 0;
}
int MPI_Win_test(MPI_Win win, int *flag) { *flag = 0, ask(key(7, (uint64_t)win, 0), false); return 0; }
int MPI_Irecv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Request *r) {
  (void)n, (void)t, (void)source, (void)c, escape(b);
  *r = (MPI_Request)(handles + tag % 64);
  return 0;
}
int MPI_Win_create(void *b, MPI_Aint n, int unit, MPI_Info info, MPI_Comm c, MPI_Win *win) {
  (void)n, (void)unit, (void)info, (void)c, escape(b);
  *win = (MPI_Win)handles;
  return 0;
}
int MPI_Recv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status *s) {
  (void)b, (void)n, (void)t, (void)source, (void)tag, (void)c, (void)s;
  return 0;
}
double MPI_Wtime(void) { return seconds; }

// --- one program ---
static void hang(int number) { (void)number, is_hung = true, longjmp(mck_stop, 3); }
void world_begin(unsigned seed, struct ctx *c) {
  state = seed, polls = open_at = nasked = nmemory = 0, mark = 0;
  iteration = 0, settled = UINT32_MAX, has_new = is_hung = was_counted = false;
  handler = NULL, thread = NULL, threads_left = 0, seconds = 100;
  unsetenv("MCK_STOP");
  *c = (struct ctx){.n = 3, .tag = 4, .comm = MPI_COMM_WORLD};
  for (int i = 0; i < 4; i++) c->requests[i] = (MPI_Request)(handles + i);
  memset(gx, 0, sizeof gx), memset((void *)gv, 0, sizeof gv), memset((void *)ga, 0, sizeof ga);
  escape(&c->a), escape(&c->b);
  struct sigaction how = {.sa_handler = hang, .sa_flags = SA_NODEFER};
  sigaction(SIGVTALRM, &how, NULL);
  struct itimerval limit = {.it_value = {.tv_usec = 60000}};
  setitimer(ITIMER_VIRTUAL, &limit, NULL);
}
void world_end(int program, int line, int is_closed) {
  struct itimerval none = {0};
  setitimer(ITIMER_VIRTUAL, &none, NULL);
  bool has_ended = polls < POLLS && !has_new && !is_hung;
  const char *what = is_hung ? "hung" : has_new ? "new" : has_ended ? "ends" : "stays";
  const char *mark_is = polls - open_at > (uint64_t)POLLS / 3 ? "closed" : "open";
  const char *verdict = was_counted && (has_ended || has_new) ? "FALSE" : "fine";
  fprintf(stderr, "%d %d %s %s %s %s %llu\n", program, line, is_closed ? "certain" : "random", what, mark_is, verdict, (unsigned long long)polls);
}
