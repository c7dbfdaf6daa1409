#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/run_study.hpp"
#include "harness/run/sequential/watch.hpp"
#include "harness/stored/result_digest.hpp"

namespace retrial::harness::inline run::inline sequential {

/// A run that stops when its declared design says so, and the verdict it ends with.
class SequentialRun {
 public:
  /// The study must be stored. Throws Error{incomparable} when no verdict on it could be valid; nothing is run then.
  SequentialRun(results::Store& store, const Study& study, const Plan& plan, bool retry_failed);

  /// Hooks the design into a run's settings; `say` gets a line on the current evidence when there is something new.
  void follow(RunSettings& settings, std::function<void(const std::string&)> say);
  /// Reads the stored trials back, judges them, and stores the verdict once the design has decided.
  void judge();

  [[nodiscard]] const std::optional<variance::Verdict>& verdict() const { return verdict_; }
  /// From the verdict; before there is one, from the trials that have ended so far.
  [[nodiscard]] bool decided() const;
  [[nodiscard]] results::Digest outcome_digest() const;
  [[nodiscard]] ResultDigest result_digest() const;
  /// Fields of the summary for programs, and the end of the page for people.
  [[nodiscard]] Json document() const;
  [[nodiscard]] std::string page() const;

 private:
  results::Store& store_;
  StudyView study_;
  std::unique_ptr<SequentialWatch> watch_;
  Comparison comparison_;
  std::optional<variance::Verdict> verdict_;
};

}  // namespace retrial::harness::inline run::inline sequential
