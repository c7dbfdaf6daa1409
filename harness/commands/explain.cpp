#include <algorithm>

#include "determinism/manifest/manifest.hpp"
#include "harness/check/check_protocol.hpp"
#include "harness/command_line/command.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/show/manifest_text.hpp"
#include "harness/show/usual_cause.hpp"
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

Side side_of(const OpenStudy& open, const Named& named, bool two_stores) {
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
           .name = (two_stores ? named.store + " " : "") + trial_name(entry),
           .replay = replay_line(named.store, entry),
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
  out.explanation = determinism::diff_manifests(out.a.manifest, out.b.manifest, !out.first.has_value());
  return out;
}

bool unexplained(const Finding& finding) {
  return finding.explanation.verdict == "unexplained";
}

std::string step_text(std::int64_t step) {
  return step < 0 ? "at the end" : "at step " + std::to_string(step);
}

std::string cut(const std::string& text, std::size_t most = 40) {
  const std::string line = results::one_line(text);
  return line.size() <= most ? line : results::one_line(line.substr(0, most)) + "...";
}

report::Fact verdict_fact(const Finding& finding) {
  using enum report::Tone;
  const auto& e = finding.explanation;
  if (e.verdict == "same_bits")
    return {"verdict",
            {"SAME BITS", good},
            std::string("every outcome metric and digest is equal") +
                (e.explanatory.empty() ? "" : "; the fields below differ, but had no effect")};
  if (e.verdict == "explained_by")
    return {"verdict", {"EXPLAINED", settled}, "the fields below differ; each is a possible cause, not a proven one"};
  if (e.label == "permitted")
    return {"verdict",
            {"UNEXPLAINED (permitted)", open},
            "no recorded field explains the difference, but at least one trial ran in a nondeterministic kernel mode, "
            "which does not promise equal bits"};
  return {"verdict",
          {"UNEXPLAINED (violation)", bad},
          "both trials ran in a deterministic kernel mode and no recorded field differs; the cause is a race, or a "
          "setting that is not recorded"};
}

report::Table fields_table(std::string caption, const std::vector<determinism::FieldDifference>& fields,
                           const Finding& finding) {
  report::Table out{.caption = std::move(caption), .columns = {"field", finding.a.name, finding.b.name}};
  for (const auto& field : fields) out.rows.push_back({field.path, cut(field.a), cut(field.b)});
  return out;
}

report::Section section_of(const Finding& finding, bool all) {
  report::Section out{.id = "explain",
                      .title = finding.a.name + " vs " + finding.b.name,
                      .blocks = {report::Facts{{verdict_fact(finding)}}}};
  if (finding.first) {
    const Difference& first = *finding.first;
    out.blocks.emplace_back(report::Table{
        .columns = {"first difference", "", finding.a.name, finding.b.name},
        .rows = {{first.what, step_text(first.step), cut(side_text(first, first.a)), cut(side_text(first, first.b))}}});
  }
  const auto e = determinism::diff_manifests(readable_manifest(finding.a.manifest),
                                             readable_manifest(finding.b.manifest), !finding.first.has_value());
  if (!e.explanatory.empty())
    out.blocks.emplace_back(fields_table("Fields that can change bits, most specific first", e.explanatory, finding));
  if (all && !e.others.empty())
    out.blocks.emplace_back(fields_table("Fields that cannot change bits (times, names, evidence)", e.others, finding));
  if (!all && !e.others.empty())
    out.blocks.emplace_back(report::Paragraph{counted(static_cast<std::int64_t>(e.others.size()), "further field") +
                                              " that cannot change bits differ" + (e.others.size() == 1 ? "s" : "") +
                                              " (times, names, evidence); --all prints them"});
  if (auto cause = usual_cause(finding.a.manifest, finding.b.manifest); unexplained(finding) && !cause.empty())
    out.blocks.emplace_back(report::Paragraph{std::move(cause)});
  if (unexplained(finding))
    out.blocks.emplace_back(
        report::Paragraph{"next: " + finding.a.replay + " runs it again here and finds the first step that differs"});
  return out;
}

Json fields_json(const std::vector<determinism::FieldDifference>& fields) {
  Json out = Json::array();
  for (const auto& field : fields) out.push_back({{"field", field.path}, {"a", field.a}, {"b", field.b}});
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
  const auto wanted = arguments.value("study");
  const OpenStudy first(a.store, wanted);
  std::optional<OpenStudy> other;
  if (a.store != b.store) other.emplace(b.store, wanted);
  const Finding finding =
      finding_of(side_of(first, a, other.has_value()), side_of(other ? *other : first, b, other.has_value()));
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
                   "retrial explain here.db kd/7 there.db kd/7", "retrial explain quickstart.db '#14' '#15' --json"},
      .arguments = "[STORE] A [OTHER_STORE] B",
      .options = {{.name = "all", .meaning = "also print the fields that cannot change bits"},
                  study_option(),
                  {.name = "json", .meaning = "one JSON document (schema retrial.explain/1)"}},
      .run = run_explain};
}

}  // namespace retrial::harness::inline commands
