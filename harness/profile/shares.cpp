#include "harness/profile/shares.hpp"

#include <algorithm>
#include <map>

#include "variance/means/paired.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/profiler/measured/profile_metrics.hpp"

namespace retrial::harness::inline profile {
namespace {

/// Values of each measured pair under one name.
struct PairValues {
  std::vector<double> raw, ns, percent;
};
using Named = std::map<std::pair<std::string, std::string>, PairValues>;

void add(Named& to, std::size_t pairs, std::size_t pair, const std::pair<std::string, std::string>& name, double raw,
         double ns, double whole) {
  PairValues& values = to[name];
  for (auto* const list : {&values.raw, &values.ns, &values.percent}) list->resize(pairs);
  values.raw[pair] += raw;
  values.ns[pair] += ns;
  values.percent[pair] += 100 * ns / whole;
}

variance::Estimate estimate_of(const std::vector<double>& values) {
  const auto test = variance::paired_t(values);
  return test ? test->mean : variance::Estimate{.point = values.front(), .method = "one pair"};
}

std::vector<Share> sorted(const Named& named) {
  std::vector<Share> out;
  for (const auto& [name, values] : named)
    out.push_back({.operation = name.first,
                   .active = name.second,
                   .raw_ns = variance::mean(values.raw).value(),
                   .ns = variance::mean(values.ns).value(),
                   .share = estimate_of(values.percent)});
  std::ranges::stable_sort(out, std::greater{}, &Share::ns);
  return out;
}

}  // namespace

Shares shares_of(const ProfiledVariant& variant) {
  Shares out;
  Named operations, cells;
  const std::size_t pairs = variant.full.size();
  const auto n = static_cast<double>(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto& run = variant.full[pair];
    const auto corrected = profiler::corrected_by_count(run.table, profiler::charges_by_operation(run, variant.costs));
    double whole = 0;
    for (const auto& [cell, ns] : corrected.cells) whole += ns;
    for (const auto& [cell, ns] : corrected.cells) {
      const auto found = run.table.find(cell);
      const double raw = found == run.table.end() ? 0 : static_cast<double>(found->second);
      add(operations, pairs, pair, {cell.operation_text(), ""}, raw, ns, whole);
      add(cells, pairs, pair, {cell.operation_text(), profiler::text_of_categories(cell.categories)}, raw, ns, whole);
      out.raw_ns += raw / n;
    }
    out.ns += whole / n;
    out.charged_ns += corrected.charged / n;
    out.discarded_ns += corrected.discarded / n;
    out.moved_ns += corrected.moved / n;
    out.unplaced_ns += corrected.unplaced / n;
  }
  out.operations = sorted(operations);
  out.cells = sorted(cells);
  return out;
}

}  // namespace retrial::harness::inline profile
