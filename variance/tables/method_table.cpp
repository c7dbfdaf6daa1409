#include "variance/tables/method_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "variance/groups/studentised_range.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/sample.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/tables/table_with_holes.hpp"

namespace retrial::variance::inline tables {
namespace {

struct Shape {
  double k, n;  ///< methods, data sets
};

Shape shape_of(const MethodTable& table) {
  return {static_cast<double>(table.methods.size()), static_cast<double>(table.rows.size())};
}

/// Scores no further apart are tied.
double table_tolerance(const MethodTable& table) {
  double largest = 0.0;
  for (const auto& row : table.rows) largest = std::max(largest, tie_tolerance({}, row));
  return largest;
}

/// Twice the rank of each score within its data set, 1 = best.
std::vector<std::vector<std::int64_t>> doubled_ranks(const MethodTable& table) {
  const double tolerance = table_tolerance(table);
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& row : table.rows) {
    std::vector<double> worst_first(row);
    for (double& x : worst_first) x = -x;
    result.push_back(doubled_midranks(worst_first, tolerance));
  }
  return result;
}

std::vector<std::int64_t> column_sums(const std::vector<std::vector<std::int64_t>>& ranks) {
  std::vector<std::int64_t> sums(ranks.front().size());
  for (const auto& row : ranks)
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
  return sums;
}

TestResult chi_squared_result(double statistic, double df, const char* method) {
  const double p = chi_squared_above(statistic, df);
  return {.statistic = statistic, .df = df, .p_two = p, .method = method};
}

TestResult f_result(double f, const Shape& s, const char* method) {
  const double between = s.k - 1.0, within = (s.k - 1.0) * (s.n - 1.0);
  return {.statistic = f, .df = between, .df_within = within, .p_two = f_above(f, between, within), .method = method};
}

TestResult f_of_chi_squared(const TestResult& chi, const Shape& s, const char* method) {
  if (!chi.statistic) return {.method = method, .note = chi.note};
  const double rest = s.n * (s.k - 1.0) - *chi.statistic;
  // All data sets rank alike: chi-squared is at its maximum up to rounding.
  const double f =
      rest <= 1e-12 * s.n * s.k ? std::numeric_limits<double>::infinity() : (s.n - 1.0) * *chi.statistic / rest;
  return f_result(f, s, method);
}

/// All rows have the ranks of the first: of the k! / (t1! t2! ...) orders of its ranks, with tie groups of size t, the
/// second and every further row has the same one, if each is as likely as the others.
double same_ranks_probability(const MethodTable& table) {
  std::map<std::int64_t, int> ties;
  for (const std::int64_t rank : doubled_midranks(table.rows.front(), table_tolerance(table))) ++ties[rank];
  double log_orders = std::lgamma(static_cast<double>(table.methods.size()) + 1.0);
  for (const auto& [rank, count] : ties) log_orders -= std::lgamma(count + 1.0);
  return std::exp(-static_cast<double>(table.rows.size() - 1) * log_orders);
}

}  // namespace

void require_table(const MethodTable& table) {
  require_at_least("methods", static_cast<std::int64_t>(table.methods.size()), 2);
  require_at_least("data sets", static_cast<std::int64_t>(table.rows.size()), 2);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string field = "rows[" + std::to_string(i) + "]";
    if (table.rows[i].size() != table.methods.size())
      throw InvalidInput(field, std::to_string(table.rows[i].size()) + " scores",
                         "one for each of " + std::to_string(table.methods.size()) + " methods");
    require_finite(field, table.rows[i]);
  }
}

Friedman friedman(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  const auto ranks = doubled_ranks(table);
  double squares = 0.0, ties = 0.0;
  for (const std::int64_t sum : column_sums(ranks)) {
    const double centred = static_cast<double>(sum) / 2.0 - s.n * (s.k + 1.0) / 2.0;
    squares += centred * centred;
  }
  for (const auto& row : ranks) ties += tie_term(row);
  const double chi = 12.0 / (s.n * s.k * (s.k + 1.0)) * squares, factor = 1.0 - ties / (s.n * (s.k * s.k * s.k - s.k));
  Friedman result{.uncorrected = chi_squared_result(chi, s.k - 1.0, "Friedman without tie correction")};
  if (factor <= 0.0) {
    result.corrected = {.method = "Friedman", .note = "all methods are tied on every data set"};
    return result;
  }
  result.corrected = chi_squared_result(chi / factor, s.k - 1.0, "Friedman");
  return result;
}

ImanDavenport iman_davenport(const MethodTable& table) {
  const Friedman chi = friedman(table);
  const Shape s = shape_of(table);
  TestResult corrected = f_of_chi_squared(chi.corrected, s, "Iman-Davenport");
  if (corrected.statistic && std::isinf(*corrected.statistic)) {
    corrected.p_two = same_ranks_probability(table);
    corrected.exact = true;
    corrected.note =
        "all data sets rank the methods alike: F is infinite, and p is exact, the share of all orders of "
        "the ranks within each data set that agree as much";
  }
  return {.corrected = std::move(corrected),
          .uncorrected = f_of_chi_squared(chi.uncorrected, s, "Iman-Davenport without tie correction")};
}

TestResult aligned_ranks(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  std::vector<double> aligned;
  for (const auto& row : table.rows)
    for (const double x : row) aligned.push_back(*mean(row) - x);
  const auto ranks = doubled_midranks(aligned, table_tolerance(table));
  const std::size_t k = table.methods.size();
  std::vector<double> columns(k), rows(table.rows.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    columns[i % k] += static_cast<double>(ranks[i]) / 2.0;
    rows[i / k] += static_cast<double>(ranks[i]) / 2.0;
  }
  double of_columns = 0.0, of_rows = 0.0;
  for (const double sum : columns) of_columns += sum * sum;
  for (const double sum : rows) of_rows += sum * sum;
  const double kn = s.k * s.n, above = of_columns - s.k * s.n * s.n / 4.0 * (kn + 1.0) * (kn + 1.0);
  const double below = kn * (kn + 1.0) * (2.0 * kn + 1.0) / 6.0 - of_rows / s.k;
  return chi_squared_result((s.k - 1.0) * above / below, s.k - 1.0, "Friedman's aligned ranks");
}

TestResult quade(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  std::vector<double> ranges;
  for (const auto& row : table.rows) {
    const auto [low, high] = std::ranges::minmax(row);
    ranges.push_back(high - low);
  }
  const auto weights = doubled_midranks(ranges, table_tolerance(table));
  const auto ranks = doubled_ranks(table);
  std::vector<double> columns(table.methods.size());
  double all = 0.0, between = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double score =
          static_cast<double>(weights[i]) / 2.0 * (static_cast<double>(ranks[i][j]) / 2.0 - (s.k + 1.0) / 2.0);
      columns[j] += score;
      all += score * score;
    }
  for (const double sum : columns) between += sum * sum / s.n;
  if (all == 0.0) return {.method = "Quade", .note = "all methods are tied on every data set"};
  const double rest = all - between;
  const double f = rest <= 1e-12 * all ? std::numeric_limits<double>::infinity() : (s.n - 1.0) * between / rest;
  return f_result(f, s, "Quade");
}

std::vector<double> mean_ranks(const MethodTable& table) {
  require_table(table);
  std::vector<double> result;
  for (const std::int64_t sum : column_sums(doubled_ranks(table)))
    result.push_back(static_cast<double>(sum) / 2.0 / static_cast<double>(table.rows.size()));
  return result;
}

std::optional<double> kendall_w(const MethodTable& table) {
  const TestResult chi = friedman(table).corrected;
  if (!chi.statistic) return std::nullopt;
  const Shape s = shape_of(table);
  return std::min(1.0, *chi.statistic / (s.n * (s.k - 1.0)));
}

std::span<const OmnibusTest> all_omnibus_tests() {
  static const std::vector<OmnibusTest> rows{
      {"iman_davenport", "do all methods rank alike over the data sets?",
       "three or more methods on several data sets: the default omnibus test",
       [](const MethodTable& table) { return iman_davenport(table).corrected; },
       [](const MethodTable& table) { return iman_davenport(table).uncorrected; }},
      {"friedman", "do all methods rank alike over the data sets?",
       "the same by chi-squared, too conservative with few data sets; for comparison with the literature",
       [](const MethodTable& table) { return friedman(table).corrected; },
       [](const MethodTable& table) { return friedman(table).uncorrected; }},
      {"aligned_ranks", "do all methods rank alike, after each data set's mean is subtracted?",
       "few methods (up to five) whose scores are comparable between data sets", aligned_ranks},
      {"quade", "do all methods rank alike, with more weight on data sets of wide range?",
       "few methods; data sets differ in how well they separate methods", quade},
      {.name = "cochran_q",
       .asks = "are all methods right equally often?",
       .when = "three or more trained models on the same test items, 0 or 1 per item",
       .run = cochran_q,
       .bits = true},
      {.name = "skillings_mack",
       .asks = "do all methods rank alike over the data sets that each of them has?",
       .when = "a table with holes: methods without a score on some data sets, for reasons other than the score itself",
       .run =
           [](const MethodTable& table) {
             TableWithHoles full{.methods = table.methods, .rows = {}};
             for (const auto& row : table.rows) full.rows.emplace_back(row.begin(), row.end());
             return skillings_mack(full);
           },
       .holes = true},
  };
  return rows;
}

const OmnibusTest* find_omnibus(std::string_view name) {
  const auto rows = all_omnibus_tests();
  const auto found = std::ranges::find(rows, name, &OmnibusTest::name);
  return found == rows.end() ? nullptr : &*found;
}

double nemenyi_distance(std::int64_t methods, std::int64_t data_sets, double alpha) {
  require_between("alpha", alpha, 0.0, 1.0);
  require_at_least("methods", methods, 2);
  require_at_least("data sets", data_sets, 2);
  const double k = static_cast<double>(methods), n = static_cast<double>(data_sets);
  const double q = studentised_range_quantile(1.0 - alpha, methods, std::numeric_limits<double>::infinity());
  return q / std::sqrt(2.0) * std::sqrt(k * (k + 1.0) / (6.0 * n));
}

std::vector<std::vector<std::size_t>> rank_groups(const std::vector<double>& ranks, double distance) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return ranks[i] != ranks[j] ? ranks[i] < ranks[j] : i < j; });
  std::vector<std::vector<std::size_t>> groups;
  std::size_t reached = 0;  // end of the previous group
  for (std::size_t first = 0; first < order.size(); ++first) {
    std::size_t end = first + 1;
    while (end < order.size() && ranks[order[end]] - ranks[order[first]] <= distance) ++end;
    if (end - first < 2 || end <= reached) continue;
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                        order.begin() + static_cast<std::ptrdiff_t>(end));
    reached = end;
  }
  return groups;
}

std::vector<MethodPair> method_pairs(const MethodTable& table, Adjustment how) {
  const auto ranks = mean_ranks(table);
  const Shape s = shape_of(table);
  const double se = std::sqrt(s.k * (s.k + 1.0) / (6.0 * s.n)), tolerance = table_tolerance(table);
  std::vector<MethodPair> result;
  std::vector<double> of_ranks, of_wilcoxon;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = i + 1; j < ranks.size(); ++j) {
      std::vector<double> differences;
      for (const auto& row : table.rows) differences.push_back(row[i] - row[j]);
      const double z = (ranks[i] - ranks[j]) / se;
      const Wilcoxon signed_ranks = wilcoxon(differences, tolerance);
      result.push_back({.first = i,
                        .second = j,
                        .z = z,
                        .p_ranks = 2.0 * normal_cdf(-std::fabs(z)),
                        .p_wilcoxon = signed_ranks.test.p_two,
                        .first_ahead = signed_ranks.w_plus > signed_ranks.w_minus});
      of_ranks.push_back(result.back().p_ranks);
      of_wilcoxon.push_back(result.back().p_wilcoxon);
    }
  of_ranks = adjusted(of_ranks, how);
  of_wilcoxon = adjusted(of_wilcoxon, how);
  for (std::size_t p = 0; p < result.size(); ++p) {
    result[p].p_ranks_adjusted = of_ranks[p];
    result[p].p_wilcoxon_adjusted = of_wilcoxon[p];
  }
  return result;
}

}  // namespace retrial::variance::inline tables
