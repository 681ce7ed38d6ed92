// Asynchronous copies, and the barriers in shared memory that they are waited for at.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Asynchronous : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  // --- mbarrier ---

  void mbarrier() {
    if (m.take("arrive")) return arrive(false);
    if (m.take("arrive_drop")) return arrive(true);
    if (m.take("init")) return simple("mbarrier_init", 2);
    if (m.take("inval")) return simple("mbarrier_inval", 1);
    if (m.take("expect_tx")) return transaction("mbarrier_expect_tx");
    if (m.take("complete_tx")) return transaction("mbarrier_complete_tx");
    if (m.take("test_wait")) return wait("mbarrier_test_wait", false);
    if (m.take("try_wait")) return wait("mbarrier_try_wait", true);
    if (!m.take("pending_count")) e.unknown();
    m.take("b64");
    need(2);
    e.put(o[0],
          "::warplab::emulator::pending_of_state(" + value(1, "unsigned long long") + ", " + site() + ")");
  }
  /// name [barrier]{, number}
  void simple(const std::string& name, std::size_t operands) {
    const std::string where = space();
    if (!m.take("b64")) e.unknown();
    need(operands);
    e.write(ptx + name + "(" + e.address(o[0], where) + (operands == 2 ? ", " + value(1, "unsigned") : "") +
            ", " + site() + "); ");
  }
  void transaction(const std::string& name) {
    m.take("relaxed");
    m.take_one_of({"cta", "cluster"});
    simple(name, 2);
  }
  /// mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 state, [barrier], count or bytes
  void arrive(bool leaves) {
    const bool bytes = m.take("expect_tx"), may_complete = !m.take("noComplete");
    const bool releases = !m.take("relaxed");
    m.take("release");
    m.take_one_of({"cta", "cluster"});
    const std::string where = space();
    if (!m.take("b64")) e.unknown();
    // Of another block's barrier no state is returned, and `_` may be left out.
    const std::size_t first = o[0].kind == PtxOperand::Kind::address ? 0 : 1;
    const std::size_t numbers = o.size() - first - 1;
    if (numbers > 1 || (bytes && numbers == 0)) need(first + 2);
    const std::string number = numbers == 1 ? value(first + 1, "unsigned") : "1";
    const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
    const std::string call = ptx + "mbarrier_arrive(" + e.address(o[first], where) + ", {" +
                             (bytes ? "1, " + number : number + ", 0") + ", " + flag(leaves) + ", " +
                             flag(may_complete) + ", " + flag(releases) + "}, " + site() + ")";
    if (first == 0)
      e.write(call + "; ");
    else
      e.put(o[0], call);
  }
  /// mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [barrier], state or parity, hint
  void wait(const std::string& name, bool hint) {
    const bool parity = m.take("parity"), acquires = !m.take("relaxed");
    m.take("acquire");
    m.take_one_of({"cta", "cluster"});
    const std::string where = space();
    if (!m.take("b64") || where == "cluster_shared") e.unknown();
    if (!hint || o.size() != 4) need(3);
    const std::string phase = parity ? value(2, "unsigned")
                                     : "::warplab::emulator::parity_of_state(" +
                                           value(2, "unsigned long long") + ", " + site() + ")";
    e.put(o[0], ptx + name + "(" + e.address(o[1], where) + ", " + phase +
                    (acquires ? ", true, " : ", false, ") + site() + ")");
  }

  // --- cp.async ---

  void cp() {
    const bool reduces = m.take("reduce");
    if (!m.take("async")) e.unknown();
    if (m.take("bulk")) return bulk(reduces);
    if (reduces) e.unknown();
    if (m.take("commit_group")) {
      need(0);
      e.write("::warplab::emulator::commit_copies(); ");
    } else if (m.take("wait_group")) {
      need(1);
      e.write("::warplab::emulator::await_copies(" + value(0, "unsigned") + "); ");
    } else if (m.take("wait_all")) {
      need(0);
      e.write("::warplab::emulator::commit_copies(); ::warplab::emulator::await_copies(0); ");
    } else if (m.take("mbarrier")) {
      if (!m.take("arrive")) e.unknown();
      const bool counts = m.take("noinc");
      const std::string where = space();
      if (!m.take("b64")) e.unknown();
      need(1);
      e.write(ptx + "cp_async_mbarrier_arrive(" + e.address(o[0], where) +
              (counts ? ", true, " : ", false, ") + site() + "); ");
    } else {
      few_bytes();
    }
  }
  /// cp.async.cg.shared.global [to], [from], 16, bytes, policy
  void few_bytes() {
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

  // --- cp.async.bulk ---

  void bulk(bool reduces) {
    if (m.take("tensor")) return emit_tensor_copy(*this, reduces);
    if (m.take("commit_group")) {
      need(0);
      e.write("::warplab::emulator::commit_bulk_stores(); ");
    } else if (m.take("wait_group")) {
      need(1);
      e.write("::warplab::emulator::await_bulk_stores(" + value(0, "unsigned") +
              (m.take("read") ? ", true); " : ", false); "));
    } else if (m.take("prefetch")) {
      if (!m.take("L2") || !m.take("global")) e.unknown();
      hints();
    } else {
      bulk_copy(reduces);
    }
  }
  void bulk_copy(bool reduces) {
    if (m.rest().size() < 2) e.unknown();
    const std::string to = m.rest()[0], from = m.rest()[1];
    m.take(to);
    m.take(from);
    if (to == "global" && from == "shared::cta")
      store(reduces);
    else if (to == "shared::cluster" && from == "shared::cta")
      transfer(reduces);
    else if ((to == "shared::cluster" || to == "shared::cta") && from == "global" && !reduces)
      load(to == "shared::cta" ? "shared" : "cluster_shared");
    else
      e.unknown();
  }
  /// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier], mask
  void load(const std::string& where) {
    const bool multicast = m.take("multicast::cluster"), policy = hints();
    if (!m.take("mbarrier::complete_tx::bytes")) e.unknown();
    need(4 + static_cast<std::size_t>(multicast) + policy);
    e.write(ptx + (multicast ? "cp_async_bulk_multicast(" : "cp_async_bulk_load(") + e.address(o[0], where) +
            ", " + e.address(o[1], "global") + ", " + value(2, "unsigned") + ", " + e.address(o[3], where) +
            (multicast ? ", " + value(4, "unsigned short") : "") + ", " + site() + "); ");
  }
  /// cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier]
  void transfer(bool reduces) {
    if (!m.take("mbarrier::complete_tx::bytes")) e.unknown();
    const std::string how = reduction(reduces);
    need(4);
    e.write(ptx + "cp_async_bulk_transfer(" + e.address(o[0], "cluster_shared") + ", " +
            e.address(o[1], "shared") + ", " + value(2, "unsigned") + ", " +
            e.address(o[3], "cluster_shared") + ", " + how + ", " + site() + "); ");
  }
  /// cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes, policy
  void store(bool reduces) {
    const bool policy = hints();
    if (!m.take("bulk_group")) e.unknown();
    const std::string how = reduction(reduces);
    need(3 + static_cast<std::size_t>(policy));
    e.write(ptx + "cp_async_bulk_store(" + e.address(o[0], "global") + ", " + e.address(o[1], "shared") +
            ", " + value(2, "unsigned") + ", " + how + ", " + site() + "); ");
  }
  /// What a cp.reduce does: `.add.u32` and so on.
  std::string reduction(bool reduces) {
    if (!reduces) return "{}";
    const std::string name = m.take_one_of({"add", "min", "max", "and", "or", "xor", "inc", "dec"});
    m.take("noftz");
    const PtxType& t = type();
    const bool bits = name == "and" || name == "or" || name == "xor", turns = name == "inc" || name == "dec";
    const bool has_type = t.name == "b32" || t.name == "b64" || t.name == "u32" || t.name == "s32" ||
                          t.name == "u64" || t.name == "s64" || t.name == "f16" || t.name == "bf16" ||
                          t.name == "f32" || t.name == "f64";
    if (name.empty() || !has_type || (bits && t.is_float) || (turns && t.name != "u32") ||
        (!bits && t.name.starts_with("b") && !t.is_float) || (t.bytes >= 4 && t.is_float && name != "add"))
      e.unknown();
    const std::string operation = bits            ? "bit_" + name
                                  : name == "inc" ? "increment"
                                  : name == "dec" ? "decrement"
                                                  : name;
    return "{::warplab::emulator::BulkOperation::" + operation +
           ", ::warplab::emulator::BulkType::" + std::string(t.name) + "}";
  }
};

}  // namespace

const PtxHandlers& ptx_asynchronous() {
  static const PtxHandlers all{{"mbarrier", emit_as<&Asynchronous::mbarrier>},
                               {"cp", emit_as<&Asynchronous::cp>}};
  return all;
}

}  // namespace warplab::translator
