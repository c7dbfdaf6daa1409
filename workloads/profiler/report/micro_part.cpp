#include "workloads/profiler/report/micro_part.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "results/report/drawing/numbers.hpp"
#include "workloads/profiler/overlap/sweep.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::profiler {
namespace {

constexpr int rounds = 9, calls = 500'000;

/// Nanoseconds of one call in each round.
struct Timed {
  std::string what;
  std::vector<double> ns;

  [[nodiscard]] double median() const { return ns[ns.size() / 2]; }
};

double ns_of_each(std::int64_t each, const std::function<void()>& round) {
  const std::uint64_t before = ns_of(CLOCK_MONOTONIC);
  round();
  return static_cast<double>(ns_of(CLOCK_MONOTONIC) - before) / static_cast<double>(each);
}

/// `round` gives the nanoseconds of one call.
Timed timed(const std::string& what, const std::function<double()>& round) {
  Timed out{.what = what};
  for (int i = 0; i < rounds; ++i) out.ns.push_back(round());
  std::ranges::sort(out.ns);
  return out;
}

void operations() {
  for (int i = 0; i < calls; ++i) RETRIAL_OPERATION("work");
}

/// A recording for each round, large enough that nothing is dropped: to drop an event is cheaper than to keep it.
double recorded() {
  start_recording({.source = clock_source({}), .cap_bytes = std::uint64_t{1} << 26U});
  const double ns = ns_of_each(calls, operations);
  const Recording all = stop_recording();
  return all.dropped() == 0 ? ns : std::numeric_limits<double>::quiet_NaN();
}

/// Serial intervals of one key inside those of another.
std::vector<SweepKey> nested(std::int64_t intervals) {
  std::vector<SweepKey> out(2);
  for (std::int64_t i = 0; i < intervals; ++i) {
    out[0].intervals.push_back({10 * i, 10 * i + 9});
    out[1].intervals.push_back({10 * i + 2, 10 * i + 6});
  }
  return out;
}

}  // namespace

report::Part micro_part() {
  const ClockSource source = clock_source({});
  volatile std::uint64_t seen = 0;  // so that the loops are not empty for the compiler
  constexpr std::int64_t intervals = 100'000;
  const auto keys = nested(intervals);
  const std::vector<Timed> all{timed("reading the clock (" + name_of(source) + ")",
                                     [&] {
                                       return ns_of_each(calls, [&] {
                                         for (int i = 0; i < calls; ++i) seen = ticks_of(source);
                                       });
                                     }),
                               timed("an operation, recorded (begin and end)", recorded),
                               timed("an operation, nothing recorded", [] { return ns_of_each(calls, operations); }),
                               timed("the sweep, for each interval", [&] {
                                 return ns_of_each(2 * intervals, [&] { seen = sweep(keys).sets.size(); });
                               })};
  report::Table table{.caption = "Cost of the bookkeeping, " + std::to_string(rounds) + " rounds of a loop",
                      .columns = {"", report::right("ns"), report::right("min"), report::right("max")}};
  Json rows = Json::array();
  for (const Timed& one : all) {
    table.rows.push_back({one.what, report::short_text(one.median(), 3), report::short_text(one.ns.front(), 3),
                          report::short_text(one.ns.back(), 3)});
    rows.push_back({{"what", one.what},
                    {"ns", report::derived(one.median())},
                    {"min_ns", report::derived(one.ns.front())},
                    {"max_ns", report::derived(one.ns.back())}});
  }
  return {.section = {{.id = "micro",
                       .title = "Bookkeeping of a profile",
                       .blocks = {std::move(table),
                                  report::Paragraph{"In a training each event costs more, because its data leave the "
                                                    "caches. The calibration of a profile measures that."}}}},
          .data = {{"schema", "retrial.profile_micro/1"}, {"costs", std::move(rows)}}};
}

}  // namespace retrial::profiler
