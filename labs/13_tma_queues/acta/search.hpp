#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warplab::acta {

/// What a search decides per queue, or per group of queues that are kept alike.
struct Choice {
  std::size_t tile = 0;  ///< elements
  int slots = 0;

  auto operator<=>(const Choice&) const = default;
};
using Choices = std::vector<Choice>;

/// All combinations: (tiles x slots)^queues.
struct SearchSpace {
  std::vector<std::size_t> tiles;
  std::vector<int> slots;
  int queues = 1;

  double combinations() const;
  std::string combinations_text() const;  ///< exact below 10^19, such as "262144000000000"
};

/// Time of a configuration in any one unit; infinity for one that cannot run.
using Cost = std::function<double(const Choices&)>;

/// Times of configurations, as a search leaves them.
using SearchTable = std::map<Choices, double>;

/// A table as CSV: "# about", a header tile_0,slots_0,...,time, and a row per configuration.
std::string to_csv(const SearchTable& table, const std::string& about);

/// A table that to_csv() wrote.
/// @param about what it must be about
/// @throws std::invalid_argument naming the file and the line
SearchTable read_search_table(const std::filesystem::path& file, const std::string& about);

/// Where a search keeps its table, and how far it goes.
struct SearchOptions {
  std::filesystem::path file;   ///< the table, kept up to date as the search goes; empty: none
  std::string about;            ///< kernel and GPU, so that no table is continued with another's times
  std::size_t save_every = 64;  ///< configurations between two writes of the file
  double limit = 1e6;           ///< most combinations to try
};

/// Tries every configuration that the table in the file does not have yet: an interrupted search goes on
/// where it was. The file is replaced atomically.
/// @throws std::invalid_argument if there are more combinations than the limit
SearchTable search_exhaustively(const SearchSpace& space, const Cost& cost,
                                const SearchOptions& options = {});

/// Improves one queue's choice at a time until none gets better: for spaces too large to try.
SearchTable descend(const SearchSpace& space, Choices start, const Cost& cost);

/// The fastest configuration of a table; of equals, the one that takes the least shared memory.
/// @throws std::invalid_argument if no configuration of the table can run
const SearchTable::value_type& best(const SearchTable& table);

}  // namespace warplab::acta
