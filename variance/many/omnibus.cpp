#include <algorithm>
#include <limits>

#include "variance/many/method_table_parts.hpp"
#include "variance/numbers/midranks.hpp"
#include "variance/numbers/summary.hpp"

/// Tests of several methods at once: is any of them different on these data sets?
namespace retrial::variance::inline many {

using namespace method_tables;

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

namespace {

TestResult f_of_chi_squared(const TestResult& chi, const Shape& s, const char* method) {
  if (!chi.statistic) return {.method = method, .note = chi.note};
  const double rest = s.n * (s.k - 1.0) - *chi.statistic;
  // All data sets rank alike: chi-squared is at its maximum up to rounding.
  const double f =
      rest <= 1e-12 * s.n * s.k ? std::numeric_limits<double>::infinity() : (s.n - 1.0) * *chi.statistic / rest;
  return f_result(f, s, method);
}

}  // namespace

ImanDavenport iman_davenport(const MethodTable& table) {
  const Friedman chi = friedman(table);
  const Shape s = shape_of(table);
  return {.corrected = f_of_chi_squared(chi.corrected, s, "Iman-Davenport"),
          .uncorrected = f_of_chi_squared(chi.uncorrected, s, "Iman-Davenport without tie correction")};
}

TestResult aligned_ranks(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  std::vector<double> aligned;
  for (const auto& row : table.rows)
    for (const double x : row) aligned.push_back(*mean(row) - x);
  const auto ranks = doubled_midranks(aligned, tolerance_of(table));
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
  const auto weights = doubled_midranks(ranges, tolerance_of(table));
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

}  // namespace retrial::variance::inline many
