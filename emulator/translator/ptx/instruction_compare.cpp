// Comparisons, and choices by what is compared.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Comparison : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  /// "lt" and the like, which is also the name of its function.
  std::string take_comparison() {
    const std::string found = m.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                                             "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
    if (found.empty()) e.unknown();
    return found;
  }

  void setp() {
    const std::string comparison = take_comparison();
    const std::string combine = m.take_one_of({"and", "or", "xor"});
    m.take("ftz");
    const PtxType& t = type();
    need(combine.empty() ? 3 : 4);
    const std::string test = ptx + comparison + "(" + value(1, t) + ", " + value(2, t) + ")";
    const std::string op = combine == "and" ? " && " : combine == "or" ? " || " : " != ";
    const auto combined = [&](const std::string& p) {
      return combine.empty() ? p : "(" + p + op + value(3, "bool") + ")";
    };
    if (o[0].kind != PtxOperand::Kind::pair) return e.put(o[0], combined(test));
    e.write("const bool warplab_test = " + test + "; ");
    const std::string first = combined("warplab_test"), second = combined("!warplab_test");
    e.write("const bool warplab_first = " + first + ", warplab_second = " + second + "; ");
    e.put(o[0].parts[0], "warplab_first");
    e.put(o[0].parts[1], "warplab_second");
  }
  void selp() {
    const PtxType& t = type();
    need(4);
    e.put(o[0], "(" + value(3, "bool") + " ? " + value(1, t) + " : " + value(2, t) + ")");
  }
  /// set.lt.u32.f32 d, a, b: all bits of d or none; of .f32: 1.0 or 0.0
  void set() {
    const std::string comparison = take_comparison();
    m.take("ftz");
    const PtxType &to = type(), &from = type();
    if (to.bytes != 4 || (to.is_float && to.name != "f32")) e.unknown();
    need(3);
    e.put(o[0], ptx + "truth<" + cpp(to) + ">(" + ptx + comparison + "(" + value(1, from) + ", " +
                    value(2, from) + "))");
  }
  /// slct.u32.s32 d, a, b, c: a where c is 0 or more
  void slct() {
    m.take("ftz");
    const PtxType &t = type(), &of = type();
    if (of.name != "s32" && of.name != "f32") e.unknown();
    need(4);
    e.put(o[0], "(" + value(3, of) + " >= 0 ? " + value(1, t) + " : " + value(2, t) + ")");
  }
  void testp() {
    const std::string question =
        m.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    const PtxType& t = type();
    if (question.empty() || !t.is_float || t.bytes < 4) e.unknown();
    need(2);
    e.put(o[0], ptx + "testp_" + question + "(" + value(1, t) + ")");
  }
};

}  // namespace

const PtxHandlers& ptx_comparisons() {
  static const PtxHandlers all{{"setp", emit_as<&Comparison::setp>},
                               {"set", emit_as<&Comparison::set>},
                               {"selp", emit_as<&Comparison::selp>},
                               {"slct", emit_as<&Comparison::slct>},
                               {"testp", emit_as<&Comparison::testp>}};
  return all;
}

}  // namespace warplab::translator
