#include "variance/method_table_parts.hpp"
#include "variance/midranks.hpp"

namespace retrial::variance {

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

}  // namespace retrial::variance
