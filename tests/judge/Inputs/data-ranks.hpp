// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the modules of deadlock-alternative-modules.cpp know of each other.
#pragma once
#include <mpi.h>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
void take(int from);
namespace far { void ask(int t); }
void ask_vector(const std::vector<int> &v);
void ask_map(const std::map<std::string, int> &m);
struct Base { virtual ~Base() = default; virtual void go(int t) = 0; static int counter; };
struct Asker : Base { void go(int t) override; };
struct Counter : Base { void go(int t) override; };
std::unique_ptr<Base> make(bool a);
void ask_function(const std::function<int()> &f);
void run_function(const std::function<void(int)> &f, int t);
void ask_string(const std::string &s);
struct Holder { int token = 0; void set(int); void ask(); };
struct Token { int who; };
void ask_thrown(const Token &t);
void ask_pair(std::pair<int,int> p);
void ask_optional(std::optional<int> o);
void ask_list(std::list<int> l);
double sum(const std::vector<double> &v);
