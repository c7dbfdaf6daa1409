#include "harness/watch/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "harness/gate/claim_sides.hpp"
#include "harness/gate/schedule.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::harness::inline watch {
namespace {

using variance::DetectorEvidence, variance::Direction;

constexpr std::int64_t min_reference = 200;

std::string shown_series(const GateClaim& claim) {
  return results::one_line(series_name(claim.workload, claim.metric), 200);
}

/// The value of each process by its block: its pair number, else its place by start, else its place in the files.
std::map<std::int64_t, double> blocks_of(const GateClaim& claim, std::size_t side, const EvidenceChoice& choice) {
  std::vector<GateTrial> trials = claim.trials[side];
  if (std::ranges::all_of(trials, [](const GateTrial& t) { return t.started.has_value(); }))
    std::ranges::stable_sort(trials, {}, [](const GateTrial& t) { return *t.started; });
  const bool numbered = std::ranges::all_of(trials, [](const GateTrial& t) { return t.pair.has_value(); });
  std::map<std::int64_t, double> out;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].failed || trials[i].values.empty())
      throw Error({.exit = Exit::measurement,
                   .code = "watch.failed",
                   .field = shown_series(claim),
                   .problem = "a process failed or has no value",
                   .help = "nothing was added to the history; run the commit again"});
    out[numbered ? *trials[i].pair : static_cast<std::int64_t>(i)] =
        reduced(trials[i].values, choice.statistic, claim.direction);
  }
  return out;
}

[[noreturn]] void refuse_side(const GateClaim& claim, const std::string& side) {
  throw Error({.exit = Exit::incomparable,
               .code = "watch.side",
               .field = shown_series(claim),
               .problem = "has no run of " + results::one_line(side, 100),
               .help = "every side measures the same benchmarks; --metric chooses some of their metrics"});
}

/// Signs of the blocks: +1 where the candidate of the claim was worse.
std::vector<double> signs_of(const GateClaim& claim, const EvidenceChoice& choice) {
  const auto from = blocks_of(claim, base, choice), to = blocks_of(claim, head, choice);
  if (from.size() != to.size() || !std::ranges::equal(from, to, {}, &std::pair<const std::int64_t, double>::first,
                                                      &std::pair<const std::int64_t, double>::first))
    throw Error({.exit = Exit::incomparable,
                 .code = "watch.blocks",
                 .field = shown_series(claim),
                 .value = std::to_string(from.size()) + " and " + std::to_string(to.size()) + " processes",
                 .problem = "a block has one process of each side"});
  std::vector<double> a, b, out;
  for (const auto& [block, value] : from) a.push_back(value), b.push_back(to.at(block));
  const double tied = variance::tie_tolerance({}, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double worse = claim.direction == Direction::lower ? b[i] - a[i] : a[i] - b[i];
    out.push_back(std::fabs(worse) <= tied ? 0.0 : worse > 0.0 ? 1.0 : -1.0);
  }
  return out;
}

/// Where the sides did not take turns, a drift of the machine has a sign, too.
void require_turns(const GateClaim& claim, const EvidenceChoice& choice) {
  if (choice.allow_sequential || order_of(claim) == "interleaved") return;
  throw Error({.exit = Exit::incomparable,
               .code = "watch.sequential",
               .field = shown_series(claim),
               .problem = order_of(claim) == "unknown" ? "the files do not say that the sides took turns"
                                                       : "the sides did not take turns, or only one was ever first",
               .help = "run A B B A, two blocks or more; --allow-sequential accepts them: a drift of the machine then "
                       "looks like a change"});
}

double cost_of(const GateClaim& claim, double value) {
  if (!(value >= 0.0 && value <= 1.0))
    throw Error({.code = "watch.cost",
                 .field = shown_series(claim),
                 .value = results::text_of(value),
                 .problem = "--kind bounded watches costs and shares",
                 .allowed = "0 to 1"});
  return claim.direction == Direction::lower ? value : 1.0 - value;
}

std::vector<double> process_values(const GateClaim& claim, std::size_t side, const EvidenceChoice& choice) {
  std::vector<double> out;
  for (const auto& [_, value] : blocks_of(claim, side, choice)) out.push_back(value);
  return out;
}

const GateClaim* find_claim(const GateSuite& suite, const GateClaim& like) {
  const auto found = std::ranges::find_if(
      suite.claims, [&](const GateClaim& c) { return c.workload == like.workload && c.metric == like.metric; });
  return found == suite.claims.end() ? nullptr : &*found;
}

/// Mean and deviation of the runs from before the watch: of costs for `bounded`.
FrozenReference frozen(const GateClaim& claim, DetectorEvidence evidence, const EvidenceChoice& choice) {
  std::vector<double> values = process_values(claim, base, choice);
  if (evidence == DetectorEvidence::bounded)
    for (double& value : values) value = cost_of(claim, value);
  const auto refuse = [&](const std::string& value, const std::string& problem, const std::string& allowed) {
    throw Error({.code = "watch.reference",
                 .field = "--reference",
                 .value = shown_series(claim) + ": " + value,
                 .problem = problem,
                 .allowed = allowed});
  };
  if (std::ssize(values) < min_reference)
    refuse(std::to_string(values.size()) + " runs", "the reference is too short",
           std::to_string(min_reference) + " runs or more, each of a process of its own");
  std::ranges::sort(values);  // the order of the files changes no bit
  const FrozenReference out{.mean = *variance::mean(values), .sd = *variance::sd(values), .runs = std::ssize(values)};
  if (evidence == DetectorEvidence::normal_known && out.sd == 0.0)
    refuse("every run has the same value", "there is no spread to measure a change in", "--kind paired_sign");
  if (evidence == DetectorEvidence::bounded && !(out.mean > 0.0 && out.mean < 1.0))
    refuse("mean cost " + results::text_of(out.mean), "no bet on it is possible", "a mean between 0 and 1");
  return out;
}

std::optional<FrozenReference> reference_of(const GateClaim& claim, const WatchInputs& inputs,
                                            const WatchSettings& settings, const std::optional<WatchState>& before,
                                            const EvidenceChoice& choice) {
  if (settings.evidence == DetectorEvidence::paired_sign) return std::nullopt;
  const GateClaim* given = inputs.reference ? find_claim(*inputs.reference, claim) : nullptr;
  if (given != nullptr && !given->trials[base].empty()) return frozen(*given, settings.evidence, choice);
  if (before)
    for (const WatchedSeries& one : before->series)
      if (one.workload == claim.workload && one.metric == claim.metric) return one.reference;
  throw Error({.code = "watch.reference",
               .field = "--reference",
               .value = shown_series(claim),
               .problem = "must be given when a series begins: its runs from before the watch",
               .allowed = std::to_string(min_reference) + " runs or more",
               .help = "retrial gate --kind " + word_of(settings.evidence) + " --reference FILE ..."});
}

/// Evidence of the kinds with a reference: each process alone.
std::vector<double> distances(const GateClaim& claim, std::size_t side, const FrozenReference& reference,
                              DetectorEvidence evidence, const EvidenceChoice& choice) {
  std::vector<double> out = process_values(claim, side, choice);
  for (double& x : out) {
    const double off = (x - reference.mean) / reference.sd;
    x = evidence == DetectorEvidence::bounded ? cost_of(claim, x) : claim.direction == Direction::lower ? off : -off;
  }
  return out;
}

Json bits_of(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(results::hex_of_bits(v));
  return out;
}

/// Of every value in it, so that the same commit with other runs is another question.
results::Digest digest_of_inputs(const std::vector<WatchedRuns>& series, const WatchSettings& settings) {
  Json all = Json::array();
  for (const WatchedRuns& one : series)
    all.push_back(Json::array(
        {one.workload, one.metric, bits_of(one.values[base]), bits_of(one.values[head]), bits_of(one.control_values)}));
  return results::digest_of({{"kind", word_of(settings.evidence)}, {"series", all}});
}

}  // namespace

WatchedCommit evidence_of(const WatchInputs& inputs, const WatchSettings& settings,
                          const std::optional<WatchState>& before, const EvidenceChoice& choice) {
  const bool signs = settings.evidence == DetectorEvidence::paired_sign;
  WatchedCommit out{.commit = {}, .series = {}, .machine = inputs.machine};
  for (const GateClaim& claim : inputs.judged.claims) {
    for (const std::size_t side : {base, head})
      if (claim.trials[side].empty())
        refuse_side(claim, side == base ? inputs.judged.baseline : inputs.judged.candidate);
    WatchedRuns runs{
        .workload = claim.workload, .metric = claim.metric, .unit = claim.unit, .direction = claim.direction};
    for (const std::size_t side : {base, head}) runs.values[side] = process_values(claim, side, choice);
    if (signs) {
      const GateClaim* control = find_claim(*inputs.control, claim);
      if (control == nullptr || control->trials[head].empty()) refuse_side(claim, inputs.control->candidate);
      require_turns(claim, choice);
      runs.evidence = signs_of(claim, choice);
      runs.control = signs_of(*control, choice);
      runs.control_values = process_values(*control, head, choice);
    } else {
      runs.reference = reference_of(claim, inputs, settings, before, choice);
      runs.evidence = distances(claim, head, *runs.reference, settings.evidence, choice);
      runs.control = distances(claim, base, *runs.reference, settings.evidence, choice);
    }
    out.series.push_back(std::move(runs));
  }
  if (out.series.empty())
    throw Error({.exit = Exit::incomparable, .code = "watch.nothing", .problem = "no benchmark was measured"});
  out.inputs = digest_of_inputs(out.series, settings);
  return out;
}

}  // namespace retrial::harness::inline watch
