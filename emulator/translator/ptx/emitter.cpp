#include "emulator/translator/ptx/emitter.hpp"

#include <cctype>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/ptx/instructions.hpp"

namespace warplab::translator {
namespace {

struct Special {
  std::string_view name, expression;
};
constexpr Special specials[] = {
    {"laneid", "::warplab::emulator::ptx::laneid()"},
    {"warpid", "::warplab::emulator::ptx::thread_rank() / 32u"},
    {"nwarpid", "64u"},
    {"lanemask_eq", "1u << ::warplab::emulator::ptx::laneid()"},
    {"lanemask_lt", "(1u << ::warplab::emulator::ptx::laneid()) - 1u"},
    {"lanemask_le", "(2u << ::warplab::emulator::ptx::laneid()) - 1u"},
    {"lanemask_gt", "~((2u << ::warplab::emulator::ptx::laneid()) - 1u)"},
    {"lanemask_ge", "~((1u << ::warplab::emulator::ptx::laneid()) - 1u)"},
    {"smid", "::warplab::emulator::ptx::smid()"},
    {"nsmid", "::warplab::emulator::ptx::nsmid()"},
    {"clock", "static_cast<unsigned>(::clock64())"},
    {"clock64", "static_cast<unsigned long long>(::clock64())"},
    {"clock_hi", "::warplab::emulator::ptx::high(::clock64())"},
    {"globaltimer", "::warplab::emulator::ptx::globaltimer()"},
    {"globaltimer_lo", "static_cast<unsigned>(::warplab::emulator::ptx::globaltimer())"},
    {"globaltimer_hi", "::warplab::emulator::ptx::high(::warplab::emulator::ptx::globaltimer())"},
    {"dynamic_smem_size", "::warplab::emulator::ptx::dynamic_smem_size()"},
    {"total_smem_size", "::warplab::emulator::ptx::total_smem_size()"},
    {"aggr_smem_size", "::warplab::emulator::ptx::aggr_smem_size()"},
    {"gridid", "0ull"},
    {"cluster_ctarank", "::warplab::emulator::cluster_place().rank"},
    {"cluster_nctarank", "::warplab::emulator::cluster_place().blocks"},
    {"is_explicit_cluster", "::warplab::emulator::cluster_place().is_explicit"},
};
constexpr Special dimensions[] = {
    {"tid", "current_indices.thread"},          {"ntid", "current_indices.block_dim"},
    {"ctaid", "current_indices.block"},         {"nctaid", "current_indices.grid_dim"},
    {"clusterid", "cluster_place().cluster"},   {"nclusterid", "cluster_place().clusters"},
    {"cluster_ctaid", "cluster_place().block"}, {"cluster_nctaid", "cluster_place().shape"}};

}  // namespace

void PtxEmitter::unknown() const {
  fail("PTX instruction '" + name_ + "' is not one that the emulator has; see emulator/README-ptx.md");
}

void PtxEmitter::emit_statement(const PtxStatement& statement) {
  switch (statement.kind) {
    case PtxStatement::Kind::open:
      scopes_.emplace_back();
      break;
    case PtxStatement::Kind::close:
      if (scopes_.size() == 1) fail("'}' without '{' in the PTX");
      scopes_.pop_back();
      break;
    case PtxStatement::Kind::registers:
      declare(statement);
      break;
    case PtxStatement::Kind::label:
      code_ += prefix_ + "label_" + statement.name + ":; ";
      break;
    case PtxStatement::Kind::instruction:
      instruction(statement);
      break;
  }
}

void PtxEmitter::declare(const PtxStatement& statement) {
  static constexpr std::string_view bits[] = {"unsigned char", "unsigned short", "unsigned",
                                              "unsigned long long"};
  const PtxType* const type = find_ptx_type(statement.type);
  if (type == nullptr) fail("the PTX register type '." + statement.type + "' is not known");
  const std::string_view cpp = type->bytes == 0   ? "bool"
                               : type->bytes == 1 ? bits[0]
                               : type->bytes == 2 ? bits[1]
                               : type->bytes == 4 ? bits[2]
                                                  : bits[3];
  const auto add = [&](const std::string& name) {
    const std::string variable = prefix_ + "r" + std::to_string(registers_++);
    declarations_ += "[[maybe_unused]] " + std::string(cpp) + " " + variable + "; ";
    scopes_.back()[name] = variable;
  };
  for (const PtxStatement::Register& reg : statement.registers) {
    if (reg.count > 1024) fail("more than 1024 PTX registers of one name");
    if (reg.count < 0) add(reg.name);
    for (int i = 0; i < reg.count; ++i) add(reg.name + std::to_string(i));
  }
}

void PtxEmitter::instruction(const PtxStatement& statement) {
  name_ = statement.name;
  if (!statement.guard.empty()) {
    PtxOperand guard;
    guard.text = statement.guard;
    code_ += std::string("if (") + (statement.guard_negated ? "!" : "") + variable(guard) + ") ";
  }
  code_ += "{ ";
  emit_ptx_instruction(*this, statement.operands);
  code_ += "} ";
}

std::string PtxEmitter::variable(const PtxOperand& operand) const {
  if (operand.kind != PtxOperand::Kind::name) fail("PTX instruction '" + name_ + "': a register is expected");
  const std::string& name = operand.text;
  if (name.size() > 1 && name[0] == '%' && std::isdigit(static_cast<unsigned char>(name[1]))) {
    const std::size_t i = static_cast<std::size_t>(std::atoi(name.c_str() + 1));
    if (i >= arguments_.size()) fail("the asm statement has no operand " + name);
    return arguments_[i].variable;
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  fail("unknown PTX symbol '" + name + "'");
}

bool PtxEmitter::is_predicate(const PtxOperand& operand) const {
  return declarations_.find(" bool " + variable(operand) + ";") != std::string::npos;
}

bool PtxEmitter::is_register(const PtxOperand& operand) const {
  if (operand.kind != PtxOperand::Kind::name || operand.text == "_") return false;
  return special(operand.text).empty();
}

std::string PtxEmitter::special(const std::string& name) const {
  if (name == "WARP_SZ") return "32u";
  if (name.empty() || name[0] != '%') return "";
  const std::string bare = name.substr(1);
  for (const Special& one : specials)
    if (one.name == bare) return "(" + std::string(one.expression) + ")";
  const std::size_t dot = bare.find('.');
  if (dot == std::string::npos || dot + 2 != bare.size()) return "";
  for (const Special& one : dimensions)
    if (bare.substr(0, dot) == one.name)
      return "::warplab::emulator::" + std::string(one.expression) + bare.substr(dot);
  return "";
}

// 0f3F800000 and 0d... are the bits of a float and a double.
std::string PtxEmitter::number(const std::string& text, std::string_view cpp_type) const {
  const bool minus = text[0] == '-';
  std::string digits = minus ? text.substr(1) : text;
  if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0])))
    fail("the PTX number '" + text + "' can't be read");
  const auto hexadecimal = [&](const char* type) {
    for (const char c : digits.substr(2))
      if (!std::isxdigit(static_cast<unsigned char>(c))) fail("the PTX number '" + text + "' can't be read");
    return std::string(minus ? "-" : "") + "__builtin_bit_cast(" + type + ", 0x" + digits.substr(2) +
           (type[0] == 'f' ? "u)" : "ull)");
  };
  const char second = digits.size() > 2 ? digits[1] : '\0';
  std::string literal;
  if (digits[0] == '0' && (second == 'f' || second == 'F') && digits.size() == 10)
    literal = hexadecimal("float");
  else if (digits[0] == '0' && (second == 'd' || second == 'D'))
    literal = hexadecimal("double");
  else {
    if (digits.back() == 'U') digits.pop_back();
    const bool hexadecimal_integer = second == 'x' || second == 'X';
    for (const char c : digits)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '+')
        fail("the PTX number '" + text + "' can't be read");
    const bool fraction = !hexadecimal_integer && digits.find_first_of(".eE") != std::string::npos;
    literal = (minus ? "-" : "") + digits + (fraction ? "" : "ll");
    if (!minus && !fraction && digits.size() > 15) literal = digits + "ull";
  }
  return "static_cast<" + std::string(cpp_type) + ">(" + literal + ")";
}

std::string PtxEmitter::value(const PtxOperand& operand, std::string_view cpp_type) const {
  const std::string type(cpp_type);
  if (operand.kind == PtxOperand::Kind::number) return number(operand.text, cpp_type);
  if (operand.kind == PtxOperand::Kind::vector && operand.parts.size() == 2) {
    const std::string low = variable(operand.parts[0]), high = variable(operand.parts[1]);
    return ptx + "as<" + type + ">(" + ptx + "join<" + ptx + "Bits<" + type + ">>(" + low + ", " + high +
           "))";
  }
  if (operand.kind != PtxOperand::Kind::name)
    fail("PTX instruction '" + name_ + "': a register or a number is expected");
  const std::string expression = special(operand.text);
  if (!expression.empty() && !name_.starts_with("mov.") && operand.text != "WARP_SZ")
    fail("a special register is not allowed for PTX instruction '" + name_ + "', only for mov");
  if (!expression.empty()) return "static_cast<" + type + ">(" + expression + ")";
  const std::string name = variable(operand);
  for (const PtxArgument& argument : arguments_)
    if (argument.variable == name && argument.is_constant) return "static_cast<" + type + ">(" + name + ")";
  return (operand.negated ? "!" : "") + ptx + "as<" + type + ">(" + name + ")";
}

std::string PtxEmitter::narrow_value(const PtxOperand& operand, std::string_view cpp_type) const {
  if (!is_register(operand)) return value(operand, cpp_type);
  const std::string name = variable(operand);
  for (const PtxArgument& argument : arguments_)
    if (argument.variable == name && argument.is_constant) return value(operand, cpp_type);
  return ptx + "narrow<" + std::string(cpp_type) + ">(" + name + ")";
}

std::string PtxEmitter::address(const PtxOperand& operand, std::string_view space) const {
  if (operand.kind != PtxOperand::Kind::address)
    fail("PTX instruction '" + name_ + "': an address in brackets is expected");
  const PtxOperand& base = operand.parts[0];
  std::string offset = operand.offset;
  if (offset.find('%') != std::string::npos) {
    PtxOperand constant;
    const bool minus = offset[0] == '-';
    constant.text = minus ? offset.substr(1) : offset;
    offset = (minus ? "-" : "") + value(constant, "long long");
  } else {
    offset = number(offset, "long long");
  }
  const std::string begin =
      base.kind == PtxOperand::Kind::number ? number(base.text, "unsigned long long") : variable(base);
  return ptx + std::string(space) + "(static_cast<unsigned long long>(static_cast<long long>(" + begin +
         ") + " + offset + "), " + site() + ")";
}

std::string PtxEmitter::site() const { return "{" + quote(name_) + ", " + place_ + "}"; }

void PtxEmitter::put(const PtxOperand& to, const std::string& expression) {
  if (to.kind == PtxOperand::Kind::name && to.text == "_") {
    code_ += "static_cast<void>(" + expression + "); ";
  } else if (to.kind == PtxOperand::Kind::vector && to.parts.size() == 2) {
    code_ +=
        ptx + "split(" + variable(to.parts[0]) + ", " + variable(to.parts[1]) + ", " + expression + "); ";
  } else {
    for (const PtxArgument& argument : arguments_)
      if (argument.is_constant && to.text.starts_with("%") && argument.variable == variable(to))
        fail("PTX instruction '" + name_ + "' writes to a constant");
    code_ += ptx + "put(" + variable(to) + ", " + expression + "); ";
  }
}

void PtxEmitter::need(const Operands& operands, std::size_t count) const {
  if (operands.size() != count)
    fail("PTX instruction '" + name_ + "' has " + std::to_string(operands.size()) + " operands; it needs " +
         std::to_string(count));
}

}  // namespace warplab::translator
