#include "report/published/published_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

/// Times nearer to each other than this are the same: clocks differ by more from run to run.
constexpr double same_within = 0.03;

struct Pair {
  double faster_ms, than_ms;
  double ratio;  ///< above 1 where the claim holds; for each element, where the inputs differ in size
};

std::optional<Pair> pair_of(const PublishedClaim& claim, std::size_t i, const std::vector<Run>& runs,
                            const std::string& lab) {
  const Row* const faster = row_of(runs, lab, claim.faster.table, claim.faster.rows[i]);
  const Row* const than = row_of(runs, lab, claim.than.table, claim.than.rows[i]);
  if (!faster || !than) return std::nullopt;
  const auto a = measured_ms(*faster, claim.faster.of), b = measured_ms(*than, claim.than.of);
  if (!a || !b || *a <= 0 || *b <= 0) return std::nullopt;
  const double share = elements_of(*than) > 0 ? elements_of(*faster) / elements_of(*than) : 1;
  return Pair{*a, *b, *b * share / *a};
}

std::string times_text(double ratio) { return fmt::format("{:.3g}", ratio); }

bool is_ahead(const Pair& pair) { return pair.ratio > 1 + same_within; }

bool holds(const PublishedClaim& claim, const Pair& pair) {
  return is_ahead(pair) && (!claim.at_least || pair.ratio >= *claim.at_least * (1 - same_within)) &&
         (!claim.at_most || pair.ratio <= *claim.at_most * (1 + same_within));
}

/// " (said: at least 10)", where the document gives a factor.
std::string said(const PublishedClaim& claim) {
  std::string text;
  if (claim.at_least) text += ", at least " + times_text(*claim.at_least);
  if (claim.at_most) text += ", at most " + times_text(*claim.at_most);
  return text.empty() ? "" : " (said: " + text.substr(2) + ")";
}

std::string verdict_on_one(const PublishedClaim& claim, const Pair& pair) {
  const std::string both = time_text(pair.faster_ms) + " against " + time_text(pair.than_ms);
  if (std::abs(pair.ratio - 1) <= same_within)
    return fmt::format("Here it does not hold: {} are the same within {:.0f} %.", both, 100 * same_within);
  if (!is_ahead(pair))
    return fmt::format("Here it is the other way round: {}, {} times as slow.", both,
                       times_text(1 / pair.ratio));
  return fmt::format("Here {}: {}, {} times as fast{}.",
                     holds(claim, pair) ? "it holds" : "the order holds, but not the factor", both,
                     times_text(pair.ratio), said(claim));
}

std::string range_text(double low, double high) {
  const std::string from = times_text(low), to = times_text(high);
  return from == to ? from : from + " to " + to;
}

}  // namespace

std::string claim_verdict(const PublishedClaim& claim, const std::vector<Run>& runs, const std::string& lab) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < claim.faster.rows.size(); ++i)
    if (const auto pair = pair_of(claim, i, runs, lab)) pairs.push_back(*pair);
  if (pairs.empty()) return "Not measured here.";
  if (pairs.size() == 1 && claim.faster.rows.size() == 1) return verdict_on_one(claim, pairs[0]);
  const auto right = std::ranges::count_if(pairs, [&](const Pair& pair) { return holds(claim, pair); });
  const auto [least, most] = std::ranges::minmax(pairs, {}, &Pair::ratio);
  return fmt::format("Here it holds in {} of {} rows: the times' ratio is {}{}.", right, pairs.size(),
                     range_text(least.ratio, most.ratio), said(claim));
}

std::string claims_html(const PublishedTable& table, const std::vector<Run>& runs, const std::string& lab) {
  std::string items;
  for (const PublishedClaim& claim : table.claims)
    items += fmt::format("<li>The document: {} <b>{}</b></li>\n", escaped(claim.says),
                         escaped(claim_verdict(claim, runs, lab)));
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

}  // namespace warplab::report
