// A store with two variants and a few pairs, every value fixed, so that the output of the reading
// commands can be compared with checked-in files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::fixture {

/// The program's answer to one command line.
struct Answer {
  int exit = 0;
  std::string out, err;
};
/// Runs the whole program in this process, in the current folder, with a width of 100 columns and no colour.
[[nodiscard]] Answer retrial(const std::vector<std::string>& words);
/// The document that a command line with --json prints.
[[nodiscard]] Json json_of(const std::vector<std::string>& words);

/// A temporary folder that is the current one while it lives.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  std::filesystem::path path_, before_;
};

/// The content of a stored study. Pair i of the candidate scores baseline + gains[i].
struct StudySpec {
  std::string name = "quick";
  std::vector<double> baseline{90.0, 91.5, 89.25, 92.0, 90.5};
  std::vector<double> gains{1.5, 0.75, 2.0, 1.25, -0.5};
  std::vector<double> third_gains = {};  ///< of a third variant, where there is one
  std::string seed = "000000000133e2a5";
  bool compares = true;
  std::string failure = "loss";
  double alpha = 0.05;
  std::optional<double> gamma = 0.75;  ///< absent: the design has no such field
  std::optional<double> margin;
  std::string metric = "accuracy", direction = "higher";
  std::string workload = "fixture";
  std::uint64_t first_seed = 77;                 ///< of pair 0; pair i has first_seed + i
  std::map<std::string, std::string> data = {};  ///< digest of the images of a variant; none: it has no data set
};

[[nodiscard]] Json study_document(const StudySpec& spec);
[[nodiscard]] Json design_document(const StudySpec& spec);
/// Pair by pair: baseline, candidate.
[[nodiscard]] std::vector<results::PlanEntry> plan_of(const StudySpec& spec);

/// A finished attempt at a trial of the plan, with a metric, a cost, a series, a digest and a manifest.
[[nodiscard]] results::TrialRecord record_of(const results::PlanEntry& entry, double score);
/// The score that the spec gives a trial.
[[nodiscard]] double score_of(const StudySpec& spec, const results::PlanEntry& entry);

/// Writes study, plan and one record for every trial that `change` lets pass; it may alter the record first.
using Change = std::function<bool(const results::PlanEntry&, results::TrialRecord&)>;
void write_store(const std::string& file, const StudySpec& spec = {}, const Change& change = {});
/// A change for write_store: trial new/1 failed, plain/2 diverged.
[[nodiscard]] bool one_failed_one_diverged(const results::PlanEntry& entry, results::TrialRecord& record);

}  // namespace retrial::fixture
