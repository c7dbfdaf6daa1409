#include "harness/stored/tidy_values.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "harness/plan/trial_body.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/text/csv.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

/// A study with the seeds of its trials, in plan order.
struct TidyStudy {
  std::string label;
  StudyView view;
  std::vector<PlannedTrial> trials;
  std::vector<Json> seeds;
};

/// The name, with the digest where several studies of the store have it.
std::string label_of(const results::StudyRow& row, const std::vector<results::StudyRow>& all) {
  const auto same = std::ranges::count(all, row.name, &results::StudyRow::name);
  return same < 2 ? row.name : row.name + " (" + results::hex(row.digest).substr(0, 12) + ")";
}

TidyStudy tidy_study(const results::Store& store, const results::StudyRow& row, std::string label) {
  TidyStudy out{.label = std::move(label), .view = read_study(store, row)};
  out.trials = plan_state(store, out.view.plan);
  for (const auto& entry : store.plan(row.digest)) out.seeds.push_back(TrialBody(entry).seeds());
  return out;
}

/// Places in the plan, in the order of the file.
std::vector<std::size_t> ordered(const TidyStudy& study) {
  std::map<std::string, std::size_t> rank;
  for (const auto& variant : study.view.variants) rank.emplace(variant.name, rank.size());
  std::vector<std::size_t> out(study.trials.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  const auto key = [&](std::size_t i) {
    const auto& entry = study.trials[i].entry;
    return std::tuple(rank[entry.variant], entry.pair_index, entry.replicate, i);
  };
  std::ranges::sort(out, {}, key);
  return out;
}

/// By metric, the end after every step.
void sort_values(std::vector<results::MetricValue>& values) {
  const auto key = [](const results::MetricValue& value) {
    return std::tuple(value.name, value.step < 0 ? std::numeric_limits<std::int64_t>::max() : value.step);
  };
  std::ranges::sort(values, {}, key);
}

class Writer {
 public:
  Writer(const results::Store& store, const TidyChoice& choice, std::vector<TidyStudy> studies)
      : store_(store), choice_(choice), studies_(std::move(studies)) {
    for (const auto& def : store.metric_defs()) units_[def.name] = def.unit;
    for (const auto& study : studies_)
      for (const Json& seeds : study.seeds)
        for (const auto& [source, seed] : seeds.items()) sources_.insert(source);
  }

  [[nodiscard]] std::string header() const {
    std::string out = "study,variant,pair,replicate";
    for (const auto& source : sources_) out += "," + field("seed." + source);
    return out + ",status,metric,unit,step,value\n";
  }

  void write(const std::function<void(const std::string&)>& sink, TidyCounts& counts) {
    for (const TidyStudy& study : studies_)
      for (const std::size_t place : ordered(study)) {
        const PlannedTrial& trial = study.trials[place];
        if (trial.state != TrialState::done) {
          ++(trial.state == TrialState::failed ? counts.failed : counts.open);
          continue;
        }
        ++counts.trials;
        sink(lines_of(study, place, counts));
      }
  }

 private:
  [[nodiscard]] std::string field(const std::string& text) const {
    return choice_.raw ? csv_field(text) : csv_text_field(text);
  }

  [[nodiscard]] std::string lines_of(const TidyStudy& study, std::size_t place, TidyCounts& counts) const {
    const PlannedTrial& trial = study.trials[place];
    std::string start = field(study.label) + "," + field(trial.entry.variant) + "," +
                        std::to_string(trial.entry.pair_index) + "," + std::to_string(trial.entry.replicate);
    for (const auto& source : sources_)
      start += "," + (study.seeds[place].contains(source) ? study.seeds[place].at(source).get<std::string>() : "");
    start += "," + std::string(results::name_of(trial.row->status)) + ",";
    auto values = store_.metrics(trial.row->id);
    sort_values(values);
    std::string out;
    for (const auto& value : values) {
      if (choice_.metric && value.name != *choice_.metric) continue;
      ++counts.values;
      out += start + field(value.name) + "," + field(units_.at(value.name)) + "," +
             (value.step < 0 ? "" : std::to_string(value.step)) + "," + results::text_of(value.value) + "\n";
    }
    return out;
  }

  const results::Store& store_;
  const TidyChoice& choice_;
  std::vector<TidyStudy> studies_;
  std::map<std::string, std::string> units_;
  std::set<std::string> sources_;
};

}  // namespace

TidyCounts write_tidy_values(const results::Store& store, const TidyChoice& choice,
                             const std::function<void(const std::string&)>& sink) {
  if (choice.metric) static_cast<void>(metric_named(store.metric_defs(), *choice.metric));
  const auto all = store.studies();
  std::vector<TidyStudy> studies;
  for (const auto& row : choice.studies) studies.push_back(tidy_study(store, row, label_of(row, all)));
  Writer writer(store, choice, std::move(studies));
  sink(writer.header());
  TidyCounts counts;
  writer.write(sink, counts);
  return counts;
}

}  // namespace retrial::harness::inline stored
