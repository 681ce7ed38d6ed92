#include "grader/guard/assembly_words.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace warplab::assembly {

namespace {

constexpr std::string_view space = " \t";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  const std::size_t end = text.find_first_of(space);
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), trimmed(text.substr(end))};
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool is_number(std::string_view text) {
  return !text.empty() && (text[0] == '-' ? text.size() > 1 : true) &&
         text.find_first_not_of("0123456789", text[0] == '-') == std::string_view::npos;
}

long number(std::string_view text) {
  constexpr long most = long{1} << 40;  // sums of a few stay numbers
  long value = 0;
  if (!is_number(text) || std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc() ||
      value < -most || value > most)
    throw Refused{"it makes the number '" + std::string(text) + "', which the grader does not understand"};
  return value;
}

long frame_number(const std::vector<std::string_view>& operands, std::size_t i) {
  if (i >= operands.size()) throw Refused{"its frames are not understood"};
  const std::string_view text = operands[i];
  return number(text.starts_with('$') ? text.substr(1) : text);
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const std::string_view operand = trimmed(text.substr(begin, i - begin)); !operand.empty())
      operands.push_back(operand);
    begin = i + 1;
  }
  return operands;
}

std::optional<Memory> memory_of(std::string_view operand) {
  if (operand.empty() || operand[0] == '$') return std::nullopt;
  Memory memory{.text = operand, .displacement = {}, .base = {}};
  if (operand[0] == '%') {
    if (operand.find(':') == std::string_view::npos) return std::nullopt;
    memory.segment = true;
  }
  const std::size_t open = operand.find('(');
  memory.displacement = operand.substr(0, open);
  if (open != std::string_view::npos) {
    const std::string_view inside = operand.substr(open + 1, operand.rfind(')') - open - 1);
    memory.base = trimmed(inside.substr(0, inside.find(',')));
    memory.indexed = inside.find(',') != std::string_view::npos;
  }
  return memory;
}

bool has_suffixed(std::string_view mnemonic, std::initializer_list<std::string_view> stems) {
  for (const std::string_view stem : stems)
    if (mnemonic.starts_with(stem) && mnemonic.size() <= stem.size() + 1 &&
        (mnemonic.size() == stem.size() ||
         std::string_view("bwlq").find(mnemonic.back()) != std::string_view::npos))
      return true;
  return false;
}

namespace {

constexpr auto integer_stems = {
    "mov",    "add",  "sub",   "and",   "or",     "xor",    "cmp",  "test", "adc",  "sbb",  "imul",
    "mul",    "div",  "idiv",  "neg",   "not",    "inc",    "dec",  "lea",  "shl",  "sal",  "shr",
    "sar",    "rol",  "ror",   "rcl",   "rcr",    "shld",   "shrd", "bt",   "bts",  "btr",  "btc",
    "bsf",    "bsr",  "tzcnt", "lzcnt", "popcnt", "bswap",  "push", "pop",  "xchg", "xadd", "cmpxchg",
    "movabs", "andn", "bextr", "blsr",  "blsi",   "blsmsk", "rorx", "sarx", "shlx", "shrx", "mulx"};

}  // namespace

bool is_integer(std::string_view m) {
  for (const char* stem : integer_stems)
    if (has_suffixed(m, {stem})) return true;
  static const std::set<std::string_view> others = {
      "cltq",   "cqto",   "cltd",   "cwtl",   "cwtd",   "cbtw",   "leave",  "ud2",    "ret",    "movsbl",
      "movsbw", "movsbq", "movswl", "movswq", "movslq", "movzbl", "movzbw", "movzbq", "movzwl", "movzwq"};
  return others.contains(m) || m.starts_with("cmov") || m.starts_with("set") || m.starts_with("nop") ||
         m.starts_with("prefetch");
}

namespace {

unsigned register_bytes(std::string_view r) {
  if (r.starts_with("%ymm")) return 32;
  if (r.starts_with("%xmm")) return 16;
  if (r.starts_with("%r") && (r.ends_with('d') && r[2] >= '0' && r[2] <= '9')) return 4;
  if (r.starts_with("%r")) return r.ends_with('w') ? 2 : r.ends_with('b') ? 1 : 8;
  if (r.starts_with("%e")) return 4;
  return 2;
}

}  // namespace

bool is_vector(std::string_view m, const std::vector<std::string_view>& operands) {
  return m.starts_with("vcvt") || m.starts_with("cvt") ||
         std::any_of(operands.begin(), operands.end(),
                     [](std::string_view o) { return o.starts_with("%xmm") || o.starts_with("%ymm"); });
}

unsigned bytes_of(std::string_view m, const std::vector<std::string_view>& operands) {
  if (!is_vector(m, operands)) {
    if (m.starts_with("set")) return 1;
    if (m.starts_with("movs") && m.size() == 6) return m[4] == 'b' ? 1 : m[4] == 'w' ? 2 : 4;
    if (m.starts_with("movz") && m.size() == 6) return m[4] == 'b' ? 1 : 2;
    if (!m.starts_with("cmov") && is_integer(m) && m.size() > 2) {
      if (m.ends_with('b') && m != "sub") return 1;
      if (m.ends_with('w')) return 2;
      if (m.ends_with('l') && m != "shl" && m != "sal" && m != "rol" && m != "rcl" && m != "mul" &&
          m != "imul")
        return 4;
      if (m.ends_with('q')) return 8;
    }
    unsigned widest = 0;
    for (const std::string_view o : operands)
      if (o[0] == '%') widest = std::max(widest, register_bytes(o));
    return widest == 0 ? 8 : widest;
  }
  const bool wide =
      std::any_of(operands.begin(), operands.end(), [](std::string_view o) { return o.starts_with("%ymm"); });
  const std::string_view name = m.starts_with('v') ? m.substr(1) : m;
  if (name.starts_with("cvt")) {
    const std::string_view from = name.substr(name.starts_with("cvtt") ? 4 : 3, 2);
    if (from == "ss") return 4;
    if (from == "sd") return 8;
    if (from == "si") return name.ends_with('l') ? 4 : 8;
    if (name == "cvtps2ph" || name == "cvtph2ps" || name == "cvtps2pd" || name == "cvtdq2pd")
      return wide ? 16 : 8;
  } else {
    if (name == "movd" || name == "insertps" || name == "extractps" || name.ends_with("ss")) return 4;
    if (name == "movq" || name == "movlps" || name == "movhps" || name == "movlpd" || name == "movhpd" ||
        name == "movddup" || (name.ends_with("sd") && !name.starts_with("p")))
      return 8;
    if (name == "pextrb" || name == "pinsrb") return 1;
    if (name == "pextrw" || name == "pinsrw") return 2;
    if (name == "pextrd" || name == "pinsrd") return 4;
    if (name == "pextrq" || name == "pinsrq") return 8;
    if (name.ends_with("f128") || name.ends_with("i128")) return 16;
  }
  return wide ? 32 : 16;
}

bool is_control(std::string_view m) { return m[0] == 'j' || m == "call" || m == "ret"; }

bool only_reads_last(std::string_view m, std::size_t operands) {
  if (has_suffixed(m, {"cmp", "test", "bt", "push"}) || m.find("comis") != std::string_view::npos)
    return true;
  return operands == 1 && has_suffixed(m, {"mul", "imul", "div", "idiv"});
}

}  // namespace warplab::assembly
