// Loads, stores, atomics, copies and hints.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Memory : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  /// What makes a load or a store more than plain: "", "_volatile", "_atomic".
  std::string order() {
    std::string found;
    if (m.take("volatile")) found = "_volatile";
    if (!semantics().empty()) found = "_atomic";
    m.take_one_of({"cta", "cluster", "gpu", "sys"});
    m.take("weak");
    return found;
  }
  std::string semantics() { return m.take_one_of({"relaxed", "acquire", "release", "acq_rel"}); }
  void ld() {
    const std::string ordered = order();
    m.take_one_of({"ca", "cg", "cs", "lu", "cv", "nc"});
    const bool policy = hints();
    m.take("nc");
    const std::string where = space();
    const unsigned n = vector();
    const PtxType& t = type();
    if (t.bytes * static_cast<int>(n) > 16) e.unknown();
    need(policy ? 3 : 2);
    const std::string types = "<" + cpp(t) + ", " + std::to_string(n) + ">";
    e.write("const auto warplab_loaded = " + ptx + "ld" + ordered + types + "(" + e.address(o[1], where) +
            ", " + site() + "); ");
    const std::vector<PtxOperand> to = group(o[0], n);
    for (std::size_t i = 0; i < n; ++i) e.put(to[i], "warplab_loaded.x[" + std::to_string(i) + "]");
  }
  /// st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [to], {a, b, c, d}, [barrier]
  void st_async() {
    m.take("weak");
    if (!m.take("shared::cluster") || !m.take("mbarrier::complete_tx::bytes")) e.unknown();
    const unsigned n = vector();
    const PtxType& t = type();
    if (t.bytes < 4 || t.bytes * static_cast<int>(n) > 16) e.unknown();
    need(3);
    std::string values;
    for (const PtxOperand& from : group(o[1], n))
      values += (values.empty() ? "" : ", ") + e.value(from, t.cpp);
    e.write(ptx + "st_async<" + cpp(t) + ", " + std::to_string(n) + ">(" + e.address(o[0], "cluster_shared") +
            ", {{" + values + "}}, " + e.address(o[2], "cluster_shared") + ", " + site() + "); ");
  }
  void st() {
    if (m.take("async")) return st_async();
    const std::string ordered = order();
    m.take_one_of({"wb", "cg", "cs", "wt"});
    const bool policy = hints();
    const std::string where = space();
    const unsigned n = vector();
    const PtxType& t = type();
    if (t.bytes * static_cast<int>(n) > 16) e.unknown();
    need(policy ? 3 : 2);
    std::string values;
    for (const PtxOperand& from : group(o[1], n))
      values += (values.empty() ? "" : ", ") + e.narrow_value(from, t.cpp);
    const std::string name =
        (ordered == "_atomic" ? "st_atomic<" : "st<") + cpp(t) + ", " + std::to_string(n) + ">";
    e.write(ptx + name + "(" + e.address(o[0], where) + ", {{" + values + "}}, " + site() + "); ");
  }
  void atomic(bool returns) {
    const std::string ordered = semantics();
    order();  // its scope
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
    const std::string fence = "::warplab::emulator::lens_fence(); ";
    if (ordered == "release" || ordered == "acq_rel") e.write(fence);
    if (returns)
      e.put(o[0], call);
    else
      e.write(call + "; ");
    if (ordered == "acquire" || ordered == "acq_rel") e.write(fence);
  }
  void atom() { atomic(true); }
  void red() { atomic(false); }

  void prefetch() {
    m.take_one_of({"global", "local"});
    m.take_prefix("L1");
    m.take_prefix("L2");
    m.take("tensormap");
  }
  /// mapa.shared::cluster.u32 to, address, rank; without a space of generic addresses
  void mapa() {
    const bool shared = m.take("shared::cluster");
    const PtxType& t = type();
    if (t.is_signed || t.bytes < 4 || (!shared && t.bytes != 8)) e.unknown();
    need(3);
    const std::string address = value(1, t), rank = value(2, "unsigned");
    e.put(o[0], "static_cast<" + cpp(t) + ">(" +
                    (shared ? "::warplab::emulator::cluster_address(" + address
                            : ptx + "mapped_address(" + address) +
                    ", " + rank + ", " + site() + "))");
  }
  void getctarank() {
    const bool shared = m.take("shared::cluster");
    const PtxType& t = type();
    need(2);
    e.put(o[0], "::warplab::emulator::rank_of_shared(" + ptx + (shared ? "cluster_shared(" : "global(") +
                    value(1, t) + ", " + site() + "), " + site() + ")");
  }
  void isspacep() {
    const std::string where = m.take_one_of({"global", "shared", "shared::cta", "shared::cluster"});
    if (where.empty()) e.unknown();
    need(2);
    const std::string function = where == "global"            ? "::__isGlobal"
                                 : where == "shared::cluster" ? "::__isClusterShared"
                                                              : "::__isShared";
    e.put(o[0],
          "(" + function + "(reinterpret_cast<const void*>(" + value(1, "unsigned long long") + ")) != 0)");
  }
  void create_policy() {
    m.take_one_of({"fractional", "range"});
    m.take_prefix("L2::");
    type();
    e.put(o[0], "0ull");
  }
};

}  // namespace

const PtxHandlers& ptx_memory() {
  static const PtxHandlers all{{"ld", emit_as<&Memory::ld>},
                               {"ldu", emit_as<&Memory::ld>},
                               {"st", emit_as<&Memory::st>},
                               {"atom", emit_as<&Memory::atom>},
                               {"red", emit_as<&Memory::red>},
                               {"prefetch", emit_as<&Memory::prefetch>},
                               {"prefetchu", emit_as<&Memory::prefetch>},
                               {"mapa", emit_as<&Memory::mapa>},
                               {"isspacep", emit_as<&Memory::isspacep>},
                               {"getctarank", emit_as<&Memory::getctarank>},
                               {"createpolicy", emit_as<&Memory::create_policy>}};
  return all;
}

}  // namespace warplab::translator
