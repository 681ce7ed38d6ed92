// Which machine code may be loaded: objects that keep all rules, and objects that break one of them.
#include "grader/validator/validator.hpp"

#include <gtest/gtest.h>

#include "assembled_object.hpp"

namespace {

using namespace warplab;

struct Code {
  const char* name;
  const char* rule;  ///< that it breaks; "" if none
  const char* code;
  const char* rest = "";
};
std::ostream& operator<<(std::ostream& out, const Code& code) { return out << code.name; }

class ValidatorOnCode : public testing::TestWithParam<Code> {};
TEST_P(ValidatorOnCode, FindsTheRuleThatItBreaks) {
  AssembledObject object;
  object.code = GetParam().code;
  object.rest = GetParam().rest;
  const std::string broken = rule_broken_by(assembled(object.text()));
  EXPECT_EQ(broken.substr(0, broken.find(' ')), GetParam().rule) << broken;
}

std::string name_of_code(const testing::TestParamInfo<Code>& info) { return info.param.name; }

/// A function with the plain frame, around these instructions.
#define PLAIN(instructions)                                             \
  "ENTER plain\n subq $8, %rsp\n .cfi_def_cfa_offset 16\n" instructions \
  "\n addq $8, %rsp\n .cfi_def_cfa_offset 8\n RETURN\n ud2\n"
/// With rbx kept, and 24 bytes of variables.
#define WIDE(instructions)                                                                    \
  "ENTER wide\n pushq %rbx\n .cfi_def_cfa_offset 16\n .cfi_offset 3, -16\n subq $24, %rsp\n " \
  ".cfi_def_cfa_offset 40\n" instructions                                                     \
  "\n addq $24, %rsp\n .cfi_def_cfa_offset 16\n popq %rbx\n .cfi_def_cfa_offset 8\n RETURN\n ud2\n"
/// With rbp as the frame's register and an aligned frame.
#define ALIGNED(instructions)                                                                     \
  "ENTER aligned\n pushq %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset 6, -16\n movq %rsp, %rbp\n " \
  ".cfi_def_cfa_register 6\n andq $-32, %rsp\n subq $64, %rsp\n" instructions                     \
  "\n leave\n .cfi_def_cfa 7, 8\n RETURN\n ud2\n"

INSTANTIATE_TEST_SUITE_P(
    Proven, ValidatorOnCode,
    testing::Values(
        Code{"PlainFrame", "", PLAIN("nop")},
        Code{"OwnVariables", "", WIDE("movq %rax, 8(%rsp)\n movl 16(%rsp), %ecx\n incb (%rsp)")},
        Code{"ArgumentOnTheStack", "", WIDE("movq 40(%rsp), %rax\n movq 48(%rsp), %rcx")},
        Code{
            "CheckedAccess", "",
            PLAIN("CHECK \"(%rax,%rcx,4)\", 9\n movl %edx, (%rax,%rcx,4)\n CHECK \"16(%rsp,%rcx)\", 2\n movb "
                  "(%rsp,%rcx), %al")},
        Code{"CheckedGlobal", "", PLAIN("CHECK \"variable(%rip)\", 9\n movl $7, variable(%rip)"),
             ".bss\nvariable: .zero 16\n.text\n"},
        Code{"Constant", "", PLAIN("movsd seven(%rip), %xmm0\n vmovaps %ymm0, %ymm1\n vzeroupper"),
             ".section .rodata.cst8, \"aM\", @progbits, 8\nseven: .double 7\n.text\n"},
        Code{"Loop", "", PLAIN("1: decl %eax\n jnz 1b\n jmp 2f\n ud2\n 2: nop")},
        Code{"CallOfAnImport", "", PLAIN("call *fabs@GOTPCREL(%rip)")},
        Code{"CallOfAFunction", "", PLAIN("call g"),
             ".type g, @function\ng: .cfi_startproc\n ENTER plain\n RETURN\n .cfi_endproc\n .size g, .-g\n"},
        Code{"CallByPointer", "",
             PLAIN(
                 "CHECK \"(%rax)\", 16\n movq (%rax), %r11\n call *warplab_isolation_target@GOTPCREL(%rip)\n "
                 "call "
                 "*%r11")},
        Code{
            "ThreadVariable", "",
            PLAIN(
                "movq _ZN7warplab8emulator15current_indicesE@gottpoff(%rip), %rax\n movl %fs:8(%rax), %ecx\n "
                "movq %fs:0, %rdx")},
        Code{
            "Mark", "",
            "ENTER wide\n pushq %r12\n .cfi_def_cfa_offset 16\n .cfi_offset 12, -16\n subq $24, %rsp\n "
            ".cfi_def_cfa_offset 40\n movq %rsp, %r12\n subq $128, %rsp\n andq $-16, %rsp\n call "
            "*warplab_lens_mark@GOTPCREL(%rip)\n movq %r12, %rsp\n addq $24, %rsp\n .cfi_def_cfa_offset 16\n "
            "popq %r12\n .cfi_def_cfa_offset 8\n RETURN\n"},
        Code{"AlignedFrame", "",
             ALIGNED("call *fabs@GOTPCREL(%rip)\n movq 8(%rsp), %rax\n movq -4(%rbp), %rcx")},
        Code{"FrameMovedBelowItsAlignment", "",
             "ENTER moved\n leaq 8(%rsp), %r10\n .cfi_def_cfa 10, 0\n andq $-32, %rsp\n pushq -8(%r10)\n "
             "pushq "
             "%rbp\n movq %rsp, %rbp\n .cfi_escape 0x10,0x6,0x2,0x76,0\n pushq %r10\n .cfi_escape "
             "0xf,0x3,0x76,0x78,0x6\n subq $40, %rsp\n call *fabs@GOTPCREL(%rip)\n addq $40, %rsp\n popq "
             "%r10\n "
             ".cfi_def_cfa 10, 0\n popq %rbp\n leaq -8(%r10), %rsp\n .cfi_def_cfa 7, 8\n RETURN\n"},
        Code{"LandingPad", "",
             ".cfi_personality 0x9b, personality\n.cfi_lsda 0x1b, sites\n" PLAIN(
                 "2: call *fabs@GOTPCREL(%rip)\n 3: jmp 5f\n 4: movq %rax, %rdi\n call "
                 "*warplab_isolation__Unwind_Resume@GOTPCREL(%rip)\n 5: nop"),
             ".section .gcc_except_table, \"a\"\nsites: .byte 0xff, 0xff, 1\n.uleb128 8f-7f\n7: .uleb128 "
             "2b-f\n "
             ".uleb128 3b-2b\n .uleb128 4b-f\n .uleb128 0\n8:\n.data\npersonality: .quad "
             "warplab_isolation___gxx_personality_v0\n.text\n"}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Instructions, ValidatorOnCode,
    testing::Values(
        Code{"SystemCall", "instruction", PLAIN("syscall")},
        Code{"SystemCallBehindItsEnd", "instruction", PLAIN("nop") "syscall\n"},
        Code{"Interrupt", "instruction", PLAIN("int $0x80")},
        Code{"Sysenter", "instruction", PLAIN("sysenter")}, Code{"Halt", "instruction", PLAIN("hlt")},
        Code{"Port", "instruction", PLAIN("inb $1, %al")},
        Code{"ThreadPointer", "instruction", PLAIN("wrfsbase %rax")},
        Code{"SegmentRegister", "instruction", PLAIN("movw %ax, %ds")},
        Code{"ControlRegister", "instruction", PLAIN("movq %rax, %cr3")},
        Code{"Flags", "instruction", PLAIN("popfq")}, Code{"Direction", "instruction", PLAIN("std")},
        Code{"String", "instruction", PLAIN("rep movsb")}, Code{"Table", "instruction", PLAIN("xlatb")},
        Code{"LongDouble", "instruction", PLAIN("fldt (%rsp)")},
        Code{"MaskedStore", "instruction", PLAIN("vmaskmovps %ymm0, %ymm1, (%rsp)")},
        Code{"HiddenStore", "instruction", PLAIN("maskmovdqu %xmm0, %xmm1")},
        Code{"Gather", "instruction", PLAIN("vgatherdps %xmm0, (%rsp,%xmm1,4), %xmm2")},
        Code{"FarBit", "instruction", PLAIN("btsq %rax, (%rsp)")},
        Code{"RoundingMode", "instruction", PLAIN("ldmxcsr (%rsp)")},
        Code{"LoopInstruction", "instruction", PLAIN("1: loop 1b")},
        Code{"ShortAddress", "instruction", PLAIN("movl (%esp), %eax")},
        Code{"PrefixedReturn", "instruction", PLAIN(".byte 0x66, 0xc3")},
        Code{"Transaction", "instruction", PLAIN("xbegin 1f\n 1: nop")},
        Code{"NoInstruction", "undecodable", PLAIN(".byte 0x06")},
        Code{"CutInstruction", "undecodable", PLAIN("nop") ".byte 0x48\n"},
        Code{"AbsoluteAddress", "code_relocation", PLAIN("movl $f, %eax")},
        Code{"AbsoluteTable", "code_relocation", PLAIN("leaq f(,%rax,8), %rax")}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Frames, ValidatorOnCode,
    testing::Values(
        Code{"NoEntryCheck", "function_entry", "subq $8, %rsp\n addq $8, %rsp\n RETURN\n"},
        Code{"EntryCheckComesLate", "function_entry", "nop\n ENTER plain\n RETURN\n"},
        Code{"FrameThatCanBeWritten", "frame_shape", "ENTER words\n RETURN\n",
             ".data\nwords: .long 0, 0, 16, 8, 0\n.text\n"},
        Code{"FrameWithoutReturnAddress", "frame_shape", "ENTER words\n RETURN\n",
             ".section .rodata\nwords: .long 0, 0, 16, 0, 0\n.text\n"},
        Code{"FrameOfOddAlignment", "frame_shape", "ENTER words\n RETURN\n",
             ".section .rodata\nwords: .long 8, 24, 16, 8, 0\n.text\n"},
        Code{"FrameCutOff", "frame_shape", "ENTER words\n RETURN\n",
             ".section .rodata\nwords: .long 0, 0, 16\n.text\n"},
        Code{"FrameOnTheStack", "frame_shape",
             "pushq %rdi\n leaq 8(%rsp), %rdi\n call *warplab_isolation_enter@GOTPCREL(%rip)\n popq %rdi\n "
             "RETURN\n"},
        Code{"StackPointerFromARegister", "stack_pointer", PLAIN("movq %rax, %rsp")},
        Code{"StackPointerHalf", "stack_pointer", PLAIN("movl %eax, %esp")},
        Code{"StackPointerExchanged", "stack_pointer", PLAIN("xchgq %rax, %rsp")},
        Code{"StackPointerPopped", "stack_pointer", PLAIN("popq %rsp")},
        Code{"DeeperThanItsFrame", "stack_pointer", PLAIN("subq $8, %rsp\n addq $8, %rsp")},
        Code{"AboveItsFrame", "stack_pointer", PLAIN("addq $32, %rsp\n subq $32, %rsp")},
        Code{"AlignedWithoutSayingSo", "stack_pointer", PLAIN("andq $-32, %rsp")},
        Code{"AlignedOtherwise", "stack_pointer",
             "ENTER aligned\n pushq %rbp\n movq %rsp, %rbp\n andq $-64, %rsp\n leave\n RETURN\n"},
        Code{"LeaveWithoutAFrame", "stack_pointer", PLAIN("leave\n subq $16, %rsp")},
        Code{"PushOfLessThanAWord", "stack_pointer", PLAIN("pushw %ax\n popw %ax")},
        Code{"ReturnsFromElsewhere", "stack_pointer", "ENTER plain\n subq $8, %rsp\n RETURN\n"},
        Code{"PathsOfDifferentDepth", "joined_paths",
             "ENTER wide\n testl %eax, %eax\n jz 1f\n subq $8, %rsp\n 1: nop\n RETURN\n"},
        Code{"CallAboveItsVariables", "call_depth",
             "ENTER wide\n subq $8, %rsp\n call *fabs@GOTPCREL(%rip)\n addq $8, %rsp\n RETURN\n"},
        Code{"RegisterLost", "saved_register", PLAIN("xorl %ebx, %ebx")},
        Code{"RegisterRestoredFromVariables", "saved_register",
             WIDE("movq %rbx, (%rsp)\n movq (%rsp), %rbx\n movq %rbp, 8(%rsp)\n movq 8(%rsp), %rbp")},
        Code{"RegistersExchanged", "saved_register", PLAIN("xchgq %rbx, %rbp")},
        Code{"RegisterPushedAmongVariables", "saved_register",
             "ENTER wide\n pushq %rbx\n pushq %rbp\n xorl %ebp, %ebp\n popq %rbp\n popq %rbx\n RETURN\n"}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Control, ValidatorOnCode,
    testing::Values(
        Code{"JumpIntoAnInstruction", "branch_target", PLAIN("jmp 1f+1\n 1: movl $0x90909090, %eax")},
        Code{"JumpIntoACheck", "branch_target",
             PLAIN("jmp 1f\n pushq %rdi\n pushq %rsi\n 1: leaq (%rax), %rdi\n movl $9, %esi\n call "
                   "*warplab_isolation_access@GOTPCREL(%rip)\n popq %rsi\n popq %rdi\n movl %edx, (%rax)")},
        Code{"JumpBehindACheck", "branch_target",
             PLAIN("jmp 1f\n CHECK \"(%rax)\", 9\n 1: movl %edx, (%rax)")},
        Code{"JumpBehindACheckOfATarget", "branch_target",
             PLAIN(
                 "jmp 1f\n movq %rax, %r11\n call *warplab_isolation_target@GOTPCREL(%rip)\n 1: call *%r11")},
        Code{"JumpBehindTheReturnCheck", "branch_target",
             PLAIN("movl $1, %eax\n jmp 1f\n nop") "call *warplab_isolation_leave@GOTPCREL(%rip)\n 1: ret\n"},
        Code{"JumpToItsEntry", "branch_target", PLAIN("jmp f")},
        Code{"JumpToAnotherFunction", "branch_target", PLAIN("jmp g"),
             ".type g, @function\ng: ENTER plain\n RETURN\n .size g, .-g\n"},
        Code{"JumpToAnotherModule", "branch_target", PLAIN("jmp fabs@PLT")},
        Code{"JumpByARegister", "indirect_branch", PLAIN("jmp *%rax")},
        Code{"JumpByATable", "instruction", PLAIN("jmp *(%rsp)")},
        Code{"CallByARegister", "indirect_branch", PLAIN("call *%r11")},
        Code{"CallByMemoryThatWasChecked", "instruction",
             PLAIN(
                 "CHECK \"(%rax)\", 16\n movq (%rax), %r11\n call *warplab_isolation_target@GOTPCREL(%rip)\n "
                 "nop\n "
                 "call *(%rax)")},
        Code{"CallOfAnotherRegisterThanChecked", "misplaced_check",
             PLAIN("movq %rax, %r11\n call *warplab_isolation_target@GOTPCREL(%rip)\n call *%r12")},
        Code{"CallIntoAFunction", "call_target", PLAIN("call f+4")},
        Code{"CallByTheLinkageTable", "call_target", PLAIN("call fabs@PLT")},
        Code{"CallOfData", "call_target", PLAIN("call data"), ".data\ndata: .quad 0\n.text\n"},
        Code{"CallOfThePersonality", "call_target",
             PLAIN("call *warplab_isolation___gxx_personality_v0@GOTPCREL(%rip)")},
        Code{"ReadByTheLibrary", "call_target", PLAIN("call *_ZNKSt13runtime_error4whatEv@GOTPCREL(%rip)")},
        Code{"CheckByItself", "misplaced_check", PLAIN("call *warplab_isolation_access@GOTPCREL(%rip)")},
        Code{"RegistersOtherFunctions", "misplaced_check",
             PLAIN("call *warplab_isolation_register@GOTPCREL(%rip)")},
        Code{"EntersTwice", "misplaced_check", PLAIN("ENTER plain")},
        Code{"PlainReturn", "unchecked_return", PLAIN("ret")},
        Code{"RunsOn", "fall_through", "ENTER plain\n nop\n"},
        Code{"RunsOnBehindACall", "fall_through",
             "ENTER plain\n subq $8, %rsp\n .cfi_def_cfa_offset 16\n call *fabs@GOTPCREL(%rip)\n"},
        Code{"RunsOnBehindAJump", "fall_through", "ENTER plain\n 1: decl %eax\n jnz 1b\n"},
        Code{"RunsOnBehindACheck", "fall_through", "ENTER plain\n CHECK \"(%rax)\", 9\n"}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Memory, ValidatorOnCode,
    testing::Values(
        Code{"Write", "unchecked_access", PLAIN("movq %rbx, (%rax)")},
        Code{"Read", "unchecked_access", PLAIN("movq (%rax), %rax")},
        Code{"ReadByPush", "unchecked_access", WIDE("addq $8, %rsp\n pushq (%rax)")},
        Code{"LockedWrite", "unchecked_access", PLAIN("lock incl (%rax)")},
        Code{"WriteOfAGlobal", "unchecked_access", PLAIN("movl %eax, variable(%rip)"),
             ".bss\nvariable: .zero 4\n.text\n"},
        Code{"ReadOfAGlobal", "unchecked_access", PLAIN("movl variable(%rip), %eax"),
             ".bss\nvariable: .zero 4\n.text\n"},
        Code{"ReadBeyondConstants", "unchecked_access", PLAIN("movq seven+4096(%rip), %rax"),
             ".section .rodata\nseven: .quad 7\n.text\n"},
        Code{"WriteOfAConstant", "unchecked_access", PLAIN("movl %eax, seven(%rip)"),
             ".section .rodata\nseven: .quad 7\n.text\n"},
        Code{"WriteOfAnAddressOfTheLoader", "unchecked_access", PLAIN("movq %rax, fabs@GOTPCREL(%rip)")},
        Code{"ReadOfCode", "unchecked_access", PLAIN("movq f(%rip), %rax")},
        Code{"WriteOfTheReturnAddress", "unchecked_access", PLAIN("movq %rax, 8(%rsp)")},
        Code{"WriteOfASavedRegister", "unchecked_access", WIDE("movq %rax, 24(%rsp)")},
        Code{"WriteAcrossTheVariables", "unchecked_access", WIDE("movups %xmm0, 16(%rsp)")},
        Code{"WriteToTheCaller", "unchecked_access", WIDE("movq %rax, 48(%rsp)")},
        Code{"WriteByAnIndex", "unchecked_access", WIDE("movq %rax, (%rsp,%rcx,8)")},
        Code{"ReadFarAbove", "unchecked_access", WIDE("movq 8192(%rsp), %rax")},
        Code{"WriteInAnAlignedFrame", "unchecked_access", ALIGNED("movq %rax, 8(%rsp)")},
        Code{"WriteByAnAddressOfBefore", "unchecked_access",
             PLAIN("CHECK \"(%rax)\", 9\n nop\n movl %edx, (%rax)")},
        Code{"CheckOfFewerBytes", "narrow_check", PLAIN("CHECK \"(%rax)\", 9\n movq %rdx, (%rax)")},
        Code{"CheckOfARead", "narrow_check", PLAIN("CHECK \"(%rax)\", 8\n movl %edx, (%rax)")},
        Code{"CheckOfAReadBeforeAnExchange", "narrow_check",
             PLAIN("CHECK \"(%rax)\", 8\n xchgl %edx, (%rax)")},
        Code{"OtherRegister", "other_address", PLAIN("CHECK \"(%rax)\", 9\n movl %edx, (%rcx)")},
        Code{"OtherScale", "other_address", PLAIN("CHECK \"(%rax,%rcx,4)\", 9\n movl %edx, (%rax,%rcx,8)")},
        Code{"OtherDisplacement", "other_address", PLAIN("CHECK \"(%rax)\", 9\n movl %edx, 4(%rax)")},
        Code{"PushesForgotten", "other_address", PLAIN("CHECK \"8(%rsp)\", 17\n movq %rdx, 8(%rsp)")},
        Code{"OtherGlobal", "other_address", PLAIN("CHECK \"a(%rip)\", 9\n movl %edx, b(%rip)"),
             ".bss\na: .zero 4\nb: .zero 4\n.text\n"},
        Code{"WriteOfThreadStorage", "segment", PLAIN("movl %eax, %fs:0")},
        Code{"OtherSegment", "segment", PLAIN("movl %gs:0, %eax")},
        Code{"ThreadStorageByAnyRegister", "segment", PLAIN("movl %fs:(%rax), %eax")},
        Code{"BeyondAThreadVariable", "segment",
             PLAIN("movq _ZN7warplab8emulator15current_indicesE@gottpoff(%rip), %rax\n movl %fs:4096(%rax), "
                   "%ecx")},
        Code{"ThreadStorageBehindACheck", "segment", PLAIN("CHECK \"(%rax)\", 8\n movl %fs:(%rax), %eax")}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Exceptions, ValidatorOnCode,
    testing::Values(
        Code{"FrameOfAnotherDepth", "unwind_table",
             "ENTER plain\n subq $8, %rsp\n .cfi_def_cfa_offset 24\n call *fabs@GOTPCREL(%rip)\n addq $8, "
             "%rsp\n "
             "RETURN\n"},
        Code{"RegisterElsewhere", "unwind_table",
             "ENTER wide\n pushq %rbx\n .cfi_def_cfa_offset 16\n .cfi_offset 3, -24\n subq $24, %rsp\n "
             ".cfi_def_cfa_offset 40\n call *fabs@GOTPCREL(%rip)\n addq $24, %rsp\n popq %rbx\n RETURN\n"},
        Code{"RegisterNotTold", "unwind_table",
             "ENTER wide\n pushq %rbx\n .cfi_def_cfa_offset 16\n subq $24, %rsp\n .cfi_def_cfa_offset 40\n "
             "movl "
             "$1, %ebx\n call *fabs@GOTPCREL(%rip)\n addq $24, %rsp\n popq %rbx\n RETURN\n"},
        Code{"ReturnAddressElsewhere", "unwind_table", ".cfi_offset 16, -16\n" PLAIN("nop")},
        Code{"FrameByAProgram", "unwind_table", ".cfi_escape 0xf,0x2,0x77,0x8\n" PLAIN("nop")},
        Code{"PartOfAFunction", "unwind_table", PLAIN("nop") ".cfi_endproc\n.cfi_startproc\n ud2\n"},
        Code{"UnknownHandler", "exception_table",
             ".cfi_personality 0x9b, personality\n.cfi_lsda 0x1b, plain\n" PLAIN("nop"),
             ".data\npersonality: .quad fabs\n.text\n"},
        Code{"HandlerInData", "exception_table",
             ".cfi_personality 0x9b, personality\n.cfi_lsda 0x1b, plain\n" PLAIN("nop"),
             ".data\npersonality: .quad 0x1234\n.text\n"},
        Code{"ContinuesWithinAnInstruction", "exception_table",
             ".cfi_personality 0x9b, personality\n.cfi_lsda 0x1b, sites\n" PLAIN("call *fabs@GOTPCREL(%rip)"),
             ".section .gcc_except_table, \"a\"\nsites: .byte 0xff, 0xff, 1, 4, 0, 60, 2, "
             "0\n.data\npersonality: "
             ".quad warplab_isolation___gxx_personality_v0\n.text\n"},
        Code{
            "HandlesAType", "exception_table",
            ".cfi_personality 0x9b, personality\n.cfi_lsda 0x1b, sites\n" PLAIN("call *fabs@GOTPCREL(%rip)"),
            ".section .gcc_except_table, \"a\"\nsites: .byte 0xff, 0x9b, 8, 1, 4, 0, 60, 12, 1, 1, 0\n.data\n"
            "personality: .quad warplab_isolation___gxx_personality_v0\n.text\n"}),
    name_of_code);

INSTANTIATE_TEST_SUITE_P(
    Tables, ValidatorOnCode,
    testing::Values(
        Code{"CodeThatCanBeWritten", "section", PLAIN("nop"), ".section .text.w, \"awx\"\n nop\n.text\n"},
        Code{"UnknownSection", "section", PLAIN("nop"), ".section secret, \"aw\"\n.quad 0\n.text\n"},
        Code{"ThreadLocalSection", "section", PLAIN("nop"),
             ".section .tbss, \"awT\", @nobits\n.zero 4\n.text\n"},
        Code{"FinalFunctions", "section", PLAIN("nop"), ".section .fini_array, \"aw\"\n.quad f\n.text\n"},
        Code{"EarlyFunctions", "section", PLAIN("nop"), ".section .preinit_array, \"aw\"\n.quad f\n.text\n"},
        Code{"InitialCode", "section", PLAIN("nop"), ".section .init, \"ax\"\n nop\n.text\n"},
        Code{"SharedWithOtherObjects", "section", PLAIN("nop"),
             ".section .text.g, \"axG\", @progbits, g, comdat\n nop\n.text\n"},
        Code{"Import", "symbol", PLAIN("movq getenv@GOTPCREL(%rip), %rax")},
        Code{"ImportInData", "symbol", PLAIN("nop"), ".data\n.quad system\n.text\n"},
        Code{"WeakImport", "symbol", PLAIN("movq fabs@GOTPCREL(%rip), %rax"), ".weak fabs\n"},
        Code{"VisibleFunction", "symbol", PLAIN("nop"),
             ".globl cudaMalloc\n.type cudaMalloc, @function\ncudaMalloc: ENTER plain\n RETURN\n.size "
             "cudaMalloc, "
             ".-cudaMalloc\n"},
        Code{"VisibleData", "symbol", PLAIN("nop"), ".globl environ\n.data\nenviron: .quad 0\n.text\n"},
        Code{"CommonData", "symbol", PLAIN("nop"), ".comm shared, 8\n"},
        Code{"ChosenWhenLoaded", "symbol", PLAIN("nop"),
             ".type g, @gnu_indirect_function\ng: ENTER plain\n RETURN\n.size g, .-g\n"},
        Code{"AddressWithinAFunction", "data_relocation", PLAIN("nop"), ".data\n.quad f+4\n.text\n"},
        Code{"DistanceInData", "data_relocation", PLAIN("nop"), ".data\n.long f-.\n.text\n"},
        Code{"RunsBeforeItsRegistration", "section", PLAIN("nop"),
             ".section .init_array.00000, \"aw\"\n.quad f\n.text\n"},
        Code{"MoreFrames", "section", PLAIN("nop"), ".section .eh_frame.x, \"a\"\n.quad 0\n.text\n"},
        Code{"InitialNumber", "initialiser", PLAIN("nop"),
             ".section .init_array, \"aw\"\n.quad 0x1234\n.text\n"},
        Code{"InitialImport", "initialiser", PLAIN("nop"),
             ".section .init_array, \"aw\"\n.quad fabs\n.text\n"},
        Code{"EntryThatIsNoFunction", "entry_table", PLAIN("nop"),
             ".section .data.rel.ro.local.warplab_entries, \"aw\"\n.quad 0x1234\n.text\n"},
        Code{"FunctionsThatOverlap", "function_bounds",
             PLAIN("nop") "g = f + 4\n.type g, @function\n.size g, 8\n"},
        Code{"FunctionBeyondItsSection", "function_bounds", PLAIN("nop"),
             ".type g, @function\ng: ud2\n.size g, 4096\n"},
        Code{"FunctionInData", "function_bounds", PLAIN("nop"),
             ".data\n.type g, @function\ng: .quad 0\n.size g, 8\n.text\n"}),
    name_of_code);

std::string rule_broken_by_registration(const std::string& text) {
  AssembledObject object;
  object.registration = text;
  const std::string broken = rule_broken_by(assembled(object.text()));
  return broken.substr(0, broken.find(' '));
}

TEST(ValidatorOnRegistration, WantsTheWholeTableOfFunctionsMadeKnownFirst) {
  const std::string usual = AssembledObject().registration;
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string text = usual;
    text.replace(text.find(part), part.size(), other);
    return rule_broken_by_registration(text);
  };
  EXPECT_EQ(rule_broken_by_registration(usual), "");
  EXPECT_EQ(rule_broken_by_registration(""), "initialiser");
  EXPECT_EQ(with("leaq entries(%rip)", "leaq f(%rip)"), "initialiser");
  EXPECT_EQ(with("leaq entries_end(%rip)", "leaq entries_end+8(%rip)"), "initialiser");
  EXPECT_EQ(with("leaq entries_end(%rip)", "leaq entries(%rip)"), "initialiser");
  EXPECT_EQ(with("addq $8, %rsp", "addq $8, %rsp\n syscall"), "instruction");
  EXPECT_EQ(with("addq $8, %rsp", "addq $8, %rsp\n nop"), "initialiser");
  EXPECT_EQ(with(".init_array.00001", ".init_array.00002"), "section");
  EXPECT_EQ(with(".init_array.00001", ".init_array"), "initialiser");
  EXPECT_EQ(with(".quad begin", ".quad f"), "initialiser");
  EXPECT_EQ(with(".quad begin", ".quad begin, f"), "initialiser");
}

TEST(ValidatorOnSections, WantsAStackThatCannotBeExecuted) {
  AssembledObject object;
  object.note = "";
  EXPECT_EQ(rule_broken_by(assembled(object.text())).substr(0, 8), "section ");
  object.note = ".section .note.GNU-stack, \"x\", @progbits\n";
  EXPECT_EQ(rule_broken_by(assembled(object.text())).substr(0, 8), "section ");
}

TEST(ValidatorOnFiles, ReadsWholeObjectFilesOnly) {
  const std::string object = assembled(AssembledObject().text());
  ASSERT_EQ(rule_broken_by(object), "");
  EXPECT_EQ(rule_broken_by("").substr(0, 12), "object_file ");
  EXPECT_EQ(rule_broken_by("int main() {}").substr(0, 12), "object_file ");
  for (std::size_t bytes = 1; bytes < object.size(); bytes += 61)
    EXPECT_NE(rule_broken_by(object.substr(0, bytes)), "") << bytes;
  std::string library = object;
  library[16] = 3;  // ET_DYN
  EXPECT_EQ(rule_broken_by(library).substr(0, 12), "object_file ");
}

TEST(Violation, NamesTheFunctionThePlaceTheInstructionAndTheRule) {
  AssembledObject object;
  object.code = PLAIN("movq %rbx, (%rax)");
  EXPECT_EQ(rule_broken_by(assembled(object.text())),
            "unchecked_access [f+0x13: `mov [rax], rbx` is not behind a check (unchecked_access)]");
}

}  // namespace
