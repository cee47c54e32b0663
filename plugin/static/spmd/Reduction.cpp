// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces numbers (Reduction.h).
#include "static/spmd/Reduction.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mck::statics;

namespace {

enum Reducer { Sum, Product, Max, Min, And, Or, Xor, BitAnd, BitOr, BitXor, Other };

Reducer reducerOf(const Value *Operation) {
  const auto *Variable = dyn_cast_or_null<GlobalVariable>(Operation);
  StringRef Name = Variable ? Variable->getName() : "";
  if (!Name.consume_front("ompi_mpi_op_")) return Other;
  return StringSwitch<Reducer>(Name)
      .Case("sum", Sum)
      .Case("prod", Product)
      .Case("max", Max)
      .Case("min", Min)
      .Case("land", And)
      .Case("lor", Or)
      .Case("lxor", Xor)
      .Case("band", BitAnd)
      .Case("bor", BitOr)
      .Case("bxor", BitXor)
      .Default(Other);
}

std::optional<double> combine(Reducer By, double A, double B) {
  switch (By) {
  case Sum: return A + B;
  case Product: return A * B;
  case Max: return std::max(A, B);
  case Min: return std::min(A, B);
  default: return std::nullopt;
  }
}

std::optional<int64_t> combine(Reducer By, int64_t A, int64_t B) {
  switch (By) {
  case Sum: return int64_t(uint64_t(A) + uint64_t(B));
  case Product: return int64_t(uint64_t(A) * uint64_t(B));
  case Max: return std::max(A, B);
  case Min: return std::min(A, B);
  case And: return A && B;
  case Or: return A || B;
  case Xor: return !A != !B;
  case BitAnd: return A & B;
  case BitOr: return A | B;
  case BitXor: return A ^ B;
  case Other: break;
  }
  return std::nullopt;
}

double realOf(const Datum &Is, unsigned Bytes) {
  if (Is.What == Datum::Number) return 0; // zeros
  return Bytes == 4 ? double(bit_cast<float>(uint32_t(Is.Value))) : bit_cast<double>(Is.Value);
}

Datum realOf(double Is, unsigned Bytes) {
  int64_t Bits = Bytes == 4 ? int64_t(bit_cast<uint32_t>(float(Is))) : bit_cast<int64_t>(Is);
  return {Datum::Real, Bits, {}, false};
}

Datum combine(Reducer By, uint32_t Kind, const Datum &A, const Datum &B) {
  unsigned Bytes = Kind >> 8;
  if (A.What == Datum::Unknown || B.What == Datum::Unknown) return {};
  if (uint8_t(Kind) == 'f') {
    if (A.Value && A.What != Datum::Real) return {};
    if (B.Value && B.What != Datum::Real) return {};
    auto Is = Bytes == 4 || Bytes == 8 ? combine(By, realOf(A, Bytes), realOf(B, Bytes)) : std::nullopt;
    return Is ? realOf(*Is, Bytes) : Datum();
  }
  if (A.What != Datum::Number || B.What != Datum::Number) return {};
  if ((By == Max || By == Min) && (A.Value < 0) != (B.Value < 0)) return {}; // they may be unsigned
  auto Is = combine(By, A.Value, B.Value);
  return Is ? Datum{Datum::Number, SignExtend64(uint64_t(*Is), Bytes * 8), {}, false} : Datum();
}

} // namespace

Piece mck::statics::reduce(const std::vector<const Piece *> &All, uint32_t Kind, const Value *Operation) {
  Piece Is{All.empty() ? 0 : All.front()->Size, {}};
  int64_t Bytes = Kind >> 8;
  Reducer By = reducerOf(Operation);
  if (!Bytes || By == Other) return Is;
  for (const Piece *One : All)
    if (One->Size != Is.Size) return Is;
  constexpr int64_t MostElements = 4096;
  for (int64_t At = 0; At + Bytes <= Is.Size && At < MostElements * Bytes; At += Bytes) {
    Datum Result = All.front()->at(At, Bytes);
    for (size_t I = 1; I < All.size() && Result.What != Datum::Unknown; ++I)
      Result = combine(By, Kind, Result, All[I]->at(At, Bytes));
    if (Result.What != Datum::Unknown) Is.Parts[At] = {Bytes, Result};
  }
  return Is;
}
