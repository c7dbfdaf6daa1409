#include <iostream>

#include "harness/across/two_stores.hpp"
#include "harness/command_line/command.hpp"
#include "harness/judge/claims/claims_page.hpp"
#include "harness/judge/design/beside.hpp"
#include "harness/judge/design/comparison.hpp"
#include "harness/judge/design/design_sentences.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/leaderboard/leaderboard_page.hpp"
#include "harness/judge/verdict/evidence.hpp"
#include "harness/judge/verdict/replication_text.hpp"
#include "harness/judge/verdict/requirement.hpp"
#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/judge/verdict/verdict_page.hpp"
#include "harness/scores/compare_scores.hpp"
#include "harness/scores/many_tests.hpp"
#include "harness/scores/second_opinions.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/result_digest.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/text/names.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

/// Append-only; the same verdict on the same records is one row. A store that cannot be written does not keep the
/// verdict from being shown.
void keep(const std::filesystem::path& path, const Judged& judged, const Json& document) {
  try {
    results::Store store(path, results::Store::Access::write);
    store.put_verdict(judged.study.digest, results::stored_form(document), claim_of(judged.verdict.design),
                      std::string(variance::name_of(judged.verdict.status)),
                      inputs_of(judged.comparison, judged.verdict));
  } catch (const Error& error) {
    note("the verdict was not stored: " + std::string(error.what()));
  }
}

void keep_claims(const std::filesystem::path& path, const StudyView& study, const JudgedClaims& judged) {
  try {
    results::Store store(path, results::Store::Access::write);
    const auto inputs = results::digest_of({{"schema", "retrial.inputs/1"}, {"records", judged.records}});
    for (const auto& claim : judged.claims)
      store.put_verdict(study.digest, results::stored_form(claim_document(study, judged, claim)),
                        "claim/" + claim.claim.name, std::string(name_of(claim.outcome)), inputs);
  } catch (const Error& error) {
    note("the verdicts were not stored: " + std::string(error.what()));
  }
}

/// What the workload remarks about the keys of the two variants.
std::vector<std::string> remarks_on_sides(const StudyView& study, const Comparison& comparison) {
  std::vector<std::string> out;
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr || !declaration->remarks) return out;
  for (const auto& variant : study.variants)
    if (variant.name == comparison.design.baseline || variant.name == comparison.design.candidate)
      for (const auto& remark : declaration->remarks(values_of(*declaration, variant)))
        out.push_back(variant.name + ": " + remark);
  return out;
}

/// What the workload says beside a comparison of these variants, as a section; empty where it says nothing.
std::string beside_text(const std::vector<std::string>& facts) {
  if (facts.empty()) return "";
  return "\n" + section_text({.id = "beside", .title = "Behind the scores", .blocks = {report::List{facts}}});
}

std::vector<std::string> variants_shown(const StudyView& study, const Comparison& comparison, bool all) {
  return all ? names_in(judged_variants(study)) : std::vector{comparison.design.candidate, comparison.design.baseline};
}

bool stores_verdict(const Arguments& arguments) {
  return !arguments.has("no-store") && !arguments.has("foreign");
}

/// Every registered claim at once: the claims share one error rate, so none is judged alone.
int compare_claims(const Arguments& arguments, const std::filesystem::path& path) {
  refuse_options(
      arguments,
      {"metric", "baseline", "candidate", "scope", "sequential", "looks", "test", "adjust", "higher", "lower"},
      {.problem = "contradicts --claims: the study declared what is claimed"});
  StudyView study;
  JudgedClaims judged;
  std::vector<std::string> beside;
  {
    const results::Store store = open_for_reading(path);
    study = read_study(store, chosen_study(store, arguments.value("study")));
    if (study.claims.empty())
      throw Error({.exit = Exit::incomparable,
                   .code = "compare.no_claims",
                   .where = "study " + study.name,
                   .problem = "has no registered claims",
                   .help = "declare claims in tables [claim.NAME] of the study file, before the first run"});
    const auto trials = plan_state(store, study.plan);
    judged = judge_claims(store, study, trials);
    beside = facts_beside(store, study, trials, names_in(judged_variants(study)));
    if (arguments.has("require")) demand_alone(judged);
  }
  judged.recorded = recorder(arguments, path)(judged.looks);
  const Standing standing{.undeclared = judged.undeclared, .recorded = judged.recorded};
  if (stores_verdict(arguments)) keep_claims(path, study, judged);
  Json document = claims_document(study, judged);
  if (!beside.empty()) document["beside"] = beside;
  if (arguments.has("json"))
    print_json(document);
  else
    std::cout << section_text(claims_section(study, judged)) << beside_text(beside);
  return static_cast<int>(arguments.has("require") ? required(arguments, exit_of(judged), standing) : Exit::ok);
}

/// --require hold is valid only with --claims, the other requirements only without.
void check_claims_options(const Arguments& arguments) {
  const bool claims = arguments.has("claims"), hold = arguments.value("require") == "hold";
  if (arguments.has("scores")) refuse_options(arguments, {"claims"}, {.problem = "needs a store, not --scores"});
  if (arguments.has("require") && claims != hold)
    throw Error({.code = "usage.option_value",
                 .field = "--require",
                 .value = *arguments.value("require"),
                 .problem = claims ? "is for one comparison" : "is for registered claims",
                 .allowed = claims ? "hold" : "better, equivalent, not-worse; hold with --claims"});
}

/// With --adjust a store is read as a table of scores too.
std::vector<Option> options_of_scores_alone(bool family) {
  auto options = score_options();
  if (family) std::erase_if(options, [](const Option& o) { return o.name == "adjust" || o.name == "failure"; });
  return options;
}

/// --higher and --lower are for a metric without a direction, too.
std::vector<Option> options_of_tests_alone() {
  auto options = test_options();
  std::erase_if(options, [](const Option& o) { return o.name == "higher" || o.name == "lower"; });
  return options;
}

bool asks_for_a_test(const Arguments& arguments) {
  return arguments.has("test") || arguments.has("bayes") || arguments.has("aso");
}

/// A test of all variants, which reads a store as a table of scores.
bool asks_for_many(const Arguments& arguments) {
  return tests_many(arguments.value("test").value_or(""));
}

/// The scores decided when the pairs ended: a test for a number of pairs fixed in advance would have another error
/// rate.
void refuse_test_of_sequential(const StudyView& study) {
  if (!study.design || !study.design->sequential()) return;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.sequential",
               .field = "--test",
               .problem = "the design of study " + study.name + " is sequential (" + study.design->family +
                          "): no test for a fixed number of pairs is valid where it stopped",
               .help = "leave --test out: the verdict follows the declared design"});
}

/// A fixed design has no looks to show.
void demand_sequential(const Arguments& arguments, const StudyView& study) {
  if (study.design && study.design->sequential()) return;
  refuse_options(arguments, {"sequential", "looks"},
                 {.problem = "study " + study.name + " was declared as fixed-size, tested once at the end",
                  .help = "a sequential family must be declared before the first run (retrial list designs)"});
}

std::string claims_hint(const StudyView& study, const std::filesystem::path& path) {
  if (study.claims.empty()) return "";
  return "\n" + counted(std::ssize(study.claims.claims), "registered claim") + ": retrial compare " +
         shell_word(path.string()) + " --claims\n";
}

/// A study of three or more variants shows all of them, unless --candidate asks for one.
std::string leaderboard_text(const std::optional<Leaderboard>& board, const StudyView& study) {
  if (board) return "\n" + sections_text(leaderboard_sections(*board));
  const auto text = not_ranked_text(study);
  return text.empty() ? "" : "\n" + paragraph(text);
}

std::vector<std::string> test_names() {
  auto names = all_test_names();
  for (std::string& name : second_opinion_names()) names.push_back(std::move(name));
  return names;
}

int run_compare(const Arguments& arguments) {
  if (arguments.has("scores") || asks_for_a_test(arguments))
    refuse_options(arguments, {"scope"},
                   {.problem = "is for the verdict of a study's declared design, which records its searches"});
  check_claims_options(arguments);
  if (arguments.has("scores")) return static_cast<int>(compare_scores(arguments));
  if (is_second_opinion(arguments.value("test").value_or("")))
    throw Error({.code = "usage.option_value",
                 .field = "--test",
                 .value = *arguments.value("test"),
                 .problem = "is a rule for published scores, not for a store",
                 .help = "retrial compare --scores reference=FILE --scores submission=FILE --lower --test " +
                         *arguments.value("test")});
  const bool across = arguments.positional.size() > 1, family = arguments.has("adjust") || asks_for_many(arguments);
  refuse_options(arguments, names_in(options_of_scores_alone(family || across)), {.problem = "needs --scores"});
  if (across) return static_cast<int>(compare_two_stores(arguments));
  refuse_options(arguments, {"variant"},
                 {.problem = "is for two stores: retrial compare OLD.db NEW.db --variant NAME",
                  .help = "in one store, --baseline and --candidate name the two variants"});
  if (!asks_for_a_test(arguments) && !family)
    refuse_options(arguments, names_in(options_of_tests_alone()),
                   {.problem = "needs --test or --scores; the verdict of a store follows its declared design",
                    .help = "add a test, for example --test pab_exact; a design is declared before the first run, in "
                            "[compare] of a study file or by options of retrial run"});
  const StoreChoice choice = store_choice(arguments, {.usage = "compare [STORE]"});
  if (arguments.has("claims")) return compare_claims(arguments, choice.path);
  const auto record = recorder(arguments, choice.path);
  StudyView study;
  Comparison comparison;
  std::optional<Leaderboard> board;
  std::vector<Look> others;
  std::vector<std::string> beside;
  std::int64_t lost = 0;
  {
    const results::Store store = open_for_reading(choice.path);
    study = read_study(store, chosen_study(store, arguments.value("study")));
    const auto trials = plan_state(store, study.plan);
    lost = store.attempts_without_record(study.digest);
    if (family) {
      refuse_test_of_sequential(study);
      return static_cast<int>(compare_stored_family(arguments, store, study, trials, record));
    }
    comparison = read_comparison(store, study, trials,
                                 {.metric = arguments.value("metric"),
                                  .baseline = arguments.value("baseline"),
                                  .candidate = arguments.value("candidate"),
                                  .scope = arguments.value("scope"),
                                  .direction = direction_given(arguments)});
    if (has_leaderboard(study) && !arguments.has("candidate") && !asks_for_a_test(arguments)) {
      board = leaderboard_of(store, study, trials, comparison, comparison.design.baseline);
      others = leaderboard_looks(store, study, comparison, comparison.design.baseline);
    }
    beside = facts_beside(store, study, trials, variants_shown(study, comparison, board.has_value()));
  }
  demand_sequential(arguments, study);
  if (asks_for_a_test(arguments)) {
    refuse_test_of_sequential(study);
    demand_valid(study, comparison);
    if (arguments.has("require")) refuse_side_by_side(study, comparison);
    return static_cast<int>(test_stored(arguments, study, comparison, record));
  }
  if (arguments.has("require")) demand_alone(comparison);
  comparison.recorded = record({comparison.look}) && record(others);
  if (comparison.recorded) count_again(open_for_reading(choice.path), comparison);
  const Standing standing{.undeclared = comparison.undeclared, .recorded = comparison.recorded};
  const Judged judged{.study = study, .comparison = comparison, .verdict = verdict_of(comparison)};
  Json document = verdict_document(judged);
  if (stores_verdict(arguments)) keep(choice.path, judged, document);
  document["effects"] = effects_document(effects_of_verdict(judged));
  const bool looks = arguments.has("looks");
  if (looks) document["looks"] = look_rows(judged.verdict);
  if (board) document["leaderboard"] = leaderboard_document(*board);
  if (!beside.empty()) document["beside"] = beside;
  auto remarks = remarks_on_sides(study, comparison);
  if (lost > 0) remarks.push_back(lost_attempts_text(lost));
  if (lost > 0) document["attempts_without_record"] = lost;
  if (!remarks.empty()) document["remarks"] = remarks;
  if (arguments.has("json")) {
    if (judged.verdict.sequential)
      document["result_digest"] =
          json_of(result_digest_of(open_for_reading(choice.path), judged_outcomes(comparison, judged.verdict)));
    document["replication"] = replication_json(variance::replication_of(judged.verdict, comparison.scores));
    print_json(document);
  } else
    std::cout << verdict_page(judged) << (looks ? "\n" + section_text(looks_section(judged.verdict)) : "")
              << leaderboard_text(board, study) << beside_text(beside) << claims_hint(study, choice.path) << std::flush;
  for (const auto& remark : remarks) warn(remark);
  return static_cast<int>(
      required(arguments, exit_for(judged.verdict, requirement_from(arguments.value("require"))), standing));
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .group = "judge",
      .purpose = "decide which of two variants is better, how certain that is, and how often such a verdict is wrong",
      .examples = {"retrial compare quickstart.db", "retrial compare quickstart.db --require better",
                   "retrial compare quickstart.db --metric nll --baseline scratch --candidate kd --json",
                   "retrial compare quickstart.db --test wilcoxon",
                   "retrial compare several.db --adjust holm --test paired_t --baseline kd",
                   "retrial compare claims.db --claims", "retrial compare early.db --looks",
                   "retrial compare yesterday.db today.db",
                   "retrial compare here.db there.db --variant kd --metric nll",
                   "retrial compare --scores scores.csv --test welch --higher",
                   "retrial compare --scores scores.csv --aggregate iqm --higher",
                   "retrial compare --scores scores.csv --family dual_e --gamma 0.75 --n-max 60 --looks --higher",
                   "retrial compare --scores old=a.json --scores new=b.json --metric real_time --test welch"},
      .arguments = "[STORE] [NEW_STORE]",
      .options =
          std::vector<Option>{
              {.name = "scores",
               .value_name = "FILE",
               .meaning =
                   "compare scores from CSV, NPY, Google Benchmark, hyperfine or MLPerf files: FILE or VARIANT=FILE",
               .repeats = true},
              {.name = "test",
               .value_name = "NAME",
               .meaning = "use this test instead of the declared rule (retrial list tests)",
               .choices = test_names(),
               .elsewhere = test_names_elsewhere()},
              {.name = "metric", .value_name = "NAME", .meaning = "metric to judge (default: the declared one)"},
              {.name = "baseline",
               .value_name = "VARIANT",
               .meaning = "variant that the candidate is compared with (default: the declared one)"},
              {.name = "candidate",
               .value_name = "VARIANT",
               .meaning = "variant that the verdict is about (default: the declared one)"},
              {.name = "variant",
               .value_name = "VARIANT",
               .meaning = "with two stores: compare this variant of both (default: every variant that both have)",
               .repeats = true},
              study_option(),
              {.name = "scope",
               .value_name = "WHAT",
               .meaning = "what the claim covers: these keys only, or the pipeline with its search (INVALID with a "
                          "single search)",
               .choices = {"lambda", "pipeline"}},
              {.name = "require",
               .value_name = "WHAT",
               .meaning = "set the exit code by whether this was shown: 0 yes, 1 no, 3 inconclusive, 4 or 5 INVALID",
               .choices = {"better", "equivalent", "not-worse", "hold"}},
              {.name = "undeclared-ok",
               .meaning = "--require also accepts a verdict that was not declared before the first look"},
              foreign_option(),
              {.name = "claims",
               .meaning = "judge all claims that the study registered before its first run (--require hold)"},
              {.name = "sequential",
               .meaning = "fail unless the study declared a sequential design; a declared one is followed in any case"},
              {.name = "looks", .meaning = "sequential designs only: also show the result at every look"},
              {.name = "no-store", .meaning = "do not save the verdict in the store"},
              {.name = "json",
               .meaning =
                   "one JSON document (schema retrial.verdict/1, for one test retrial.test/1, for several claims "
                   "retrial.claims/1, with --claims retrial.registered_claims/1, of two stores retrial.stores/1)"}} +
          under("Tests", test_options()) + under("Scores, families and aggregates", score_options()),
      .run = run_compare};
}

}  // namespace retrial::harness::inline commands
