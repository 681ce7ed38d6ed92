#include "grader/guard/guard_assembly.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/guard/assembly_frames.hpp"
#include "grader/guard/assembly_words.hpp"
#include "grader/guard/guard_symbols.hpp"

namespace warplab {
namespace {

using namespace assembly;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether a line goes on with another statement: ';' outside of quotes. g++ writes none.
bool has_more_statements(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ';' && !quoted)
      return true;
  }
  return false;
}

/// A label of the compiler's own for a constant, or a part of one: ".LC29", ".LC1+4".
bool is_constant(std::string_view place) {
  if (!place.starts_with(".LC")) return false;
  const std::size_t plus = std::min(place.find('+'), place.size());
  return is_digits(place.substr(3, plus - 3)) && (plus == place.size() || is_digits(place.substr(plus + 1)));
}

/// Whether a symbol is of the launcher: a function of that name, or an instantiation of a template.
bool is_launcher(std::string_view symbol, const std::string& launcher) {
  return !launcher.empty() &&
         (symbol == launcher || symbol.starts_with("_Z" + std::to_string(launcher.size()) + launcher));
}

class Guard {
 public:
  Guard(std::string_view text, const std::string& launcher, GuardAllowance allowance)
      : launcher_(launcher), allowance_(allowance) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::string run() {
    out_.reserve(lines_.size() * 60);
    collect();
    for (at_ = 0; at_ < lines_.size(); ++at_) line(lines_[at_]);
    finish();
    return std::move(out_);
  }
  /// The line of the student's file that the line looked at comes from; 0 if none.
  int source_line() const { return source_line_; }

 private:
  void emit(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }

  // --- What the file defines ---

  void collect() {
    for (const std::string_view raw : lines_) {
      const std::string_view text = trimmed(raw);
      if (text.ends_with(':') && text.find_first_of("\" \t") == std::string_view::npos)
        defined_.insert(text.substr(0, text.size() - 1));
      const auto [word, rest] = first_word(text);
      const std::vector<std::string_view> parts =
          word == ".type" || word == ".set" || word == ".comm" || word == ".local"
              ? operands_of(rest)
              : std::vector<std::string_view>{};
      if (word == ".type" && parts.size() == 2) {
        if (parts[1] == "@function")
          functions_.insert(parts[0]);
        else if (parts[1] == "@tls_object" || parts[1] == "@gnu_indirect_function")
          throw Refused{parts[1] == "@tls_object"
                            ? "it has a thread_local variable, which device code cannot have"
                            : "it chooses a function when it is loaded (ifunc), which no solution needs"};
      }
      if (word == ".set" && parts.size() == 2)
        defined_.insert(parts[0]), aliases_.emplace_back(parts[0], parts[1]);
      if (word == ".comm" && !parts.empty()) defined_.insert(parts[0]);
    }
    for (const auto& [alias, of] : aliases_)
      if (functions_.contains(of)) functions_.insert(alias);
  }

  bool is_visible(std::string_view symbol) const {
    return symbol == "warplab_is_instrumented" || is_launcher(symbol, launcher_);
  }

  /// Operands with symbols of other modules replaced by what guarded code uses instead.
  std::string renamed(std::string_view operands) {
    std::string result;
    for (std::size_t i = 0; i < operands.size();) {
      const char c = operands[i];
      if (c == '%' || c == '@') {  // a register, or how a symbol is meant
        result += c;
        for (++i; i < operands.size() && is_name_char(operands[i]); ++i) result += operands[i];
        continue;
      }
      if (c == '"') throw Refused{"it has a name that the grader does not understand"};
      if (!is_name_char(c) || (c >= '0' && c <= '9')) {
        if (static_cast<unsigned char>(c) >= 0x80) throw Refused{"a name in it is not ASCII"};
        result += c;
        ++i;
        while (c >= '0' && c <= '9' && i < operands.size() && is_name_char(operands[i]))
          result += operands[i++];
        continue;
      }
      std::size_t end = i;
      while (end < operands.size() && is_name_char(operands[end])) ++end;
      result += symbol(operands.substr(i, end - i));
      i = end;
    }
    return result;
  }

  std::string symbol(std::string_view name) {
    if (name.starts_with(".L") || defined_.contains(name)) return std::string(name);
    if (name == ".") return ".";
    if (const auto known = renamed_.find(name); known != renamed_.end()) return known->second;
    const std::optional<std::string> instead = guarded_symbol(name, allowance_);
    if (!instead) throw Refused{unneeded_symbol(std::string(name))};
    return renamed_.emplace(std::string(name), *instead).first->second;
  }

  // --- Directives ---

  void directive(std::string_view text) {
    const auto [word, rest] = first_word(text);
    if (word == ".string" || word == ".ascii" || word == ".ident" || word == ".file") {
      if (word == ".file") note_file(rest);
      return emit(text);
    }
    if (word == ".loc") {
      const auto [file, place] = first_word(rest);
      source_line_ = student_files_.contains(std::string(file))
                         ? static_cast<int>(number(first_word(place).first))
                         : source_line_;
      return emit(text);
    }
    if (word.starts_with(".cfi_")) {
      if (word == ".cfi_startproc")
        frame_.begin(lines_, at_ + 1);
      else
        frame_.directive(word, operands_of(rest));
      if (word == ".cfi_endproc") emit("\tud2");  // behind what does not return, and what g++ takes for that
      emit("\t" + std::string(word) + "\t" + renamed(rest));
      if (word == ".cfi_startproc") enter_function();
      return;
    }
    if (word == ".section") return section(rest);
    if (word == ".text" || word == ".data" || word == ".bss") {
      if (std::exchange(behind_device_, false)) emit("\t.zero\t512");
      in_constructors_ = false;
      return emit(text);
    }
    if (word == ".globl" || word == ".weak" || word == ".hidden") {
      if (!is_visible(rest)) return;
      return emit("\t" + std::string(word == ".hidden" ? ".hidden" : ".globl") + "\t" + std::string(rest));
    }
    if (word == ".set") {
      const std::vector<std::string_view> parts = operands_of(rest);
      if (parts.size() == 2 && is_constant(parts[0]) && is_constant(parts[1])) return emit(text);
      if (parts.size() != 2 || !defined_.contains(parts[1]) || !functions_.contains(parts[1]))
        throw Refused{"it gives a function another's name (alias), which no solution needs"};
      return emit(text);
    }
    static const std::set<std::string_view> data = {".quad", ".long",    ".value",  ".byte",
                                                    ".zero", ".uleb128", ".sleb128"};
    if (data.contains(word)) {
      check_data(rest);
      return emit("\t" + std::string(word) + "\t" + renamed(rest));
    }
    static const std::set<std::string_view> others = {".type",    ".size",  ".align",
                                                      ".p2align", ".local", ".comm"};
    if (!others.contains(word))
      throw Refused{"it makes the assembler's directive " + std::string(word) + ", which no solution needs"};
    emit(text);
  }

  void note_file(std::string_view rest) {
    const auto [index, name] = first_word(rest);
    if (is_number(index) && name.find(".cu\"") != std::string_view::npos)
      student_files_.insert(std::string(index));
  }

  void section(std::string_view rest) {
    if (std::exchange(behind_device_, false)) emit("\t.zero\t512");
    const std::vector<std::string_view> parts = operands_of(rest);
    if (parts.empty() || rest.find('\\') != std::string_view::npos)
      throw Refused{"it has a section without a name"};
    const std::string_view name = parts[0];
    in_constructors_ = name == ".init_array" || name == ".init_array.00099";
    bool known = in_constructors_ || name == ".note.GNU-stack";
    for (std::string_view stem : {".text", ".rodata", ".data", ".bss", ".gcc_except_table", ".debug_"})
      known |= name == stem || (name.starts_with(stem) && (stem.ends_with('_') || name[stem.size()] == '.'));
    if (!known)
      throw Refused{
          name.starts_with(".init_array") || name.starts_with(".fini") || name.starts_with(".ctors") ||
                  name.starts_with(".dtors")
              ? "it has a function that runs by itself (constructor or destructor), which no solution needs"
          : name.starts_with(".tbss") || name.starts_with(".tdata")
              ? "it has a thread_local variable, which device code cannot have"
              : "it puts something into the section '" + std::string(name) + "', which no solution needs"};
    // Nothing is shared with other objects of the module.
    std::string result = "\t.section\t" + std::string(name);
    if (parts.size() > 1) {
      std::string flags(parts[1]);
      std::erase(flags, 'G');
      result += "," + flags;
      if (parts.size() > 2) result += "," + std::string(parts[2]);
      if (parts.size() > 3 && flags.find('M') != std::string::npos) result += "," + std::string(parts[3]);
    }
    emit(result);
  }

  void check_data(std::string_view rest) {
    if (in_constructors_ && !rest.starts_with("_GLOBAL__sub_I_") && !rest.starts_with("_sub_I_00099_"))
      throw Refused{"it has a function that runs by itself (constructor), which no solution needs"};
  }

  // --- Instructions ---

  void enter_function() {
    const std::string label = ".Lwarplab_frame_" + std::to_string(frames_++);
    emit("\tpushq\t%rdi\n\tleaq\t" + label +
         "(%rip), %rdi\n\tcall\t*warplab_isolation_enter@GOTPCREL(%rip)\n\tpopq\t%rdi");
    const FrameShape& shape = frame_.shape();
    shapes_ += label + ":\n\t.long\t" + std::to_string(shape.before) + "," + std::to_string(shape.alignment) +
               "," + std::to_string(shape.depth) + "," + std::to_string(shape.saved) + "," +
               std::to_string(static_cast<int>(shape.moved)) + "\n";
  }

  void check(const Memory& memory, unsigned bytes, bool write) {
    if (memory.segment) {
      if (write || !memory.text.starts_with("%fs:"))
        throw Refused{"it writes a variable of the runtime's own, which no solution needs"};
      return;
    }
    if (write ? frame_.has_variable(memory, bytes) : frame_.is_near(memory)) return;
    if (memory.base == "%rip" && !write &&
        (memory.displacement.ends_with("@GOTPCREL") || memory.displacement.ends_with("@gottpoff") ||
         (memory.displacement.starts_with(".LC") &&
          memory.displacement.find_first_of("+-") == std::string_view::npos)))
      return;
    std::string address(memory.text);
    if (memory.base == "%rsp")
      address = std::to_string((memory.displacement.empty() ? 0 : number(memory.displacement)) + 16) +
                std::string(memory.text.substr(memory.displacement.size()));
    emit("\tpushq\t%rdi\n\tpushq\t%rsi\n\tleaq\t" + renamed(address) + ", %rdi\n\tmovl\t$" +
         std::to_string(2 * bytes + (write ? 1u : 0u)) +
         ", %esi\n\tcall\t*warplab_isolation_access@GOTPCREL(%rip)\n\tpopq\t%rsi\n\tpopq\t%rdi");
  }

  void check_stack_pointer(std::string_view m, const std::vector<std::string_view>& operands) {
    for (const std::string_view o : operands)
      for (std::string_view part : {"%esp", "%spl"})
        if (o.find(part) != std::string_view::npos)
          throw Refused{"it handles the stack in a way that no solution needs"};
    if (operands.empty() || operands.back() != "%rsp") {
      if ((m.starts_with("xchg") || m.starts_with("xadd")) &&
          std::find(operands.begin(), operands.end(), "%rsp") != operands.end())
        throw Refused{"it handles the stack in a way that no solution needs"};
      return;
    }
    const std::string_view from = operands.front();
    const bool constant = operands.size() == 2 && from[0] == '$' && is_number(from.substr(1));
    const bool known = (constant && (m == "subq" || m == "addq" || m == "andq") &&
                        std::abs(number(from.substr(1))) < 1 << 20) ||
                       (m == "movq" && from == "%rbp" && !frame_.is_measured_from_stack_pointer()) ||
                       (m == "leaq" && (from.ends_with("(%rbp)") || from == "-8(%r10)")) || m == "pushq" ||
                       m == "cmpq" || m == "testq";
    if (!known)
      throw Refused{
          "it has an array whose length is known only when it runs (or alloca), which device code cannot "
          "have"};
  }

  void instruction(std::string_view text) {
    if (text.find_first_of(";#\"\\") != std::string_view::npos)
      throw Refused{"it has an instruction that the grader does not understand: " + std::string(text)};
    auto [m, rest] = first_word(text);
    bool locked = false, repeated = false;
    if (m == "lock") {
      locked = true;
      std::tie(m, rest) = first_word(rest);
    }
    if (m == "rep" && rest == "ret") m = "ret", rest = {};
    // Older processors take tzcnt and lzcnt for bsf and bsr, which is how g++ writes them for all.
    if (const auto [counted, of] = first_word(rest);
        m == "rep" && (counted.starts_with("bsf") || counted.starts_with("bsr")))
      repeated = true, m = counted, rest = of;
    const std::vector<std::string_view> operands = operands_of(rest);
    if (m == "call") return call(operands);
    if (m[0] == 'j') {
      if (operands.size() != 1 || !operands[0].starts_with(".L"))
        throw Refused{"it jumps to an address that is computed (goto *), which no solution needs"};
      return emit(text);
    }
    if (m == "ret") {
      if (!operands.empty()) throw Refused{"it returns in a way that no solution needs"};
      emit("\tcall\t*warplab_isolation_leave@GOTPCREL(%rip)");
      return emit("\tret");
    }
    const bool vector = is_vector(m, operands);
    if (m == "vzeroupper" || m == "mfence" || m == "pause") return emit(text);
    const bool masked = m.find("maskmov") != std::string_view::npos ||
                        m.find("gather") != std::string_view::npos ||
                        m.find("scatter") != std::string_view::npos;
    const bool string =
        operands.empty() && (m.starts_with("movs") || m.starts_with("stos") || m.starts_with("cmps"));
    if (masked || string || (!vector && !is_integer(m)))
      throw Refused{m[0] == 'f' ? "it computes with long double, which device code cannot do"
                                : "it has the instruction '" + std::string(m) + "', which no solution needs"};
    check_stack_pointer(m, operands);
    const bool touches = !m.starts_with("lea") && !m.starts_with("nop") && !m.starts_with("prefetch");
    for (std::size_t i = 0; touches && i < operands.size(); ++i) {
      const std::optional<Memory> memory = memory_of(operands[i]);
      if (!memory) continue;
      if (m.starts_with("movabs"))
        throw Refused{"it reads or writes at an address that it makes of a number"};
      const bool last = i + 1 == operands.size();
      check(*memory, bytes_of(m, operands),
            locked || m.starts_with("xchg") || (last && !only_reads_last(m, operands.size())));
    }
    emit("\t" +
         std::string(locked     ? "lock "
                     : repeated ? "rep "
                                : "") +
         std::string(m) + "\t" + renamed(rest));
  }

  void call(const std::vector<std::string_view>& operands) {
    if (operands.size() != 1) throw Refused{"it calls in a way that the grader does not understand"};
    const std::string_view to = operands[0];
    if (to[0] != '*') {
      const std::string_view name = to.substr(0, to.find('@'));
      const std::string instead = symbol(name);
      // Bound when the module is loaded: a stub that looked the function up would change registers.
      return emit(defined_.contains(name) ? "\tcall\t" + instead : "\tcall\t*" + instead + "@GOTPCREL(%rip)");
    }
    // Into a register first: memory could change between the check and the call.
    const std::string_view target = to.substr(1);
    if (const std::optional<Memory> memory = memory_of(target)) check(*memory, 8, false);
    emit("\tmovq\t" + renamed(target) +
         ", %r11\n\tcall\t*warplab_isolation_target@GOTPCREL(%rip)\n\tcall\t*%r11");
  }

  // The markers that the translator puts into code for the lens are the only assembly in a file.
  void inline_assembly() {
    static constexpr std::string_view marker[] = {"movq %rsp, %r12", "subq $128, %rsp", "andq $-16, %rsp",
                                                  R"(call warplab_lens_mark@PLT)", "movq %r12, %rsp"};
    std::size_t seen = 0;
    for (++at_; at_ < lines_.size() && lines_[at_] != "#NO_APP"; ++at_) {
      const std::string_view text = trimmed(lines_[at_]);
      if (text.empty() || text[0] == '#') continue;
      if (seen == 0 && text.starts_with(".LEH") &&
          text.ends_with(':')) {  // where a call that may throw begins
        emit(std::string(text));
        continue;
      }
      if (text != marker[seen % std::size(marker)])
        throw Refused{
            "it has inline assembly (asm): say it in CUDA C++, which the emulator and the lens understand"};
      ++seen;
      emit("\t" + std::string(seen == 4 ? "call *warplab_lens_mark@GOTPCREL(%rip)" : text));
      seen %= std::size(marker);
    }
    if (seen != 0)
      throw Refused{
          "it has inline assembly (asm): say it in CUDA C++, which the emulator and the lens understand"};
  }

  // A variable of the device has nothing of the host's around it, so that an index past its end is explained.
  void keep_apart(std::string_view label) {
    constexpr std::string_view apart = "\t.zero\t512";  // keeps every alignment
    const bool device = label.find("warplab_own_") != std::string_view::npos &&
                        !functions_.contains(label.substr(0, label.size() - 1)) && !label.starts_with(".L") &&
                        !label.starts_with("_ZZ") && !label.starts_with("_ZGV");
    if (device || behind_device_) emit(apart);
    behind_device_ = device;
  }

  void line(std::string_view raw) {
    const std::string_view text = trimmed(raw);
    if (text.empty()) return;
    if (text == "#APP") return inline_assembly();
    if (text[0] == '#') return;
    if (has_more_statements(text))
      throw Refused{"it has a line of assembly that the grader does not understand: " + std::string(text)};
    if (text.ends_with(':') && text.find_first_of("\" \t") == std::string_view::npos) {
      for (const char c : text.substr(0, text.size() - 1))
        if (!is_name_char(c))
          throw Refused{"it has a name that the grader does not understand: " + std::string(text)};
      keep_apart(text);
      return emit(text);
    }
    if (text[0] == '.') return directive(text);
    instruction(text);
  }

  void finish() {
    emit("\t.section\t.rodata.warplab_frames,\"a\",@progbits\n\t.align 4");
    out_ += shapes_;
    emit("\t.section\t.data.rel.ro.local.warplab_entries,\"aw\",@progbits\n\t.align 8\n.Lwarplab_entries:");
    for (const std::string_view function : functions_)
      if (defined_.contains(function)) emit("\t.quad\t" + std::string(function));
    emit(".Lwarplab_entries_end:");
    emit(
        "\t.text\n\t.type\twarplab_module_begin, @function\nwarplab_module_begin:\n\tsubq\t$8, "
        "%rsp\n\tleaq\t.Lwarplab_entries(%rip), %rdi\n\tleaq\t"
        ".Lwarplab_entries_end(%rip), %rsi\n\tcall\t*warplab_isolation_register@GOTPCREL(%rip)\n\taddq\t$8, "
        "%rsp\n\tret\n\t.size\twarplab_module_begin, .-warplab_module_begin");
    emit("\t.section\t.init_array.00001,\"aw\"\n\t.align 8\n\t.quad\twarplab_module_begin");
    emit("\t.section\t.note.GNU-stack,\"\",@progbits");
  }

  std::string launcher_;
  GuardAllowance allowance_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::set<std::string_view> defined_, functions_;
  std::vector<std::pair<std::string_view, std::string_view>> aliases_;
  std::map<std::string, std::string, std::less<>> renamed_;
  std::set<std::string> student_files_;
  int source_line_ = 0;
  bool in_constructors_ = false, behind_device_ = false;
  Frame frame_;
  std::size_t frames_ = 0;
  std::string shapes_, out_;
};

}  // namespace

std::variant<std::string, Refusal> guarded_assembly(std::string_view text, const std::string& launcher,
                                                    GuardAllowance allowance) {
  Guard guard(text, launcher, allowance);
  try {
    return guard.run();
  } catch (const Refused& refused) {
    return Refusal{guard.source_line(), refused.text};
  }
}

bool defines_launcher(std::string_view text, const std::string& launcher) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with(':') && is_launcher(line.substr(0, line.size() - 1), launcher)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace warplab
