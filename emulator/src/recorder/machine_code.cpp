#include "emulator/src/recorder/machine_code.hpp"

#include <array>
#include <cstring>

namespace warplab::emulator::lens {
namespace {

/// Reads the bytes of one instruction.
class Decoder {
 public:
  Decoder(const std::byte* code, const std::byte* end) : begin_(code), at_(code), end_(end) {}

  std::optional<MachineInstruction> run() {
    prefixes();
    if (peek() == 0xc4 || peek() == 0xc5) {
      vex();
    } else {
      opcode_ = next();
      if (opcode_ == 0x0f) {
        map_ = 1;
        opcode_ = next();
        if (opcode_ == 0x38 || opcode_ == 0x3a) {
          map_ = opcode_ == 0x38 ? 2 : 3;
          opcode_ = next();
        }
      }
      operands();
    }
    if (!valid_) return std::nullopt;
    return MachineInstruction{static_cast<std::size_t>(at_ - begin_), operation(), stores(), target_};
  }

 private:
  unsigned peek() const { return at_ < end_ ? std::to_integer<unsigned>(*at_) : 0; }
  unsigned next() {
    if (at_ >= end_) {
      valid_ = false;
      return 0;
    }
    return std::to_integer<unsigned>(*at_++);
  }
  void skip(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes)
      valid_ = false;
    else
      at_ += bytes;
  }

  void prefixes() {
    for (;; next()) {
      switch (peek()) {
        case 0x66:
          wide_ = false;
          if (repeat_ == 0) repeat_ = 0x66;
          continue;
        case 0xf2:
        case 0xf3:
          repeat_ = peek();
          continue;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x64:
        case 0x65:
        case 0xf0:
          continue;
        default:
          break;
      }
      break;
    }
    if ((peek() & 0xf0) != 0x40) return;
    const unsigned rex = next();
    long_ = (rex & 8) != 0;
    high_base_ = (rex & 1) != 0;
  }

  void vex() {
    const bool three = next() == 0xc5 ? false : true;
    unsigned last = next();
    map_ = 1;
    if (three) {
      map_ = last & 31;
      high_base_ = (last & 32) == 0;
      last = next();
    }
    static constexpr std::array<unsigned, 4> repeats{0, 0x66, 0xf3, 0xf2};
    repeat_ = repeats[last & 3];
    opcode_ = next();
    if (map_ == 1 && opcode_ == 0x77) return;  // vzeroupper has no operands
    operands_in_memory();
    if (map_ == 3 || has_byte_after_map_1(opcode_)) skip(1);
    if (map_ < 1 || map_ > 3) valid_ = false;
  }

  static bool has_byte_after_map_1(unsigned opcode) {
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba ||
           opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
  }

  void operands_in_memory() {
    const unsigned modrm = next(), mode = modrm >> 6, rm = modrm & 7;
    middle_ = modrm >> 3 & 7;
    if (mode == 3) return;
    in_memory_ = true;
    if (mode == 0 && rm == 5) return relative_address();
    bool distance = false;
    if (rm == 4) {
      const unsigned base = next() & 7;
      distance = base == 5 && mode == 0;
      on_stack_ = base == 4 && !high_base_;
    }
    skip(mode == 1 ? 1 : mode == 2 || distance ? 4 : 0);
  }

  void operands() {
    if (map_ == 0) return one_byte_opcode();
    if (map_ == 1) return two_byte_opcode();
    operands_in_memory();
    if (map_ == 3) skip(1);
  }

  std::size_t immediate() const { return wide_ ? 4 : 2; }

  void one_byte_opcode() {
    const unsigned op = opcode_, low = op & 7;
    if (op < 0x40) {
      if (low < 4)
        operands_in_memory();
      else
        low == 4 ? skip(1) : low == 5 ? skip(immediate()) : void(valid_ = false);
    } else if ((op >= 0x50 && op < 0x60) || (op >= 0x90 && op < 0xa0 && op != 0x9a) || op == 0xa4 ||
               op == 0xa5 || op == 0xaa || op == 0xab || op == 0xc3 || op == 0xc9 || op == 0xcc ||
               op == 0xf4) {
      return;
    } else if (op == 0x63 || (op >= 0x84 && op < 0x90) || (op >= 0xd0 && op < 0xd4) ||
               (op >= 0xd8 && op < 0xe0) || op >= 0xfe) {
      operands_in_memory();
    } else if (op == 0x6b || op == 0x80 || op == 0x83 || op == 0xc0 || op == 0xc1 || op == 0xc6) {
      operands_in_memory();
      skip(1);
    } else if (op == 0x69 || op == 0x81 || op == 0xc7) {
      operands_in_memory();
      skip(immediate());
    } else if (op == 0x6a || (op >= 0x70 && op < 0x80) || op == 0xa8 || (op >= 0xb0 && op < 0xb8) ||
               op == 0xeb) {
      skip(1);
    } else if (op == 0x68 || op == 0xa9) {
      skip(immediate());
    } else if (op >= 0xb8 && op < 0xc0) {
      skip(long_ ? 8 : immediate());
    } else if (op == 0xe8 || op == 0xe9) {
      relative_address();
    } else if (op == 0xf6 || op == 0xf7) {
      operands_in_memory();
      if (middle_ < 2) skip(op == 0xf6 ? 1 : immediate());
    } else {
      valid_ = false;
    }
  }

  void two_byte_opcode() {
    const unsigned op = opcode_;
    const bool alone =
        op == 0x05 || op == 0x0b || op == 0x31 || op == 0x77 || op == 0xa2 || (op >= 0xc8 && op < 0xd0);
    if (alone) return;
    if (op >= 0x80 && op < 0x90) return skip(4);
    operands_in_memory();
    if (has_byte_after_map_1(op)) skip(1);
  }

  void relative_address() {
    std::int32_t distance = 0;
    const std::byte* const from = at_;
    skip(sizeof distance);
    if (!valid_) return;
    std::memcpy(&distance, from, sizeof distance);
    target_ = at_ + distance;
  }

  bool stores() const {
    const unsigned op = opcode_;
    if (map_ == 0 && (op == 0xa4 || op == 0xa5 || op == 0xaa || op == 0xab)) return true;
    if (!in_memory_ || on_stack_) return false;
    if (map_ == 0) return op == 0x88 || op == 0x89 || op == 0xc6 || op == 0xc7;
    return map_ == 1 && (op == 0x11 || op == 0x29 || op == 0x7f || op == 0xd6);
  }

  Operation operation() const {
    if (map_ == 0) return control();
    if (map_ == 3) return opcode_ == 0x1d && repeat_ == 0x66 ? Operation::half_rounding : Operation::other;
    if (map_ != 1) return Operation::other;
    if ((opcode_ >= 0x80 && opcode_ < 0x90) || opcode_ == 0x0b) return Operation::leave;
    if (repeat_ == 0xf3) return of_float();
    if (repeat_ == 0xf2) return of_double();
    return Operation::other;
  }
  Operation control() const {
    if (opcode_ == 0xe8) return Operation::call;
    if (opcode_ == 0x8d && target_ != nullptr) return Operation::address;
    const bool leaves = (opcode_ >= 0x70 && opcode_ < 0x80) || opcode_ == 0xe9 || opcode_ == 0xeb ||
                        opcode_ == 0xc3 || opcode_ == 0xf4 ||
                        (opcode_ == 0xff && (middle_ == 4 || middle_ == 5));
    return leaves ? Operation::leave : Operation::other;
  }
  Operation of_float() const {
    switch (opcode_) {
      case 0x58:
      case 0x5c:
        return Operation::float_sum;
      case 0x59:
        return Operation::float_product;
      case 0x5e:
        return Operation::float_quotient;
      case 0x51:
        return Operation::float_root;
      case 0x2a:
      case 0x5a:
        return Operation::conversion;
      case 0x2c:
      case 0x2d:
        return Operation::slow_conversion;
      default:
        return Operation::other;
    }
  }
  Operation of_double() const {
    switch (opcode_) {
      case 0x58:
      case 0x5c:
        return Operation::double_sum;
      case 0x59:
        return Operation::double_product;
      case 0x5e:
        return Operation::double_quotient;
      case 0x51:
        return Operation::double_root;
      case 0x2a:
      case 0x2c:
      case 0x2d:
        return Operation::slow_conversion;
      case 0x5a:
        return Operation::conversion;
      default:
        return Operation::other;
    }
  }

  const std::byte *begin_, *at_, *end_;
  unsigned repeat_ = 0, opcode_ = 0, map_ = 0, middle_ = 0;
  bool wide_ = true, long_ = false, high_base_ = false, in_memory_ = false, on_stack_ = false, valid_ = true;
  const std::byte* target_ = nullptr;
};

}  // namespace

std::optional<MachineInstruction> decode(const std::byte* code, const std::byte* end) {
  return Decoder(code, end).run();
}

const void* called_function(const std::byte* code) {
  static constexpr std::array<unsigned char, 4> landing{0xf3, 0x0f, 0x1e, 0xfa};  // endbr64
  static constexpr std::array<unsigned char, 2> jump{0xff, 0x25};                 // jmp *distance(%rip)
  const std::byte* at = code;
  if (std::memcmp(at, landing.data(), landing.size()) == 0) at += landing.size();
  if (std::to_integer<unsigned>(*at) == 0xf2) ++at;
  if (std::memcmp(at, jump.data(), jump.size()) != 0) return code;
  std::int32_t distance = 0;
  std::memcpy(&distance, at + jump.size(), sizeof distance);
  const void* function = nullptr;
  std::memcpy(&function, at + jump.size() + sizeof distance + distance, sizeof function);
  return function;
}

const void* next_call(const std::byte* code) {
  constexpr std::ptrdiff_t longest = 15;
  for (;;) {
    const std::optional<MachineInstruction> instruction = decode(code, code + longest);
    if (!instruction || instruction->stores || instruction->operation == Operation::leave) return nullptr;
    if (instruction->operation == Operation::call) return called_function(instruction->target);
    code += instruction->bytes;
  }
}

}  // namespace warplab::emulator::lens
