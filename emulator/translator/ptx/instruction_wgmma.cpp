// wgmma: products of a warpgroup.
#include <cstdlib>

#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Wgmma : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  void wgmma() {
    const std::string what = m.take_one_of({"fence", "commit_group", "wait_group", "mma_async"});
    if (what.empty() || !m.take("sync") || !m.take("aligned")) e.unknown();
    if (what == "mma_async") return product();
    need(what == "wait_group" ? 1 : 0);
    if (what == "wait_group")
      e.write("::warplab::emulator::wgmma_wait(" + value(0, "unsigned") + "); ");
    else
      e.write(what == "fence" ? "::warplab::emulator::wgmma_fence(); "
                              : "::warplab::emulator::wgmma_commit(); ");
  }

  /// setmaxnreg.inc.sync.aligned.u32 232
  void set_registers() {
    if (m.take_one_of({"inc", "dec"}).empty() || !m.take("sync") || !m.take("aligned") || !m.take("u32"))
      e.unknown();
    need(1);
    e.write("::warplab::emulator::set_registers(" + value(0, "unsigned") + ", " + site() + "); ");
  }

 private:
  struct Format {
    std::string_view ptx, name;
    unsigned depth;
    std::string_view sums;  ///< the types that they may have
  };
  static const Format* find_format(const std::string& name) {
    static constexpr Format formats[] = {{"f16", "half", 16, "f32 f16"},     {"bf16", "bfloat16", 16, "f32"},
                                         {"tf32", "tf32", 8, "f32"},         {"s8", "signed_byte", 32, "s32"},
                                         {"u8", "unsigned_byte", 32, "s32"}, {"e4m3", "e4m3", 32, "f32 f16"},
                                         {"e5m2", "e5m2", 32, "f32 f16"}};
    for (const Format& one : formats)
      if (one.ptx == name) return &one;
    return nullptr;
  }
  /// Operands of different types go together if they are both of one kind.
  static bool go_together(const Format& a, const Format& b) {
    return &a == &b || (a.depth == 32 && a.sums == b.sums);
  }

  /// wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {d}, a, b, add, 1, 1, 0, 1
  void product() {
    saturate_ = m.take("satfinite");
    std::vector<std::string> parts = m.rest();
    m.take_prefix("");
    if (parts.size() != 4 || !parts[0].starts_with("m64n")) e.unknown();
    a_ = find_format(parts[2]), b_ = find_format(parts[3]);
    if (a_ == nullptr || b_ == nullptr || !go_together(*a_, *b_)) e.unknown();
    if (a_->sums.find(parts[1]) == std::string_view::npos) e.unknown();
    n_ = static_cast<unsigned>(std::atoi(parts[0].c_str() + 4));
    if (parts[0] != "m64n" + std::to_string(n_) + "k" + std::to_string(a_->depth) || !has_columns())
      e.unknown();
    if (saturate_ && a_->sums != "s32") e.unknown();
    half_sums_ = parts[1] == "f16";
    write_product();
  }
  bool has_columns() const {
    if (n_ < 8 || n_ > 256 || n_ % 8 != 0) return false;
    return a_->sums != "s32" || n_ % 16 == 0 || n_ == 8 || n_ == 24;
  }

  void write_product() {
    const bool in_registers = o.size() > 1 && o[1].kind == PtxOperand::Kind::vector;
    const bool scaled = a_->sums != "s32", transposable = a_->depth == 16;
    const std::size_t scales = scaled ? 2 : 0, transposes = transposable ? (in_registers ? 1 : 2) : 0;
    need(4 + scales + transposes);
    const unsigned words = n_ / (half_sums_ ? 4 : 2);
    const std::vector<PtxOperand> sums = group(o[0], words);
    e.write("unsigned warplab_sums[" + std::to_string(words) + "] = {" + list(sums) + "}; ");
    if (in_registers) e.write("const unsigned warplab_a[4] = {" + list(group(o[1], 4)) + "}; ");
    const auto flag = [](bool set) { return std::string(set ? ", true" : ", false"); };
    const std::size_t transpose = 4 + scales;
    const std::string rows = transposable && !in_registers ? immediate(transpose, "0", "1") : "false";
    const std::string columns = transposable ? immediate(transpose + transposes - 1, "0", "1") : "false";
    const std::string format = "::warplab::emulator::WgmmaFormat::";
    const std::string kind =
        "{" + std::to_string(n_) + ", " + format + std::string(a_->name) + ", " + format +
        std::string(b_->name) + flag(half_sums_) + flag(saturate_) + flag(in_registers) + ", " + rows + ", " +
        columns + ", " +
        (scaled ? immediate(4, "1", "-1") + ", " + immediate(5, "1", "-1") : "false, false") + "}";
    e.write("::warplab::emulator::multiply_warpgroup(" + kind + ", {warplab_sums, " +
            (in_registers ? "warplab_a, 0" : "nullptr, " + value(1, "unsigned long long")) + ", " +
            value(2, "unsigned long long") + ", " + value(3, "bool") + "}, " + site() + "); ");
    for (unsigned i = 0; i < words; ++i) e.put(sums[i], "warplab_sums[" + std::to_string(i) + "]");
  }
  std::string list(const std::vector<PtxOperand>& parts) const {
    std::string values;
    for (const PtxOperand& part : parts) values += (values.empty() ? "" : ", ") + e.value(part, "unsigned");
    return values;
  }
  /// Whether operand i, a constant, is `set` rather than `plain`.
  std::string immediate(std::size_t i, const std::string& plain, const std::string& set) {
    const std::string x = value(i, "int");
    e.write("static_assert(" + x + " == " + plain + " || " + x + " == " + set + ", \"operand " +
            std::to_string(i + 1) + " of wgmma.mma_async is " + plain + " or " + set + "\"); ");
    return x + " == " + set;
  }

  const Format *a_ = nullptr, *b_ = nullptr;
  unsigned n_ = 0;
  bool half_sums_ = false, saturate_ = false;
};

}  // namespace

const PtxHandlers& ptx_warpgroups() {
  static const PtxHandlers all{{"wgmma", emit_as<&Wgmma::wgmma>},
                               {"setmaxnreg", emit_as<&Wgmma::set_registers>}};
  return all;
}

}  // namespace warplab::translator
