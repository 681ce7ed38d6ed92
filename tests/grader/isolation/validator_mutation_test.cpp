// Objects that the validator accepts are changed at random; what it still accepts is run with registers that
// point at memory which it must not touch.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "assembled_object.hpp"
#include "grader/validator/object_file.hpp"
#include "hostile_call.hpp"
#include "tests/common/today.hpp"
#include "tests/grader/isolation/guarded_build.hpp"

namespace {

using namespace warplab;

#if defined(WARPLAB_LONG_TESTS)
constexpr int mutants = 100'000;
#else
constexpr int mutants = 3'000;
#endif

/// Something of everything that the rules are about: variables, checked reads and writes, a loop, calls, a
/// call by pointer, thread-local variables, an aligned frame.
constexpr const char* victim = R"asm(
  ENTER roomy
  pushq %rbx
  .cfi_def_cfa_offset 16
  .cfi_offset 3, -16
  subq $32, %rsp
  .cfi_def_cfa_offset 48
  leaq variable(%rip), %rbx
  movq %rax, 8(%rsp)
  movl $3, %ecx
1:
  CHECK "(%rbx,%rcx,8)", 17
  movq %rdx, (%rbx,%rcx,8)
  decl %ecx
  jnz 1b
  CHECK "variable(%rip)", 9
  movl %eax, variable(%rip)
  leaq 16(%rsp), %rsi
  CHECK "(%rsi)", 17
  movq %rdi, (%rsi)
  call g
  CHECK "pointer(%rip)", 16
  movq pointer(%rip), %r11
  call *warplab_isolation_target@GOTPCREL(%rip)
  call *%r11
  call *_Z16cudaGetLastErrorv@GOTPCREL(%rip)
  movq _ZN7warplab8emulator15current_indicesE@gottpoff(%rip), %rax
  movl %fs:4(%rax), %edx
  xorl %ecx, %ecx
  CHECK "24(%rsp,%rcx)", 2
  movb 8(%rsp,%rcx), %al
  testb $1, %r13b
  jz 2f
  CHECK "(%r12,%r14,2)", 17
  movq %r15, (%r12,%r14,2)
2:
  addq $32, %rsp
  .cfi_def_cfa_offset 16
  popq %rbx
  .cfi_def_cfa_offset 8
  RETURN
  ud2
)asm";
constexpr const char* others = R"asm(
  .type g, @function
g:
  .cfi_startproc
  ENTER aligned
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register 6
  andq $-32, %rsp
  subq $64, %rsp
  CHECK "24(%rsp)", 17
  movq %rdx, 8(%rsp)
  movq 8(%rsp), %rdx
  leave
  .cfi_def_cfa 7, 8
  RETURN
  .cfi_endproc
  .size g, .-g
  .section .data.rel.ro.local, "aw"
pointer: .quad g
  .bss
variable: .zero 64
  .text
)asm";

/// The object, the module that is made of it, and where the bytes of f and g are in both.
class Victim {
 public:
  Victim() {
    AssembledObject parts;
    parts.code = victim;
    parts.rest = others;
    parts.entries = "f, g";
    object_ = assembled(parts.text());
    folder_.write("f.o", object_);
    const std::string libraries = std::string(WARPLAB_BINARY_DIR) + "/lib";
    const CommandOutcome linked =
        run_directly({"g++", "-shared", "-Wl,-z,now", "-Wl,-z,relro", "-o", folder_ / "f.so", folder_ / "f.o",
                      "-L" + libraries, "-lwarplab_emulator", "-Wl,-rpath," + libraries},
                     60);
    void* const module = dlopen((folder_ / "f.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) throw std::runtime_error(linked.output + dlerror());
    function_ = dlsym(module, "f");
    find_code();
  }
  const std::string& object() const { return object_; }
  void* function() const { return function_; }
  std::size_t begin() const { return begin_; }
  /// Offsets from f's begin of bytes that the linker leaves as they are.
  const std::vector<std::size_t>& bytes() const { return bytes_; }

 private:
  /// f and g begin the section of code: in the object as in the module, but for what the linker fills in.
  void find_code() {
    const validator::ObjectFile file(object_);
    for (const validator::Section& section : file.sections()) {
      if (section.name != ".text") continue;
      begin_ = object_.find(section.bytes);
      std::vector<bool> filled_in(section.size);
      for (const validator::Relocation& relocation : section.relocations)
        std::fill_n(filled_in.begin() + static_cast<std::ptrdiff_t>(relocation.offset), 4, true);
      const std::size_t end = section.size - registration_bytes;
      for (std::size_t i = 0; i < end; ++i)
        if (!filled_in[i]) bytes_.push_back(i);
    }
  }
  static constexpr std::size_t registration_bytes = 29;

  ScratchFolder folder_;
  std::string object_;
  void* function_ = nullptr;
  std::size_t begin_ = 0;
  std::vector<std::size_t> bytes_;
};

class Mutation : public testing::Test {
 protected:
  const std::uint64_t seed_ = todays_seed("WARPLAB_MUTATION_SEED");
  testing::ScopedTrace trace_{__FILE__, __LINE__, "WARPLAB_MUTATION_SEED=" + std::to_string(seed_)};
  /// Values that a stranger would like an instruction to use as an address.
  std::vector<std::vector<std::uint64_t>> registers() {
    std::vector<std::vector<std::uint64_t>> sets(3, std::vector<std::uint64_t>(16));
    const auto canary = reinterpret_cast<std::uint64_t>(canary_->middle());
    for (auto& set : sets)
      for (std::uint64_t& value : set) switch (random_() % 4) {
          case 0:
            value = random_() % 64;
            break;
          case 1:
            value = reinterpret_cast<std::uint64_t>(victim_.function()) + random_() % 256;
            break;
          default:
            value = canary + random_() % 512 - 256;
        }
    return sets;
  }
  /// A few bits or bytes of the code, or a stretch of it that becomes empty instructions.
  std::vector<BytePatch> patches() {
    std::map<std::size_t, std::uint8_t> changed;
    const auto& bytes = victim_.bytes();
    const std::size_t at = random_() % bytes.size(), count = 1 + random_() % 3;
    const auto kind = random_() % 4;
    for (std::size_t i = at; i < bytes.size() && i < at + (kind == 0 ? 1 + random_() % 30 : count); ++i) {
      const auto old = static_cast<std::uint8_t>(victim_.object()[victim_.begin() + bytes[i]]);
      changed[bytes[i]] = kind == 0   ? 0x90
                          : kind == 1 ? static_cast<std::uint8_t>(random_())
                          : kind == 2 ? static_cast<std::uint8_t>(old ^ (1u << random_() % 8))
                                      : static_cast<std::uint8_t>(old + (random_() % 2 == 0 ? 8 : -8));
      if (kind == 2) break;
    }
    std::vector<BytePatch> list;
    for (const auto& [offset, value] : changed) list.push_back({offset, value});
    return list;
  }
  std::string patched(const std::vector<BytePatch>& list) const {
    std::string object = victim_.object();
    for (const BytePatch& patch : list)
      object[victim_.begin() + patch.offset] = static_cast<char>(patch.value);
    return object;
  }

  std::mt19937_64 random_{seed_};
  std::unique_ptr<Canary> canary_ = std::make_unique<Canary>();
  Victim victim_;
};

TEST_F(Mutation, TheUnchangedModuleIsStoppedAtTheFirstForeignAddress) {
  ASSERT_EQ(rule_broken_by(victim_.object()), "");
  ASSERT_GT(victim_.bytes().size(), 200u);
  auto sets = registers();
  for (auto& set : sets) set[13] = 0;
  EXPECT_EQ(call_in_child(victim_.function(), {}, sets, *canary_), CallOutcome::returned);
  for (auto& set : sets) set[13] = 1;
  EXPECT_EQ(call_in_child(victim_.function(), {}, sets, *canary_), CallOutcome::stopped);
}

TEST_F(Mutation, WhatTheValidatorRefusesDoesHarmCanaries) {
  int escaped = 0;
  for (int i = 0; i < 400; ++i) {
    const auto list = patches();
    if (rule_broken_by(patched(list)).empty()) continue;
    canary_ = std::make_unique<Canary>();  // one that has died does not count again
    escaped += call_in_child(victim_.function(), list, registers(), *canary_) == CallOutcome::escaped;
  }
  EXPECT_GT(escaped, 20);
}

TEST_F(Mutation, WhatTheValidatorAcceptsHarmsNoCanary) {
  std::map<CallOutcome, int> outcomes;
  int accepted = 0;
  for (int i = 0; i < mutants; ++i) {
    const auto list = patches();
    if (!rule_broken_by(patched(list)).empty()) continue;
    ++accepted;
    const CallOutcome outcome = call_in_child(victim_.function(), list, registers(), *canary_);
    ++outcomes[outcome];
    std::string words;
    for (const BytePatch& patch : list)
      words += " " + std::to_string(patch.offset) + ":" + std::to_string(patch.value);
    ASSERT_NE(outcome, CallOutcome::escaped) << "mutant " << i << words;
  }
  EXPECT_GT(accepted, mutants / 100);
  EXPECT_GT(outcomes[CallOutcome::stopped], 0);
  EXPECT_GT(outcomes[CallOutcome::returned] + outcomes[CallOutcome::trapped], 0);
}

}  // namespace
