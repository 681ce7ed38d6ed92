#include "emulator/src/recorder/machine_code.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace warplab::emulator::lens {
namespace {

std::vector<std::byte> code_of(const std::vector<int>& bytes) {
  std::vector<std::byte> code;
  for (const int each : bytes) code.push_back(static_cast<std::byte>(each));
  return code;
}

/// The only instruction of the bytes, which it must take up.
MachineInstruction only(const std::vector<int>& bytes) {
  const std::vector<std::byte> code = code_of(bytes);
  const auto instruction = decode(code.data(), code.data() + code.size());
  EXPECT_TRUE(instruction);
  EXPECT_EQ(instruction.value_or(MachineInstruction()).bytes, bytes.size());
  return instruction.value_or(MachineInstruction());
}

TEST(MachineCode, TellsArithmeticOfFloatsFromThatOfDoubles) {
  EXPECT_EQ(only({0xf3, 0x0f, 0x58, 0xc1}).operation, Operation::float_sum);               // addss xmm0, xmm1
  EXPECT_EQ(only({0xf2, 0x0f, 0x5c, 0x44, 0x24, 0x08}).operation, Operation::double_sum);  // subsd 8(rsp)
  EXPECT_EQ(only({0xf3, 0x44, 0x0f, 0x59, 0xc0}).operation, Operation::float_product);     // mulss xmm8, xmm0
  EXPECT_EQ(only({0xf2, 0x0f, 0x5e, 0x05, 1, 2, 0, 0}).operation, Operation::double_quotient);  // (rip)
  EXPECT_EQ(only({0xf3, 0x0f, 0x51, 0xc0}).operation, Operation::float_root);
  EXPECT_EQ(only({0x0f, 0x58, 0xc1}).operation, Operation::other);  // addps: not of one element
}

TEST(MachineCode, ReadsTheLongerPrefixesOfNewerProcessors) {
  EXPECT_EQ(only({0xc5, 0xfb, 0x58, 0x5c, 0x24, 0x70}).operation, Operation::double_sum);  // vaddsd 0x70(rsp)
  EXPECT_EQ(only({0xc4, 0xc1, 0x7a, 0x59, 0x04, 0x24}).operation, Operation::float_product);  // vmulss (r12)
  EXPECT_EQ(only({0xc4, 0xe3, 0x79, 0x1d, 0xc0, 0x04}).operation, Operation::half_rounding);  // vcvtps2ph
  EXPECT_EQ(only({0xc5, 0xf8, 0x77}).operation, Operation::other);                            // vzeroupper
  EXPECT_EQ(only({0xc5, 0xf9, 0x70, 0xc0, 0x55}).operation, Operation::other);                // vpshufd
}

TEST(MachineCode, KnowsConversions) {
  EXPECT_EQ(only({0xf3, 0x48, 0x0f, 0x2a, 0xc3}).operation, Operation::conversion);  // cvtsi2ss from rbx
  EXPECT_EQ(only({0xf2, 0x0f, 0x2c, 0xc0}).operation, Operation::slow_conversion);   // cvttsd2si
  EXPECT_EQ(only({0xc5, 0xf3, 0x5a, 0xc9}).operation, Operation::conversion);        // vcvtsd2ss
}

TEST(MachineCode, MeasuresWhatItDoesNotCount) {
  only({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8});                 // mov rax, a constant of 64 bits
  only({0x66, 0xb8, 1, 2});                                   // mov ax
  only({0xc7, 0x44, 0x24, 0x44, 0, 0, 0, 0});                 // mov dword 0x44(rsp), 0
  only({0x66, 0xc7, 0x00, 1, 2});                             // mov word (rax)
  only({0xf7, 0xd8});                                         // neg eax: nothing follows
  only({0xf7, 0xc1, 1, 0, 0, 0});                             // test ecx, 1
  only({0xf6, 0x05, 1, 2, 3, 4, 1});                          // test byte (rip), 1
  only({0x69, 0xc0, 1, 2, 3, 4});                             // imul
  only({0x81, 0xec, 0x80, 0, 0, 0});                          // sub esp
  only({0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0});           // mov rax, fs:0
  only({0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0});  // a long nop
  only({0xf3, 0x0f, 0x1e, 0xfa});                             // endbr64
  only({0x0f, 0xba, 0xe0, 3});                                // bt eax, 3
  only({0x66, 0x0f, 0x3a, 0x0b, 0xc0, 1});                    // roundsd
  only({0x66, 0x0f, 0x38, 0x1c, 0xc0});                       // pabsb
  only({0x41, 0x5e});                                         // pop r14
}

TEST(MachineCode, LeavesWhereCodeMayGoOnElsewhere) {
  for (const std::vector<int>& bytes : std::vector<std::vector<int>>{{0x74, 2},
                                                                     {0xeb, 0},
                                                                     {0xe9, 0, 0, 0, 0},
                                                                     {0x0f, 0x84, 0, 0, 0, 0},
                                                                     {0xc3},
                                                                     {0xff, 0xe0},
                                                                     {0x0f, 0x0b}})
    EXPECT_EQ(only(bytes).operation, Operation::leave) << bytes[0];
  EXPECT_EQ(only({0xff, 0xd0}).operation, Operation::other);  // a call through rax comes back
}

TEST(MachineCode, NamesWhatIsCalledAndWhoseAddressIsTaken) {
  const std::vector<std::byte> code = code_of({0xe8, 2, 0, 0, 0, 0x48, 0x8d, 0x3d, 0xf4, 0xff, 0xff, 0xff});
  const std::byte* const end = code.data() + code.size();
  const auto call = decode(code.data(), end);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->operation, Operation::call);
  EXPECT_EQ(call->target, code.data() + 7);
  const auto address = decode(code.data() + 5, end);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->operation, Operation::address);
  EXPECT_EQ(address->target, code.data());
}

TEST(MachineCode, RefusesWhatItDoesNotKnowAndWhatIsCutShort) {
  for (const std::vector<int>& bytes :
       std::vector<std::vector<int>>{{0x06}, {0x62, 0xf1}, {0xe8, 1}, {0xf3, 0x0f}, {0x48}, {}}) {
    const std::vector<std::byte> code = code_of(bytes);
    EXPECT_FALSE(decode(code.data(), code.data() + code.size())) << bytes.size();
  }
}

TEST(MachineCode, FollowsALinkersStub) {
  std::vector<std::byte> code = code_of({0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 2, 0, 0, 0, 0x90, 0x90});
  const void* const function = &code;
  code.resize(code.size() + sizeof function);
  std::memcpy(code.data() + 12, &function, sizeof function);
  EXPECT_EQ(called_function(code.data()), function);
  EXPECT_EQ(called_function(code.data() + 10), code.data() + 10);  // no stub: the function itself
}

TEST(MachineCode, KnowsWhatStoresToOtherMemoryThanTheStack) {
  for (const std::vector<int>& bytes : std::vector<std::vector<int>>{{0x48, 0x89, 0x03},
                                                                     {0x41, 0x89, 0x04, 0x24},
                                                                     {0x49, 0x89, 0x44, 0x24, 8},
                                                                     {0xc7, 0x03, 1, 0, 0, 0},
                                                                     {0x0f, 0x11, 0x03},
                                                                     {0xc5, 0xfa, 0x7f, 0x03},
                                                                     {0xc4, 0xc1, 0x7a, 0x7f, 0x04, 0x24},
                                                                     {0xf3, 0x48, 0xa5}})
    EXPECT_TRUE(only(bytes).stores) << bytes[0] << " " << bytes.size();
  for (const std::vector<int>& bytes : std::vector<std::vector<int>>{{0x48, 0x89, 0x44, 0x24, 8},
                                                                     {0xc5, 0xfa, 0x7f, 0x04, 0x24},
                                                                     {0x48, 0x89, 0xd8},
                                                                     {0x48, 0x8b, 0x03},
                                                                     {0x48, 0x8d, 0x04, 0x40}})
    EXPECT_FALSE(only(bytes).stores) << bytes[0] << " " << bytes.size();
}

TEST(MachineCode, FindsTheNextCall) {
  const std::vector<int> call{0xbe, 24, 0, 0, 0, 0xe8, 1, 0, 0, 0, 0x90, 0xc3}, store{0x48, 0x89, 0x03};
  const auto next_of = [](const std::vector<int>& first, const std::vector<int>& then) {
    std::vector<int> bytes = first;
    bytes.insert(bytes.end(), then.begin(), then.end());
    bytes.resize(bytes.size() + 32, 0x90);
    const std::vector<std::byte> code = code_of(bytes);
    const void* const called = next_call(code.data());
    return called == nullptr ? -1 : static_cast<const std::byte*>(called) - code.data();
  };
  EXPECT_EQ(next_of({}, call), 11);
  EXPECT_EQ(next_of({0x48, 0x89, 0xdf}, call), 14);
  EXPECT_EQ(next_of(store, call), -1);
  EXPECT_EQ(next_of({0xeb, 0}, call), -1);
}

}  // namespace
}  // namespace warplab::emulator::lens
