// What lanes of a warp and threads of a block do together, and control.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Warp : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  void shfl() {
    if (!m.take("sync")) e.unknown();
    const std::string mode = m.take_one_of({"up", "down", "bfly", "idx"});
    if (mode.empty() || !m.take("b32")) e.unknown();
    need(5);
    const std::string kind = mode == "bfly" ? "exclusive_or" : mode == "idx" ? "index" : mode;
    e.write("const auto warplab_shuffled = " + ptx + "shfl(::warplab::emulator::Shuffle::" + kind);
    for (std::size_t i = 1; i < 5; ++i) e.write(", " + value(i, "unsigned"));
    e.write(", " + site() + "); ");
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
    const std::string mode = m.take_one_of({"any", "all"});
    if (mode.empty() || !m.take("sync")) e.unknown();
    const PtxType& t = type();
    need(3);
    if (mode == "all") {
      const bool pair = o[0].kind == PtxOperand::Kind::pair;
      e.write("const auto warplab_matched = " + ptx + "match_all(" + value(2, "unsigned") + ", " +
              value(1, t) + ", " + site() + "); ");
      e.put(pair ? o[0].parts[0] : o[0], "warplab_matched.lanes");
      if (pair) e.put(o[0].parts[1], "warplab_matched.all");
      return;
    }
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
    e.write("const auto warplab_elected = " + ptx + "elect(" + value(1, "unsigned") + ", " + site() + "); ");
    if (o[0].kind != PtxOperand::Kind::pair) e.fail("elect.sync sets a register and a predicate: d|p");
    e.put(o[0].parts[0], "warplab_elected.leader");
    e.put(o[0].parts[1], "warplab_elected.is_leader");
  }
  /// barrier.cluster.arrive.release.aligned, barrier.cluster.wait.acquire.aligned
  void barrier() {
    if (!m.take("cluster")) return bar();
    m.take("aligned");
    need(0);
    if (m.take("wait")) {
      m.take("acquire");
      e.write("::warplab::emulator::cluster_wait(" + site() + "); ");
      return;
    }
    if (!m.take("arrive")) e.unknown();
    const bool releases = !m.take("relaxed");
    m.take("release");
    e.write(std::string("::warplab::emulator::cluster_arrive(") + (releases ? "true, " : "false, ") + site() +
            "); ");
  }
  void bar() {
    m.take("cta");
    m.take("aligned");
    if (m.take("warp")) {
      if (!m.take("sync")) e.unknown();
      need(1);
      e.write(ptx + "bar_warp_sync(" + value(0, "unsigned") + ", " + site() + "); ");
      return;
    }
    if (m.take("red")) return bar_reduce();
    const bool arrives = m.take("arrive");
    if (!arrives && !m.take("sync")) e.unknown();
    m.take("aligned");
    if (o.size() != 2) need(1);
    if (arrives) need(2);
    e.write(ptx + (arrives ? "bar_arrive(" : "bar_sync(") + value(0, "unsigned") + ", " +
            (o.size() == 2 ? value(1, "unsigned") : "0u") + ", {" + "\"" + e.name() + "\", " + e.place() +
            ", " + std::to_string(e.at() + 1) + "}); ");
  }
  /// bar.red.popc.u32 count, number, threads, p; .and and .or give a predicate
  void bar_reduce() {
    m.take("aligned");
    const std::string mode = m.take_one_of({"popc", "and", "or"});
    if (mode.empty() || !m.take(mode == "popc" ? "u32" : "pred")) e.unknown();
    if (o.size() != 4) need(3);
    const std::string p = value(o.size() - 1, "bool"),
                      count = ptx + "bar_count(" + value(1, "unsigned") + ", " +
                              (o.size() == 4 ? value(2, "unsigned") : "0u") + ", " +
                              (mode == "and" ? "!(" + p + ")" : p) + ", {\"" + e.name() + "\", " + e.place() +
                              ", " + std::to_string(e.at() + 1) + "})";
    e.put(o[0], mode == "popc" ? count : "(" + count + (mode == "and" ? " == 0)" : " != 0)"));
  }
  void fence() {
    if (m.take("proxy")) return fence_proxy();
    m.take("mbarrier_init");
    m.take_one_of({"sc", "acq_rel", "acquire", "release"});
    m.take_one_of({"cta", "gl", "gpu", "sys", "cluster"});
    e.write("::__threadfence(); ");
  }
  /// Tensor maps are seen at once; what bulk copies and tensor cores read must be fenced.
  void fence_proxy() {
    if (m.take("async")) {
      m.take_one_of({"global", "shared::cta", "shared::cluster"});
      e.write("::warplab::emulator::fence_async_proxy(); ");
    } else if (!m.take("alias")) {
      if (!m.take_prefix("tensormap")) e.unknown();
      m.take_one_of({"acquire", "release"});
      m.take_one_of({"cta", "gpu", "sys", "cluster"});
    }
    e.write("::__threadfence(); ");
  }
  void nanosleep() {
    m.take("u32");
    need(1);
    e.write("::__nanosleep(" + value(0, "unsigned") + "); ");
  }
  void nothing() { m.take_prefix(""); }
  void trap() {
    need(0);
    e.write("::__trap(" + e.place() + "); ");
  }
  void exit() {
    need(0);
    e.write("::warplab::emulator::exit_thread(" + site() + "); ");
  }
  void branch() {
    m.take("uni");
    need(1);
    e.write("goto " + e.prefix() + "label_" + o[0].text + "; ");
  }
};

}  // namespace

const PtxHandlers& ptx_warps() {
  static const PtxHandlers all{{"shfl", emit_as<&Warp::shfl>},
                               {"vote", emit_as<&Warp::vote>},
                               {"match", emit_as<&Warp::match>},
                               {"redux", emit_as<&Warp::redux>},
                               {"activemask", emit_as<&Warp::activemask>},
                               {"elect", emit_as<&Warp::elect>},
                               {"bar", emit_as<&Warp::bar>},
                               {"barrier", emit_as<&Warp::barrier>},
                               {"membar", emit_as<&Warp::fence>},
                               {"fence", emit_as<&Warp::fence>},
                               {"nanosleep", emit_as<&Warp::nanosleep>},
                               {"griddepcontrol", emit_as<&Warp::nothing>},
                               {"pmevent", emit_as<&Warp::nothing>},
                               {"trap", emit_as<&Warp::trap>},
                               {"brkpt", emit_as<&Warp::trap>},
                               {"exit", emit_as<&Warp::exit>},
                               {"bra", emit_as<&Warp::branch>}};
  return all;
}

}  // namespace warplab::translator
