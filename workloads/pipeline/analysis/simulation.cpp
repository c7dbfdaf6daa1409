#include <algorithm>
#include <map>

#include "workloads/pipeline/analysis/schedule.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

/// Dependency of an entry: an entry of a stage, or nothing.
struct Need {
  std::int64_t stage = 0;
  Entry entry;
};

std::optional<Need> need_of(const Entry& entry, std::int64_t stage, std::int64_t stages) {
  if (entry.pass == Pass::weights) return Need{stage, {Pass::backward, entry.index}};
  if (entry.pass == Pass::forward)
    return stage == 0 ? std::nullopt : std::optional(Need{stage - 1, {Pass::forward, entry.index}});
  if (stage == stages - 1) return Need{stage, {Pass::forward, entry.index}};
  return Need{stage + 1, {Pass::backward, entry.index}};
}

class Simulator {
 public:
  Simulator(const Schedule& schedule, double t_F, double t_B, double c, double t_W)
      : schedule_(schedule), times_{{Pass::forward, t_F}, {Pass::backward, t_B}, {Pass::weights, t_W}}, c_(c) {
    out_.stages.resize(schedule.size());
    ends_.resize(schedule.size());
  }

  Simulation run() {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t s = 0; s < schedule_.size(); ++s)
        while (start_next(s)) progress = true;
    }
    for (std::size_t s = 0; s < schedule_.size(); ++s) note_waiting(s);
    summarize();
    return std::move(out_);
  }

 private:
  /// Time at which the input of an entry is at its stage; nothing as long as that is unknown.
  std::optional<double> input_at(std::size_t s, const Entry& entry) {
    const auto stage = static_cast<std::int64_t>(s);
    const auto need = need_of(entry, stage, std::ssize(schedule_));
    if (!need) return 0;
    auto& ends = ends_[static_cast<std::size_t>(need->stage)][need->entry.pass];
    const auto place = static_cast<std::size_t>(need->entry.index);
    if (place >= ends.size() || ends[place] == unknown) return {};
    return ends[place] + (need->stage == stage ? 0 : c_);
  }

  bool start_next(std::size_t s) {
    auto& done = out_.stages[s];
    if (done.size() == schedule_[s].size()) return false;
    const Entry& entry = schedule_[s][done.size()];
    const auto input = input_at(s, entry);
    if (!input) return false;
    const double start = std::max(done.empty() ? 0 : done.back().end, *input), end = start + times_.at(entry.pass);
    done.push_back({entry, start, end});
    auto& ends = ends_[s][entry.pass];
    ends.resize(std::max(ends.size(), static_cast<std::size_t>(entry.index) + 1), unknown);
    ends[static_cast<std::size_t>(entry.index)] = end;
    return true;
  }

  void note_waiting(std::size_t s) {
    const auto& done = out_.stages[s];
    if (done.size() == schedule_[s].size()) return;
    const Entry& entry = schedule_[s][done.size()];
    const auto need = need_of(entry, static_cast<std::int64_t>(s), std::ssize(schedule_));
    out_.deadlock.push_back(
        {static_cast<std::int64_t>(s), entry.text(), need->entry.text() + " of stage " + std::to_string(need->stage)});
  }

  void summarize() {
    double busy = 0;
    for (const auto& stage : out_.stages) {
      const bool split = std::ranges::any_of(stage, [](const auto& each) { return each.entry.pass == Pass::weights; });
      std::int64_t flying = 0, peak = 0;
      for (const auto& [entry, start, end] : stage) {
        busy += end - start;
        out_.makespan = std::max(out_.makespan, end);
        if (entry.pass == Pass::forward) peak = std::max(peak, ++flying);
        if (entry.pass == (split ? Pass::weights : Pass::backward)) --flying;
      }
      out_.peak_in_flight.push_back(peak);
    }
    if (out_.makespan > 0) out_.busy_share = busy / (static_cast<double>(schedule_.size()) * out_.makespan);
  }

  static constexpr double unknown = -1;
  const Schedule& schedule_;
  std::map<Pass, double> times_;
  double c_;
  Simulation out_;
  std::vector<std::map<Pass, std::vector<double>>> ends_;  ///< by stage
};

}  // namespace

Simulation simulate_schedule(const Schedule& schedule, double t_F, double t_B, double c, double t_W) {
  return Simulator(schedule, t_F, t_B, c, t_W).run();
}

}  // namespace retrial::pipeline::inline analysis
