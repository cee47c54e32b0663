// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers among the arguments (Arguments.h): MPI_IN_PLACE, null, too small, of other numbers than the datatype.
#include "static/ArgumentSearch.h"
#include "static/BufferPair.h"
#include "static/DeclaredElements.h"
#include "static/Elements.h"
#include "static/HeapElements.h"
#include "llvm/Analysis/CFG.h"

using namespace llvm;
using namespace mck::statics;

// A receive may get less than its buffer could take. What MPI reads, and what a collective writes, it does as a whole.
void ArgumentSearch::lookAtRoom(unsigned Number, const Parameter &P, const Buffer &B, const Datatype &Type,
                                uint64_t Count) {
  uint64_t Needed = Type.reach(Count);
  if (!B.Size || Needed <= B.room()) return;
  bool MayBeLess = P.Way == Direction::OUT && At.Function->row().family == MCK_STD_FAMILY_P2P;
  say(MayBeLess ? "arg.memory-room" : "arg.memory", nameOf(Number) + ": " + Twine(Count) + " elements are " +
                                                        Twine(Needed) + " bytes, but the memory has " +
                                                        Twine(B.room()) + (B.Offset ? "" : " at most"));
}

static StringRef typeRoleOf(const Parameter &P) { return P.is("sendbuf") ? "sendtype" : "recvtype"; }

static std::string say(uint32_t Kind) {
  return (Twine((Kind & 0xff) == 'f' ? "floating point numbers" : "integers") + " of " + Twine(Kind >> 8) + " bytes")
      .str();
}

// As at run time: the call passes as many numbers as the variable or member has, or exactly its bytes. Otherwise it may
// be storage that holds different kinds of data in turn.
void ArgumentSearch::lookAtNumbers(unsigned Number, const Buffer &B, const Datatype &Type, uint64_t Count) {
  if (!B.Variable || !B.Offset || !Type.Kind || !Type.Numbers || Type.Reach != Type.Extent) return;
  Numbers Own = numbersAt(B.Variable, *B.Offset, Code.module().getDataLayout());
  if (!Own.Kind || Own.Kind == Type.Kind) return;
  uint64_t Given = Count * Type.Numbers;
  if (Given != Own.Count && Given * (Type.Kind >> 8) != Own.Count * (Own.Kind >> 8)) return;
  if (Own.IsFirst && (Own.Kind & 0xff) == 'i' && mayHaveBitFields(*Own.Holder, Code.module())) return;
  say("type.buffer", nameOf(Number) + ": the " + (Own.IsWhole ? "variable" : "member") + " has " + ::say(Own.Kind) +
                         ", but the datatype " + Type.Basic + " is of " + ::say(Type.Kind));
}

// What lies from an offset on: one member, or as many side by side of one kind as the part has numbers.
static Numbers membersAt(const Buffer &B, uint64_t Offset, const DatatypePart &Part, const DataLayout &Layout) {
  Numbers First = numbersAt(B.Variable, Offset, Layout), All = First;
  if ((First.Kind ^ Part.Kind) >> 8) return First; // of another size: not so many side by side
  while (All.Kind && All.Count < Part.Count) {
    Numbers Next = numbersAt(B.Variable, Offset + All.Count * (All.Kind >> 8), Layout);
    if (Next.Kind != All.Kind || Next.Holder != All.Holder) return First;
    All.Count += Next.Count;
  }
  return All;
}

// A structure type against the members of the variable: each part has the numbers of a member, or exactly its bytes.
void ArgumentSearch::lookAtMembers(unsigned Number, const Buffer &B, const Datatype &Type) {
  if (!B.Variable || !B.Offset) return;
  for (const DatatypePart &Part : Type.Parts) {
    if (!Part.Kind) continue;
    Numbers Own = membersAt(B, *B.Offset + Part.Offset, Part, Code.module().getDataLayout());
    bool IsWhole = Part.Count == Own.Count || Part.Count * (Part.Kind >> 8) == Own.Count * (Own.Kind >> 8);
    if (!Own.Kind || Own.Kind == Part.Kind || !IsWhole) continue;
    if (Own.Holder && (Own.Kind & 0xff) == 'i' && mayHaveBitFields(*Own.Holder, Code.module())) continue;
    return say("type.buffer", nameOf(Number) + ": the member at byte " + Twine(Part.Offset) + " has " +
                                  ::say(Own.Kind) + ", but the datatype has " + Part.Basic + " there, of " +
                                  ::say(Part.Kind));
  }
}

// The same for the data of a container, if the call passes all of it.
void ArgumentSearch::lookAtElements(unsigned Number, const Parameter &P) {
  auto Own = elementsOf(*At.Call, Number);
  const Value *Handle = argument(*At.Call, *At.Function, typeRoleOf(P));
  if (!Own || !Handle) return;
  Datatype Type = describeDatatype(Handle, Code, Values);
  if (!Type.isKnown() || !Type.Kind || Type.Numbers != 1 || Type.Kind == Own->Kind) return;
  std::optional<int64_t> Count = constantBeside(Number, "count");
  auto Passed = Count && *Count > 0 ? uint64_t(*Count) : 0;
  bool IsAll = !Own->Count || Passed == Own->Count || Passed * Type.Extent == Own->Count * (Own->Kind >> 8);
  if (IsAll)
    say("type.buffer", nameOf(Number) + ": the container has " + ::say(Own->Kind) + ", but the datatype " + Type.Basic +
                           " is of " + ::say(Type.Kind));
}

// The numbers to which a pointer is declared to point, whatever part of them the call passes.
void ArgumentSearch::lookAtDeclared(unsigned Number, const Parameter &P) {
  uint32_t Declared = DeclaredElements::of(*At.Call, Number);
  const Value *Handle = Declared ? argument(*At.Call, *At.Function, typeRoleOf(P)) : nullptr;
  Datatype Type = Handle ? describeDatatype(Handle, Code, Values) : Datatype();
  if (!Type.isKnown() || !Type.Kind || Type.Kind == Declared || constantBeside(Number, "count") == 0) return;
  say("type.buffer", nameOf(Number) + ": it is declared with " + ::say(Declared) + ", but the datatype " + Type.Basic +
                         " is of " + ::say(Type.Kind));
}

// The same for memory from malloc, which has the type of what was stored there last (C11 6.5). What MPI sends was
// stored by the program, if nothing of the other kind may have arrived there; what it receives is loaded, if the
// program does not store there afterwards.
void ArgumentSearch::lookAtHeap(unsigned Number, const Parameter &P) {
  const Value *Handle = argument(*At.Call, *At.Function, typeRoleOf(P));
  Datatype Type = Handle && !Code.hasFortran() ? describeDatatype(Handle, Code, Values) : Datatype();
  if (!Type.isKnown() || !Type.Kind) return;
  HeapElements Own = heapElementsAt(At.Call->getArgOperand(Number), Code);
  if (!Own.Kind || Own.Kind == Type.Kind) return;
  auto MayBring = [&](const Use *Buffer) {
    const auto &Other = cast<CallBase>(*Buffer->getUser());
    const MpiFunction &Mpi = *findMpi(Other);
    unsigned There = Other.getArgOperandNo(Buffer);
    if (&Other == At.Call || !(Mpi.row().buffers_out >> There & 1)) return false;
    const Value *Brings = argument(Other, Mpi, typeRoleOf(Mpi.Parameters[There]));
    return !Brings || describeDatatype(Brings, Code, Values).Kind != Own.Kind;
  };
  const mck_std_fn &Row = At.Function->row();
  bool IsRead = Row.buffers_in >> Number & 1, IsWritten = Row.buffers_out >> Number & 1;
  const Instruction *Shown = nullptr;
  if (IsRead && none_of(Own.Buffers, MayBring))
    for (const HeapAccess &Access : Own.Accesses)
      if (!Shown && Access.IsAtAddress && Access.IsStore && isPotentiallyReachable(Access.By, At.Call))
        Shown = Access.By;
  if (IsWritten && !Shown && none_of(Own.Accesses, [&](const HeapAccess &Access) {
        return Access.IsStore && isPotentiallyReachable(At.Call, Access.By);
      }))
    for (const HeapAccess &Access : Own.Accesses)
      if (!Shown && Access.IsAtAddress && !Access.IsStore && isPotentiallyReachable(At.Call, Access.By))
        Shown = Access.By;
  if (Shown)
    say("type.buffer",
        nameOf(Number) + ": the memory has " + ::say(Own.Kind) + ", but the datatype " + Type.Basic + " is of " +
            ::say(Type.Kind),
        {{Shown, isa<StoreInst>(Shown) ? "here they are stored" : "here they are loaded"},
         {Own.Allocation, "allocated here"}});
}

void ArgumentSearch::lookAtBuffer(unsigned Number, const Parameter &P) {
  const Buffer *B = Code.buffer(*At.Call, Number);
  if (!B || P.Roles.contains("@any")) return;
  bool IsElsewhere = P.Roles.contains("@root") || isWithNobody(Number); // it does not count, or not everywhere
  if (B->IsInPlace) {
    if (!IsElsewhere && !P.is("inplace") && !P.is("rootinplace"))
      say("arg.in-place", nameOf(Number) + " is MPI_IN_PLACE, which this argument cannot be");
    return;
  }
  if (!IsElsewhere) lookAtElements(Number, P);
  if (!IsElsewhere) lookAtHeap(Number, P);
  if (!isWithNobody(Number) && !B->IsNull) lookAtDeclared(Number, P);
  const Value *Handle = argument(*At.Call, *At.Function, typeRoleOf(P));
  std::optional<int64_t> Count = constantBeside(Number, "count");
  if (!Handle || !Count || *Count <= 0) return;
  Datatype Type = describeDatatype(Handle, Code, Values);
  if (!Type.isKnown()) return;
  bool IsPredefined = Values.definition(Handle) && isa<GlobalVariable>(Values.definition(Handle));
  // A datatype may have absolute addresses in it (MPI-3.1 4.1.5).
  if (B->IsNull && IsPredefined && !IsElsewhere)
    say("arg.null", nameOf(Number) + " is NULL, but the count is " + Twine(*Count));
  if (B->IsNull || IsElsewhere) return;
  lookAtNumbers(Number, *B, Type, uint64_t(*Count));
  lookAtMembers(Number, *B, Type);
  lookAtRoom(Number, P, *B, Type, uint64_t(*Count));
}

// Is there a process of a call of MPI_Sendrecv that both sends and receives? Other calls have no peers.
bool ArgumentSearch::hasPartners(int Size) {
  const Value *To = argument(*At.Call, *At.Function, "dest"), *From = argument(*At.Call, *At.Function, "source");
  if (!To || !From) return true;
  for (int Rank = 0; Rank < Size; ++Rank) {
    Values.set({World, Rank, Size, 0});
    RankValue A = Values.of(To), B = Values.of(From);
    bool AreKnown = A.What == RankValue::Number && B.What == RankValue::Number && !A.IsAssumed && !B.IsAssumed;
    if (AreKnown && A.Value >= 0 && B.Value >= 0) return true;
  }
  return false;
}

// What a call sends and what it receives, if both are of one object. Derived datatypes may leave each other room, and a
// buffer that counts at the root only may be given by the others, too.
void ArgumentSearch::lookAtPair() {
  const MpiFunction &Mpi = *At.Function;
  int Sent = Mpi.find("sendbuf"), Received = Mpi.find("recvbuf");
  const mck_std_fn &Row = Mpi.row();
  if (Sent < 0 || Received < 0 || Sent == Received || !World || Row.access != MCK_STD_ACCESS_NONE) return;
  if (Mpi.find("sendcount") < 0 || Mpi.find("recvcount") < 0) return; // arrays of counts and displacements
  if (Told == At.Call) return; // a wrong datatype reaches further than the buffer
  for (int Which : {Sent, Received}) {
    const Buffer *B = Code.buffer(*At.Call, unsigned(Which));
    if (!B || B->IsNull || B->IsInPlace || B->MayBeInPlace) return;
    if (Mpi.Parameters[unsigned(Which)].Roles.contains("@")) return;
  }
  uint64_t SentSize = bytesOfBasic(argument(*At.Call, Mpi, "sendtype"));
  uint64_t ReceivedSize = bytesOfBasic(argument(*At.Call, Mpi, "recvtype"));
  std::optional<int64_t> SentCount = constant("sendcount"), ReceivedCount = constant("recvcount");
  if (!SentSize || !ReceivedSize || SentCount == 0 || ReceivedCount == 0) return;
  bool IsOfEach = Row.flow == MCK_STD_FLOW_ALL_GATHER;
  for (int Size = LargestSize; Size > SmallestSize; --Size) {
    bool IsWrong = false;
    for (int Rank = 0; Rank < Size && hasPartners(Size); ++Rank) {
      Values.set({World, Rank, Size, 0});
      auto Distance = bufferDistance(*At.Call, Mpi, Values);
      if (!Distance) return;
      int64_t Sends = SentCount.value_or(1) * int64_t(SentSize);
      int64_t Receives = ReceivedCount.value_or(1) * int64_t(ReceivedSize) * (IsOfEach ? Size : 1);
      IsWrong |= *Distance < Receives && -*Distance < Sends;
    }
    if (!IsWrong) return;
  }
  say("buffer.overlap", "the buffers of " + Mpi.Name + " overlap");
}
