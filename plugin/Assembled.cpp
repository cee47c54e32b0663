// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// preserve_all leaves only r11 to a gate. A gate passes size << 8 | flags to mck.tell in r11. So all gates share the
// code that saves the other registers: first the general ones, for the runtime's short way (__mck_access_quick), and
// those of vectors only when that does not do.
#include "Assembled.h"
#include "abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

static std::string function(StringRef Name, const std::string &Body) {
  std::string N = Name.str();
  return ".ifndef " + N + "\n.section .text." + N + ",\"axG\",@progbits," + N + ",comdat\n.weak " + N + "\n.hidden " +
         N + "\n.p2align 4, 0x90\n.type " + N + ",@function\n" + N + ":\n.cfi_startproc\n" + Body +
         ".cfi_endproc\n.size " + N + ", .-" + N + "\n.text\n.endif\n";
}

static std::string immediate(uint64_t Value) { return "$" + std::to_string(Value); }
static std::string push(StringRef Register) { return ("pushq %" + Register + "\n.cfi_adjust_cfa_offset 8\n").str(); }
static std::string pop(StringRef Register) { return ("popq %" + Register + "\n.cfi_adjust_cfa_offset -8\n").str(); }
// r11 := the address of the filter's byte; Address: code that leaves the low half of the address in r11d.
static std::string slot(const std::string &Address, StringRef Pages) {
  return Address + "shrl " + immediate(MCK_PAGE_SHIFT) + ", %r11d\naddq " + Pages.str() + "(%rip), %r11\n";
}

bool mck::canAssemble(const Module &M) {
  Triple Target(M.getTargetTriple());
  auto Model = M.getCodeModel();
  const cl::Option *Syntax = cl::getRegisteredOptions().lookup(
      "x86-asm-syntax"); // -masm=intel: all assembly of the module must have that syntax
  std::string Error;
  const llvm::Target *Machine = TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!Machine || !Machine->hasMCAsmParser()) // flang has no assembly parser
    return false;
  return Target.getArch() == Triple::x86_64 && !Target.isX32() && (!Model || *Model == CodeModel::Small) &&
         !M.getModuleFlag("ThinLTO") && !(Syntax && Syntax->getNumOccurrences()) &&
         !M.getModuleFlag("EnableSplitLTOUnit") && !M.getModuleFlag("LTOPostLink");
}

// A function that uses AVX expects all of ymm0 to ymm15 to be kept; one that does not would be slowed down by it. The
// module remembers the answer.
std::string mck::gatePrefix(Module &M) {
  static constexpr char Name[] = "mck.gates";
  if (const NamedMDNode *Known = M.getNamedMetadata(Name))
    return cast<MDString>(Known->getOperand(0)->getOperand(0))->getString().str();
  bool HasAvx = any_of(
      M, [](const Function &F) { return F.getFnAttribute("target-features").getValueAsString().contains("+avx"); });
  std::string Prefix = "mck." + std::to_string(int(MCK_ABI_VERSION)) + (HasAvx ? "a." : ".");
  LLVMContext &Context = M.getContext();
  M.getOrInsertNamedMetadata(Name)->addOperand(MDNode::get(Context, MDString::get(Context, Prefix)));
  return Prefix;
}

// 16 registers of vectors on the stack, whose pointer is aligned.
static std::string moveVectors(bool HasAvx, bool IsSave) {
  unsigned Bytes = HasAvx ? 32 : 16;
  std::string Text = IsSave ? "subq " + immediate(16 * Bytes) + ", %rsp\n" : "";
  for (unsigned I = 0; I < 16; ++I) {
    std::string Register = (HasAvx ? "%ymm" : "%xmm") + std::to_string(I), Slot = std::to_string(I * Bytes) + "(%rsp)";
    Text += (HasAvx ? "vmovups " : "movaps ") + (IsSave ? Register + ", " + Slot : Slot + ", " + Register) + "\n";
  }
  return Text + (IsSave ? HasAvx ? "vzeroupper\n" : "" : "addq " + immediate(16 * Bytes) + ", %rsp\n");
}

// It makes a frame: the runtime begins to walk the stack there. [rbp + 8] is the place.
std::string mck::assembleTell(StringRef Prefix, bool IsMapped, bool HasRuntime) {
  static constexpr StringRef Kept[] = {"r10", "r9", "r8", "rdi", "rsi", "rdx", "rcx", "rax"};
  bool HasAvx = Prefix.ends_with("a.");
  std::string Entry = IsMapped ? "__mck_access_mapped" : "__mck_access_at";
  std::string Body = "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\nmovq %rsp, %rbp\n"
                     ".cfi_def_cfa_register %rbp\n";
  for (StringRef Register : Kept) Body += "pushq %" + Register.str() + "\n";
  if (!IsMapped) // rdi is the address
    Body += "pushq %rdi\npushq %r11\nmovq __mck_access_quick@GOTPCREL(%rip), %rax\ntestq %rax, %rax\nje 1f\n"
            "movq %r11, %rsi\nmovq 8(%rbp), %rdx\ncallq *%rax\ntestb %al, %al\njne 2f\n"
            "1: movq (%rsp), %r11\nmovq 8(%rsp), %rdi\n";
  else Body += "movq %rsi, %r9\n";
  Body += moveVectors(HasAvx, /*IsSave=*/true) + "movq %r11, %rsi\nshrq $8, %rsi\nmovzbl %r11b, %edx\n" +
          "movq 8(%rbp), %rcx\nmovq %rbp, %r8\ncallq " + Entry + "@PLT\n" + moveVectors(HasAvx, /*IsSave=*/false);
  if (!IsMapped) Body += "2: addq $16, %rsp\n";
  for (StringRef Register : reverse(Kept)) Body += "popq %" + Register.str() + "\n";
  Body += "popq %rbp\n.cfi_def_cfa %rsp, 8\nretq\n";
  return ".weak __mck_access_quick\n" + (HasRuntime ? "" : ".weak " + Entry + "\n") +
         function((Prefix + (IsMapped ? "tell.map" : "tell")).str(), Body);
}

std::string mck::assembleAny(StringRef Prefix) {
  return function((Prefix + "access").str(), "movq %rsi, %r11\njmp " + (Prefix + "tell").str() + "\n");
}

// Is the access recorded already (the cells of __mck_attach)? That is asked for aligned accesses of 4 and 8 bytes, and
// of 16 that are two cells.
std::string mck::assembleAccess(StringRef Name, StringRef Tells, uint64_t Size, uint32_t Flags, StringRef Seen) {
  std::string Tell = "movl " + immediate(Size << 8 | Flags) + ", %r11d\njmp " + Tells.str() + "\n",
              Cell = "movl %edi, %r11d\nshrl " + immediate(MCK_CELL_SHIFT) + ", %r11d\naddq " + Seen.str() +
                     "(%rip), %r11\ntestb " + immediate(Size == 4 ? 3 : 7) + ", %dil\njne 1f\n";
  unsigned Shift = Flags & MCK_SIGNAL_STORE ? 4 : 0;
  if (Size == 8)
    return function(Name, Cell + "movzbl (%r11), %r11d\nnotl %r11d\ntestb " + immediate(15 << Shift) +
                              ", %r11b\njne 1f\nretq\n1: " + Tell);
  if (Size == 16)
    return function(Name, Cell + "movzwl (%r11), %r11d\nnotl %r11d\ntestl " + immediate(uint64_t(0x0f0f) << Shift) +
                              ", %r11d\njne 1f\nretq\n1: " + Tell);
  if (Size == 4)
    return function(Name, Cell + "movzbl (%r11), %r11d\nnotl %r11d\ntestb $4, %dil\njne 2f\ntestb " +
                              immediate(3 << Shift) + ", %r11b\njne 1f\nretq\n2: testb " + immediate(12 << Shift) +
                              ", %r11b\njne 1f\nretq\n1: " + Tell);
  return function(Name, Tell);
}

std::string mck::assembleTest(StringRef Name, StringRef Behind, uint64_t Size, uint32_t Flags, StringRef Pages) {
  std::string Bits = immediate(Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS);
  std::string Body = slot("movl %edi, %r11d\n", Pages) + "testb " + Bits + ", (%r11)\njne 1f\n";
  if (Size > 8) // the access may cross into another page
    Body += slot("leal " + std::to_string(Size - 1) + "(%rdi), %r11d\n", Pages) + "testb " + Bits +
            ", (%r11)\njne 1f\n";
  return function(Name, Body + "retq\n1: jmp " + Behind.str() + "\n");
}

std::string mck::assembleTestAny(StringRef Prefix, StringRef Pages) {
  static_assert(MCK_SIGNAL_STORE == 1 && MCK_WATCH_LOADS == 1 && MCK_WATCH_STORES == 2);
  return function((Prefix + "test.access").str(),
                  push("rax") + slot("movl %edi, %r11d\n", Pages) + "movzbl (%r11), %eax\n" +
                      slot("movq %rsi, %r11\nshrq $8, %r11\nleal -1(%rdi,%r11), %r11d\n", Pages) + "orb (%r11), %al\n" +
                      "movl %esi, %r11d\nandl $1, %r11d\nincl %r11d\ntestb " +
                      immediate(MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE) + ", %sil\nje 2f\nshll " +
                      immediate(MCK_WATCH_ORDERED) + ", %r11d\n2: testb %r11b, %al\n" + pop("rax") +
                      "jne 1f\nretq\n1: jmp " + (Prefix + "access").str() + "\n");
}

// Mostly a range lies within a page and its neighbor, and neither is of interest: that is 18 or 24 instructions. What
// follows asks range.gate, which wants an aligned stack.
std::string mck::assembleTestRange(StringRef Name, StringRef Behind, bool HasStride, StringRef Prefix,
                                   StringRef Pages) {
  static constexpr StringRef Kept[] = {"rdi", "rsi", "rdx", "rcx", "rax"};
  const std::string Filter = "movq " + Pages.str() + "(%rip), %r11\n", Size = "shrq $8, ";
  std::string Body = Filter + "cmpb $0, " + std::to_string(MCK_PAGES) + "(%r11)\nje 3f\n" + push("rax");
  if (HasStride) // rax: how far the last piece is from the first one, and then the bytes of all
    Body += "leaq -1(%rcx), %rax\nimulq %rdx, %rax\ntestq %rax, %rax\njs 1f\nmovq %rsi, %r11\n" + Size +
            "%r11\naddq %r11, %rax\n" + Filter;
  else Body += "movq %rsi, %rax\n" + Size + "%rax\n";
  Body += "cmpq " + immediate(1 << MCK_PAGE_SHIFT) + ", %rax\nja 1f\nleal -1(%rdi,%rax), %eax\nshrl " +
          immediate(MCK_PAGE_SHIFT) + ", %eax\nmovb (%r11,%rax), %al\n" + slot("movl %edi, %r11d\n", Pages) +
          "orb (%r11), %al\ntestb $15, %al\n" + pop("rax") +
          "jne 2f\n3: retq\n.cfi_adjust_cfa_offset 8\n1: " + pop("rax") + "2:\n";
  for (StringRef Register : Kept) Body += push(Register);
  Body += "movq %rsi, %r11\nxorl %eax, %eax\n" + Size + "%r11\nje 5f\n";
  if (HasStride) Body += "testq %rcx, %rcx\nje 5f\ndecq %rcx\nimulq %rdx, %rcx\n";
  Body += "movl %esi, %edx\nandl $1, %edx\nincl %edx\ntestb " + immediate(MCK_SIGNAL_ATOMIC | MCK_SIGNAL_VOLATILE) +
          ", %sil\nje 4f\nshll " + immediate(MCK_WATCH_ORDERED) + ", %edx\n4: leaq (%rdi,%r11), %rsi\n";
  if (HasStride) Body += "testq %rcx, %rcx\njns 6f\naddq %rcx, %rdi\njmp 7f\n6: addq %rcx, %rsi\n7:\n";
  Body += "callq " + (Prefix + "range.gate").str() + "\n5: testb %al, %al\n";
  for (StringRef Register : reverse(Kept)) Body += pop(Register);
  return function(Name, Body + "jne 8f\nretq\n8: jmp " + Behind.str() + "\n");
}

// The result is in al; rax need not be kept. The runtime looks at more than two pages.
std::string mck::assembleRange(StringRef Prefix, StringRef Pages, bool HasRuntime) {
  static constexpr StringRef Kept[] = {"r10", "r9", "r8", "rdi", "rsi", "rdx", "rcx"};
  const std::string Filter = "movq " + Pages.str() + "(%rip), %r11\n", Shift = immediate(MCK_PAGE_SHIFT);
  std::string Body = "xorl %eax, %eax\n" + Filter + "cmpb $0, " + std::to_string(MCK_PAGES) + "(%r11)\nje 1f\n" +
                     "testl $256, %edx\njne 3f\n" +                      // wild
                     "leaq -1(%rsi), %rax\nshrq " + Shift + ", %rax\n" + // the last page
                     "movq %rdi, %r11\nshrq " + Shift +
                     ", %r11\nsubq %r11, %rax\n" // the first one
                     "cmpq $1, %rax\nja 2f\n" +
                     slot("movl %edi, %r11d\n", Pages) + "movzbl (%r11), %eax\n" +
                     slot("leal -1(%rsi), %r11d\n", Pages) + "orb (%r11), %al\n" +
                     "testb %dl, %al\nsetne %al\n1: retq\n2:\n";
  for (StringRef Register : Kept) Body += push(Register);
  bool HasAvx = Prefix.ends_with("a.");
  Body += moveVectors(HasAvx, /*IsSave=*/true) + "callq __mck_watches@PLT\n" + moveVectors(HasAvx, /*IsSave=*/false);
  for (StringRef Register : reverse(Kept)) Body += pop(Register);
  Body += "testl %eax, %eax\nsetne %al\nretq\n3: movl $1, %eax\nretq\n";
  return (HasRuntime ? "" : ".weak __mck_watches\n") + function((Prefix + "range.gate").str(), Body);
}
