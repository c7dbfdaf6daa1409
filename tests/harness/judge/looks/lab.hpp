#pragma once

// A store in memory that is asked for verdicts one after the other, as a user does who sees each before the next.
#include <functional>
#include <map>

#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/design/twins.hpp"
#include "harness/judge/looks/earlier.hpp"
#include "harness/study/declared/design_document.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/random/rng.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/null/score.hpp"

namespace retrial::tests::looks_lab {

using namespace retrial::harness;
using retrial::Json;
using retrial::variance::Design;
using retrial::variance::Status;
namespace results = retrial::results;
namespace variance = retrial::variance;
namespace workloads = retrial::workloads;

constexpr double alpha = 0.05;

inline double null_score(std::uint64_t root, const std::string& variant, std::int64_t pair) {
  static workloads::Trial trial{
      .workload = "null", .variant = "", .values = workloads::resolved(workloads::find_workload("null", ""), {})};
  trial.variant = variant;
  for (const char* source : {"init", "data-split", "data-order"})
    trial.seeds[source] = variance::derive(variance::derive(root, source), static_cast<std::uint64_t>(pair));
  return workloads::null::score(trial);
}

inline std::string bits(double value) {
  return results::hex_of_bits(value);
}

/// What the keys of both variants say; the same under every study unless a script changes them.
struct Asked {
  std::string workload = "null";
  std::map<std::string, Value> keys = {};
};

/// A study that was declared, as far as its history is concerned.
struct Declared {
  Json document;
  Design design;
  std::uint64_t root = 0;
};

using Scores = std::vector<std::optional<double>>;

/// One user with one store, who sees every verdict before deciding what to ask next.
class Lab {
 public:
  Lab(std::uint64_t root, bool counts_looks) : root_(root), counts_looks_(counts_looks) {}

  [[nodiscard]] std::uint64_t root() const { return root_; }

  Declared declare(Design design, std::uint64_t root, const Asked& asked = {}) {
    if (design.candidate.empty()) design.candidate = "shifted";
    design.baseline = "base";
    if (design.metric.empty()) design.metric = "score";
    Json variants = Json::array();
    for (const std::string& name : {std::string("base"), std::string("shifted"), std::string("v2"), std::string("v3"),
                                    std::string("v4"), std::string("v5"), std::string("v6")})
      variants.push_back({{"name", name}, {"values", values_of(asked, name)}});
    const Json rule = design_json(design, [](double value) { return Json(bits(value)); });
    const Json document{{"seed", results::hex16(root)},  {"workload", asked.workload},
                        {"variants", variants},          {"baseline", design.baseline},
                        {"candidate", design.candidate}, {"metric", design.metric},
                        {"pairs", design.pairs},         {"design", results::hex(results::digest_of(rule))}};
    past_.studies.push_back({.digest = results::digest_of(document), .name = "s", .document = document});
    return {document, design, root};
  }

  /// Every metric is drawn by itself.
  Scores scores(const Declared& study, const std::string& variant) {
    const std::string name = variant + (study.design.metric == "score" ? "" : study.design.metric);
    Scores& known = scores_[{study.root, name}];
    while (std::ssize(known) < study.design.pairs) known.push_back(null_score(study.root, name, std::ssize(known)));
    return {known.begin(), known.begin() + study.design.pairs};
  }

  /// The declared verdict, as `compare` shows it: BETTER, and declared before the first look.
  bool better(
      const Declared& study, const std::function<void(Comparison&)>& change = [](Comparison&) {}) {
    Comparison c = comparison_of(study);
    change(c);
    if (!counts_looks_) leave_out_failed(c);
    find_violation({.pairs = 1, .design = DesignView{study.design}, .plan = {}}, c);
    if (!counts_looks_) c.violation.reset();
    if (counts_looks_) place_look(past_, study.document, c);
    keep(c.look, c.scores);
    const auto verdict = verdict_of(c);
    return verdict.status == Status::better && c.undeclared.empty();
  }

  /// The verdict of a test that was chosen after the runs: of nobody's declaration.
  bool better_by(const Declared& study, const std::string& test, double level = alpha) {
    const Comparison c = comparison_of(study);
    keep(look_by(c, test, {{"test", test}}, level), c.scores);
    const auto pairs = variance::complete_pairs(c.scores);
    const auto outcome = variance::compare(
        test, pairs.candidate, pairs.baseline,
        {.direction = variance::Direction::higher, .alpha = level, .key = variance::derive(root_, test)});
    return outcome.status == Status::better && !counts_looks_;
  }

 private:
  /// As programs do that take every failure for one at random.
  static void leave_out_failed(Comparison& c) {
    if (c.design.failure != variance::FailurePolicy::drop) return;
    Scores candidate, baseline;
    for (std::size_t i = 0; i < c.scores.candidate.size(); ++i)
      if (c.scores.candidate[i] && c.scores.baseline[i]) {
        candidate.push_back(c.scores.candidate[i]);
        baseline.push_back(c.scores.baseline[i]);
      }
    c.design.pairs = std::ssize(candidate);
    c.scores.candidate = std::move(candidate);
    c.scores.baseline = std::move(baseline);
  }

  Comparison comparison_of(const Declared& study) {
    Comparison c;
    c.design = study.design;
    c.metric = {study.design.metric, "points", results::Direction::higher};
    c.scores = {.candidate = scores(study, study.design.candidate), .baseline = scores(study, "base")};
    c.scores.direction = variance::Direction::higher;
    c.look = declared_look(study.design, design_json(study.design, [](double value) { return Json(bits(value)); }));
    c.look.question = digest_of({.baseline = study.design.baseline,
                                 .candidate = study.design.candidate,
                                 .metric = study.design.metric,
                                 .direction = "higher"},
                                Plan{.study = study.document});
    c.look.study = results::digest_of(study.document);
    c.look.draw = draw_of(study.document);
    for (const auto& [look, baseline, candidate] : seen_)
      if (look.study != c.look.study && same_scores(c.scores.baseline, baseline) &&
          same_scores(c.scores.candidate, candidate))
        c.look.twins.push_back({look.study, look.question});
    return c;
  }

  void keep(Look look, const variance::PairedScores& scores) {
    look.number = std::ssize(past_.looks) + 1;
    seen_.push_back({look, scores.baseline, scores.candidate});
    past_.looks.push_back(std::move(look));
  }

  /// Variants differ in a key that is read.
  static Json values_of(const Asked& asked, const std::string& variant) {
    Json out = Json::object();
    for (const auto& [key, value] : asked.keys) out[key] = results::canonical_value(value);
    if (asked.workload == "command")
      out["command"] = out.value("command", "") + " --variant " + variant;
    else
      out["sd_init"] = results::canonical_value(Value(0.6 + 0.01 * static_cast<double>(variant.back() % 10)));
    return out;
  }

  std::uint64_t root_;
  bool counts_looks_;
  Past past_;
  struct Seen {
    Look look;
    Scores baseline, candidate;
  };
  std::vector<Seen> seen_;
  std::map<std::pair<std::uint64_t, std::string>, Scores> scores_;
};

}  // namespace retrial::tests::looks_lab
