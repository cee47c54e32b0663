// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inlined questions to the page filter. Each is an i1 without branches.
#pragma once
#include "Accesses.h"
#include "Gates.h"

namespace mck {

constexpr uint64_t PageBytes = uint64_t(1) << MCK_PAGE_SHIFT;

class Filter {
public:
  explicit Filter(EntryPoints &Gate) : Gate(Gate) {}

  /// Asks for an access of known size.
  Value *testConstant(IRBuilder<> &Builder, Value *Address, const Access &A) {
    uint64_t Size = A.Size.getFixedValue();
    Value *Pages = loadPages(Builder);
    if (Size > PageBytes) // whole pages may lie between its first and its last byte
      return isAttached(Builder, Pages);
    Value *First = toInteger(Builder, Address);
    Value *Test = pageByte(Builder, Pages, First);
    if (A.Alignment.value() < Size)
      Test = Builder.CreateOr(Test, pageByte(Builder, Pages, Builder.CreateAdd(First, Builder.getInt64(Size - 1))));
    return isWatched(Builder, Test, bitOf(A.Flags));
  }

  /// Asks for a copy: up to a page as above, which costs nothing beside the copy itself; a call would cost more.
  Value *testVariable(IRBuilder<> &Builder, Value *Address, Value *Length, uint32_t Flags) {
    Value *Pages = loadPages(Builder);
    Value *First = toInteger(Builder, Address);
    Value *Last = Builder.CreateSub(Builder.CreateAdd(First, Length), Builder.getInt64(1));
    Value *Ends = Builder.CreateOr(pageByte(Builder, Pages, First), pageByte(Builder, Pages, Last));
    Value *IsLong = Builder.CreateAnd(Builder.CreateICmpUGT(Length, Builder.getInt64(PageBytes)),
                                      isAttached(Builder, Pages));
    return Builder.CreateAnd(Builder.CreateOr(isWatched(Builder, Ends, bitOf(Flags)), IsLong),
                             Builder.CreateIsNotNull(Length));
  }

  /// Asks for a string. The runtime finds out how long it is; of a string longer than a page the first two are tested.
  Value *testString(IRBuilder<> &Builder, Value *Address, uint32_t Flags) {
    Value *First = toInteger(Builder, Address);
    return testEnds(Builder, First, Builder.CreateAdd(First, Builder.getInt64(PageBytes - 1)), bitOf(Flags));
  }

  /// Does a page of one of two addresses (i64) have these MCK_WATCH_ bits?
  Value *testEnds(IRBuilder<> &Builder, Value *First, Value *Last, uint8_t Bits) {
    Value *Pages = loadPages(Builder);
    return isWatched(Builder, Builder.CreateOr(pageByte(Builder, Pages, First), pageByte(Builder, Pages, Last)), Bits);
  }

  /// Is something of these cells new? The one of this address (i64, a multiple of 8) has the lowest byte of Bits.
  Value *testCells(IRBuilder<> &Builder, Value *Address, uint64_t Bits) {
    IntegerType *Type = Builder.getIntNTy(unsigned(PowerOf2Ceil(8 * divideCeil(Log2_64(Bits) + 1, 8))));
    Value *Cell = Builder.CreateLShr(Builder.CreateTrunc(Address, Builder.getInt32Ty()), MCK_CELL_SHIFT);
    LoadInst *Seen = hiddenLoad(Builder, Builder.getPtrTy(), Gate.Seen, Align(8));
    Seen->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Builder.getContext(), {}));
    Value *Cells = hiddenLoad(
        Builder, Type,
        Builder.CreateInBoundsGEP(Builder.getInt8Ty(), Seen, Builder.CreateZExt(Cell, Builder.getInt64Ty())), Align(1));
    Value *Wanted = ConstantInt::get(Type, Bits);
    return Builder.CreateICmpNE(Builder.CreateAnd(Cells, Wanted), Wanted);
  }

  /// Do several threads live that the runtime follows? The byte behind the one for "any page".
  Value *testThreads(IRBuilder<> &Builder) {
    Value *At = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), loadPages(Builder), MCK_FILTER_THREADS);
    return Builder.CreateIsNotNull(hiddenLoad(Builder, Builder.getInt8Ty(), At, Align(1)));
  }

  static Value *toInteger(IRBuilder<> &Builder, Value *Pointer) {
    return Builder.CreatePtrToInt(Pointer, Builder.getInt64Ty());
  }

  /// A load of ours: no sanitizer instruments it.
  static LoadInst *hiddenLoad(IRBuilder<> &Builder, Type *Type, Value *From, Align Alignment) {
    LoadInst *Load = Builder.CreateAlignedLoad(Type, From, Alignment);
    Load->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(Builder.getContext(), {}));
    return Load;
  }

private:
  EntryPoints &Gate;

  static constexpr uint8_t bitOf(uint32_t Flags) {
    uint8_t Bit = Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
    return Flags & (MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE) ? uint8_t(Bit << MCK_WATCH_ORDERED) : Bit;
  }

  // The pointer changes once, before anything else of the object runs. So it may stay in a register.
  Value *loadPages(IRBuilder<> &Builder) {
    LoadInst *Load = hiddenLoad(Builder, Builder.getPtrTy(), Gate.Pages, Align(8));
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Builder.getContext(), {}));
    return Load;
  }

  // The filter's byte for this address. x86: mov, shr, and test with the byte in memory, beside the filter's address.
  static Value *pageByte(IRBuilder<> &Builder, Value *Pages, Value *Address) {
    return hiddenLoad(Builder, Builder.getInt8Ty(), EntryPoints::pageSlot(Builder, Pages, Address), Align(1));
  }

  static Value *isWatched(IRBuilder<> &Builder, Value *Byte, uint8_t Bits) {
    return Builder.CreateIsNotNull(Builder.CreateAnd(Byte, Builder.getInt8(Bits)));
  }

  Value *isAttached(IRBuilder<> &Builder, Value *Pages) { return Builder.CreateICmpNE(Pages, Gate.Nothing); }
};

} // namespace mck
