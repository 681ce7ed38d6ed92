#include "emulator/src/launch/shared_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t page = 64 * 1024;  // a multiple of every page size in use
constexpr std::size_t static_area = page;
constexpr std::size_t dynamic_area = 256 * 1024;
// The most that `extern __shared__ __align__(n)` may ask for: tiles of bulk copies that are swizzled need it.
constexpr std::size_t max_dynamic_alignment = 1024;
constexpr unsigned char slack_byte = 0x5c;  // no part of the poison
static_assert(shared_static_limit < static_area && largest_shared_block_limit < dynamic_area);

// Left between the variables of a kernel that the lens watches, so that an index past the end of one is seen.
// A multiple of all banks.
constexpr std::size_t gap = 128;

struct Placed {
  int site;
  std::size_t offset, bytes;
  const char* name;
};

// What is known of a kernel's shared memory. Kernels place variables in the order of their first use.
struct Layout {
  std::vector<Placed> placed;
  std::size_t static_bytes = 0;  ///< gaps left out
  std::size_t end = 0;
  std::size_t dynamic_limit = shared_static_limit;
  bool limit_set = false;  ///< by cudaFuncSetAttribute
};

// Limits belong to a kernel as it is launched, a layout to its code, which may be instrumented.
std::string problem_of(const Layout& layout, const Layout& launched, std::size_t dynamic_bytes) {
  const std::size_t in_all = launched.limit_set ? shared_block_limit() : shared_static_limit;
  if (dynamic_bytes <= launched.dynamic_limit && dynamic_bytes + layout.static_bytes <= in_all) return "";
  std::string text = "it asks for " + std::to_string(dynamic_bytes) + " bytes of dynamic shared memory";
  if (layout.static_bytes != 0) text += " beside " + std::to_string(layout.static_bytes) + " static ones";
  if (dynamic_bytes > launched.dynamic_limit && launched.limit_set)
    return text + "; cudaFuncSetAttribute allowed " + std::to_string(launched.dynamic_limit);
  return text + "; at most " + std::to_string(in_all) + " in all are allowed (" +
         (launched.limit_set
              ? "the device has no more)"
              : "cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize allows up to " +
                    std::to_string(shared_block_limit()) + ")");
}

std::mutex layouts_mutex;
std::atomic<std::uint64_t> layout_changes{1};  // variables that were placed; changes under the mutex
std::unordered_map<const void*, Layout>& layouts() {
  static auto* all = new std::unordered_map<const void*, Layout>;
  return *all;
}

std::atomic<int> sites{0};

// What a kernel of the program asks for. Not more, so that running past the end faults at once where it can.
std::atomic<std::size_t> dynamic_alignment{128};

}  // namespace

std::size_t shared_block_limit() {
  return chosen_profile() ? chosen_profile()->shared_per_block : largest_shared_block_limit;
}

int new_shared_site() { return sites++; }

DynamicAlignment::DynamicAlignment(std::size_t bytes) noexcept {
  std::size_t wanted = dynamic_alignment;
  while (wanted < bytes && wanted < max_dynamic_alignment) wanted *= 2;
  if (wanted > dynamic_alignment) dynamic_alignment = wanted;
}

SharedMemory::SharedMemory() {
  void* memory = mmap(nullptr, static_area + page + dynamic_area + page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  arena_ = static_cast<std::byte*>(memory);
  if (mprotect(arena_, static_area, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(arena_ + static_area + page, dynamic_area, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, static_area + page + dynamic_area + page);
    throw std::bad_alloc();
  }
}

SharedMemory::~SharedMemory() { munmap(arena_, static_area + page + dynamic_area + page); }

const std::byte* SharedMemory::dynamic_end() const { return arena_ + static_area + page + dynamic_area; }

const std::byte* SharedMemory::guard_page() const { return arena_ + static_area; }

std::size_t SharedMemory::bytes() { return static_area + page + dynamic_area + page; }

void SharedMemory::prepare(const Launch& launch, const void* kernel, bool gaps) {
  gaps_ = gaps;
  dynamic_bytes_ = launch.dynamic_shared_bytes;
  const std::size_t alignment = dynamic_alignment.load(std::memory_order_relaxed);
  dynamic_ =
      arena_ + static_area + page + dynamic_area - ((dynamic_bytes_ + alignment - 1) & ~(alignment - 1));
  // A kernel that is launched again and again finds its layout as it left it.
  if (kernel != kernel_ || launch.address != kernel || seen_changes_ != layout_changes.load() ||
      slots_.size() < static_cast<std::size_t>(sites.load()))
    lay_out(kernel, launch.address);
  launched_ = launch.address;
  guard_slack();
  current_block.shared_slots = slots_.data();
  current_block.dynamic_shared = dynamic_;
  current_block.shared_begin = arena_;
  current_block.shared_bytes = shared_window_end - shared_window + page;  // with the page after it
  current_block.dynamic_window =
      shared_window_end - static_cast<unsigned>(arena_ + static_area + page + dynamic_area - dynamic_);
}

void SharedMemory::lay_out(const void* kernel, const void* launched) {
  for (int site : used_) slots_[static_cast<std::size_t>(site)] = nullptr;
  used_.clear();
  slots_.resize(std::max(slots_.size(), static_cast<std::size_t>(sites.load())));
  kernel_ = kernel;
  const std::lock_guard lock(layouts_mutex);
  seen_changes_ = layout_changes.load();
  // What records a launch is other code: the limit was set for the kernel itself.
  if (kernel != launched)
    if (const auto original = layouts().find(launched); original != layouts().end()) {
      const auto [limit, is_set] = std::pair(original->second.dynamic_limit, original->second.limit_set);
      Layout& recording = layouts()[kernel];
      recording.dynamic_limit = limit;
      recording.limit_set = is_set;
    }
  const auto known = layouts().find(kernel);
  end_ = known == layouts().end() ? 0 : known->second.end;
  if (known == layouts().end()) return;
  for (const Placed& placed : known->second.placed) {
    slots_[static_cast<std::size_t>(placed.site)] = arena_ + placed.offset;
    used_.push_back(placed.site);
  }
}

void SharedMemory::close() {
  mprotect(arena_, static_area, PROT_NONE);
  mprotect(arena_ + static_area + page, dynamic_area, PROT_NONE);
  closed_ = true;
}

void SharedMemory::open() {
  if (!closed_) return;
  mprotect(arena_, static_area, PROT_READ | PROT_WRITE);
  mprotect(arena_ + static_area + page, dynamic_area, PROT_READ | PROT_WRITE);
  closed_ = false;
}

void SharedMemory::poison_block() {
  if (end_ != 0) poison(arena_, (end_ + 3) & ~std::size_t{3});
  if (dynamic_bytes_ != 0) poison(dynamic_, (dynamic_bytes_ + 3) & ~std::size_t{3});
}

void SharedMemory::guard_slack() {
  const std::size_t used = (dynamic_bytes_ + 3) & ~std::size_t{3};
  const auto room = static_cast<std::size_t>(dynamic_end() - dynamic_);
  // Not of 0 bytes: beside a page that can't be touched that takes as long as half an empty launch.
  if (used != room) std::memset(dynamic_ + used, slack_byte, room - used);
}

const std::byte* SharedMemory::overwritten_slack() const {
  const std::byte* const begin = dynamic_ + ((dynamic_bytes_ + 3) & ~std::size_t{3});
  const auto bytes = static_cast<std::size_t>(dynamic_end() - begin);
  constexpr std::byte expected{slack_byte};
  // After each block, so it is quick: all bytes are equal to the ones before them.
  if (bytes == 0 || (*begin == expected && std::memcmp(begin, begin + 1, bytes - 1) == 0)) return nullptr;
  return std::find_if(begin, dynamic_end(), [](std::byte byte) { return byte != expected; });
}

void* SharedMemory::place(int site, std::size_t bytes, std::size_t alignment, const char* name,
                          const char* file, int line) {
  if (site < 0 || static_cast<std::size_t>(site) >= slots_.size())
    device_fault(cudaErrorLaunchFailure, "the number of a __shared__ variable is overwritten");
  if (bytes > std::size_t{1} << 40 || alignment > page || (alignment & (alignment - 1)) != 0)
    device_fault(cudaErrorLaunchFailure, "what a __shared__ variable asks for is overwritten");
  std::size_t offset = 0, end = 0;
  std::string too_much;
  {
    const std::lock_guard lock(layouts_mutex);
    Layout& layout = layouts()[kernel_];
    const auto known = std::find_if(layout.placed.begin(), layout.placed.end(),
                                    [&](const Placed& p) { return p.site == site; });
    if (known != layout.placed.end()) {  // placed by another OS thread meanwhile
      offset = known->offset;
    } else {
      const std::size_t to = std::max(alignment, std::size_t{16});
      const std::size_t packed = (layout.static_bytes + to - 1) / to * to + bytes;
      offset = (layout.end + (gaps_ && layout.end != 0 ? gap : 0) + to - 1) / to * to;
      if (offset + bytes > static_area) offset = (layout.end + to - 1) / to * to;
      if (packed > shared_static_limit) {
        end = packed;
      } else {
        layout.static_bytes = packed;
        layout.end = offset + bytes;
        layout.placed.push_back({site, offset, bytes, name});
        ++layout_changes;
        Layout launched = layouts()[launched_];
        // It was within its limit when it was launched; a later launch may have another one since.
        launched.dynamic_limit = std::max(launched.dynamic_limit, dynamic_bytes_);
        too_much = problem_of(layout, launched, dynamic_bytes_);
      }
    }
    end_ = layout.end;
  }
  if (end != 0)
    device_fault(cudaErrorInvalidConfiguration,
                 "'%s' (%s:%d) takes the kernel's static shared memory to %zu bytes, more than the 49152 "
                 "that nvcc allows; use dynamic shared memory for more",
                 name, file, line, end);
  if (!too_much.empty())  // a GPU knows static sizes before it launches
    device_fault(cudaErrorInvalidValue, "the launch would be refused: %s", too_much.c_str());
  std::byte* address = arena_ + offset;
  poison(address, (bytes + 3) & ~std::size_t{3});
  slots_[static_cast<std::size_t>(site)] = address;
  used_.push_back(site);
  return address;
}

std::vector<SharedMemory::Variable> SharedMemory::variables() const {
  const std::lock_guard lock(layouts_mutex);
  std::vector<Variable> all;
  if (const auto known = layouts().find(kernel_); known != layouts().end())
    for (const Placed& placed : known->second.placed)
      all.push_back({placed.name, arena_ + placed.offset, placed.bytes});
  return all;
}

SharedMemory::Region SharedMemory::region_of(const void* address) const noexcept {
  const auto* p = static_cast<const std::byte*>(address);
  if (p >= arena_ && p < arena_ + static_area + page / 2) return Region::static_variables;
  if (p >= arena_ + static_area + page / 2 && p < arena_ + static_area + page + dynamic_area + page)
    return Region::dynamic;
  return Region::none;
}

bool SharedMemory::holds(const void* address, std::size_t bytes) const {
  const auto* p = static_cast<const std::byte*>(address);
  const auto within = [&](const std::byte* begin, std::size_t size) {
    return p >= begin && p < begin + size && bytes <= static_cast<std::size_t>(begin + size - p);
  };
  if (within(arena_, end_) || within(dynamic_, dynamic_bytes_)) return true;
  // A block that runs beside this one may have placed variables that this one has not come to yet.
  const std::lock_guard lock(layouts_mutex);
  const auto known = layouts().find(kernel_);
  return known != layouts().end() && within(arena_, known->second.end);
}

std::string shared_memory_problem(const void* address, std::size_t dynamic_bytes) {
  const std::lock_guard lock(layouts_mutex);
  static const Layout unknown;
  const auto known = layouts().find(address);
  const Layout& layout = known == layouts().end() ? unknown : known->second;
  return problem_of(layout, layout, dynamic_bytes);
}

std::size_t static_shared_bytes(const void* address) {
  const std::lock_guard lock(layouts_mutex);
  const auto known = layouts().find(address);
  return known == layouts().end() ? 0 : known->second.static_bytes;
}

bool allow_dynamic_shared(const void* address, std::size_t bytes) {
  const std::lock_guard lock(layouts_mutex);
  Layout& layout = layouts()[address];
  if (bytes + layout.static_bytes > shared_block_limit()) return false;
  layout.dynamic_limit = std::max(bytes, shared_static_limit);
  layout.limit_set = true;
  return true;
}

void inherit_dynamic_limit(const void* code, const void* kernel) {
  const std::lock_guard lock(layouts_mutex);
  const auto known = layouts().find(kernel);
  if (known == layouts().end() || !known->second.limit_set) return;
  const std::size_t limit = known->second.dynamic_limit;
  Layout& layout = layouts()[code];
  layout.dynamic_limit = limit;
  layout.limit_set = true;
}

std::size_t allowed_dynamic_shared(const void* address) {
  const std::lock_guard lock(layouts_mutex);
  const auto known = layouts().find(address);
  return known == layouts().end() ? shared_static_limit : known->second.dynamic_limit;
}

}  // namespace warplab::emulator
