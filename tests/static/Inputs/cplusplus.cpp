// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs in C++ (programs.py): guards that free in destructors, containers, lambdas, exceptions; wrong ones and their
// right twins.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
//// raii-lock
struct Lock {
  MPI_Win w; int t;
  Lock(int target, MPI_Win win) : w(win), t(target) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win); }
  ~Lock() { }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> mem(10), x(10);
  MPI_Win win;
  MPI_Win_create(mem.data(), 80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  { Lock l(0, win); MPI_Put(x.data(), 10, MPI_DOUBLE, 0, 0, 10, MPI_DOUBLE, win); }
  MPI_Win_free(&win); // WARN rma.free-in-epoch
  MPI_Finalize();
}
//// raii-lock-ok
struct Lock {
  MPI_Win w; int t;
  Lock(int target, MPI_Win win) : w(win), t(target) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win); }
  ~Lock() { MPI_Win_unlock(t, w); }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> mem(10), x(10);
  MPI_Win win;
  MPI_Win_create(mem.data(), 80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  { Lock l(0, win); MPI_Put(x.data(), 10, MPI_DOUBLE, 0, 0, 10, MPI_DOUBLE, win);
    if (argc > 3) throw std::runtime_error("too many"); }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// raii-comm
class Comm { MPI_Comm c; public:
  explicit Comm(MPI_Comm of) { MPI_Comm_dup(of, &c); } // WARN leak.comm
  ~Comm() {}
  int rank() const { int r; MPI_Comm_rank(c, &r); return r; } };
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  { Comm c(MPI_COMM_WORLD); std::printf("%d\n", c.rank()); }
  MPI_Finalize();
}
//// raii-comm-ok
class Comm { MPI_Comm c; public:
  explicit Comm(MPI_Comm of) { MPI_Comm_dup(of, &c); }
  ~Comm() { MPI_Comm_free(&c); }
  int rank() const { int r; MPI_Comm_rank(c, &r); return r; } };
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  { Comm c(MPI_COMM_WORLD); std::string s = std::to_string(c.rank()); std::printf("%s\n", s.c_str()); }
  MPI_Finalize();
}
//// vector-inuse
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> in(4), out(4);
  MPI_Request r[2];
  MPI_Irecv(in.data(), 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out.data(), 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  out[2] = 5; // WARN buffer.modified-in-use
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
//// vector-inuse-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> in(4), out(4);
  std::vector<MPI_Request> r(2);
  MPI_Irecv(in.data(), 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out.data(), 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r.data(), MPI_STATUSES_IGNORE);
  out[2] = in.at(0);
  MPI_Finalize();
}
//// vector-type
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<float> v(4);
  std::string s("abc");
  MPI_Bcast(v.data(), (int)v.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Bcast(&s[0], (int)s.size(), MPI_CHAR, -3, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// vector-type-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<float> v(4);
  std::string s("abc");
  MPI_Bcast(v.data(), (int)v.size(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&s[0], (int)s.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// lambda-div
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, n = 0; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> v(3);
  auto share = [&](int &x) { MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); }; // WARN collective.divergence
  if (rank == 0) { n = (int)v.size(); share(n); }
  MPI_Finalize();
}
//// lambda-div-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, n = 0; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> v(3);
  auto share = [&](int &x) { MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); };
  if (rank == 0) n = (int)v.size();
  share(n);
  MPI_Finalize();
}
//// throw-path
static void check(int e) { if (e != MPI_SUCCESS) throw std::runtime_error("mpi"); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  try {
    std::vector<double> b(10);
    MPI_Request r;
    check(MPI_Irecv(b.data(), 10, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r)); // WARN request.not-completed
    if (argc > 1) { MPI_Finalize(); return 1; }
    check(MPI_Wait(&r, MPI_STATUS_IGNORE));
  } catch (const std::exception &e) { std::fprintf(stderr, "%s\n", e.what()); MPI_Abort(MPI_COMM_WORLD, 1); }
  MPI_Finalize();
}
//// throw-path-ok
static void check(int e) { if (e != MPI_SUCCESS) throw std::runtime_error("mpi"); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  try {
    std::vector<double> b(10);
    MPI_Request r;
    check(MPI_Irecv(b.data(), 10, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r));
    check(MPI_Wait(&r, MPI_STATUS_IGNORE));
  } catch (const std::exception &e) { std::fprintf(stderr, "%s\n", e.what()); MPI_Abort(MPI_COMM_WORLD, 1); }
  MPI_Finalize();
}
//// session-ok
struct Session { Session(int *c, char ***v) { MPI_Init(c, v); } ~Session() { MPI_Finalize(); } };
struct Type {
  MPI_Datatype t;
  Type(int n) { MPI_Type_contiguous(n, MPI_DOUBLE, &t); MPI_Type_commit(&t); }
  ~Type() { MPI_Type_free(&t); }
};
int main(int argc, char **argv) {
  Session s(&argc, &argv);
  Type t(3);
  auto p = std::make_unique<double[]>(30);
  MPI_Bcast(p.get(), 10, t.t, 0, MPI_COMM_WORLD);
  if (argc > 5) return 3;
  std::vector<std::string> names{"a", "b"};
  for (auto &n : names) std::printf("%s\n", n.c_str());
}
//// function-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::function<void()> f = [] { MPI_Barrier(MPI_COMM_WORLD); };
  if (rank == 0) std::printf("x\n");
  f();
  std::vector<int> all(argc > 2 ? 3 : 4);
  MPI_Allreduce(MPI_IN_PLACE, all.data(), (int)all.size(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// guard-of-epoch
struct Epoch {
  MPI_Win win;
  explicit Epoch(MPI_Win of) : win(of) { MPI_Win_fence(0, win); }
  ~Epoch() { MPI_Win_fence(0, win); }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double *mem;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  std::vector<double> x(1, rank);
  {
    Epoch epoch(win);
    if (rank != 0) MPI_Put(x.data(), 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win); // WARN rma.race
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// guard-of-epoch-ok
struct Epoch {
  MPI_Win win;
  explicit Epoch(MPI_Win of) : win(of) { MPI_Win_fence(0, win); }
  ~Epoch() { MPI_Win_fence(0, win); }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double *mem;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  std::vector<double> x(1, rank);
  {
    Epoch epoch(win);
    if (rank != 0) MPI_Put(x.data(), 1, MPI_DOUBLE, 0, rank, 1, MPI_DOUBLE, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// catch-and-leave
static int read(const char *name) {
  if (!name) throw std::invalid_argument("no name");
  return name[0];
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string text(argv[0]);
  if (rank == 0) {
    n = read(argv[1]);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN collective.divergence
  }
  std::printf("%s %d\n", text.c_str(), n);
  MPI_Finalize();
}
//// catch-and-leave-ok
static int read(const char *name) {
  if (!name) throw std::invalid_argument("no name");
  return name[0];
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string text(argv[0]);
  try {
    if (rank == 0) n = read(argv[1]);
  } catch (const std::exception &) {
    n = -1;
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::printf("%s %d\n", text.c_str(), n);
  MPI_Finalize();
}
//// request-in-class-ok
class Exchange {
  std::vector<double> in, out;
  MPI_Request requests[2];
public:
  explicit Exchange(int n) : in(n), out(n) {}
  void begin(int to) {
    MPI_Irecv(in.data(), (int)in.size(), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), (int)out.size(), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[1]);
  }
  void end() { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Exchange exchange(10);
  exchange.begin(1 - rank);
  exchange.end();
  MPI_Finalize();
}
//// guard-of-request-ok
struct Request {
  MPI_Request handle = MPI_REQUEST_NULL;
  ~Request() {
    MPI_Wait(&handle, MPI_STATUS_IGNORE);
  }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    int x = 0; // it lives longer than what waits
    Request request;
    std::vector<int> kept;
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request.handle);
    kept.push_back(argc);
  }
  MPI_Finalize();
}
//// asking-guard-ok
struct Request {
  MPI_Request handle = MPI_REQUEST_NULL;
  ~Request() {
    if (handle != MPI_REQUEST_NULL) MPI_Wait(&handle, MPI_STATUS_IGNORE);
  }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    int x = 0;
    Request request;
    std::vector<int> kept;
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request.handle);
    kept.push_back(argc);
  }
  MPI_Finalize();
}
//// thread-joined-ok
#include <thread>
void exchange(double *a, int n) { // the thread waits for the operation
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r);
  std::thread t([&] { MPI_Wait(&r, MPI_STATUS_IGNORE); });
  t.join();
  a[0] = 1;
}
//// thread-not-yet-joined
#include <thread>
void compute();
void exchange(double *a, int n) {
  MPI_Request r;
  std::thread t(compute); // it does not know the request
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r); // NOTE
  t.join();
  a[0] = 1; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// future-ok
#include <future>
void exchange(double *a, int n) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r);
  std::future<void> f = std::async(std::launch::async, [&] { MPI_Wait(&r, MPI_STATUS_IGNORE); });
  f.get();
  a[0] = 1;
}
//// condition-ok
#include <condition_variable>
#include <mutex>
struct Work {
  MPI_Request r;
  std::mutex mutex;
  std::condition_variable news;
  int state = 0;
};
void exchange(Work &w, double *a, int n) {
  std::unique_lock<std::mutex> lock(w.mutex);
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &w.r);
  w.state = 1;
  w.news.notify_all();
  w.news.wait(lock, [&] { return w.state == 2; });
  a[0] = 1;
}
//// function-ok
void exchange(double *a, int n) { // a function object knows the request
  MPI_Request r;
  std::function<void()> wait = [&] { MPI_Wait(&r, MPI_STATUS_IGNORE); };
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r);
  wait();
  a[0] = 1;
}
//// deleter-ok
void exchange(double *a, int n) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r);
  { std::shared_ptr<int> p(nullptr, [&](int *) { MPI_Wait(&r, MPI_STATUS_IGNORE); }); }
  a[0] = 1;
}
//// shared-request-ok
static int own() { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); return rank; }
struct Req {
  std::shared_ptr<MPI_Request> r;
  Req() : r(new MPI_Request(MPI_REQUEST_NULL), [](MPI_Request *p) { MPI_Wait(p, MPI_STATUS_IGNORE); delete p; }) {}
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y; 
  {
    Req a, b;
    MPI_Irecv(&y, 1, MPI_INT, own(), 0, MPI_COMM_WORLD, a.r.get());
    MPI_Isend(&x, 1, MPI_INT, own(), 0, MPI_COMM_WORLD, b.r.get());
  }
  std::printf("%d\n", y);
  MPI_Finalize();
}
//// thread-waits-ok
static int own() { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); return rank; }
int main(int argc, char **argv) {
  int got; MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &got);
  int x = 1, y = 0; MPI_Request r;
  MPI_Irecv(&y, 1, MPI_INT, own(), 5, MPI_COMM_WORLD, &r);
  std::thread t([&r] { MPI_Wait(&r, MPI_STATUS_IGNORE); });
  MPI_Send(&x, 1, MPI_INT, own(), 5, MPI_COMM_WORLD);
  t.join();
  y++;
  MPI_Finalize();
  return y;
}
//// refcount-ok
static int own() { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); return rank; }
struct Shared { int refs; double data[4]; };
static Shared *keep[4]; static int kept;
struct Ref {
  Shared *s;
  explicit Ref(Shared *s) : s(s) { s->refs++; }
  Ref(const Ref &o) : s(o.s) { s->refs++; }
  ~Ref() { if (--s->refs == 0) delete s; }
};
static void post(const Ref &b, int to, MPI_Request *r) {
  MPI_Isend(b.s->data, 4, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, r);
  b.s->refs++;
  keep[kept++] = b.s;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Request r; double x[4];
  { Ref b(new Shared{0, {1, 2, 3, 4}}); post(b, own(), &r); }
  MPI_Recv(x, 4, MPI_DOUBLE, own(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (--keep[0]->refs == 0) delete keep[0];
  MPI_Finalize();
}
//// vector-float
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<float> v(16);
  MPI_Bcast(v.data(), 16, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN type.buffer, WARN arg.memory
  MPI_Finalize();
}
//// guard-of-memory
struct Memory {
  double *all;
  explicit Memory(int n) : all(new double[n]) { all[0] = n; }
  ~Memory() { delete[] all; } // WARN buffer.modified-in-use
};
static void post(int to, MPI_Request *r) {
  Memory memory(16);
  MPI_Isend(memory.all, 16, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, r); // NOTE
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request r;
  double x[16];
  post(1 - rank, &r);
  MPI_Recv(x, 16, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// cxx-binding-ok
int main(int argc, char **argv) {
  int on; MPI_Initialized(&on);
  if (on) return 1;
  MPI_Init(0, 0);
  extern void more(); more();
  MPI_Initialized(&on);
  if (!on) std::puts("strange");
  MPI_Finalize();
}
//// vector-raw-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<float> v(16), part(32);
  std::vector<unsigned char> raw(64);
  std::array<double, 6> a{};
  MPI_Bcast(v.data(), 16, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(v.data(), 64, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Bcast(reinterpret_cast<double *>(part.data()), 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(raw.data(), 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(a.data(), 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// containers-of-members
struct Field {
  std::vector<float> v;
  std::vector<std::vector<long>> rows;
  int nx, ny;
  void share(MPI_Comm c) {
    MPI_Bcast(v.data(), nx * ny, MPI_DOUBLE, 0, c); // WARN type.buffer
    MPI_Bcast(&v[0], nx, MPI_INT, 0, c); // WARN type.buffer
    MPI_Bcast(rows[1].data() + nx, ny, MPI_INT, 0, c); // WARN type.buffer
    auto twice = [&](int n) { MPI_Bcast(v.data(), n, MPI_DOUBLE, 0, c); }; // WARN type.buffer
    twice(nx);
  }
};
void f(Field &x, MPI_Comm c) { x.share(c); }
//// containers-of-members-ok
struct Field {
  std::vector<float> v;
  std::vector<std::vector<long>> rows;
  int nx, ny;
  void share(MPI_Comm c) {
    MPI_Bcast(v.data(), nx * ny, MPI_FLOAT, 0, c);
    MPI_Bcast(&v[0], 4 * nx, MPI_BYTE, 0, c);
    MPI_Bcast(rows[1].data() + nx, ny, MPI_INT64_T, 0, c);
    auto twice = [&](int n) { MPI_Bcast(v.data(), n, MPI_FLOAT, 0, c); };
    twice(nx);
  }
};
void f(Field &x, MPI_Comm c) { x.share(c); }
//// array-of-longs
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::array<long, 6> a{};
  MPI_Bcast(a.data(), 6, MPI_INT, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// transform-inuse
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Irecv(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::transform(a.begin(), a.end(), a.begin(), [](double x) { return 2 * x; }); // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::transform(a.begin(), a.end(), a.begin(), [](double x) { return 2 * x; });
  MPI_Finalize();
}
//// transform-inuse-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Irecv(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::transform(b.begin(), b.end(), b.begin(), [](double x) { return 2 * x; });
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::transform(a.begin(), a.end(), a.begin(), [](double x) { return 2 * x; });
  MPI_Finalize();
}
//// sort-inuse
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Isend(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::sort(a.begin(), a.end()); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::sort(a.begin(), a.end());
  MPI_Finalize();
}
//// sort-inuse-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Isend(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::sort(b.begin(), b.end());
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::sort(a.begin(), a.end());
  MPI_Finalize();
}
//// fill-inuse
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Isend(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::fill(a.begin(), a.end(), 0.0); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::fill(a.begin(), a.end(), 0.0);
  MPI_Finalize();
}
//// fill-inuse-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> a(100), b(100), c(100); MPI_Request r;
  MPI_Isend(a.data(), 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &r);
  std::fill(b.begin(), b.end(), 0.0);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  std::fill(a.begin(), a.end(), 0.0);
  MPI_Finalize();
}
//// list-of-requests-ok
struct Channel {
  std::vector<MPI_Request> open;
  void receive(double *a, int from) {
    open.emplace_back();
    MPI_Irecv(a, 4, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, &open.back());
  }
  void send(double *a, int to) {
    open.emplace_back();
    MPI_Isend(a, 4, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &open.back());
  }
  void finish() {
    MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE);
    open.clear();
  }
};
void exchange(Channel &c, double *in, double *out, int peer) {
  c.receive(in, peer);
  c.send(out, peer);
  c.finish();
}
void resized(double *in, double *out, int peer) {
  std::vector<MPI_Request> open;
  open.resize(open.size() + 1);
  MPI_Irecv(in, 4, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &open[open.size() - 1]);
  open.resize(open.size() + 1);
  MPI_Isend(out, 4, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &open[open.size() - 1]);
  MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE);
}
void counted(double *in, double *out, int peer, int k) {
  std::vector<MPI_Request> open;
  open.resize(k);
  MPI_Irecv(in, 4, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &open[open.size() - 1]);
  open.resize(k + 1);
  MPI_Isend(out, 4, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &open[open.size() - 1]);
  MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE);
}
void swapped(std::vector<double> &now, std::vector<double> &next, int to) {
  MPI_Request r;
  MPI_Isend(now.data(), 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &r);
  now.swap(next);
  now[0] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// levels-by-own-frontier
std::vector<int> deliver(const std::vector<std::vector<int>> &out) {
  const int p = int(out.size());
  std::vector<int> sent(p), come(p), to(p, 0), from(p, 0), all;
  for (int i = 0; i < p; ++i) {
    to[i] = int(all.size()), sent[i] = int(out[i].size());
    all.insert(all.end(), out[i].begin(), out[i].end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, come.data(), 1, MPI_INT, MPI_COMM_WORLD); // WARN collective.divergence
  int total = 0;
  for (int i = 0; i < p; ++i) from[i] = total, total += come[i];
  std::vector<int> in(total);
  MPI_Alltoallv(all.data(), sent.data(), to.data(), MPI_INT, in.data(), come.data(), from.data(), MPI_INT,
                MPI_COMM_WORLD);
  return in;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> frontier;
  if (rank == 0) frontier.push_back(1);
  while (!frontier.empty()) {
    std::vector<std::vector<int>> out(size);
    for (int v : frontier)
      if (v < 4 * size) out[(v + 1) % size].push_back(v + 1);
    frontier = deliver(out);
  }
  MPI_Finalize();
}
//// levels-by-all-frontiers-ok
std::vector<int> deliver(const std::vector<std::vector<int>> &out) {
  const int p = int(out.size());
  std::vector<int> sent(p), come(p), to(p, 0), from(p, 0), all;
  for (int i = 0; i < p; ++i) {
    to[i] = int(all.size()), sent[i] = int(out[i].size());
    all.insert(all.end(), out[i].begin(), out[i].end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, come.data(), 1, MPI_INT, MPI_COMM_WORLD);
  int total = 0;
  for (int i = 0; i < p; ++i) from[i] = total, total += come[i];
  std::vector<int> in(total);
  MPI_Alltoallv(all.data(), sent.data(), to.data(), MPI_INT, in.data(), come.data(), from.data(), MPI_INT,
                MPI_COMM_WORLD);
  return in;
}
int main(int argc, char **argv) {
  int rank, size, most = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> frontier;
  if (rank == 0) frontier.push_back(1);
  while (most > 0) {
    std::vector<std::vector<int>> out(size);
    for (int v : frontier)
      if (v < 4 * size) out[(v + 1) % size].push_back(v + 1);
    frontier = deliver(out);
    int own = int(frontier.size());
    MPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// team-by-value
struct Team {
  MPI_Comm comm = MPI_COMM_NULL;
  Team(int color, int key) { MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm); }
  ~Team() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm); // WARN handle.freed
  }
};
double mean(Team team, double x) {
  double sum = 0;
  int size;
  MPI_Comm_size(team.comm, &size);
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, team.comm);
  return sum / size;
}
int main(int argc, char **argv) {
  int rank;
  double m;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Team team(rank / 2, rank);
    m = mean(team, rank);
  }
  MPI_Finalize();
  return m < 0;
}
//// team-by-reference-ok
struct Team {
  MPI_Comm comm = MPI_COMM_NULL;
  Team(int color, int key) { MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm); }
  ~Team() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
};
double mean(const Team &team, double x) {
  double sum = 0;
  int size;
  MPI_Comm_size(team.comm, &size);
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, team.comm);
  return sum / size;
}
int main(int argc, char **argv) {
  int rank;
  double m;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Team team(rank / 2, rank);
    m = mean(team, rank);
  }
  MPI_Finalize();
  return m < 0;
}
//// virtual-writers
struct Writer {
  virtual ~Writer() = default;
  virtual void close(int *state) = 0;
};
struct Root : Writer {
  void close(int *state) override { MPI_Bcast(state, 1, MPI_INT, 0, MPI_COMM_WORLD); } // WARN collective.divergence
};
struct Leaf : Writer {
  void close(int *state) override { *state = 1; }
};
int main(int argc, char **argv) {
  int rank, state = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::unique_ptr<Writer> w;
  if (rank == 0) w = std::make_unique<Root>();
  else w = std::make_unique<Leaf>();
  w->close(&state);
  MPI_Finalize();
}
//// virtual-writers-ok
struct Writer {
  virtual ~Writer() = default;
  virtual void close(int *state) = 0;
};
struct Root : Writer {
  void close(int *state) override { MPI_Bcast(state, 1, MPI_INT, 0, MPI_COMM_WORLD); }
};
struct Leaf : Writer {
  void close(int *state) override { *state = 1, MPI_Bcast(state, 1, MPI_INT, 0, MPI_COMM_WORLD); }
};
int main(int argc, char **argv) {
  int rank, state = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::unique_ptr<Writer> w;
  if (rank == 0) w = std::make_unique<Root>();
  else w = std::make_unique<Leaf>();
  w->close(&state);
  MPI_Finalize();
}
//// option-in-a-string
struct Options {
  int parts = 2;
  bool isWide = false;
};
static Options read(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++)
    if (std::string(argv[i]) == "--wide") o.isWide = true;
  return o;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Options o = read(argc, argv);
  std::vector<int> x(4);
  if (rank == 0) std::cout << "wide: " << o.isWide << std::endl;
  MPI_Bcast(x.data(), o.isWide ? 8 : 4, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// option-in-a-string-ok
struct Options {
  int parts = 2;
  bool isWide = false;
};
static Options read(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++)
    if (std::string(argv[i]) == "--wide") o.isWide = true;
  return o;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Options o = read(argc, argv);
  std::vector<int> x(o.isWide ? 8 : 4);
  if (rank == 0) std::cout << "wide: " << o.isWide << std::endl;
  MPI_Bcast(x.data(), o.isWide ? 8 : 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// window-behind-output
class Box {
public:
  explicit Box(MPI_Comm comm) : comm_(comm) {}
  ~Box() {
    if (win_ != MPI_WIN_NULL) MPI_Win_free(&win_);
  }
  void reserve(int n) {
    if (n <= room_) return;
    MPI_Aint bytes = MPI_Aint(sizeof(double)) * n;
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, comm_, &base_, &win_); // WARN leak.win
    room_ = n;
  }
  int room() const { return room_; }

private:
  MPI_Comm comm_;
  MPI_Win win_ = MPI_WIN_NULL;
  double *base_ = nullptr;
  int room_ = 0;
};
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Box box(MPI_COMM_WORLD);
    for (int step = 1; step < 3; step++) box.reserve(4 * step);
    if (rank == 0) std::cout << "room for " << box.room() << '\n';
  }
  MPI_Finalize();
}
//// name-in-a-string
struct Settings {
  std::string metric = "sum";
  int cells = 4;
};
int main(int argc, char **argv) {
  int rank, mine = 1, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Settings set;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    if (a == "--metric" && i + 1 < argc) set.metric = argv[++i];
    else if (a.rfind("--cells=", 0) == 0) set.cells = std::atoi(a.c_str() + 8);
  }
  MPI_Op op = set.metric == "peak" && rank == 0 ? MPI_MAX : MPI_SUM;
  MPI_Allreduce(&mine, &all, set.cells > 0, MPI_INT, op, MPI_COMM_WORLD); // WARN collective.divergence
  MPI_Finalize();
}
//// fold-expression-ok
template <class T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<int>() { return MPI_INT; }
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
template <class... T> void share(T &...t) { (MPI_Bcast(&t, 1, type_of<T>(), 0, MPI_COMM_WORLD), ...); }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int i = 5;
  double x = 1.5;
  share(i, x);
  MPI_Finalize();
  return i + (int)x == 6 ? 0 : 1;
}
