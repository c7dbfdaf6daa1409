#include "variance/sources/splits.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline sources {
namespace {

using RowNumbers = std::vector<std::uint32_t>;
constexpr std::uint64_t max_redraws = 100;

RowNumbers draw_rows(const RowNumbers& rows, std::uint32_t count, Stream& draws) {
  RowNumbers drawn(count);
  for (auto& row : drawn) row = rows[bounded(draws.next(), rows.size())];
  return drawn;
}

RowNumbers without(const RowNumbers& rows, RowNumbers drawn) {
  std::ranges::sort(drawn);
  RowNumbers rest;
  std::ranges::copy_if(rows, std::back_inserter(rest),
                       [&](std::uint32_t row) { return !std::ranges::binary_search(drawn, row); });
  return rest;
}

/// Train, validation and test rows out of `rows`; absent if a set that needs rows finds none left.
std::optional<Split> try_split(const RowNumbers& rows, SplitSizes sizes, Stream draws) {
  Split split;
  RowNumbers rest = rows;
  const auto take = [&](RowNumbers& into, std::uint32_t count) {
    if (count > 0 && rest.empty()) return false;
    into = draw_rows(rest, count, draws);
    rest = without(rest, into);
    return true;
  };
  if (take(split.train, sizes.train) && take(split.valid, sizes.valid) && take(split.test, sizes.test)) return split;
  return std::nullopt;
}

std::optional<Split> split_of(const RowNumbers& rows, SplitSizes sizes, std::uint64_t key, std::uint64_t first_index) {
  for (std::uint64_t redraw = 0; redraw <= max_redraws; ++redraw)
    if (auto split = try_split(rows, sizes, Stream(key, first_index + redraw))) return split;
  return std::nullopt;
}

void append(RowNumbers& all, const RowNumbers& some) {
  all.insert(all.end(), some.begin(), some.end());
}

std::vector<RowNumbers> rows_of_classes(std::span<const std::uint16_t> classes) {
  std::vector<RowNumbers> rows(classes.empty() ? std::size_t{0} : std::size_t{*std::ranges::max_element(classes)} + 1);
  for (std::size_t row = 0; row < classes.size(); ++row) rows[classes[row]].push_back(static_cast<std::uint32_t>(row));
  return rows;
}

}  // namespace

std::vector<std::uint32_t> largest_remainder(std::uint32_t total, std::span<const std::uint32_t> sizes) {
  const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  if (all == 0) throw InvalidInput("sizes", "0", "at least one row");
  std::vector<std::uint32_t> shares(sizes.size());
  std::vector<std::uint64_t> remainders(sizes.size());
  std::uint64_t left = total;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const std::uint64_t product = std::uint64_t{total} * sizes[c];
    shares[c] = static_cast<std::uint32_t>(product / all);
    remainders[c] = product % all;
    left -= shares[c];
  }
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return remainders[c]; });
  for (std::size_t i = 0; i < left; ++i) ++shares[order[i]];
  return shares;
}

Split stratified_oob(std::span<const std::uint16_t> classes, SplitSizes sizes, std::uint64_t seed) {
  require_at_least("classes", static_cast<std::int64_t>(classes.size()), 1);
  require_at_least("n_train", sizes.train, 1);
  const auto rows = rows_of_classes(classes);
  std::vector<std::uint32_t> counts;
  for (const RowNumbers& of_class : rows) counts.push_back(static_cast<std::uint32_t>(of_class.size()));
  const auto train = largest_remainder(sizes.train, counts), valid = largest_remainder(sizes.valid, counts),
             test = largest_remainder(sizes.test, counts);
  const std::uint64_t key = derive(seed, "split");
  Split all;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const auto split = split_of(rows[c], {train[c], valid[c], test[c]}, key, std::uint64_t{c} << 32);
    if (!split)
      throw InvalidInput("classes", "class " + std::to_string(c) + " with " + std::to_string(counts[c]) + " rows",
                         "enough rows to leave some for every set");
    append(all.train, split->train);
    append(all.valid, split->valid);
    append(all.test, split->test);
  }
  return all;
}

}  // namespace retrial::variance::inline sources
