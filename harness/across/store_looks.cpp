#include "harness/across/store_looks.hpp"

#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/looks/earlier.hpp"
#include "harness/judge/looks/question.hpp"
#include "harness/scores/compare_scores.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline across {
namespace {

Json records_of(const std::vector<SideRun>& runs) {
  Json out = Json::array();
  for (const SideRun& run : runs)
    out.push_back({run.trial->entry.variant, run.trial->entry.pair_index,
                   run.trial->row ? Json(results::hex(run.trial->row->record)) : Json()});
  return out;
}

/// Rate of the whole family: a bound has its level divided among the claims.
double rate_of_family(const Claims& claims) {
  const auto& test = claims.claims.front().test;
  const bool divided = variance::find_comparison(test.outcome.test)->evidence == variance::Evidence::bound;
  return rate_of(test.settings.alpha, test.settings.sides) *
         (divided ? static_cast<double>(claims.claims.size()) : 1.0);
}

/// One for each match, together a family, as the store of this side counts them.
std::vector<Look> looks_in(const StoreSide& side, const Arguments& arguments, const TwoStores& answer) {
  const std::string& test = answer.claims.claims.front().test.outcome.test;
  Json rule = rule_given(arguments);
  rule["test"] = test;
  rule["stores"] = 2;
  std::vector<Look> out;
  for (const MatchedRuns& runs : answer.runs)
    out.push_back({.question = digest_of({.baseline = runs.variant.baseline,
                                          .candidate = runs.variant.candidate,
                                          .metric = answer.metric.name,
                                          .direction = std::string(results::name_of(answer.metric.direction))},
                                         QuestionSide{answer.baseline.store, answer.baseline.study},
                                         QuestionSide{answer.candidate.store, answer.candidate.study}),
                   .study = side.study.digest,
                   .draw = draw_of(side.document),
                   .rule = results::digest_of(rule),
                   .inputs = digest_of_records({records_of(runs.baseline), records_of(runs.candidate)}),
                   .rate = rate_of_family(answer.claims),
                   .declared = false,
                   .pairs = side.study.pairs,
                   .by = "test " + test + " of two stores"});
  return out;
}

/// The store's count before these looks, for the one whose sequence has the highest rate.
std::string before_these(const StoreSide& side, const std::vector<Look>& looks) {
  const auto known = known_looks(side.store);
  Sequence longest;
  for (const Look& look : looks)
    if (const auto sequence = sequence_of(known, look); sequence.rate > longest.rate) longest = sequence;
  return longest.before.empty() ? "" : sequence_text(longest, side.name);
}

}  // namespace

bool record_in_both(const Arguments& arguments, TwoStores& answer) {
  bool recorded = true;
  for (const StoreSide* side : {&answer.baseline, &answer.candidate}) {
    const auto looks = looks_in(*side, arguments, answer);
    if (const auto text = before_these(*side, looks); !text.empty()) answer.undeclared.push_back(text);
    if (arguments.has("foreign") && side == &answer.candidate) break;  // one note is enough
    recorded = recorder(arguments, side->name)(looks) && recorded;
  }
  return recorded;
}

}  // namespace retrial::harness::inline across
