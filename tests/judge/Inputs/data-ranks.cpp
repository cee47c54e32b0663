// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data-ranks.hpp"
#define W MPI_COMM_WORLD
#define IGN MPI_STATUS_IGNORE
static int x;
int Base::counter = 0;
void take(int from) { MPI_Recv(&x, 1, MPI_INT, from, 1, W, IGN); }
namespace far { void ask(int t) { take(3 - t); } }
void ask_vector(const std::vector<int> &v) { take(3 - v[0]); }
void ask_map(const std::map<std::string, int> &m) { take(3 - m.at("who")); }
void Asker::go(int t) { take(3 - t); }
void Counter::go(int t) { counter += t; }
std::unique_ptr<Base> make(bool a) { if (a) return std::make_unique<Asker>(); return std::make_unique<Counter>(); }
void ask_function(const std::function<int()> &f) { take(3 - f()); }
void run_function(const std::function<void(int)> &f, int t) { f(t); }
void ask_string(const std::string &s) { take(3 - std::stoi(s)); }
void Holder::set(int t) { token = t; }
void Holder::ask() { take(3 - token); }
void ask_thrown(const Token &t) { take(3 - t.who); }
void ask_pair(std::pair<int,int> p) { take(3 - p.second); }
void ask_optional(std::optional<int> o) { take(3 - *o); }
double sum(const std::vector<double> &v) { double s = 0; for (double d : v) s += d; return s; }
void ask_list(std::list<int> l) { for (int i : l) take(3 - i); }
