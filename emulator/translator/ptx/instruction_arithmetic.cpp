// Numbers, bits, conversions and moves between registers.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Arithmetic : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  /// An operation on numbers of one type: add.rn.ftz.sat.f32 and the like.
  void plain(std::size_t inputs) {
    const std::string round = rounding();
    const bool ftz = m.take("ftz"), sat = m.take("sat");
    m.take_one_of({"approx", "full"});
    const std::string nan = m.take("NaN") ? "_nan" : "";
    const PtxType& t = type();
    if ((round != "nearest" || sat || ftz) && !t.is_float) e.unknown();
    need(inputs + 1);
    std::string call;
    for (std::size_t i = 1; i <= inputs; ++i)
      call += (i > 1 ? ", " : "") + (ftz ? ptx + "flush(" + value(i, t) + ")" : value(i, t));
    const bool rounds = round != "nearest";
    call = ptx + m.base() + nan + (rounds ? "<" + rounding_type + round + ">" : "") + "(" + call + ")";
    if (ftz) call = ptx + "flush(" + call + ")";
    if (sat) call = ptx + "saturate(" + call + ")";
    e.put(o[0], call);
  }
  void one_input() { plain(1); }
  void two_inputs() { plain(2); }
  void three_inputs() { plain(3); }

  void mul() {
    if (m.take("wide")) return product(false);
    if (m.take("hi")) return high_product();
    m.take("lo");
    plain(2);
  }
  void mad() {
    if (m.take("cc")) return chained_product(false, true);
    if (m.take("wide")) return product(true);
    const bool high = m.take("hi");
    if (!high && !m.take("lo")) {  // of floats it is fma
      const std::string round = rounding();
      const bool ftz = m.take("ftz");
      const PtxType& t = type();
      if (!t.is_float || round != "nearest" || ftz) e.unknown();
      need(4);
      return e.put(o[0], ptx + "fma(" + value(1, t) + ", " + value(2, t) + ", " + value(3, t) + ")");
    }
    const PtxType& t = type();
    need(4);
    e.put(o[0], ptx + "add(" + product_of(t, high) + ", " + value(3, t) + ")");
  }
  std::string product_of(const PtxType& t, bool high) {
    return ptx + (high ? "mul_hi(" : "mul(") + value(1, t) + ", " + value(2, t) + ")";
  }
  /// mad.lo.cc, madc.hi and their kin
  void chained_product(bool takes, bool sets) {
    const bool high = m.take("hi");
    if (!high && !m.take("lo")) e.unknown();
    const PtxType& t = type();
    need(4);
    chain("add", takes, sets, t, product_of(t, high), value(3, t));
  }
  void madc() { chained_product(true, m.take("cc")); }
  void add() {
    if (m.take("cc")) return chained("add", false, true);
    sum();
  }
  void sub() {
    if (m.take("cc")) return chained("sub", false, true);
    sum();
  }
  void addc() { chained("add", true, m.take("cc")); }
  void subc() { chained("sub", true, m.take("cc")); }
  void chained(const std::string& operation, bool takes, bool sets) {
    const PtxType& t = type();
    need(3);
    chain(operation, takes, sets, t, value(1, t), value(2, t));
  }
  /// An operation that takes the carry flag, or sets it.
  void chain(const std::string& operation, bool takes, bool sets, const PtxType& t, const std::string& a,
             const std::string& b) {
    if (t.is_float || t.bytes < 4) e.unknown();
    const auto flag = [](bool is_set) { return is_set ? "true" : "false"; };
    e.put(o[0], ptx + operation + "_carry<" + flag(takes) + ", " + flag(sets) + ">(" + a + ", " + b + ")");
  }
  /// add and sub; .sat is of floats, and of s32.
  void sum() {
    if (m.rest() != std::vector<std::string>{"sat", "s32"}) return plain(2);
    m.take_prefix("");
    need(3);
    e.put(o[0], ptx + m.base() + "_saturated(" + value(1, "int") + ", " + value(2, "int") + ")");
  }
  void product(bool with_sum) {
    const PtxType& t = type();
    need(with_sum ? 4 : 3);
    std::string call = ptx + "mul_wide(" + value(1, t) + ", " + value(2, t) + ")";
    const std::string_view wide = t.bytes == 2 ? (t.is_signed ? "int" : "unsigned")
                                               : (t.is_signed ? "long long" : "unsigned long long");
    if (with_sum) call = ptx + "add(" + call + ", " + value(3, wide) + ")";
    e.put(o[0], call);
  }
  void high_product() {
    const PtxType& t = type();
    need(3);
    e.put(o[0], ptx + "mul_hi(" + value(1, t) + ", " + value(2, t) + ")");
  }

  void logic() {  // and, or, xor
    const PtxType& t = type();
    need(3);
    const std::string op = m.base() == "and" ? " & " : m.base() == "or" ? " | " : " ^ ";
    e.put(o[0], "static_cast<" + cpp(t) + ">(" + value(1, t) + op + value(2, t) + ")");
  }
  void not_() {
    const PtxType& t = type();
    need(2);
    e.put(o[0], "static_cast<" + cpp(t) + ">(" + (t.bytes == 0 ? "!" : "~") + value(1, t) + ")");
  }
  void cnot() {
    const PtxType& t = type();
    need(2);
    e.put(o[0], "static_cast<" + cpp(t) + ">(" + value(1, t) + " == 0)");
  }
  /// The second operand with the first one's sign.
  void copysign() {
    const PtxType& t = type();
    if (!t.is_float || t.bytes < 4) e.unknown();
    need(3);
    e.put(o[0], "std::copysign(" + value(2, t) + ", " + value(1, t) + ")");
  }
  void sad() {
    const PtxType& t = type();
    need(4);
    e.put(o[0], ptx + "sad(" + value(1, t) + ", " + value(2, t) + ", " + value(3, t) + ")");
  }
  void shift() {
    const PtxType& t = type();
    need(3);
    e.put(o[0], ptx + m.base() + "<" + cpp(t) + ">(" + value(1, t) + ", " + value(2, "unsigned") + ")");
  }
  void funnel_shift() {
    const std::string side = m.take("l") ? "l" : m.take("r") ? "r" : "";
    const std::string mode = m.take("clamp") ? "c" : m.take("wrap") ? "" : "?";
    if (side.empty() || mode == "?" || !m.take("b32")) e.unknown();
    need(4);
    e.put(o[0], "::__funnelshift_" + side + mode + "(" + value(1, "unsigned") + ", " + value(2, "unsigned") +
                    ", " + value(3, "unsigned") + ")");
  }
  void bit_function() {  // popc, clz, brev
    const PtxType& t = type();
    need(2);
    e.put(o[0], ptx + m.base() + "(" + value(1, t) + ")");
  }
  void bfind() {
    const std::string name = m.take("shiftamt") ? "bfind_shiftamt(" : "bfind(";
    const PtxType& t = type();
    need(2);
    e.put(o[0], ptx + name + value(1, t) + ")");
  }
  void lop3() {
    m.take("b32");
    need(5);
    e.put(o[0], ptx + "lop3(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ", " +
                    value(3, "unsigned") + ", " + value(4, "unsigned") + ")");
  }
  void prmt() {
    m.take("b32");
    std::string mode = m.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    if (!mode.empty()) mode = "_" + mode;
    need(4);
    e.put(o[0], ptx + "prmt" + mode + "(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ", " +
                    value(3, "unsigned") + ")");
  }
  void bfe() {
    const PtxType& t = type();
    need(4);
    e.put(o[0], ptx + "bfe(" + value(1, t) + ", " + value(2, "unsigned") + ", " + value(3, "unsigned") + ")");
  }
  void bfi() {
    const PtxType& t = type();
    need(5);
    e.put(o[0], ptx + "bfi(" + value(1, t) + ", " + value(2, t) + ", " + value(3, "unsigned") + ", " +
                    value(4, "unsigned") + ")");
  }
  void bmsk() {
    const std::string mode = m.take_one_of({"clamp", "wrap"});
    if (mode.empty() || !m.take("b32")) e.unknown();
    need(3);
    e.put(o[0], ptx + "bmsk_" + mode + "(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ")");
  }
  void dp4a() { dot(false, ""); }
  void dp2a() {
    const bool high = m.take("hi");
    if (!high && !m.take("lo")) e.unknown();
    dot(true, high ? ", 2" : "");
  }
  /// The sum of c and products of a's bytes, or halves, with b's bytes. @param first of b's
  void dot(bool halves, const std::string& first) {
    const PtxType &a = type(), &b = type();
    if (a.bytes != 4 || b.bytes != 4 || a.is_float || b.is_float) e.unknown();
    need(4);
    const auto byte = [](const PtxType& t) { return t.is_signed ? "signed char" : "unsigned char"; };
    const auto half = [](const PtxType& t) { return t.is_signed ? "short" : "unsigned short"; };
    e.put(o[0], "::warplab::emulator::dot<" + std::string(halves ? half(a) : byte(a)) + ", " + byte(b) +
                    ">(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ", " +
                    value(3, a.is_signed || b.is_signed ? "int" : "unsigned") + first + ")");
  }

  /// vadd4, vmin2 and the like, on all bytes or halves.
  void lanes() {
    const std::string name = m.base().substr(0, m.base().size() - 1);
    const bool bytes = m.base().back() == '4';
    const PtxType &d = type(), &a = type(), &b = type();
    if (d.bytes != 4 || a.bytes != 4 || b.bytes != 4 || d.is_float || a.is_float || b.is_float) e.unknown();
    const bool adds = m.take("add"), saturates = !adds && m.take("sat");
    need(4);
    const auto lane = [&](const PtxType& t) -> std::string {
      return bytes ? (t.is_signed ? "signed char" : "unsigned char")
                   : (t.is_signed ? "short" : "unsigned short");
    };
    const std::string types = lane(a) + ", " + lane(b) + ", " + ptx + name;
    const std::string words = value(1, "unsigned") + ", " + value(2, "unsigned");
    if (adds)
      return e.put(o[0], ptx + "lane_sum<" + types + ">(" + words + ", " + value(3, "unsigned") + ")");
    e.put(o[0],
          ptx + "lanes<" + lane(d) + ", " + types + (saturates ? ", true" : ", false") + ">(" + words + ")");
  }

  void mov() {
    const PtxType& t = type();
    need(2);
    if (o[0].kind == PtxOperand::Kind::vector && o[1].kind == PtxOperand::Kind::name)
      return e.put(o[0], e.variable(o[1]));
    e.put(o[0], value(1, t));
  }
  void cvt() {
    const std::string whole = m.take_one_of({"rni", "rzi", "rpi", "rmi"});
    const bool rna = m.take("rna");
    const std::string round = !whole.empty() ? (whole == "rni"   ? "nearest"
                                                : whole == "rzi" ? "to_zero"
                                                : whole == "rpi" ? "up"
                                                                 : "down")
                                             : rounding();
    const bool ftz = m.take("ftz"), sat = m.take("sat"), relu = m.take("relu");
    const PtxType &to = type(), &from = type();
    const auto input = [&](std::size_t i) {
      const std::string x = e.narrow_value(o[i], from.cpp);
      return ftz ? ptx + "flush(" + x + ")" : x;
    };
    if (to.name == "tf32") {
      if (!rna || from.name != "f32") e.unknown();
      need(2);
      return e.put(o[0], ptx + "cvt_tf32(" + input(1) + ")");
    }
    if (rna) e.unknown();
    if (to.name.ends_with("x2")) {
      if (from.name != "f32" || sat) e.unknown();
      need(3);
      const std::string format = to.name == "f16x2" ? "HalfFormat" : "Bfloat16Format";
      return e.put(o[0], ptx + "cvt_pair<::warplab::emulator::" + format + ", " + rounding_type + round +
                             ", " + (relu ? "true" : "false") + ">(" + input(1) + ", " + input(2) + ")");
    }
    if (relu || to.bytes == 0 || from.bytes == 0 || from.name.ends_with("x2")) e.unknown();
    need(2);
    const auto flag = [](bool b) { return b ? ", true" : ", false"; };
    const std::string call = ptx + "cvt<" + cpp(to) + ", " + rounding_type + round + flag(sat) +
                             flag(!whole.empty()) + ">(" + input(1) + ")";
    e.put(o[0], ftz && to.name == "f32" ? ptx + "flush(" + call + ")" : call);
  }
  void cvta() {
    const bool to = m.take("to");
    const bool shared = space() == "shared";
    type();
    need(2);
    const std::string x = value(1, "unsigned long long");
    if (!shared) return e.put(o[0], x);
    if (to) return e.put(o[0], ptx + "shared_address(reinterpret_cast<const void*>(" + x + "))");
    e.put(o[0], "reinterpret_cast<unsigned long long>(" + ptx + "shared(" + x + ", " + site() + "))");
  }
};

}  // namespace

const PtxHandlers& ptx_arithmetic() {
  static const PtxHandlers all{
      {"add", emit_as<&Arithmetic::add>},           {"sub", emit_as<&Arithmetic::sub>},
      {"addc", emit_as<&Arithmetic::addc>},         {"subc", emit_as<&Arithmetic::subc>},
      {"madc", emit_as<&Arithmetic::madc>},         {"cnot", emit_as<&Arithmetic::cnot>},
      {"copysign", emit_as<&Arithmetic::copysign>}, {"sad", emit_as<&Arithmetic::sad>},
      {"dp2a", emit_as<&Arithmetic::dp2a>},         {"mul", emit_as<&Arithmetic::mul>},
      {"mad", emit_as<&Arithmetic::mad>},           {"fma", emit_as<&Arithmetic::three_inputs>},
      {"div", emit_as<&Arithmetic::two_inputs>},    {"rem", emit_as<&Arithmetic::two_inputs>},
      {"min", emit_as<&Arithmetic::two_inputs>},    {"max", emit_as<&Arithmetic::two_inputs>},
      {"neg", emit_as<&Arithmetic::one_input>},     {"abs", emit_as<&Arithmetic::one_input>},
      {"sqrt", emit_as<&Arithmetic::one_input>},    {"rcp", emit_as<&Arithmetic::one_input>},
      {"rsqrt", emit_as<&Arithmetic::one_input>},   {"ex2", emit_as<&Arithmetic::one_input>},
      {"lg2", emit_as<&Arithmetic::one_input>},     {"sin", emit_as<&Arithmetic::one_input>},
      {"cos", emit_as<&Arithmetic::one_input>},     {"tanh", emit_as<&Arithmetic::one_input>},
      {"and", emit_as<&Arithmetic::logic>},         {"or", emit_as<&Arithmetic::logic>},
      {"xor", emit_as<&Arithmetic::logic>},         {"not", emit_as<&Arithmetic::not_>},
      {"shl", emit_as<&Arithmetic::shift>},         {"shr", emit_as<&Arithmetic::shift>},
      {"shf", emit_as<&Arithmetic::funnel_shift>},  {"popc", emit_as<&Arithmetic::bit_function>},
      {"clz", emit_as<&Arithmetic::bit_function>},  {"brev", emit_as<&Arithmetic::bit_function>},
      {"lop3", emit_as<&Arithmetic::lop3>},         {"prmt", emit_as<&Arithmetic::prmt>},
      {"bfe", emit_as<&Arithmetic::bfe>},           {"bfi", emit_as<&Arithmetic::bfi>},
      {"bmsk", emit_as<&Arithmetic::bmsk>},         {"bfind", emit_as<&Arithmetic::bfind>},
      {"vadd4", emit_as<&Arithmetic::lanes>},       {"vadd2", emit_as<&Arithmetic::lanes>},
      {"vsub4", emit_as<&Arithmetic::lanes>},       {"vsub2", emit_as<&Arithmetic::lanes>},
      {"vavrg4", emit_as<&Arithmetic::lanes>},      {"vavrg2", emit_as<&Arithmetic::lanes>},
      {"vabsdiff4", emit_as<&Arithmetic::lanes>},   {"vabsdiff2", emit_as<&Arithmetic::lanes>},
      {"vmin4", emit_as<&Arithmetic::lanes>},       {"vmin2", emit_as<&Arithmetic::lanes>},
      {"vmax4", emit_as<&Arithmetic::lanes>},       {"vmax2", emit_as<&Arithmetic::lanes>},
      {"dp4a", emit_as<&Arithmetic::dp4a>},         {"mov", emit_as<&Arithmetic::mov>},
      {"cvt", emit_as<&Arithmetic::cvt>},           {"cvta", emit_as<&Arithmetic::cvta>}};
  return all;
}

}  // namespace warplab::translator
