#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/numbers/check.hpp"
#include "variance/numbers/dense.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/ties.hpp"
#include "variance/tables/table_with_holes.hpp"

namespace retrial::variance::inline tables {
namespace {

/// The scores of one data set and the methods that they belong to.
struct BlockWithHoles {
  std::vector<std::size_t> methods;
  std::vector<double> scores;
};

std::vector<BlockWithHoles> blocks_of(const TableWithHoles& table) {
  std::vector<BlockWithHoles> blocks;
  for (const auto& row : table.rows) {
    BlockWithHoles block;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j]) {
        block.methods.push_back(j);
        block.scores.push_back(*row[j]);
      }
    if (block.scores.size() > 1) blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Methods that a chain of blocks links have the same number.
std::vector<std::size_t> linked_parts(std::size_t methods, const std::vector<BlockWithHoles>& blocks) {
  std::vector<std::size_t> part(methods);
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (const BlockWithHoles& block : blocks) {
    const std::size_t kept = part[block.methods.front()];
    for (const std::size_t j : block.methods) std::ranges::replace(part, std::size_t{part[j]}, kept);
  }
  return part;
}

void require_holes(const TableWithHoles& table) {
  require_at_least("methods", std::ssize(table.methods), 2);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string field = "rows[" + std::to_string(i) + "]";
    if (table.rows[i].size() != table.methods.size())
      throw InvalidInput(field, std::to_string(table.rows[i].size()) + " scores",
                         "one or a hole for each of " + std::to_string(table.methods.size()) + " methods");
    for (std::size_t j = 0; j < table.rows[i].size(); ++j)
      if (const auto& score = table.rows[i][j]; score && !std::isfinite(*score))
        throw InvalidInput(field + "[" + std::to_string(j) + "]", shortest(*score), "finite numbers");
  }
  const auto blocks = blocks_of(table);
  require_at_least("data sets with two scores", std::ssize(blocks), 2);
  const auto part = linked_parts(table.methods.size(), blocks);
  for (std::size_t j = 1; j < part.size(); ++j)
    if (part[j] != part[0])
      throw InvalidInput("methods", table.methods[0] + " and " + table.methods[j],
                         "methods that data sets with scores of both link, directly or through other methods");
}

double holes_tolerance(const TableWithHoles& table) {
  double largest = 0.0;
  for (const BlockWithHoles& block : blocks_of(table)) largest = std::max(largest, tie_tolerance({}, block.scores));
  return largest;
}

/// A block in ranks, 1 = best.
struct RankedBlock {
  std::vector<std::size_t> methods;
  std::vector<double> centred;  ///< weighted distance of each rank from the mean rank
  double share = 0.0;           ///< share of the variance of untied ranks: 0 if all are tied
};

RankedBlock in_ranks(const BlockWithHoles& block, double tolerance) {
  std::vector<double> worst_first(block.scores);
  for (double& x : worst_first) x = -x;
  const auto doubled = doubled_midranks(worst_first, tolerance);
  const double k = static_cast<double>(doubled.size()), weight = std::sqrt(12.0 / (k + 1.0));
  RankedBlock out{.methods = block.methods, .share = 1.0 - tie_term(doubled) / (k * k * k - k)};
  for (const std::int64_t rank : doubled) out.centred.push_back(weight * (static_cast<double>(rank) - (k + 1.0)) / 2.0);
  return out;
}

std::vector<RankedBlock> ranked_blocks(const TableWithHoles& table) {
  const double tolerance = holes_tolerance(table);
  std::vector<RankedBlock> out;
  for (const BlockWithHoles& block : blocks_of(table)) out.push_back(in_ranks(block, tolerance));
  return out;
}

std::vector<double> weighted_sums(std::size_t methods, const std::vector<RankedBlock>& blocks) {
  std::vector<double> sums(methods);
  for (const RankedBlock& block : blocks)
    for (std::size_t i = 0; i < block.methods.size(); ++i) sums[block.methods[i]] += block.centred[i];
  return sums;
}

/// Covariance of the sums: -share for each pair of methods in a block, rows adding up to 0.
Matrix covariance_of(std::size_t methods, const std::vector<RankedBlock>& blocks) {
  Matrix s(methods, methods);
  for (const RankedBlock& block : blocks)
    for (const std::size_t a : block.methods)
      for (const std::size_t b : block.methods)
        if (a != b) {
          s(a, b) -= block.share;
          s(a, a) += block.share;
        }
  return s;
}

/// One method of each part of the tied table gives way, so that the covariance of the others is positive definite.
std::vector<std::size_t> kept_methods(const TableWithHoles& table, const std::vector<RankedBlock>& ranks) {
  std::vector<BlockWithHoles> telling;
  const auto blocks = blocks_of(table);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (ranks[i].share > 0.0) telling.push_back(blocks[i]);
  const auto part = linked_parts(table.methods.size(), telling);
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < part.size(); ++j)
    if (std::ranges::find(part, part[j]) != part.begin() + static_cast<std::ptrdiff_t>(j)) kept.push_back(j);
  return kept;
}

}  // namespace

TestResult skillings_mack(const TableWithHoles& table) {
  require_holes(table);
  const auto blocks = ranked_blocks(table);
  const auto kept = kept_methods(table, blocks);
  if (kept.empty()) return {.method = "Skillings-Mack", .note = "all methods are tied on every data set"};
  const auto sums = weighted_sums(table.methods.size(), blocks);
  const Matrix all = covariance_of(table.methods.size(), blocks);
  Matrix s(kept.size(), kept.size());
  std::vector<double> a;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    a.push_back(sums[kept[i]]);
    for (std::size_t j = 0; j < kept.size(); ++j) s(i, j) = all(kept[i], kept[j]);
  }
  const auto factor = cholesky(std::move(s));
  if (!factor) throw NumericalFailure("skillings_mack", 1);
  const auto solved = solve(*factor, a);
  const double statistic = std::inner_product(a.begin(), a.end(), solved.begin(), 0.0);
  const double df = static_cast<double>(kept.size());
  return {.statistic = statistic, .df = df, .p_two = chi_squared_above(statistic, df), .method = "Skillings-Mack"};
}

std::vector<double> weighted_rank_sums(const TableWithHoles& table) {
  require_holes(table);
  return weighted_sums(table.methods.size(), ranked_blocks(table));
}

std::vector<PairOfMethods> pairs_with_holes(const TableWithHoles& table, Adjustment how) {
  require_holes(table);
  const double tolerance = holes_tolerance(table);
  std::vector<PairOfMethods> pairs;
  std::vector<double> p;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    for (std::size_t j = i + 1; j < table.methods.size(); ++j) {
      std::vector<double> differences;
      for (const auto& row : table.rows)
        if (row[i] && row[j]) differences.push_back(*row[i] - *row[j]);
      const Wilcoxon test = wilcoxon(differences, tolerance);
      pairs.push_back({.first = i,
                       .second = j,
                       .rows = std::ssize(differences),
                       .first_ahead = test.w_plus > test.w_minus,
                       .p = test.test.p_two});
      p.push_back(pairs.back().p);
    }
  p = adjusted(p, how);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].p_adjusted = p[i];
  return pairs;
}

}  // namespace retrial::variance::inline tables
