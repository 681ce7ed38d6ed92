// Loads, stores, atomics, copies and hints.
#include "ptx_instruction.hpp"

namespace warplab::translator {
namespace {

struct Memory : PtxInstruction {
  using PtxInstruction::PtxInstruction;

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
    e.write("const auto warplab_loaded = " + ptx + "ld" + ordered + types + "(" + e.address(o[1], where) +
            ", " + site() + "); ");
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
    e.write(ptx + name + "(" + e.address(o[0], where) + ", {{" + values + "}}, " + site() + "); ");
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
      e.write(call + "; ");
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
      e.write("::warplab::emulator::commit_copies(); ");
    } else if (m.take("wait_group")) {
      need(1);
      e.write("::warplab::emulator::await_copies(" + value(0, "unsigned") + "); ");
    } else if (m.take("wait_all")) {
      need(0);
      e.write("::warplab::emulator::commit_copies(); ::warplab::emulator::await_copies(0); ");
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
      const bool predicate = e.is_register(o[3]) && (o[3].negated || e.is_predicate(o[3]));
      copied = predicate ? "(" + value(3, "bool") + " ? 0u : " + bytes + ")" : value(3, "unsigned");
    }
    e.write("constexpr unsigned warplab_bytes = " + bytes + "; static_assert(warplab_bytes == 16" +
            (cg ? "" : " || warplab_bytes == 4 || warplab_bytes == 8") + ", \"" +
            (cg ? "cp.async.cg copies 16 bytes" : "cp.async.ca copies 4, 8 or 16 bytes") + "\"); ");
    e.write(ptx + "cp_async<warplab_bytes>(" + e.address(o[0], "shared") + ", " + e.address(o[1], "global") +
            ", " + copied + ", " + site() + "); ");
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
                               {"createpolicy", emit_as<&Memory::create_policy>},
                               {"cp", emit_as<&Memory::cp>}};
  return all;
}

}  // namespace warplab::translator
