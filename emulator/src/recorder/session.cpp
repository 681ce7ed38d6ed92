// Which launches are recorded, and what becomes of the records: a program's own request (lens_session.hpp),
// or the environment's: WARPLAB_LENS, WARPLAB_LENS_BLOCKS, WARPLAB_LENS_ONLY, WARPLAB_LENS_JSON,
// WARPLAB_LENS_MAP.

#include "emulator/src/recorder/session.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/isolation.hpp"
#include "emulator/src/checker/leaks.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/instrumented_build.hpp"
#include "emulator/src/recorder/launch_recorder.hpp"
#include "emulator/src/recorder/memory_kind.hpp"
#include "lens/json.hpp"
#include "lens/merge.hpp"
#include "lens/pictures/map_svg.hpp"
#include "lens/text/table.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

namespace warplab::emulator {
namespace lens {
namespace {

constexpr std::size_t max_launches = 10000;

struct Environment {
  bool wanted = false, only = false;
  unsigned long long blocks = Options{}.blocks;
  const char* json = nullptr;
  const char* map = nullptr;
};

struct Recording {
  std::mutex mutex;
  std::atomic<bool> on = false;
  Options options;
  std::deque<std::unique_ptr<LaunchRecorder>> launches;
  std::vector<warplab::lens::Launch>
      unrecorded;                          ///< launches of kernels without an instrumented build, with why
  std::vector<std::size_t> unrecorded_at;  ///< how many recorded launches came before each
  unsigned long long left_out = 0;         ///< beyond the most that are kept
  std::uint64_t fills = 0, copies = 0;     ///< since the last launch began
};

Recording& recording() {
  static Recording& instance = *new Recording;
  return instance;
}

[[noreturn]] void refuse(const char* variable, const char* value, const char* accepted) {
  report("%s is '%s'; it must be %s", variable, value, accepted);
  std::exit(2);
}

const Environment& environment() {
  static const Environment found = [] {
    Environment e;
    const char* lens = std::getenv("WARPLAB_LENS");
    const char* only = std::getenv("WARPLAB_LENS_ONLY");
    e.json = std::getenv("WARPLAB_LENS_JSON");
    e.map = std::getenv("WARPLAB_LENS_MAP");
    if (lens != nullptr && std::strcmp(lens, "0") != 0 && std::strcmp(lens, "1") != 0)
      refuse("WARPLAB_LENS", lens, "1 (record) or 0");
    e.wanted = lens != nullptr && *lens == '1';
    if (only != nullptr && std::strcmp(only, "0") != 0 && std::strcmp(only, "1") != 0)
      refuse("WARPLAB_LENS_ONLY", only, "1 (run only the blocks that are recorded) or 0");
    e.only = only != nullptr && *only == '1';
    if (const char* blocks = std::getenv("WARPLAB_LENS_BLOCKS")) {
      char* end = nullptr;
      errno = 0;
      e.blocks = std::strcmp(blocks, "all") == 0 ? 0 : std::strtoull(blocks, &end, 10);
      if (end != nullptr && (*end != '\0' || e.blocks == 0 || errno != 0 || *blocks == '-'))
        refuse("WARPLAB_LENS_BLOCKS", blocks, "a number of blocks from 1, or all");
    }
    return e;
  }();
  return found;
}

/// Lists launches from kernels where the host's launch that they follow from has its place.
class Families {
 public:
  explicit Families(std::vector<warplab::lens::Launch>& launches) : launches_(launches) {}

  /// The host's launch, now at the end of the list, begins a family.
  void begin(const Lineage& lineage) { places_[lineage.number] = {launches_.size() - 1, 0}; }
  void add(const Lineage& lineage, const warplab::lens::Launch& launch) {
    const auto parent = places_.find(lineage.parent);
    if (parent == places_.end()) return;
    const auto [root, place] = parent->second;
    std::vector<warplab::lens::Descendant>& family = launches_[root].descendants;
    family.push_back({static_cast<std::uint32_t>(place), lineage.depth, launch.kernel, launch.blocks,
                      launch.block[0] * launch.block[1] * launch.block[2]});
    places_[lineage.number] = {root, family.size()};
  }

 private:
  std::vector<warplab::lens::Launch>& launches_;
  std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> places_;  ///< root and place, by number
};

void give_transfers(Recording& r) {
  if (r.launches.empty()) return;
  r.launches.back()->add_transfers(r.fills, r.copies);
  r.fills = r.copies = 0;
}

/// Launches by the host, then those from kernels: there may be thousands, so that alike ones are added up.
std::vector<warplab::lens::Launch> collect(Recording& r) {
  give_transfers(r);
  std::vector<warplab::lens::Launch> launches, from_kernels;
  Families families(launches);
  std::size_t missing = 0;
  for (std::size_t i = 0; i <= r.launches.size(); ++i) {
    for (; missing < r.unrecorded.size() && r.unrecorded_at[missing] == i; ++missing)
      launches.push_back(r.unrecorded[missing]);
    if (i == r.launches.size()) break;
    warplab::lens::Launch report = r.launches[i]->report();
    if (report.from_kernel) {
      families.add(r.launches[i]->lineage(), report);
      from_kernels.push_back(std::move(report));
    } else {
      launches.push_back(std::move(report));
      families.begin(r.launches[i]->lineage());
    }
  }
  for (warplab::lens::Group& group : warplab::lens::merge_alike(from_kernels)) {
    group.launch.alike = group.launches;
    launches.push_back(std::move(group.launch));
  }
  r.launches.clear();
  r.unrecorded.clear();
  r.unrecorded_at.clear();
  return launches;
}

void write_file(const char* path, const std::string& text, const char* variable) {
  const std::string beside = std::string(path) + ".new";
  std::FILE* file = std::fopen(beside.c_str(), "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written || std::rename(beside.c_str(), path) != 0) {
    report("can't write %s, which %s names: %s", path, variable, std::strerror(errno));
    std::remove(beside.c_str());
  }
}

// At the end of a program that was started with WARPLAB_LENS=1.
void print_at_exit() {
  Recording& r = recording();
  unsigned long long left_out = 0;
  std::vector<warplab::lens::Launch> launches;
  {
    const std::lock_guard lock(r.mutex);
    r.on = false;
    left_out = r.left_out;
    launches = collect(r);
  }
  const std::vector<warplab::lens::Finding> leaks = find_leaks();
  std::fflush(stdout);
  // What a program launches and never waits for is lost, which is reported elsewhere.
  if (launches.empty()) return report("WARPLAB_LENS=1, but no kernel of the program has run");
  launches.back().findings.insert(launches.back().findings.end(), leaks.begin(), leaks.end());
  warplab::lens::TableOptions options;
  options.colour = isatty(2) != 0;
  if (const DeviceProfile* const profile = chosen_profile())
    options.rates = warplab::lens::find_rates(profile->key);
  const std::string text = warplab::lens::table(launches, options);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (left_out != 0)
    std::fprintf(stderr, "%llu more launches were not recorded: %zu are kept\n", left_out, max_launches);
  const Environment& e = environment();
  if (e.json != nullptr) {
    warplab::lens::Json list = warplab::lens::Json::array();
    for (const warplab::lens::Launch& launch : launches) list.push_back(warplab::lens::launch_json(launch));
    write_file(e.json, list.dump(1, ' ', false, warplab::lens::Json::error_handler_t::replace) + "\n",
               "WARPLAB_LENS_JSON");
  }
  if (e.map != nullptr) write_file(e.map, warplab::lens::map_svg(launches), "WARPLAB_LENS_MAP");
}

// For a program that asked by its environment: before its first launch or copy.
void begin_by_environment() {
  static const bool begun = [] {
    if (!environment().wanted) return false;
    Recording& r = recording();
    r.on = true;
    r.options.blocks = environment().blocks;
    r.options.only = environment().only;
    std::atexit(print_at_exit);
    return true;
  }();
  (void)begun;
}

/// The variables that one declaration makes: one in each file that includes it, or in each use of a macro on
/// the same line. A program and its instrumented build make them known in the same order.
struct Declared {
  const void* program = nullptr;       ///< where the module of the variables begins
  std::vector<void*> addresses;        ///< in the order in which they became known
  const void* instrumented = nullptr;  ///< where the module that asked last begins
  std::size_t asked = 0;               ///< how often it has
};

using Declaration = std::tuple<std::string, std::string, int>;
std::map<Declaration, Declared>& variables() {
  static auto& all = *new std::map<Declaration, Declared>;
  return all;
}
std::mutex variables_mutex;

const void* module_of(const void* address) {
  Dl_info module;
  return dladdr(address, &module) == 0 ? nullptr : module.dli_fbase;
}

/// Which of the variables it is that an instrumented build asks for as its `own`.
void* next_variable(Declared& declared, const void* own) {
  if (const void* const module = module_of(own); module != declared.instrumented) {
    declared.instrumented = module;
    declared.asked = 0;
  }
  return declared.addresses[declared.asked++ % declared.addresses.size()];
}

/// Makes a recorder for each launch that is to be recorded, and keeps it for the report.
class Watcher final : public LaunchWatcher {
 public:
  LaunchObserver* begin(const Launch& launch, Lineage& lineage) override;
  void note_pending(const Lineage& lineage, std::uint64_t most) override;
  const void* original_of(const void* code) override { return lens::original_of(code); }
};

LaunchObserver* Watcher::begin(const Launch& launch, Lineage& lineage) {
  begin_by_environment();
  Recording& r = recording();
  if (!r.on) return nullptr;
  const std::lock_guard lock(r.mutex);
  if (r.launches.size() + r.unrecorded.size() >= max_launches) {
    ++r.left_out;
    if (isolation::active()) {  // what nobody counts must not run
      report("the launcher was stopped: it launches more than %zu kernels", max_launches);
      std::_Exit(70);
    }
    return nullptr;
  }
  std::string reason;
  const std::optional<InstrumentedKernel> instrumented = find_instrumented(launch.address, &reason);
  if (!instrumented) {
    warplab::lens::Launch none;
    none.kernel = launch.kernel;
    none.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
    none.block = {launch.block.x, launch.block.y, launch.block.z};
    none.blocks = count_in(launch.grid);
    none.note = reason;
    r.unrecorded_at.push_back(r.launches.size());
    r.unrecorded.push_back(std::move(none));
    return nullptr;
  }
  refresh_memory_kinds();
  Options options = r.options;
  if (launch.cooperative) options.blocks = 0;
  if (launch.cooperative || launch.in_order) options.only = false;  // blocks wait for others: all run
  r.launches.push_back(std::make_unique<LaunchRecorder>(launch, *instrumented, options));
  give_transfers(r);
  lineage.number = r.launches.size();
  r.launches.back()->set_lineage(lineage);
  return r.launches.back().get();
}

void Watcher::note_pending(const Lineage& lineage, std::uint64_t most) {
  Recording& r = recording();
  const std::lock_guard lock(r.mutex);
  if (lineage.number != 0 && lineage.number <= r.launches.size())
    r.launches[lineage.number - 1]->set_max_pending(most);
}

}  // namespace

void register_variable(void* address, const char* name, const char* file, int line) {
  const std::lock_guard lock(variables_mutex);
  Declared& declared = variables()[{name, file, line}];
  if (const void* const program = module_of(address); program != declared.program)
    declared = {program, {}, {}, 0};
  const std::vector<void*>& known = declared.addresses;
  if (std::find(known.begin(), known.end(), address) == known.end()) declared.addresses.push_back(address);
}

void note_transfer(bool copies) {
  begin_by_environment();
  Recording& r = recording();
  if (!r.on) return;
  const std::lock_guard lock(r.mutex);
  ++(copies ? r.copies : r.fills);
}

LaunchWatcher& launch_watcher() {
  static Watcher watcher;
  return watcher;
}

void start(const Options& options) {
  cudaDeviceSynchronize();
  Recording& r = recording();
  const std::lock_guard lock(r.mutex);
  r.launches.clear();
  r.unrecorded.clear();
  r.unrecorded_at.clear();
  r.fills = r.copies = 0;
  r.options = options;
  r.on = true;
}

std::vector<warplab::lens::Launch> take() {
  cudaDeviceSynchronize();
  Recording& r = recording();
  const std::lock_guard lock(r.mutex);
  r.on = false;
  return collect(r);
}

}  // namespace lens

void* header_calls::original_variable(void* own, std::size_t bytes, const char* name, bool constant,
                                      const char* file, int line) {
  // A guarded module makes its variables known while it is loaded. Later the host has computed in its memory.
  if (isolation::active() && isolation::is_entered) isolation::require(nullptr, 1, true, nullptr);
  const std::lock_guard lock(lens::variables_mutex);
  const auto known = lens::variables().find({name, file, line});
  if (known != lens::variables().end()) return lens::next_variable(known->second, own);
  if (isolation::active()) {
    const bool read_only = isolation::is_constant(own, bytes);
    isolation::require(own, bytes, !read_only, nullptr);
    // Host code may touch its stack and its heap, so nothing there is the device's.
    if (Dl_info module; dladdr(own, &module) == 0) isolation::require(nullptr, 1, true, nullptr);
    register_symbol(own, bytes, name, constant, read_only);
  }
  return own;
}

}  // namespace warplab::emulator
