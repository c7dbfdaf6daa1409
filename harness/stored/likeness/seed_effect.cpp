#include "harness/stored/likeness/seed_effect.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "harness/text/output.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline stored::inline likeness {
namespace {

std::string bits_of(double value) {
  return results::hex16(std::bit_cast<std::uint64_t>(value));
}

bool same_bits(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b));
}

bool at_bound(const std::optional<double>& score) {
  return score && (!std::isfinite(*score) || *score == 0.0 || *score == 1.0 || *score == 100.0);
}

bool is_cost(const results::TrialRecord& record, const std::string& metric) {
  const auto def = std::ranges::find(record.defs, metric, &results::MetricDef::name);
  return def != record.defs.end() && def->nature == results::Nature::cost;
}

/// An output too large for the store is known by its digest alone.
std::string output_of(const workloads::PrintedOutput& printed, const workloads::Trial& trial,
                      const results::TrialRecord& record) {
  const auto found = std::ranges::find(record.artifacts, printed.artifact, &results::ArtifactValue::name);
  if (found == record.artifacts.end()) return "";
  return found->body ? printed.without_seeds(trial, *found->body) : results::hex(found->digest);
}

std::string allowed_key(const results::Digest& study) {
  return "allow-constant/" + results::hex(study);
}

}  // namespace

SeededRun seeded_run(const TrialBody& body, const results::TrialRecord& record, const std::string& metric) {
  SeededRun out{.seeds = results::canonical(body.seeds()), .score = {}, .left = {}};
  std::vector<std::string> lines;
  for (const auto& value : record.metrics) {
    if (is_cost(record, value.name)) continue;
    if (value.name == metric && value.step == -1)
      out.score = value.value;
    else
      lines.push_back(value.name + " " + std::to_string(value.step) + " " + bits_of(value.value));
  }
  for (const auto& digest : record.digests)
    lines.push_back(digest.name + " " + std::to_string(digest.step) + " " + digest.hex);
  std::ranges::sort(lines);
  out.left = results::joined(lines, "\n");
  if (const auto& printed = body.declaration().printed) out.left += "\n" + output_of(*printed, body.trial(), record);
  return out;
}

void SeedRuns::add(const SeededRun& run) {
  if (seeds_.empty()) first_ = run;
  ++seeds_[run.seeds];
  same_score_ = same_score_ && same_bits(run.score, first_.score);
  same_left_ = same_left_ && run.left == first_.left;
}

SeedEffect SeedRuns::effect() const {
  if (!same_score_) return SeedEffect::shown;
  if (different_seeds() < copies_needed) return SeedEffect::unknown;
  if (!same_left_) return SeedEffect::output;
  return at_bound(first_.score) ? SeedEffect::bound : SeedEffect::none;
}

std::string seed_sentence(const SeedFinding& finding) {
  const std::string runs = std::to_string(finding.seeds) + " runs with different seeds";
  const std::string same =
      finding.score ? finding.metric + " is " + short_text(*finding.score) : std::string("every digest is the same");
  switch (finding.effect) {
    case SeedEffect::none:
      return "the seed of " + finding.variant + " changes nothing: " + same + " and the output repeats in " + runs;
    case SeedEffect::bound:
      return "in " + runs + " of " + finding.variant + ", " + same +
             " and the output repeats: the metric is at its bound, or the seed changes nothing";
    case SeedEffect::output:
      return same + " in " + runs + " of " + finding.variant + "; only other parts of their output differ";
    case SeedEffect::unknown:
    case SeedEffect::shown:
      break;
  }
  return "";
}

bool constant_by_declaration(const std::string& workload, const Values& values) {
  const auto* declaration = workloads::workload_if_known(workload);
  return declaration != nullptr && declaration->without_seed && declaration->without_seed(values).has_value();
}

std::optional<SeedFinding> seed_finding(const results::Store& store, const StudyView& study,
                                        const std::vector<PlannedTrial>& trials, const std::string& variant,
                                        const results::MetricDef& metric) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->printed || metric.nature == results::Nature::cost) return {};
  if (study.variance && study.variance->design != "ideal") return {};
  const auto view = std::ranges::find(study.variants, variant, &VariantView::name);
  if (view == study.variants.end() || constant_by_declaration(study.workload, values_of(*declaration, *view)))
    return {};
  SeedRuns runs;
  for (const auto& trial : trials) {
    if (trial.entry.variant != variant || trial.state != TrialState::done) continue;
    runs.add(seeded_run(TrialBody(store.trial_body(study.digest, trial.entry.ordinal)), store.record(trial.row->id),
                        metric.name));
    if (runs.effect() == SeedEffect::shown) break;
  }
  return SeedFinding{.variant = variant,
                     .metric = metric.name,
                     .effect = runs.effect(),
                     .seeds = runs.different_seeds(),
                     .score = runs.score()};
}

std::vector<std::string> repeated_numbers(const results::Store& store, const StudyView& study,
                                          const std::vector<PlannedTrial>& trials, const results::MetricDef& metric) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->printed || metric.nature == results::Nature::cost) return {};
  const auto stored = store.final_values(metric.name);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  std::map<std::string, std::map<std::int64_t, double>> scores;
  for (const auto& trial : trials) {
    if (trial.state != TrialState::done) continue;
    if (const auto found = values.find(trial.row->id); found != values.end())
      scores[trial.entry.variant].emplace(trial.entry.pair_index, found->second);
  }
  std::vector<std::string> out;
  const auto variants = judged_variants(study);
  for (auto a = variants.begin(); a != variants.end(); ++a) {
    const auto& first = scores[a->name];
    const auto differs = [&](const auto& pair) { return !same_bits(pair.second, first.begin()->second); };
    // Copies of one number are another finding.
    if (std::ssize(first) < copies_needed || std::ranges::none_of(first, differs)) continue;
    for (auto b = a + 1; b != variants.end(); ++b)
      if (scores[b->name] == first)
        out.push_back(b->name + " repeats " + metric.name + " of " + a->name + " exactly in " +
                      counted(std::ssize(first), "pair") + ": the two may be one program");
  }
  return out;
}

bool allows_constant(const results::Store& store, const results::Digest& study) {
  return store.meta(allowed_key(study)).has_value();
}

void allow_constant(results::Store& store, const results::Digest& study) {
  store.put_meta(allowed_key(study), "yes");
}

}  // namespace retrial::harness::inline stored::inline likeness
