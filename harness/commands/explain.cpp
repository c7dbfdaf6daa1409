#include <algorithm>

#include "harness/check/check_protocol.hpp"
#include "harness/command_line/command.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/show/field_differences.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

/// One of the two trials: the parts that are compared.
struct Side {
  std::string store;
  std::string name;    ///< the trial, with its store where there are two
  std::string replay;  ///< the command that runs it again
  results::TrialRecord record;
  Json manifest;
};

/// The result of the comparison.
struct Finding {
  Side a, b;
  std::optional<Difference> first;  ///< in metrics and digests; nothing: equal bits
  determinism::Explanation explanation;
};

/// A trial as the user names it.
struct Named {
  std::string store, trial;
};

constexpr const char* explain_usage = "explain [STORE] A [OTHER_STORE] B";

/// Two trials of one store, or one of each of two.
std::pair<Named, Named> trials_named(const Arguments& arguments) {
  const auto& words = arguments.positional;
  if (words.size() == 4)
    return {{existing_store(words[0]).string(), words[1]}, {existing_store(words[2]).string(), words[3]}};
  const StoreChoice choice = store_choice(arguments, {.min = 2, .max = 2, .usage = explain_usage});
  if (choice.rest[1].ends_with(".db"))
    throw Error({.code = "usage.missing_argument",
                 .field = results::one_line(choice.rest[1], 100),
                 .problem = "is a store, and the trial in it is missing",
                 .help = std::string("usage: retrial ") + explain_usage});
  return {{choice.path.string(), choice.rest[0]}, {choice.path.string(), choice.rest[1]}};
}

/// A study with the state of its trials.
struct OpenStudy {
  OpenStudy(const std::string& path, const std::optional<std::string>& wanted)
      : store(open_for_reading(path)),
        study(read_study(store, chosen_study(store, wanted))),
        trials(plan_state(store, study.plan)) {}

  results::Store store;
  StudyView study;
  std::vector<PlannedTrial> trials;
};

/// The study of --other-study, whose name is in its errors; without one that of --study.
OpenStudy other_study(const std::string& path, const Arguments& arguments) try {
  const auto own = arguments.value("other-study");
  return {path, own ? own : arguments.value("study")};
} catch (const Error& error) {
  if (error.text.field != "--study" || !arguments.has("other-study")) throw;
  ErrorText text = error.text;
  text.field = "--other-study";
  throw Error(std::move(text));
}

/// What the name of a trial needs before it: nothing, its store, or its study.
enum class Prefix { none, store, study };

std::string prefix_text(Prefix prefix, const OpenStudy& open, const Named& named) {
  return prefix == Prefix::none ? "" : (prefix == Prefix::store ? named.store : open.study.name) + " ";
}

Side side_of(const OpenStudy& open, const Named& named, Prefix prefix) {
  const auto& [store, study, trials] = open;
  const std::string& name = named.trial;
  const auto& entry = find_trial(study.plan, name, store.path().string());
  const auto found =
      std::find_if(trials.begin(), trials.end(), [&](const auto& t) { return t.entry.ordinal == entry.ordinal; });
  if (!found->row)
    throw Error({.exit = Exit::incomparable,
                 .code = "trial.not_run",
                 .field = "TRIAL",
                 .value = results::one_line(name, 100),
                 .problem = "has not run yet",
                 .help = "retrial status " + shell_word(store.path().string())});
  const auto& row = *found->row;
  Side out{.store = named.store,
           .name = prefix_text(prefix, open, named) + trial_name(entry),
           .replay = replay_line(named.store, entry, TrialBody(store.trial_body(study.digest, entry.ordinal))),
           .record = {},
           .manifest = store.manifest(row.id)};
  out.record.identity = row.identity;
  out.record.status = row.status;
  out.record.defs = store.metric_defs();
  out.record.metrics = store.metrics(row.id);
  out.record.digests = store.digests(row.id);
  return out;
}

Finding finding_of(Side a, Side b) {
  Finding out{.a = std::move(a), .b = std::move(b), .first = std::nullopt, .explanation = {}};
  out.first = first_difference(out.a.record, out.b.record);
  out.explanation = explanation_of(
      {.name_a = {}, .name_b = {}, .a = out.a.manifest, .b = out.b.manifest, .equal = !out.first.has_value()});
  return out;
}

bool unexplained(const Finding& finding) {
  return finding.explanation.verdict == "unexplained";
}

std::string step_text(std::int64_t step) {
  return step < 0 ? "at the end" : "at step " + std::to_string(step);
}

ManifestPair manifests_of(const Finding& finding) {
  return {.name_a = finding.a.name,
          .name_b = finding.b.name,
          .a = finding.a.manifest,
          .b = finding.b.manifest,
          .equal = !finding.first.has_value()};
}

report::Section section_of(const Finding& finding, bool all) {
  report::Section out{.id = "explain",
                      .title = finding.a.name + " vs " + finding.b.name,
                      .blocks = {report::Facts{{explanation_fact(finding.explanation)}}}};
  if (finding.first) {
    const Difference& first = *finding.first;
    out.blocks.emplace_back(
        report::Table{.columns = {"first difference", "", finding.a.name, finding.b.name},
                      .rows = {{first.what, step_text(first.step), cut_value(side_text(first, first.a)),
                                cut_value(side_text(first, first.b))}}});
  }
  for (auto& block : field_blocks(manifests_of(finding), all)) out.blocks.push_back(std::move(block));
  if (unexplained(finding))
    out.blocks.emplace_back(
        report::Paragraph{"next: " + finding.a.replay + " runs it again here and finds the first step that differs"});
  return out;
}

Json finding_json(const Finding& finding) {
  Json first;
  if (finding.first)
    first = {
        {"what", finding.first->what}, {"step", finding.first->step}, {"a", finding.first->a}, {"b", finding.first->b}};
  return {{"schema", "retrial.explain/1"},
          {"a", finding.a.name},
          {"b", finding.b.name},
          {"stores", Json::array({finding.a.store, finding.b.store})},
          {"verdict", finding.explanation.verdict},
          {"label", finding.explanation.label.empty() ? Json() : Json(finding.explanation.label)},
          {"differs_first", first},
          {"explanatory", fields_json(finding.explanation.explanatory)},
          {"others", fields_json(finding.explanation.others)}};
}

int run_explain(const Arguments& arguments) {
  const auto [a, b] = trials_named(arguments);
  const Prefix prefix = a.store != b.store             ? Prefix::store
                        : arguments.has("other-study") ? Prefix::study
                                                       : Prefix::none;
  const OpenStudy first(a.store, arguments.value("study"));
  std::optional<OpenStudy> other;
  if (prefix != Prefix::none) other.emplace(other_study(b.store, arguments));
  const Finding finding = finding_of(side_of(first, a, prefix), side_of(other ? *other : first, b, prefix));
  print_part({.section = section_of(finding, arguments.has("all")), .data = finding_json(finding)},
             arguments.has("json"));
  return static_cast<int>(unexplained(finding) ? Exit::different : Exit::ok);
}

}  // namespace

Command explain_command() {
  return {
      .name = "explain",
      .group = "determinism",
      .purpose = "find out where two trials first differ, and which recorded field explains it",
      .examples = {"retrial explain quickstart.db kd/7 kd/8", "retrial explain quickstart.db kd/7 scratch/7 --all",
                   "retrial explain here.db kd/7 there.db kd/7",
                   "retrial explain both.db kd/7 kd/7 --study monday --other-study tuesday",
                   "retrial explain quickstart.db '#14' '#15' --json"},
      .arguments = "[STORE] A [OTHER_STORE] B",
      .options = {{.name = "all", .meaning = "also print the fields that cannot change bits"},
                  study_option(),
                  {.name = "other-study",
                   .value_name = "STUDY",
                   .meaning = "study of the second trial, in the same store or in the other one (default: --study)"},
                  {.name = "json", .meaning = "one JSON document (schema retrial.explain/1)"}},
      .run = run_explain};
}

}  // namespace retrial::harness::inline commands
