#include "harness/run/sequential/run.hpp"

#include "harness/judge/design/design_violation.hpp"
#include "harness/judge/design/study_looks.hpp"
#include "harness/judge/verdict/answers_text.hpp"
#include "harness/judge/verdict/verdict_words.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline run::inline sequential {
namespace {

StudyView stored_study(const results::Store& store, const results::Digest& digest) {
  for (const auto& row : store.studies())
    if (row.digest == digest) return read_study(store, row);
  throw Error({.exit = Exit::integrity,
               .code = "store.document",
               .where = store.path().string(),
               .problem = "the study was just stored but cannot be read back"});
}

bool any_metric(const results::Store& store, const std::string& metric) {
  for (const auto& def : store.metric_defs())
    if (def.name == metric) return true;
  return false;
}

}  // namespace

SequentialRun::SequentialRun(results::Store& store, const Study& study, const Plan& plan, bool retry_failed)
    : store_(store), study_(stored_study(store, plan.study_digest)) {
  auto declared = declared_comparison(study_, judged_metric(study));
  find_violation(study_, declared);
  find_looks(store, study_, declared);
  refuse_violation(study_.name, declared);
  // The line after every pair shows the state of the verdict.
  record_looks(store, {declared.look});
  watch_ = std::make_unique<SequentialWatch>(store, std::move(declared), plan_state(store, plan.entries), retry_failed);
}

void SequentialRun::follow(RunSettings& settings, std::function<void(const std::string&)> say) {
  if (watch_->decided()) say("already decided: " + watch_->line());
  const auto tell = [this, say = std::move(say)] {
    if (const auto text = watch_->news()) say(*text);
  };
  settings.ended = [this, tell](const results::PlanEntry& entry, const results::TrialRecord& record) {
    watch_->ended(entry, record);
    tell();
  };
  settings.settled = [this, tell](const results::PlanEntry& entry) {
    watch_->settled(entry);
    tell();
  };
  settings.stop_requested = [this] { return watch_->decided(); };
}

void SequentialRun::judge() {
  if (!any_metric(store_, study_.design->metric)) return;  // no trial has finished
  comparison_ = read_comparison(store_, study_, plan_state(store_, study_.plan), {});
  verdict_ = verdict_of(comparison_);
  if (!decided()) return;
  const Json document = verdict_document({.study = study_, .comparison = comparison_, .verdict = *verdict_});
  store_.put_verdict(study_.digest, results::stored_form(document), claim_of(verdict_->design),
                     std::string(variance::name_of(verdict_->status)), inputs_of(comparison_, *verdict_));
}

bool SequentialRun::decided() const {
  return verdict_ ? verdict_->sequential->state != variance::SequentialState::go_on : watch_->decided();
}

results::Digest SequentialRun::outcome_digest() const {
  return judged_outcome_digest(comparison_, *verdict_);
}

ResultDigest SequentialRun::result_digest() const {
  return result_digest_of(store_, judged_outcomes(comparison_, *verdict_));
}

Json SequentialRun::document() const {
  if (!verdict_) return {{"decided", false}, {"verdict", nullptr}, {"at_n", 0}};
  return {{"decided", decided()},
          {"verdict", decided() ? Json(variance::name_of(verdict_->status)) : Json()},
          {"at_n", verdict_->sequential->at_n}};
}

std::string SequentialRun::page() const {
  if (!verdict_) return "";
  std::string out;
  if (decided()) {
    const Headline parts = headline_of(*verdict_);
    const std::string answers = answers_text(*verdict_, comparison_.metric.unit);
    out = bold(parts.before + std::string(variance::name_of(verdict_->status)) + parts.after) + "\n" +
          (answers.empty() ? "" : paragraph(answers));
  }
  for (const auto& line : wrapped(variance::sentence(*verdict_), terminal_width())) out += line + "\n";
  return out;
}

}  // namespace retrial::harness::inline run::inline sequential
