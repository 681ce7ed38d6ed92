#include "emulator/src/recorder/cost.hpp"

#include <algorithm>
#include <bit>

#include "emulator/src/recorder/warp.hpp"

namespace warplab::emulator::lens {
namespace {

constexpr unsigned lanes = warp_size, banks = 32, word_bytes = 4, sector_bytes = 32, wavefront_bytes = 128;

unsigned lane_count(const WarpRequest& request) { return static_cast<unsigned>(std::popcount(request.mask)); }

unsigned rounded_up(unsigned bytes, unsigned unit) { return (bytes + unit - 1) / unit; }

template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(lowest(mask));
}

/// Counts distinct values. Most requests bring them in ascending order, which costs one comparison each.
class Distinct {
 public:
  void add(std::uint64_t value) {
    if (size_ > 0 && values_[size_ - 1] == value) return;
    ascending_ = ascending_ && (size_ == 0 || values_[size_ - 1] < value);
    values_[size_++] = value;
  }
  unsigned count() {
    if (!ascending_) {
      std::sort(values_.begin(), values_.begin() + size_);
      size_ = static_cast<unsigned>(std::unique(values_.begin(), values_.begin() + size_) - values_.begin());
      ascending_ = true;
    }
    return size_;
  }

 private:
  std::array<std::uint64_t, 4 * lanes> values_;  // 16 bytes of a lane may be 4 words apart
  unsigned size_ = 0;
  bool ascending_ = true;
};

/// Distinct pieces of so many bytes, known here so that none divides, that the request touches.
template <std::uint64_t bytes>
unsigned distinct_pieces(const WarpRequest& request) {
  Distinct pieces;
  for_each_lane(request.mask, [&](unsigned lane) {
    const std::uint64_t first = request.address[lane] / bytes;
    const std::uint64_t last = (request.address[lane] + request.bytes - 1) / bytes;
    pieces.add(first);
    if (last != first) pieces.add(last);
  });
  return pieces.count();
}
unsigned distinct_sectors(const WarpRequest& request) { return distinct_pieces<sector_bytes>(request); }

/// The most distinct words that these lanes want of one bank: wavefronts, if they go together.
unsigned conflicts(const WarpRequest& request, std::uint32_t mask) {
  std::array<std::uint64_t, 4 * lanes> word;
  std::array<std::uint8_t, 4 * lanes> next;
  std::array<std::uint8_t, banks> head, length;
  std::uint32_t used = 0;
  unsigned size = 0, most = 0;
  const auto add = [&](std::uint64_t value) {
    const auto bank = static_cast<unsigned>(value % banks);
    if (used >> bank & 1) {
      for (unsigned i = head[bank], left = length[bank]; left > 0; --left, i = next[i])
        if (word[i] == value) return;
    } else {
      used |= 1u << bank;
      length[bank] = 0;
      head[bank] = 0;
    }
    word[size] = value;
    next[size] = head[bank];
    head[bank] = static_cast<std::uint8_t>(size++);
    most = std::max<unsigned>(most, ++length[bank]);
  };
  for_each_lane(mask, [&](unsigned lane) {
    const std::uint64_t last = (request.address[lane] + request.bytes - 1) / word_bytes;
    for (std::uint64_t value = request.address[lane] / word_bytes; value <= last; ++value) add(value);
  });
  return most;
}

/// Whether every two lanes `distance` apart read the same, or one of them nothing.
bool neighbours_agree(const WarpRequest& request, std::uint32_t mask, unsigned distance) {
  bool agree = true;
  for_each_lane(mask, [&](unsigned lane) {
    const unsigned other = lane ^ distance;
    if (mask >> other & 1) agree = agree && request.address[lane] == request.address[other];
  });
  return agree;
}

constexpr std::uint32_t lanes_from(unsigned first, unsigned count) {
  return (count == lanes ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1) << first;
}

/// Lanes that go together: all, half of them or a quarter.
unsigned lanes_a_part(std::uint32_t bytes) { return bytes <= 4 ? lanes : bytes == 8 ? lanes / 2 : lanes / 4; }

SharedCost with_ideal(const WarpRequest& request, unsigned wavefronts) {
  return {wavefronts, std::min(wavefronts, rounded_up(lane_count(request) * request.bytes, wavefront_bytes))};
}

}  // namespace

std::uint32_t common_width(const WarpRequest& request) {
  const std::uint64_t first = request.address[lowest(request.mask)];
  std::uint64_t differing = 0;
  for_each_lane(request.mask, [&](unsigned lane) { differing |= request.address[lane] ^ first; });
  std::uint32_t width = 16;
  while (width > request.bytes && (differing & (width - 1)) != 0) width /= 2;
  return width;
}

unsigned distinct_lines(const WarpRequest& request) { return distinct_pieces<wavefront_bytes>(request); }

GlobalCost global_cost(const WarpRequest& request) {
  const unsigned sectors = distinct_sectors(request);
  return {sectors, std::min(sectors, rounded_up(lane_count(request) * request.bytes, sector_bytes))};
}

SharedCost shared_load_cost(const WarpRequest& request) {
  const unsigned part = lanes_a_part(request.bytes);
  if (part == lanes) return with_ideal(request, conflicts(request, request.mask));
  unsigned wavefronts = 0;
  for (unsigned first = 0; first < lanes; first += 2 * part) {
    const std::uint32_t low = request.mask & lanes_from(first, part);
    const std::uint32_t high = request.mask & lanes_from(first + part, part);
    const std::uint32_t both = low | high;
    const bool together = low != 0 && high != 0 &&
                          (neighbours_agree(request, both, 1) || neighbours_agree(request, both, 2)) &&
                          conflicts(request, both) == 1;
    wavefronts += together ? 1 : conflicts(request, low) + conflicts(request, high);
  }
  return with_ideal(request, wavefronts);
}

SharedCost shared_store_cost(const WarpRequest& request) {
  const unsigned part = lanes_a_part(request.bytes);
  unsigned wavefronts = 0;
  for (unsigned first = 0; first < lanes; first += part)
    wavefronts += conflicts(request, request.mask & lanes_from(first, part));
  return with_ideal(request, wavefronts);
}

unsigned constant_addresses(const WarpRequest& request) {
  Distinct addresses;
  for_each_lane(request.mask, [&](unsigned lane) { addresses.add(request.address[lane]); });
  return addresses.count();
}

unsigned local_sectors(const WarpRequest& request) {
  Distinct sectors;
  for_each_lane(request.mask, [&](unsigned lane) {
    const std::uint64_t last = (request.address[lane] + request.bytes - 1) / word_bytes;
    for (std::uint64_t word = request.address[lane] / word_bytes; word <= last; ++word)
      sectors.add((word * lanes + lane) * word_bytes / sector_bytes);
  });
  return sectors.count();
}

AtomicCost atomic_cost(const WarpRequest& request) {
  AtomicCost cost;
  cost.sectors = distinct_sectors(request);
  std::array<std::uint64_t, lanes> sorted;
  unsigned size = 0;
  for_each_lane(request.mask, [&](unsigned lane) { sorted[size++] = request.address[lane]; });
  std::sort(sorted.begin(), sorted.begin() + size);
  for (unsigned i = 0, run = 0; i < size; ++i) {
    run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
    cost.addresses += run == 1;
    cost.max_on_one_address = std::max(cost.max_on_one_address, run);
  }
  return cost;
}

}  // namespace warplab::emulator::lens
