#include <limits>

#include "variance/method_table_parts.hpp"

namespace retrial::variance {

using namespace method_tables;

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

}  // namespace retrial::variance
