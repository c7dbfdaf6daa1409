#include <array>
#include <cmath>
#include <limits>

#include "variance/groups/studentised_range.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/reproduce/reproduce_parts.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline reproduce::reproductions {
namespace {

/// Areas under the curve of C4.5: untuned, with m tuned, with cf tuned, with both tuned.
constexpr std::array<std::array<double, 14>, 4> classifiers{
    {{.763, .599, .954, .628, .882, .936, .661, .583, .775, 1.0, .94, .619, .972, .957},
     {.768, .591, .971, .661, .888, .931, .668, .583, .838, 1.0, .962, .666, .981, .978},
     {.771, .590, .968, .654, .886, .916, .609, .563, .866, 1.0, .965, .614, .9751, .946},
     {.798, .569, .967, .657, .898, .931, .685, .625, .875, 1.0, .962, .669, .975, .970}}};

MethodTable scores() {
  MethodTable table{.methods = {"C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"}, .rows = {}};
  for (std::size_t set = 0; set < classifiers.front().size(); ++set) {
    table.rows.emplace_back();
    for (const auto& classifier : classifiers) table.rows.back().push_back(classifier[set]);
  }
  return table;
}

void add_constants(Reproduced& table) {
  const std::vector<double> five{1.9600, 2.3437, 2.5690, 2.7278, 2.8497, 2.9483, 3.0309, 3.1017, 3.1637};
  const std::vector<double> ten{1.6449, 2.0523, 2.2913, 2.4595, 2.5885, 2.6927, 2.7799, 2.8546, 2.9199};
  std::vector<double> at_five, at_ten;
  for (std::int64_t k = 2; k <= 10; ++k) {
    at_five.push_back(studentised_range_quantile(.95, k, unlimited) / std::sqrt(2.0));
    at_ten.push_back(studentised_range_quantile(.90, k, unlimited) / std::sqrt(2.0));
  }
  add(table, "q .05 / sqrt 2, two to ten classifiers", at_five, five, 5e-5);
  add(table, "q .10 / sqrt 2, two to ten classifiers", at_ten, ten, 5e-5);
}

}  // namespace

Reproduced demsar() {
  const MethodTable data = scores();
  Reproduced table;
  add(table, "mean ranks", mean_ranks(data), {3.143, 2.000, 2.893, 1.964}, 5e-4);
  const Friedman chi = friedman(data);
  add(table, "Friedman, no tie correction: chi-squared and p", {*chi.uncorrected.statistic, chi.uncorrected.p_two},
      {9.2785714286, .0258074967}, 1e-10);
  const ImanDavenport f = iman_davenport(data);
  add(table, "Iman-Davenport, no tie correction: F and p", {*f.uncorrected.statistic, f.uncorrected.p_two},
      {3.6863130321, .0198230062}, 1e-10);
  add(table, "Iman-Davenport from the tie-corrected chi-squared: F", {*f.corrected.statistic}, {4.1851301115}, 1e-10);
  const TestResult aligned = aligned_ranks(data), weighted = quade(data);
  add(table, "aligned ranks: T and p", {*aligned.statistic, aligned.p_two}, {11.5527226632, .0090834883}, 1e-10);
  add(table, "Quade: F and p", {*weighted.statistic, weighted.p_two}, {4.5232345160, .0081437004}, 1e-10);
  std::vector<double> z;
  for (const MethodPair& pair : method_pairs(data)) z.push_back(pair.z);
  add(table, "z of the six pairs", z,
      {2.3421601751, .5123475383, 2.4153526805, -1.8298126368, .0731925055, 1.9030051422}, 1e-10);
  add(table, "critical difference of Nemenyi at .05 and .10",
      {nemenyi_distance(4, 14, .05), nemenyi_distance(4, 14, .10)}, {1.2535591471, 1.1180601670}, 1e-9);
  add(table, "critical difference of six methods on fifty data sets", {nemenyi_distance(6, 50, .05)}, {1.0662621334},
      1e-9);
  add_constants(table);
  table.corrections = {
      "The chi-squared of the literature ignores ties; with them F is 4.19, not 3.69.",
      "A public tool prints 1.0662484 for six methods on fifty data sets where it is 1.0662621.",
      "Groups within a critical difference are for display: ranks depend on the methods compared, and groups overlap. "
      "A claim about two methods needs its own test and a correction.",
  };
  return table;
}

}  // namespace retrial::variance::inline reproduce::reproductions
