#include "emulator/src/isolation/image.hpp"

#include <link.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "emulator/src/isolation/unwinding.hpp"

namespace warplab::emulator::isolation {
namespace {

struct Segment {
  std::uintptr_t begin, end;
  Image image;
  bool holds(std::uintptr_t address) const { return address - begin < end - begin; }
};

std::mutex mutex;
std::vector<std::uintptr_t>& guarded_modules() {
  static auto& all = *new std::vector<std::uintptr_t>;  // by an address in each
  return all;
}
/// The narrower first.
std::vector<Segment>& segments() {
  static auto& all = *new std::vector<Segment>;
  return all;
}

/// Where g++ keeps the address of what looks through frames for handlers. The linker leaves it among what may
/// be written to, and whoever throws goes there.
void add_personalities(std::uintptr_t begin, std::uintptr_t end) {
  constexpr std::uintptr_t word = sizeof(std::uintptr_t);
  for (std::uintptr_t at = (begin + word - 1) / word * word; at + word <= end; at += word)
    if (is_personality(*reinterpret_cast<const void* const*>(at)))
      segments().push_back({at, at + word, Image::constant});
}

int add_segments(dl_phdr_info* info, std::size_t, void*) {
  const auto in_module = [&](std::uintptr_t address) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& p = info->dlpi_phdr[i];
      if (p.p_type == PT_LOAD && address - (info->dlpi_addr + p.p_vaddr) < p.p_memsz) return true;
    }
    return false;
  };
  const bool guarded = std::any_of(guarded_modules().begin(), guarded_modules().end(), in_module);
  std::uintptr_t table = 0;  // where addresses of other modules' functions and variables begin
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (const auto& p = info->dlpi_phdr[i]; p.p_type == PT_DYNAMIC)
      for (auto* d = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + p.p_vaddr); d->d_tag != DT_NULL;
           ++d)
        if (d->d_tag == DT_PLTGOT) table = d->d_un.d_ptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr, end = begin + p.p_memsz;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_W) == 0)
      segments().push_back({begin, end, Image::constant});
    else if (p.p_type == PT_LOAD && guarded)
      segments().push_back({begin, end, Image::guarded}), add_personalities(begin, begin + p.p_filesz);
    else if (p.p_type == PT_GNU_RELRO && guarded)
      segments().push_back({begin, table > begin && table < end ? table : end, Image::constant});
    if (p.p_type == PT_GNU_RELRO && guarded && table > begin && table < end)
      segments().push_back({table, end, Image::linkage});
  }
  return 0;
}

void read_segments() {
  segments().clear();
  dl_iterate_phdr(add_segments, nullptr);
  std::stable_sort(segments().begin(), segments().end(),
                   [](const Segment& a, const Segment& b) { return a.end - a.begin < b.end - b.begin; });
}

Image find(std::uintptr_t address, std::size_t bytes) {
  bool constant = false;  // a part of it
  for (const Segment& segment : segments()) {
    if (segment.holds(address) && bytes <= segment.end - address)
      return constant && segment.image == Image::guarded ? Image::constant : segment.image;
    if (!segment.holds(address) && (segment.begin < address || segment.begin - address >= bytes)) continue;
    if (segment.image != Image::constant) return Image::none;
    constant = true;
  }
  return Image::none;
}

}  // namespace

Image image_at(std::uintptr_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex);
  return find(address, bytes);
}

void add_guarded_module(const void* inside) {
  const std::lock_guard lock(mutex);
  guarded_modules().push_back(reinterpret_cast<std::uintptr_t>(inside));
  read_segments();
}

}  // namespace warplab::emulator::isolation
