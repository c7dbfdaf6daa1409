#include <algorithm>

#include "harness/across/two_stores.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline across {
namespace {

constexpr std::size_t max_fields = 30;  ///< per page; another build of LibTorch differs in some hundred libraries

std::string study_text(const StoreSide& side) {
  return "study " + side.study.name + " (" + results::hex(side.study.digest).substr(0, 12) + "), " +
         counted(side.study.pairs, "pair");
}

std::string seeds_text(const MatchedRuns& runs) {
  if (runs.pairs > 0) return counted(static_cast<std::int64_t>(runs.pairs), "pair") + " with equal seeds";
  return "no run of the one store has the seeds of a run of the other: independent runs";
}

report::Fact same_outcomes(const SameIdentity& same) {
  if (same.trials == 0)
    return {"equal outcomes", "no trial",
            "no identity is the same in both: program, keys, seeds or kernel mode differ"};
  return {"equal outcomes",
          std::to_string(same.equal) + " of " + counted(static_cast<std::int64_t>(same.trials), "trial"),
          same.other_build == 0 ? "with the same identity in both" : "of two builds of retrial, else the same trials"};
}

report::Section stores_section(const TwoStores& answer) {
  report::Facts facts{{{"baseline", answer.baseline.name, study_text(answer.baseline)},
                       {"candidate", answer.candidate.name, study_text(answer.candidate)},
                       {"metric", with_unit(answer.metric.name, answer.metric.unit),
                        std::string(results::name_of(answer.metric.direction)) + " is better"}}};
  for (const MatchedRuns& runs : answer.runs)
    facts.rows.push_back({"compared", runs.variant.label(), seeds_text(runs)});
  facts.rows.push_back(same_outcomes(answer.same));
  report::Section out{.id = "stores", .title = "Stores", .blocks = {std::move(facts)}};
  for (const auto& text : answer.undeclared) out.blocks.emplace_back(report::Warning{text, "not declared"});
  if (!answer.recorded) out.blocks.emplace_back(report::Warning{look_not_counted, "look not recorded"});
  for (const auto& text : answer.warnings) out.blocks.emplace_back(report::Warning{text, "warning"});
  return out;
}

report::Section differences_section(const TwoStores& answer) {
  const StoreDifferences& found = answer.differences;
  report::Section out{.id = "differences",
                      .title = "Differences",
                      .aside = "(recorded fields of " + counted(static_cast<std::int64_t>(found.compared), "trial") +
                               " of each store that can change a result, and the machine)"};
  if (found.fields.empty()) {
    out.blocks.emplace_back(report::Paragraph{found.compared == 0 ? "No two finished trials can be compared."
                                                                  : "Nothing that was recorded."});
    return out;
  }
  report::Table table{.columns = {"field", answer.baseline.name, answer.candidate.name, "trials"}};
  for (const StoreDifference& field : found.fields) {
    if (table.rows.size() == max_fields) break;
    table.rows.push_back({field.field, results::one_line(field.baseline, 40), results::one_line(field.candidate, 40),
                          field.trials == found.compared ? "all" : std::to_string(field.trials)});
  }
  const auto more = static_cast<std::int64_t>(found.fields.size() - table.rows.size());
  out.blocks.emplace_back(std::move(table));
  if (more > 0) out.blocks.emplace_back(report::Paragraph{counted(more, "further field") + "; --json has all."});
  return out;
}

std::string next_step(const TwoStores& answer) {
  if (answer.same.equal == answer.same.trials) return "";
  return "\nnext: retrial explain " + shell_word(answer.baseline.name) + " " + shell_word(answer.same.first_baseline) +
         " " + shell_word(answer.candidate.name) + " " + shell_word(answer.same.first_candidate) +
         " finds where the outcomes of one trial first differ\n";
}

std::string claim_page(const TwoStores& answer) {
  const ScoreTest& test = answer.claims.claims.front().test;
  report::Banner banner = test_banner(test);
  if (same_scores(answer, 0)) {
    banner.tone = report::Tone::good;
    banner.word = "SAME SCORES";
    banner.answers = "";
  }
  return banner_text(banner) + "\n" + blocks_text(test_blocks(test));
}

Json side_document(const StoreSide& side) {
  return {{"store", side.name},
          {"study", side.study.name},
          {"study_digest", results::hex(side.study.digest)},
          {"seed", side.study.seed},
          {"pairs", side.study.pairs}};
}

Json runs_document(const MatchedRuns& runs) {
  return {{"baseline", runs.variant.baseline},
          {"candidate", runs.variant.candidate},
          {"pairs", runs.pairs},
          {"baseline_runs", runs.baseline.size()},
          {"candidate_runs", runs.candidate.size()}};
}

}  // namespace

Json stores_document(const TwoStores& answer) {
  Json compared = Json::array(), fields = Json::array();
  for (const MatchedRuns& runs : answer.runs) compared.push_back(runs_document(runs));
  for (const StoreDifference& field : answer.differences.fields)
    fields.push_back({{"field", field.field},
                      {"baseline", field.baseline},
                      {"candidate", field.candidate},
                      {"trials", field.trials}});
  Json out = claims_part(answer.claims).data;
  for (std::size_t i = 0; i < answer.runs.size(); ++i) {
    Json& claim = out["claims"][i];
    claim["task"] = answer.runs[i].variant.label();
    claim["same_scores"] = same_scores(answer, i);
    for (const auto& warning : answer.claims.claims[i].test.warnings) claim["notes"].push_back(warning);
  }
  out.update({{"schema", "retrial.stores/1"},
              {"baseline", side_document(answer.baseline)},
              {"candidate", side_document(answer.candidate)},
              {"workload", answer.baseline.study.workload},
              {"metric", answer.metric.name},
              {"unit", answer.metric.unit},
              {"compared", compared},
              {"declared", false},
              {"undeclared", answer.undeclared},
              {"recorded", answer.recorded},
              {"same_identity",
               {{"trials", answer.same.trials},
                {"equal_outcomes", answer.same.equal},
                {"other_build", answer.same.other_build}}},
              {"differences", {{"trials", answer.differences.compared}, {"fields", fields}}},
              {"warnings", answer.warnings}});
  return out;
}

std::string stores_page(const TwoStores& answer) {
  const auto& claims = answer.claims;
  return (claims.claims.size() == 1 ? claim_page(answer) : section_text(*claims_part(claims).section)) + "\n" +
         sections_text({stores_section(answer), differences_section(answer)}) + next_step(answer);
}

}  // namespace retrial::harness::inline across
