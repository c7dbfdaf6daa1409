#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/report/report.hpp"

/// What every stage of a pipeline does in which order, and when: programs, their check, and their simulation.
namespace retrial::pipeline::inline analysis {

/// F, B, and W: the weight gradient where it is a pass of its own.
enum class Pass : char { forward = 'F', backward = 'B', weights = 'W' };

struct Entry {
  Pass pass = Pass::forward;
  std::int64_t index = 0;  ///< of the micro-batch
  std::int64_t line = 0;   ///< of the file it was read from; 0: none
  [[nodiscard]] std::string text() const { return static_cast<char>(pass) + std::to_string(index); }
};
/// The entries of each stage in their order; stage 0 is at the input.
using Schedule = std::vector<std::vector<Entry>>;

/// `gpipe`: all forwards, then all backwards. `1f1b`: min(S - s, M) forwards, then backward and forward in turn. `pb`:
/// forward of i, then backward of i - 2 (S - 1 - s). Throws InvalidInput for another kind, for S outside 1 to 512, M
/// below 1, and more than 50,000 passes of a kind in all.
[[nodiscard]] Schedule program(std::string_view kind, std::int64_t S, std::int64_t M);
/// Lines "stage,op,index" (a first line of these words is skipped), in any interleaving of the stages. `where` is the
/// name of the file in errors. Throws Error{usage} with the first line that is none, then as demand_sound.
[[nodiscard]] Schedule read_program(const std::string& text, const std::string& where);
/// Throws Error{usage} with the first violation: at each stage every F and B exactly once, B behind its F; W for all or
/// none, each behind its B.
void demand_sound(const Schedule& schedule, const std::string& where);

struct Interval {
  Entry entry;
  double start = 0, end = 0;
};
/// The next entry of a stage, and what it waits for: "B3", "B3 of stage 2".
struct Waiting {
  std::int64_t stage = 0;
  std::string entry, needs;
};
struct Simulation {
  std::vector<std::vector<Interval>> stages;  ///< what ran
  std::vector<Waiting> deadlock;              ///< of each stage that cannot go on; empty: all ran
  double makespan = 0;
  double busy_share = 0;                     ///< busy time / (S * makespan); 0 if nothing takes time
  std::vector<std::int64_t> peak_in_flight;  ///< samples between their F and their last pass, by stage
};
/// Each stage runs its entries in order; one starts when its stage is free and its input is there, `c` later where that
/// comes from another stage. F(s, i) needs F(s - 1, i), B(s, i) needs B(s + 1, i), B of the last stage its F, W its B.
/// Times are >= 0. The schedule is sound.
[[nodiscard]] Simulation simulate_schedule(const Schedule& schedule, double t_F, double t_B, double c, double t_W = 0);

/// For the trace viewers of browsers: one row per stage, one microsecond per unit of time.
[[nodiscard]] std::string chrome_trace(const Simulation& simulation);
/// The same as a figure of a report, alone as SVG, and as JSON: [[["F0", start, end], ...] of each stage].
[[nodiscard]] report::Figure timeline_figure(const std::string& title, const std::string& description,
                                             const Simulation& simulation);
[[nodiscard]] std::string timeline_svg(const Simulation& simulation);
[[nodiscard]] Json passes_json(const Simulation& simulation);

/// Share of the time in which a stage works, under one of two slot models. `tick`: a forward and a backward of
/// different samples in one tick, N / (N + 2 (S - 1)) with N samples per update, or per run where the pipeline never
/// drains. `slot`: each in a slot of its own, N / (N + S - 1) with N micro-batches per update (GPipe, 1F1B).
struct Utilisation {
  std::optional<std::int64_t> ticks;  ///< `tick`
  double share = 0;
  std::optional<double> bubble, zb1p_bubble;  ///< `slot`: idle share, and that of ZB1P with passes of equal length
};
/// Throws InvalidInput for another model, and N or S below 1.
[[nodiscard]] Utilisation utilisation(std::string_view model, std::int64_t N, std::int64_t S);

struct Partition {
  double largest = 0;              ///< sum of a block
  std::vector<std::int64_t> cuts;  ///< index of the first cost of each block but the first
};
/// Consecutive blocks whose largest sum is as small as can be; of several the lexicographically first cuts. Throws
/// InvalidInput for costs that are not positive and finite, more than 512 of them, and parts outside 1 to their number.
[[nodiscard]] Partition partition(const std::vector<double>& costs, std::int64_t parts);

}  // namespace retrial::pipeline::inline analysis
