#include <algorithm>
#include <iostream>

#include "harness/judge/design/design_sentences.hpp"
#include "harness/judge/verdict/answers_text.hpp"
#include "harness/judge/verdict/requirement.hpp"
#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/scores/compare_scores.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/slice.hpp"
#include "harness/study/checks/design_check.hpp"
#include "harness/study/checks/study.hpp"
#include "harness/study/options/design_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/random/rng.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline scores {
namespace {

[[noreturn]] void refuse_rule(const std::string& field, const std::string& problem, const std::string& allowed,
                              const std::string& help) {
  throw Error({.code = "compare.scores", .field = field, .problem = problem, .allowed = allowed, .help = help});
}

/// The options as a study would declare them, so that the same checks reject an impossible design.
variance::Design design_of(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice,
                           const ScoreTest& names, std::int64_t pairs) {
  StudyDraft draft{.where = table.name};
  override_design(arguments, draft.design);
  draft.design.try_emplace("n_max", pairs);
  variance::Design design{.candidate = names.candidate,
                          .baseline = names.baseline,
                          .metric = choice.metric,
                          .pairs = declared_pairs(draft)};
  declare_design(draft, design);
  const auto comparison = "comparison:" + names.candidate + "|" + names.baseline;
  design.key = variance::derive(names.root, std::string_view(comparison));
  return design;
}

struct Followed {
  variance::Verdict verdict;
  const TableChoice& choice;
  std::uint64_t root = 0;
  std::vector<std::string> notes;
};

Json sequential_document(const Followed& followed, bool looks) {
  const auto& v = followed.verdict;
  const auto last =
      v.sequential && !v.sequential->looks.empty() ? v.sequential->looks.back() : variance::SequentialStep{};
  const bool known = !last.interval.method.empty() && v.status != variance::Status::invalid;
  Json out{{"schema", "retrial.sequential/1"},
           {"candidate", v.design.candidate},
           {"baseline", v.design.baseline},
           {"metric", followed.choice.metric},
           {"direction", word_of(followed.choice.direction)},
           {"seed", results::hex16(followed.root)},
           {"design", design_fields(v.design)},
           {"test", variance::rule_of(v.design)},
           {"statistic", last.statistic ? json_number(*last.statistic) : Json()},
           {"p", v.sequential ? json_number(v.sequential->always_valid_p) : Json()},
           {"status", variance::name_of(v.status)},
           {"verdict", variance::name_of(v.status)},
           {"estimate", known ? json_number(last.interval.point) : Json()},
           {"interval", known ? Json{json_number(last.interval.low), json_number(last.interval.high)} : Json()},
           {"level", json_number(last.interval.level)},
           {"method", last.interval.method},
           {"n", v.counts.pairs()},
           {"reason", v.reason ? Json(variance::name_of(*v.reason)) : Json()},
           {"detail", v.detail},
           {"sentence", variance::sentence(v)},
           {"pairs", v.counts.pairs()},
           {"wins", v.counts.wins},
           {"ties", v.counts.ties},
           {"losses", v.counts.losses},
           {"sequential", sequential_fields(v)},
           {"notes", followed.notes}};
  out.update(answers_fields(v));
  if (looks) out["looks"] = look_rows(v);
  return out;
}

report::Section rule_section(const Followed& followed) {
  const auto& v = followed.verdict;
  report::Facts facts{{{"rule", design_words(v.design)},
                       {"guarantee", std::string(variance::family_of(v.design).guarantee)},
                       {"stops", boundary_words(v.design)}}};
  if (const std::int64_t gone = v.counts.ties + v.dropped_pairs;
      gone > 0 && variance::rule_of(v.design) == "curtailed") {
    variance::Design untied = v.design;
    untied.pairs -= gone;
    facts.rows.push_back({"given the ties", boundary_words(untied)});
  }
  facts.rows.push_back({"judged", "the first " + counted(v.sequential->at_n, "pair") + " of " +
                                      std::to_string(v.sequential->given) + ", in order of pair number"});
  report::Section out{.id = "design", .title = "Design", .blocks = {std::move(facts)}};
  for (const std::string& note : followed.notes) out.blocks.emplace_back(report::Warning{note});
  return out;
}

std::string sequential_page(const Followed& followed, bool looks) {
  const auto& v = followed.verdict;
  const Headline headline = headline_of(v);
  const report::Banner banner{.tone = tone_of(v.status),
                              .before = headline.before,
                              .word = std::string(variance::name_of(v.status)),
                              .after = headline.after,
                              .answers = answers_text(v, ""),
                              .sentence = variance::sentence(v)};
  std::vector<report::Section> sections{rule_section(followed)};
  if (looks) sections.push_back(looks_section(v));
  return banner_text(banner) + "\n" + sections_text(sections);
}

/// Two variants of one task, pair by pair.
void require_one_slice(const std::vector<Slice>& slices) {
  if (slices.size() > 1) {
    std::vector<std::string> tasks;
    for (const Slice& slice : slices) tasks.push_back(slice.task);
    refuse_rule("--task", "must be given: a sequential design is for one task", results::joined(tasks), "");
  }
  if (!slices.front().paired)
    refuse_rule("--family", "needs pairs, but these runs have no pair numbers", "", "give each run a pair number");
}

}  // namespace

Exit compare_sequential(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice,
                        const std::vector<Slice>& slices) {
  refuse_options(arguments, {"test", "bayes", "aso", "adjust", "interval", "rope", "rho", "tau", "overlap", "reps"},
                 {.code = "compare.scores",
                  .problem = "does not apply to --family",
                  .help = "a sequential design is judged by its own rule"});
  require_one_slice(slices);
  const Slice& slice = slices.front();
  const Sides sides = sides_of({.where = table.name, .names = slice.names}, arguments);
  slice.require_equal(sides.candidate, sides.baseline);
  const ScoreTest names{.candidate = slice.names[sides.candidate],
                        .baseline = slice.names[sides.baseline],
                        .root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed()};
  variance::PairedScores scores{.candidate = slice.scores[sides.candidate],
                                .baseline = slice.scores[sides.baseline],
                                .direction = choice.direction,
                                .resolution = arguments.number("resolution", {0, 1e300, true, true})};
  const auto pairs = static_cast<std::int64_t>(scores.candidate.size());
  const auto design = design_of(arguments, table, choice, names, pairs);
  Followed followed{
      .verdict = variance::judge(scores, design), .choice = choice, .root = names.root, .notes = table.notes};
  followed.notes.insert(followed.notes.end(), slice.notes.begin(), slice.notes.end());
  followed.notes.emplace_back(
      "not checked: that the design was declared before the first run, and that the pairs ran in order of pair number; "
      "a study (retrial run --until-decided) stores both");
  const bool looks = arguments.has("looks");
  if (arguments.has("json"))
    print_json(sequential_document(followed, looks));
  else
    std::cout << sequential_page(followed, looks);
  return exit_for(followed.verdict, requirement_from(arguments.value("require")));
}

}  // namespace retrial::harness::inline scores
