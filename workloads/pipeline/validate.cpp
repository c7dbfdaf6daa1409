#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/data/inputs/keys.hpp"
#include "workloads/pipeline/keys.hpp"

namespace retrial::pipeline {
namespace {

using Problems = std::vector<workloads::Problem>;

bool has(const Values& values, const char* key, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text_in(values, key) == word; });
}

/// key = value as in the other key's error.
std::string setting(const Values& values, const char* key) {
  return std::string(key) + " = " + results::text_of(values.at(key));
}

void check_backend(const Values& values, Problems& problems) {
  const bool torch = has(values, "backend", {"torch"});
#ifdef RETRIAL_NO_TORCH
  if (torch) problems.push_back({"backend", "this program was built without LibTorch", "native"});
#endif
  if (has_images(values) && !torch)
    problems.push_back(
        {"task", "cannot be combined with " + setting(values, "backend"), "teacher4, or backend = torch"});
  if (!has(values, "norm", {"none"}) && !torch)
    problems.push_back({"norm", "cannot be combined with " + setting(values, "backend"), "none, or backend = torch"});
  if (!has_images(values) && has(values, "norm", {"group"}) && stages_of(values) > 1 &&
      integer_in(values, "width") % 4 != 0)
    problems.push_back({"norm", "groups of four do not divide " + setting(values, "width"),
                        "none, layer, or a width that is a multiple of 4"});
}

void check_task(const Values& values, Problems& problems) {
  if (!has_images(values)) return;
  const std::int64_t stages = integer_in(values, "stages");
  if (stages != image_stages && stages != study_stages)  // the latter may be the default
    problems.push_back({"stages", "cannot be combined with task = images, whose network has its own",
                        std::to_string(image_stages) + ", or leave it out"});
  const std::size_t before = problems.size();
  data::check_images(values, problems);
  if (problems.size() == before) data::check_rows(workload_name, values, problems);
}

void check_delays(const Values& values, Problems& problems) {
  if (!has(values, "delay", {"custom"})) return;
  const auto list = parsed_delays(text_in(values, "delay_list"));
  const std::int64_t stages = stages_of(values);
  if (const std::string problem = list ? delay_list_problem(stages, *list) : "not a list of delays"; !problem.empty())
    problems.push_back(
        {"delay_list", problem, std::to_string(stages) + " whole numbers from 0 to 4096, one for each stage"});
}

/// Keys that can be combined with a semantics.
struct Companions {
  const char* semantics;
  std::vector<std::string> delays, correctors;  ///< no correctors: all
};

const Companions& companions_of(const std::string& semantics) {
  static const std::vector<std::string> graded{"pb", "one_f_one_b", "custom"}, lagging{"none", "sc"},
      own_weights{"none", "sc", "lwp_v", "lwp_w", "lwp_v+sc", "lwp_w+sc", "gsc", "dc_asgd"};
  static const std::vector<Companions> all{{"sequential", {"none"}, {"none"}},
                                           {"inconsistent", graded, corrector_names()},
                                           {"stashed", graded, own_weights},
                                           {"vertical_sync", graded, lagging},
                                           {"recomputed", graded, own_weights},
                                           {"uniform_delay", {"uniform"}, lagging},
                                           {"forward_delay_only", {"uniform"}, lagging},
                                           {"drained", {"none"}, {"none"}}};
  return *std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.semantics == semantics; });
}

void check_semantics(const Values& values, Problems& problems) {
  const std::string &semantics = text_in(values, "semantics"), &delay = text_in(values, "delay"),
                    &corrector = text_in(values, "corrector");
  const Companions& with = companions_of(semantics);
  const auto in = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (!in(with.delays, delay)) {
    if (semantics == "sequential")
      problems.push_back({"delay", "names no weight semantics by itself, and semantics = sequential has no delay",
                          "none, or set semantics to one of " + results::joined(semantics_names())});
    else
      problems.push_back({"delay", "cannot be combined with semantics = " + semantics, results::joined(with.delays)});
  }
  if (!in(with.correctors, corrector))
    problems.push_back(
        {"corrector", "cannot be combined with semantics = " + semantics, results::joined(with.correctors)});
  if (corrector == "spectrain" && delay == "custom")
    problems.push_back({"delay", "cannot be combined with corrector = spectrain", "pb, one_f_one_b"});
}

void check_optimizer(const Values& values, Problems& problems) {
  if (!has(values, "optimizer", {"sgdm"}) && !has(values, "corrector", {"none", "lwp_v", "lwp_w"}))
    problems.push_back({"corrector", "cannot be combined with " + setting(values, "optimizer"),
                        "none, lwp_v, lwp_w, or optimizer = sgdm"});
}

void check_samples(const Values& values, Problems& problems) {
  const std::int64_t samples = integer_in(values, "samples"), stages = stages_of(values),
                     per_update = samples_per_update(values), count = per_update / integer_in(values, "batch");
  const std::string what = integer_in(values, "batch") == 1 ? "microbatches = " + std::to_string(count)
                           : count == 1                     ? "batch = " + std::to_string(per_update)
                                                            : "batch * microbatches = " + std::to_string(per_update);
  if (has(values, "semantics", {"uniform_delay"}) && count > 1 && count < stages)
    problems.push_back({"microbatches", "fewer than stages = " + std::to_string(stages) + " cannot fill the pipeline",
                        "1, or " + std::to_string(stages) + " and more"});
  if (samples < per_update)
    problems.push_back({"samples", "fewer than one update of " + what, "at least " + std::to_string(per_update)});
  else if (!flag_in(values, "drop_last") && samples % per_update != 0)
    problems.push_back({"samples", "not divisible by " + what,
                        std::to_string(samples / per_update * per_update) + ", or drop_last = true"});
}

void check_executor(const Values& values, Problems& problems) {
  if (!is_threaded(values)) return;
  const std::string stages = std::to_string(stages_of(values));
  if (integer_in(values, "workers") > stages_of(values))
    problems.push_back({"workers", "more than stages = " + stages, "1 to " + stages});
  if (has(values, "semantics", {"uniform_delay", "forward_delay_only"}))
    problems.push_back({"executor",
                        "cannot be combined with " + setting(values, "semantics") +
                            ": a network that lags as a whole runs in no pipeline",
                        "tick"});
  if (executor_of(values) == Executor::threads_free && has(values, "delay", {"none"}))
    problems.push_back(
        {"executor", "cannot be combined with delay = none: there is nothing that could vary", "tick, threads_fixed"});
}

}  // namespace

std::vector<workloads::Problem> method_problems(const Values& values) {
  Problems problems;
  check_delays(values, problems);
  check_semantics(values, problems);
  check_optimizer(values, problems);
  check_samples(values, problems);
  check_executor(values, problems);
  if (!parsed_schedule(text_in(values, "lr_schedule")))
    problems.push_back({"lr_schedule", "not a schedule",
                        "constant, or SAMPLE=FACTOR items with increasing samples and factors above 0: 0=1,8192=0.1"});
  return problems;
}

std::vector<workloads::Problem> validate(const Values& values) {
  Problems problems;
  check_backend(values, problems);
  for (workloads::Problem& problem : method_problems(values)) problems.push_back(std::move(problem));
  if (problems.empty()) check_task(values, problems);
  return problems;
}

}  // namespace retrial::pipeline
