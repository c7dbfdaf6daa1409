#include "tests/portable/short_runs.hpp"

#include <algorithm>

#include "harness/check/check_protocol.hpp"
#include "harness/system/host.hpp"
#include "tests/workloads/data/files/drawn_images.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::portable {
namespace {

constexpr std::uint64_t root_seed = 20261123;
constexpr std::int64_t steps = 3;

harness::Study study_of(const workloads::Declaration& declaration, const determinism::KernelMode& mode) {
  harness::Study study{.name = "short", .workload = declaration.name, .seed = root_seed, .pairs = 1, .mode = mode};
  for (const workloads::Source& source : declaration.sources) study.held.push_back(source.name);
  for (const workloads::ShortTrial& trial : declaration.contributes.short_trials())
    study.variants.push_back({trial.name, "", workloads::resolved(declaration, trial.keys)});
  return study;
}

harness::PoolSettings pool_settings(const determinism::KernelMode& mode, const std::string& model,
                                    const std::string& worker) {
  harness::PoolSettings settings{.worker = RETRIAL_BINARY_DIR "/bin/" + worker, .mode = mode};
  if (model.empty()) return settings;
  settings.surroundings.launcher = {"qemu-x86_64", "-cpu", model};
  settings.hello_patience = std::chrono::minutes(10);
  return settings;
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const workloads::Declaration& declaration : workloads::all_workloads())
    if (declaration.contributes.short_trials)
      for (workloads::ShortTrial& trial : declaration.contributes.short_trials())
        all.push_back({declaration.name, std::move(trial)});
  return all;
}

std::vector<Case> first_cases() {
  std::vector<Case> firsts;
  for (Case& one : all_cases())
    if (firsts.empty() || firsts.back().workload != one.workload) firsts.push_back(std::move(one));
  return firsts;
}

std::string unavailable() {
  const std::vector<std::string> isas = determinism::this_host().isas;
  if (std::find(isas.begin(), isas.end(), "avx2") != isas.end()) return "";
  return "this CPU has no AVX2, which mode portable needs";
}

std::vector<results::TrialRecord> run(const std::vector<Case>& cases, const std::string& mode_name,
                                      const std::string& model, const std::string& worker) {
  const determinism::KernelMode mode = determinism::mode_from_name(mode_name, "");
  const harness::ScratchFolder cache;  // trained teachers, shared by the cases of one CPU, and drawn images
  harness::CheckSettings settings;
  settings.cache = cache.path();
  settings.data = cache.path() / "data";
  test::write_drawn_images(settings.data);
  harness::WorkerPool pool(pool_settings(mode, model, worker));
  std::vector<results::TrialRecord> records;
  for (auto from = cases.begin(); from != cases.end();) {
    const auto to = std::find_if(from, cases.end(), [&](const Case& one) { return one.workload != from->workload; });
    const harness::Study study = study_of(workloads::find_workload(from->workload, ""), mode);
    std::vector<results::PlanEntry> entries;
    for (; from != to; ++from)
      for (const harness::StudyVariant& variant : study.variants)
        if (variant.name == from->trial.name)
          entries.push_back(
              harness::make_trial(study, variant, {.build_id = {}, .program_label = {}, .data = settings.data}, {}, 0));
    for (auto& record : harness::run_trials(entries, harness::study_document(study), pool, settings, "short trials",
                                            {.checksum_every = 1, .max_steps = steps}))
      records.push_back(std::move(record));
  }
  return records;
}

std::vector<std::string> differences(const std::vector<Case>& cases, const std::vector<results::TrialRecord>& a,
                                     const std::vector<results::TrialRecord>& b) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (const auto difference = harness::first_difference(a[i], b[i]))
      found.push_back(cases[i].name() + ": " + harness::differing_text(*difference));
  return found;
}

}  // namespace retrial::tests::portable
