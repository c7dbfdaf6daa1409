#include "harness/judge/design/design_violation.hpp"

#include <algorithm>
#include <set>

#include "harness/study/checks/study.hpp"
#include "results/text/error.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

using variance::InvalidReason;

void violate(Comparison& out, InvalidReason reason, const std::string& detail) {
  if (out.violation) return;
  out.violation = reason;
  out.violation_detail = detail;
}

bool pair_by_pair(const std::vector<results::PlanEntry>& plan) {
  std::int64_t pair = 0;
  for (const auto& entry : plan) {
    if (entry.pair_index != pair && entry.pair_index != pair + 1) return false;
    pair = entry.pair_index;
  }
  return true;
}

/// The part that studies share when they differ only in their number of pairs and in how these are judged.
Json trials_of(Json study) {
  for (const char* key : {"name", "pairs", "design", "metric", "baseline", "candidate", "claims"}) study.erase(key);
  return study;
}

/// A design without the number of pairs that it allows.
Json statistics_of(Json design) {
  for (const char* key : {"pairs", "n_max", "looks"}) design.erase(key);
  return design;
}

std::set<std::string> judged_studies(const results::Store& store) {
  std::set<std::string> out;
  for (const auto& verdict : store.documents("verdict"))
    if (verdict.contains("study_digest") && verdict.at("study_digest").is_string())
      out.insert(verdict.at("study_digest").get<std::string>());
  return out;
}

/// An earlier study of the store that planned the same trials and was looked at: it has a stored verdict, or its design
/// is sequential, so that its run showed the state after every pair.
struct Earlier {
  std::int64_t pairs = 0;
  Json design;
};

std::vector<Earlier> looked_at_before(const results::Store& store, const results::Digest& digest,
                                      const Json& document) {
  std::vector<Earlier> out;
  const auto rows = store.studies();
  const auto judged = judged_studies(store);
  const Json ours = trials_of(document);
  for (const auto& row : rows) {
    if (row.digest == digest) break;
    if (trials_of(row.document) != ours) continue;
    const auto hex = row.document.value("design", Json());
    if (!hex.is_string()) continue;
    const auto design = store.document(results::digest_from_hex(hex.get<std::string>(), "design"));
    if (!design) continue;
    const bool sequential = design->value("family", "fixed") != "fixed";
    if (sequential || judged.contains(results::hex(row.digest)))
      out.push_back({.pairs = row.document.value("pairs", std::int64_t{0}), .design = *design});
  }
  return out;
}

void compare_with(const Earlier& earlier, const DesignView& declared, Comparison& out) {
  const auto* family = variance::find_family(declared.family);
  const bool anytime = family != nullptr && family->anytime;
  if (statistics_of(earlier.design) != statistics_of(declared.document)) {
    if (declared.sequential())
      violate(out, InvalidReason::design_mismatch,
              "these trials were looked at under another design before this one was declared");
    return;
  }
  if (anytime || earlier.pairs == declared.pairs) return;
  const bool more = earlier.pairs < declared.pairs;
  violate(out, more ? InvalidReason::extended : InvalidReason::design_mismatch,
          "the same study was looked at with " + std::to_string(earlier.pairs) +
              " pairs before, and a design of family " + declared.family + " may not be " +
              (more ? "extended" : "cut short") + " after a look");
}

}  // namespace

bool claims_came_later(const results::Store& store, const StudyView& study) {
  const auto rows = store.studies();
  const auto ours = std::ranges::find(rows, study.digest, &results::StudyRow::digest);
  const auto claims = [](const Json& document) { return document.value("claims", Json()); };
  return std::any_of(rows.begin(), ours, [&](const auto& row) {
    return trials_of(row.document) == trials_of(ours->document) && claims(row.document) != claims(ours->document);
  });
}

void find_violation(const results::Store& store, const StudyView& study, Comparison& comparison) {
  if (study.pairs > 1 &&
      !pairs_differ(study.vary, determinism::mode_from_document(study.mode), comparison.metric.nature))
    violate(comparison, InvalidReason::one_cluster,
            "no source of variation was varied, so that the pairs are copies of one pair and n is 1");
  if (!study.design) return;
  const DesignView& declared = *study.design;
  if (declared.sequential() && !pair_by_pair(study.plan))
    violate(comparison, InvalidReason::order, "the plan does not go pair by pair");
  if (declared.sequential() && !comparison.undeclared.empty())
    violate(comparison, InvalidReason::design_mismatch,
            "a sequential design stops by one claim and says nothing of another: " + comparison.undeclared.front());
  const auto rows = store.studies();
  const auto ours = std::ranges::find(rows, study.digest, &results::StudyRow::digest);
  if (rows.size() < 2 || ours == rows.end()) return;
  for (const auto& earlier : looked_at_before(store, study.digest, ours->document))
    compare_with(earlier, declared, comparison);
}

void refuse_violation(const std::string& study, const Comparison& declared) {
  if (!declared.violation) return;
  throw Error({.exit = Exit::incomparable,
               .code = "run.design",
               .where = "study " + study,
               .problem = "none of its verdicts could be valid (" +
                          std::string(variance::name_of(*declared.violation)) + "): " + declared.violation_detail,
               .help = "use another seed, or a separate store with --db; retrial compare shows what was judged"});
}

void demand_unseen(const results::Store& store, const std::string& study, const Plan& plan) {
  if (!plan.design) return;
  Comparison declared;
  const DesignView design = design_view({}, *plan.design);
  for (const auto& earlier : looked_at_before(store, plan.study_digest, plan.study))
    compare_with(earlier, design, declared);
  refuse_violation(study, declared);
}

}  // namespace retrial::harness::inline judge::inline design
