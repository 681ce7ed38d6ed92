#include "ptx_instructions.hpp"

#include <map>

namespace warplab::translator {

namespace {
const std::string ptx = "::warplab::emulator::ptx::";
const std::string rounding_type = "::warplab::emulator::Rounding::";
}  // namespace

/// One PTX instruction on its way to C++: a function for each kind.
struct PtxInstructions {
  PtxEmitter& e;
  const std::vector<PtxOperand>& o;
  PtxModifiers m;

  PtxInstructions(PtxEmitter& emitter, const std::vector<PtxOperand>& operands)
      : e(emitter), o(operands), m(emitter.name_) {}

  using Handler = void (PtxInstructions::*)();
  static const std::map<std::string_view, Handler>& handlers();

  void run() {
    const auto found = handlers().find(m.base());
    if (found == handlers().end()) e.unknown();
    (this->*found->second)();
    if (!m.rest().empty()) e.unknown();
  }

  // --- Parts of names ---

  const PtxType& type() {
    const PtxType* const found = m.take_type();
    if (found == nullptr) e.unknown();
    return *found;
  }
  static std::string cpp(const PtxType& type) { return std::string(type.cpp); }
  void need(std::size_t count) const { e.need(o, count); }
  std::string value(std::size_t i, const PtxType& type) const { return e.value(o[i], type.cpp); }
  std::string value(std::size_t i, std::string_view type) const { return e.value(o[i], type); }
  std::string site() const { return e.site(); }

  /// "nearest" and the like, of a floating-point operation.
  std::string rounding(std::initializer_list<std::string_view> names = {"rn", "rz", "rp", "rm"}) {
    const std::string found = m.take_one_of(names);
    const char kind = found.size() >= 2 ? found[1] : 'n';
    return kind == 'z' ? "to_zero" : kind == 'p' ? "up" : kind == 'm' ? "down" : "nearest";
  }

  /// .global, .shared::cta and so on, as the function that makes a pointer.
  std::string space() {
    if (m.take("shared") || m.take("shared::cta") || m.take("shared::cluster")) return "shared";
    m.take_one_of({"global", "const", "local", "param"});
    return "global";
  }
  /// Hints for caches, which change nothing here. @return whether the last operand is a policy
  bool hints() {
    const bool policy = m.take("L2::cache_hint");
    m.take_prefix("L1::");
    m.take_prefix("L2::");
    return policy;
  }
  unsigned vector() { return m.take("v2") ? 2 : m.take("v4") ? 4 : m.take("v8") ? 8 : 1; }

  // --- Arithmetic ---

  /// An operation on numbers of one type: add.rn.ftz.sat.f32 and the like.
  void plain(std::size_t inputs) {
    const std::string round = rounding();
    const bool ftz = m.take("ftz"), sat = m.take("sat");
    m.take_one_of({"approx", "full"});
    m.take("NaN");
    const PtxType& t = type();
    if ((round != "nearest" || sat || ftz) && !t.is_float) e.unknown();
    need(inputs + 1);
    std::string call;
    for (std::size_t i = 1; i <= inputs; ++i)
      call += (i > 1 ? ", " : "") + (ftz ? ptx + "flush(" + value(i, t) + ")" : value(i, t));
    const bool rounds = round != "nearest";
    call = ptx + m.base() + (rounds ? "<" + rounding_type + round + ">" : "") + "(" + call + ")";
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
    if (m.take("wide")) return product(true);
    if (!m.take("lo")) {  // of floats it is fma
      const std::string round = rounding();
      const bool ftz = m.take("ftz");
      const PtxType& t = type();
      if (!t.is_float || round != "nearest" || ftz) e.unknown();
      need(4);
      return e.put(o[0], ptx + "fma(" + value(1, t) + ", " + value(2, t) + ", " + value(3, t) + ")");
    }
    const PtxType& t = type();
    need(4);
    e.put(o[0], ptx + "add(" + ptx + "mul(" + value(1, t) + ", " + value(2, t) + "), " + value(3, t) + ")");
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
  void lop3() {
    m.take("b32");
    need(5);
    e.put(o[0], ptx + "lop3(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ", " +
                    value(3, "unsigned") + ", " + value(4, "unsigned") + ")");
  }
  void prmt() {
    m.take("b32");
    need(4);
    e.put(o[0], ptx + "prmt(" + value(1, "unsigned") + ", " + value(2, "unsigned") + ", " +
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
  void dp4a() {
    const PtxType &a = type(), &b = type();
    if (a.bytes != 4 || b.bytes != 4) e.unknown();
    need(4);
    const bool is_signed = a.is_signed || b.is_signed;
    const auto byte = [](const PtxType& t) { return t.is_signed ? "signed char" : "unsigned char"; };
    e.put(o[0], ptx + "dp4a<" + byte(a) + ", " + byte(b) + ">(" + value(1, "unsigned") + ", " +
                    value(2, "unsigned") + ", " + value(3, is_signed ? "int" : "unsigned") + ")");
  }

  void setp() {
    static constexpr std::string_view comparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                                       "lo",  "ls",  "hi",  "hs",  "equ", "neu",
                                                       "ltu", "leu", "gtu", "geu", "num", "nan"};
    std::string comparison;
    for (std::string_view name : comparisons)
      if (comparison.empty() && m.take(name)) comparison = name;
    const std::string combine = m.take_one_of({"and", "or", "xor"});
    m.take("ftz");
    const PtxType& t = type();
    if (comparison.empty()) e.unknown();
    need(combine.empty() ? 3 : 4);
    const std::string test = ptx + comparison + "(" + value(1, t) + ", " + value(2, t) + ")";
    const std::string op = combine == "and" ? " && " : combine == "or" ? " || " : " != ";
    const auto combined = [&](const std::string& p) {
      return combine.empty() ? p : "(" + p + op + value(3, "bool") + ")";
    };
    if (o[0].kind != PtxOperand::Kind::pair) return e.put(o[0], combined(test));
    e.code_ += "const bool warplab_test = " + test + "; ";
    const std::string first = combined("warplab_test"), second = combined("!warplab_test");
    e.code_ += "const bool warplab_first = " + first + ", warplab_second = " + second + "; ";
    e.put(o[0].parts[0], "warplab_first");
    e.put(o[0].parts[1], "warplab_second");
  }
  void selp() {
    const PtxType& t = type();
    need(4);
    e.put(o[0], "(" + value(3, "bool") + " ? " + value(1, t) + " : " + value(2, t) + ")");
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

  // --- Memory ---

  std::vector<PtxOperand> group(const PtxOperand& operand, unsigned n) const {
    if (n == 1 && operand.kind != PtxOperand::Kind::vector) return {operand};
    if (operand.kind != PtxOperand::Kind::vector || operand.parts.size() != n)
      e.fail("PTX instruction '" + e.name_ + "' needs " + std::to_string(n) + " registers in braces");
    return operand.parts;
  }
  /// What makes a load or a store more than plain: "", "_volatile", "_atomic".
  std::string order() {
    std::string found;
    if (m.take("volatile")) found = "_volatile";
    if (!m.take_one_of({"relaxed", "acquire", "release", "acq_rel"}).empty()) found = "_atomic";
    m.take_one_of({"cta", "cluster", "gpu", "sys"});
    m.take("weak");
    return found;
  }
  void ld() {
    const std::string ordered = order();
    m.take_one_of({"ca", "cg", "cs", "lu", "cv", "nc"});
    const bool policy = hints();
    m.take("nc");
    const std::string where = space();
    const unsigned n = vector();
    const PtxType& t = type();
    if (t.bytes * static_cast<int>(n) > 16 || (ordered == "_atomic" && n > 1)) e.unknown();
    need(policy ? 3 : 2);
    const std::string types = "<" + cpp(t) + (ordered == "_atomic" ? "" : ", " + std::to_string(n)) + ">";
    e.code_ += "const auto warplab_loaded = " + ptx + "ld" + ordered + types + "(" + e.address(o[1], where) +
               ", " + site() + "); ";
    const std::vector<PtxOperand> to = group(o[0], n);
    for (std::size_t i = 0; i < n; ++i) e.put(to[i], "warplab_loaded.x[" + std::to_string(i) + "]");
  }
  void st() {
    const std::string ordered = order();
    m.take_one_of({"wb", "cg", "cs", "wt"});
    const bool policy = hints();
    const std::string where = space();
    const unsigned n = vector();
    const PtxType& t = type();
    if (t.bytes * static_cast<int>(n) > 16 || (ordered == "_atomic" && n > 1)) e.unknown();
    need(policy ? 3 : 2);
    std::string values;
    for (const PtxOperand& from : group(o[1], n))
      values += (values.empty() ? "" : ", ") + e.narrow_value(from, t.cpp);
    const std::string name =
        ordered == "_atomic" ? "st_atomic<" + cpp(t) + ">" : "st<" + cpp(t) + ", " + std::to_string(n) + ">";
    e.code_ += ptx + name + "(" + e.address(o[0], where) + ", {{" + values + "}}, " + site() + "); ";
  }
  void atomic(bool returns) {
    order();
    m.take("noftz");
    const bool policy = hints();
    const std::string where = space();
    const std::string operation =
        m.take_one_of({"add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"});
    const PtxType& t = type();
    if (operation.empty() || t.bytes < 4 || t.name.ends_with("x2")) e.unknown();
    const std::size_t first = returns ? 1 : 0, inputs = operation == "cas" ? 2 : 1;
    need(first + 1 + inputs + policy);
    const bool float_sum = t.is_float && operation == "add";
    const std::string_view as = t.name == "s64" && operation == "add" ? "unsigned long long" : t.cpp;
    if (t.is_float && !float_sum && operation != "exch" && operation != "cas") e.unknown();
    std::string call = ptx + "atom_" + operation + "<" + std::string(as) + ">(" + e.address(o[first], where);
    for (std::size_t i = 1; i <= inputs; ++i) call += ", " + value(first + i, as);
    call += ", " + site() + ")";
    if (returns)
      e.put(o[0], call);
    else
      e.code_ += call + "; ";
  }
  void atom() { atomic(true); }
  void red() { atomic(false); }

  void prefetch() {
    m.take_one_of({"global", "local"});
    m.take_prefix("L1");
    m.take_prefix("L2");
    m.take("tensormap");
  }
  void create_policy() {
    m.take_one_of({"fractional", "range"});
    m.take_prefix("L2::");
    type();
    e.put(o[0], "0ull");
  }

  /// cp.async.cg.shared.global [to], [from], 16, bytes, policy
  void cp() {
    if (!m.take("async")) e.unknown();
    if (m.take("commit_group")) {
      need(0);
      e.code_ += "::warplab::emulator::commit_copies(); ";
    } else if (m.take("wait_group")) {
      need(1);
      e.code_ += "::warplab::emulator::await_copies(" + value(0, "unsigned") + "); ";
    } else if (m.take("wait_all")) {
      need(0);
      e.code_ += "::warplab::emulator::commit_copies(); ::warplab::emulator::await_copies(0); ";
    } else {
      cp_async();
    }
  }
  void cp_async() {
    const bool cg = m.take("cg");
    if (!cg && !m.take("ca")) e.unknown();
    if (!(m.take("shared") || m.take("shared::cta")) || !m.take("global")) e.unknown();
    const bool policy = hints();
    const std::size_t count = o.size() - policy;
    if (o.size() < 3 + static_cast<std::size_t>(policy) || count > 4) need(3);
    const std::string bytes = value(2, "unsigned");
    std::string copied = bytes;
    if (count == 4) {
      const bool predicate = e.is_register(o[3]) && (o[3].negated || is_predicate(o[3]));
      copied = predicate ? "(" + value(3, "bool") + " ? 0u : " + bytes + ")" : value(3, "unsigned");
    }
    e.code_ += "constexpr unsigned warplab_bytes = " + bytes + "; static_assert(warplab_bytes == 16" +
               (cg ? "" : " || warplab_bytes == 4 || warplab_bytes == 8") + ", \"" +
               (cg ? "cp.async.cg copies 16 bytes" : "cp.async.ca copies 4, 8 or 16 bytes") + "\"); ";
    e.code_ += ptx + "cp_async<warplab_bytes>(" + e.address(o[0], "shared") + ", " +
               e.address(o[1], "global") + ", " + copied + ", " + site() + "); ";
  }
  bool is_predicate(const PtxOperand& operand) const {
    return e.declarations_.find(" bool " + e.variable(operand) + ";") != std::string::npos;
  }

  // --- Warps and blocks ---

  void shfl() {
    if (!m.take("sync")) e.unknown();
    const std::string mode = m.take_one_of({"up", "down", "bfly", "idx"});
    if (mode.empty() || !m.take("b32")) e.unknown();
    need(5);
    const std::string kind = mode == "bfly" ? "exclusive_or" : mode == "idx" ? "index" : mode;
    e.code_ += "const auto warplab_shuffled = " + ptx + "shfl(::warplab::emulator::Shuffle::" + kind;
    for (std::size_t i = 1; i < 5; ++i) e.code_ += ", " + value(i, "unsigned");
    e.code_ += ", " + site() + "); ";
    const bool pair = o[0].kind == PtxOperand::Kind::pair;
    e.put(pair ? o[0].parts[0] : o[0], "warplab_shuffled.value");
    if (pair) e.put(o[0].parts[1], "warplab_shuffled.in_range");
  }
  void vote() {
    if (!m.take("sync")) e.unknown();
    const std::string mode = m.take_one_of({"all", "any", "uni", "ballot"});
    if (mode.empty() || (mode == "ballot" ? !m.take("b32") : !m.take("pred"))) e.unknown();
    need(3);
    const std::string function = mode == "ballot" ? "::warplab::emulator::ballot" : ptx + "vote_" + mode;
    e.put(o[0], function + "(" + value(2, "unsigned") + ", " + value(1, "bool") + ", " + site() + ")");
  }
  void match() {
    if (!m.take("any") || !m.take("sync")) e.unknown();
    const PtxType& t = type();
    need(3);
    e.put(o[0], "::warplab::emulator::match_any(" + value(2, "unsigned") + ", " + value(1, t) + ", " +
                    site() + ")");
  }
  void redux() {
    if (!m.take("sync")) e.unknown();
    const std::string mode = m.take_one_of({"add", "min", "max", "and", "or", "xor"});
    const PtxType& t = type();
    if (mode.empty() || t.bytes != 4 || t.is_float) e.unknown();
    need(3);
    const std::string type = cpp(t), x = "(" + type + " warplab_a, " + type + " warplab_b) -> " + type;
    const std::string body = mode == "and"   ? "warplab_a & warplab_b"
                             : mode == "or"  ? "warplab_a | warplab_b"
                             : mode == "xor" ? "warplab_a ^ warplab_b"
                                             : ptx + mode + "(warplab_a, warplab_b)";
    e.put(o[0], "::warplab::emulator::reduce(" + value(2, "unsigned") + ", " + value(1, t) + ", " + site() +
                    ", [] " + x + " { return " + body + "; })");
  }
  void activemask() {
    m.take("b32");
    need(1);
    e.put(o[0], "::warplab::emulator::active_lanes(" + site() + ")");
  }
  void elect() {
    if (!m.take("sync")) e.unknown();
    need(2);
    e.code_ +=
        "const auto warplab_elected = " + ptx + "elect(" + value(1, "unsigned") + ", " + site() + "); ";
    if (o[0].kind != PtxOperand::Kind::pair) e.fail("elect.sync sets a register and a predicate: d|p");
    e.put(o[0].parts[0], "warplab_elected.leader");
    e.put(o[0].parts[1], "warplab_elected.is_leader");
  }
  void bar() {
    m.take("cta");
    m.take("aligned");
    if (m.take("warp")) {
      if (!m.take("sync")) e.unknown();
      need(1);
      e.code_ += ptx + "bar_warp_sync(" + value(0, "unsigned") + ", " + site() + "); ";
      return;
    }
    if (!m.take("sync")) e.unknown();
    m.take("aligned");
    if (o.size() != 2) need(1);
    e.code_ += ptx + "bar_sync(" + (o.size() == 2 ? value(1, "unsigned") : "0u") + ", {" + "\"" + e.name_ +
               "\", " + e.place_ + ", " + std::to_string(e.at_ + 1) + "}); ";
  }
  void fence() {
    m.take_prefix("proxy");
    m.take_prefix("async");
    m.take_one_of({"sc", "acq_rel", "acquire", "release", "mbarrier_init"});
    m.take_one_of({"cta", "gl", "gpu", "sys", "cluster"});
    e.code_ += "::__threadfence(); ";
  }
  void nanosleep() {
    m.take("u32");
    need(1);
    e.code_ += "::__nanosleep(" + value(0, "unsigned") + "); ";
  }
  void nothing() { m.take_prefix(""); }
  void trap() {
    need(0);
    e.code_ += "::__trap(" + e.place_ + "); ";
  }
  void branch() {
    m.take("uni");
    need(1);
    e.code_ += "goto " + e.prefix_ + "label_" + o[0].text + "; ";
  }

  // --- Tensor cores ---

  void ldmatrix() {
    if (!m.take("sync") || !m.take("aligned") || !m.take("m8n8")) e.unknown();
    const unsigned n = m.take("x1") ? 1 : m.take("x2") ? 2 : m.take("x4") ? 4 : 0;
    const bool transposed = m.take("trans");
    m.take("shared") || m.take("shared::cta");
    if (n == 0 || !m.take("b16")) e.unknown();
    need(2);
    const std::vector<PtxOperand> to = group(o[0], n);
    e.code_ += "unsigned warplab_words[" + std::to_string(n) + "]; " + ptx + "ldmatrix<" + std::to_string(n) +
               (transposed ? ", true>" : ", false>") + "(warplab_words, " + shared_address(o[1]) + ", " +
               site() + "); ";
    for (unsigned i = 0; i < n; ++i) e.put(to[i], "warplab_words[" + std::to_string(i) + "]");
  }
  void stmatrix() {
    if (!m.take("sync") || !m.take("aligned") || !m.take("m8n8")) e.unknown();
    const unsigned n = m.take("x1") ? 1 : m.take("x2") ? 2 : m.take("x4") ? 4 : 0;
    const bool transposed = m.take("trans");
    m.take("shared") || m.take("shared::cta");
    if (n == 0 || !m.take("b16")) e.unknown();
    need(2);
    e.code_ += array("words", group(o[1], n), "unsigned") + ptx + "stmatrix<" + std::to_string(n) +
               (transposed ? ", true>(" : ", false>(") + shared_address(o[0]) + ", warplab_words, " + site() +
               "); ";
  }
  /// `[a+16]` as the number that it is: lanes without a row need not give an address.
  std::string shared_address(const PtxOperand& operand) const {
    const std::string pointer = e.address(operand, "shared");
    const std::size_t begin = pointer.find('('), end = pointer.rfind(", {");
    return pointer.substr(begin + 1, end - begin - 1);
  }
  std::string array(const std::string& name, const std::vector<PtxOperand>& parts,
                    std::string_view type) const {
    std::string values;
    for (const PtxOperand& part : parts) values += (values.empty() ? "" : ", ") + e.value(part, type);
    return "const " + std::string(type) + " warplab_" + name + "[" + std::to_string(parts.size()) + "] = {" +
           values + "}; ";
  }

  struct MatrixFormat {
    std::string_view ptx, format;
    int bits;
  };
  static const MatrixFormat* matrix_format(const std::string& name) {
    static constexpr MatrixFormat formats[] = {{"f16", "half", 16},        {"bf16", "bfloat16", 16},
                                               {"tf32", "tf32", 32},       {"s8", "signed_byte", 8},
                                               {"u8", "unsigned_byte", 8}, {"f64", "float64", 64}};
    for (const MatrixFormat& one : formats)
      if (one.ptx == name) return &one;
    return nullptr;
  }

  /// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}
  void mma() {
    if (!m.take("sync") || !m.take("aligned") || !m.take("row") || !m.take("col")) e.unknown();
    const bool saturate = m.take("satfinite");
    const std::string shape = m.take_one_of({"m16n8k16", "m16n8k8", "m16n8k4", "m16n8k32", "m8n8k4"});
    const std::vector<std::string> types = m.rest();
    if (shape.empty() || types.size() != 4) e.unknown();
    m.take_prefix("");
    const MatrixFormat *const a = matrix_format(types[1]), *const b = matrix_format(types[2]);
    if (a == nullptr || b == nullptr || a->bits != b->bits) e.unknown();
    const int rows = shape[1] == '8' ? 8 : 16, depth = std::atoi(shape.c_str() + shape.find('k') + 1);
    const std::string sum = a->bits == 8 ? "s32" : a->bits == 64 ? "f64" : "f32";
    const bool d_half = types[0] == "f16", c_half = types[3] == "f16";
    if ((d_half || c_half) && (types[1] != "f16" || d_half != c_half)) e.unknown();
    if ((!d_half && types[0] != sum) || (!c_half && types[3] != sum) || (saturate && a->bits != 8))
      e.unknown();
    if (!exists(rows, depth, *a)) e.unknown();
    need(4);
    const bool doubles = a->bits == 64;
    const std::string_view cpp = doubles ? "double" : "unsigned";
    const auto registers = [&](int elements, int bits) {
      return static_cast<unsigned>(elements * bits / 32 / (doubles ? 64 : 32));
    };
    const unsigned of_a = registers(rows * depth, a->bits), of_b = registers(8 * depth, b->bits);
    const unsigned of_d = registers(rows * 8, d_half ? 16 : doubles ? 64 : 32);
    e.code_ += array("a", group(o[1], of_a), cpp) + array("b", group(o[2], of_b), cpp) +
               array("c", group(o[3], of_d), cpp) + std::string(cpp) + " warplab_d[" + std::to_string(of_d) +
               "]; ";
    const std::string format = "::warplab::emulator::WmmaFormat::";
    e.code_ += ptx + "mma<::warplab::emulator::wmma_kind(" + std::to_string(rows) + ", 8, " +
               std::to_string(depth) + ", " + format + std::string(a->format) + ", " + format +
               std::string(b->format) + ")>(warplab_d, warplab_a, warplab_b, warplab_c, " +
               (c_half ? "true, " : "false, ") + (d_half ? "true, " : "false, ") +
               (saturate ? "true, " : "false, ") + site() + "); ";
    const std::vector<PtxOperand> to = group(o[0], of_d);
    for (unsigned i = 0; i < of_d; ++i) e.put(to[i], "warplab_d[" + std::to_string(i) + "]");
  }
  static bool exists(int rows, int depth, const MatrixFormat& format) {
    if (rows == 8) return depth == 4 && format.bits == 64;
    if (format.bits == 16) return depth == 8 || depth == 16;
    if (format.bits == 8) return depth == 16 || depth == 32;
    return format.bits == 32 && (depth == 4 || depth == 8);
  }
};

const std::map<std::string_view, PtxInstructions::Handler>& PtxInstructions::handlers() {
  using I = PtxInstructions;
  static const std::map<std::string_view, Handler> all{{"add", &I::two_inputs},
                                                       {"sub", &I::two_inputs},
                                                       {"mul", &I::mul},
                                                       {"mad", &I::mad},
                                                       {"fma", &I::three_inputs},
                                                       {"div", &I::two_inputs},
                                                       {"rem", &I::two_inputs},
                                                       {"min", &I::two_inputs},
                                                       {"max", &I::two_inputs},
                                                       {"neg", &I::one_input},
                                                       {"abs", &I::one_input},
                                                       {"sqrt", &I::one_input},
                                                       {"rcp", &I::one_input},
                                                       {"rsqrt", &I::one_input},
                                                       {"ex2", &I::one_input},
                                                       {"lg2", &I::one_input},
                                                       {"sin", &I::one_input},
                                                       {"cos", &I::one_input},
                                                       {"tanh", &I::one_input},
                                                       {"and", &I::logic},
                                                       {"or", &I::logic},
                                                       {"xor", &I::logic},
                                                       {"not", &I::not_},
                                                       {"shl", &I::shift},
                                                       {"shr", &I::shift},
                                                       {"shf", &I::funnel_shift},
                                                       {"popc", &I::bit_function},
                                                       {"clz", &I::bit_function},
                                                       {"brev", &I::bit_function},
                                                       {"lop3", &I::lop3},
                                                       {"prmt", &I::prmt},
                                                       {"bfe", &I::bfe},
                                                       {"bfi", &I::bfi},
                                                       {"dp4a", &I::dp4a},
                                                       {"setp", &I::setp},
                                                       {"selp", &I::selp},
                                                       {"mov", &I::mov},
                                                       {"cvt", &I::cvt},
                                                       {"cvta", &I::cvta},
                                                       {"ld", &I::ld},
                                                       {"ldu", &I::ld},
                                                       {"st", &I::st},
                                                       {"atom", &I::atom},
                                                       {"red", &I::red},
                                                       {"prefetch", &I::prefetch},
                                                       {"prefetchu", &I::prefetch},
                                                       {"createpolicy", &I::create_policy},
                                                       {"cp", &I::cp},
                                                       {"shfl", &I::shfl},
                                                       {"vote", &I::vote},
                                                       {"match", &I::match},
                                                       {"redux", &I::redux},
                                                       {"activemask", &I::activemask},
                                                       {"elect", &I::elect},
                                                       {"bar", &I::bar},
                                                       {"barrier", &I::bar},
                                                       {"membar", &I::fence},
                                                       {"fence", &I::fence},
                                                       {"nanosleep", &I::nanosleep},
                                                       {"griddepcontrol", &I::nothing},
                                                       {"setmaxnreg", &I::nothing},
                                                       {"pmevent", &I::nothing},
                                                       {"trap", &I::trap},
                                                       {"bra", &I::branch},
                                                       {"ldmatrix", &I::ldmatrix},
                                                       {"stmatrix", &I::stmatrix},
                                                       {"mma", &I::mma}};
  return all;
}

void emit_ptx_instruction(PtxEmitter& emitter, const std::vector<PtxOperand>& operands) {
  PtxInstructions(emitter, operands).run();
}

}  // namespace warplab::translator
