#include <algorithm>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/files/rational.hpp"
#include "workloads/data/formats/cifar10c.hpp"
#include "workloads/nn/protocol/last_batch.hpp"
#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/steps/grid.hpp"
#include "workloads/pruning/steps/scoring_set.hpp"

namespace retrial::pruning::inline keys {
namespace {

using Problems = std::vector<workloads::Problem>;

void check_model(const Values& values, Problems& problems) try {
  (void)network_of(values);
  if (number_in(values, "dropout") > 0 && !nn::drops(architecture_of(values)))
    problems.push_back({"dropout", "has no effect in " + text_in(values, "model"), "0; mlp, cnn and wrn have dropout"});
} catch (const InvalidInput& wrong) {
  problems.push_back({"model", wrong.field == "model" ? "unknown model" : "does not fit the data set", wrong.allowed});
}

void check_numbers(const Values& values, Problems& problems) try {
  (void)deltas_of(values);
  if (noise_levels_of(values).empty() && integer_in(values, "noise_images") > 0)
    throw InvalidInput("noise_levels", "", "at least one level, or noise_images = 0");
  (void)distributions_of(values);
} catch (const InvalidInput& wrong) {
  problems.push_back(
      {wrong.field, (wrong.value.empty() ? "an empty item" : wrong.value) + " is not allowed", wrong.allowed});
} catch (const Error& wrong) {
  problems.push_back({"corruptions", wrong.text.value + ": " + wrong.text.problem, wrong.text.allowed});
}

void check_training(const Values& values, Problems& problems) {
  if (const std::string wrong = nn::milestones_problem(text_in(values, "milestones")); !wrong.empty())
    problems.push_back({"milestones", wrong, ""});
  if (const data::Operator* op = augmentation_of(values))
    if (const std::string wrong = data::augmentation_problem(*op, data::image_shape(values)); !wrong.empty())
      problems.push_back({"augment", wrong, "none, or an operator for images of this size and number of channels"});
  if (pipeline_of(values).rewinds && integer_in(values, "rewind_epoch") > integer_in(values, "epochs"))
    problems.push_back({"rewind_epoch", "after the end of the parent's training",
                        "0 to epochs = " + std::to_string(integer_in(values, "epochs"))});
}

void check_batches(const Values& values, Problems& problems) try {
  const std::int64_t rows = data::training_rows(workload_name, values);
  const std::string wrong = nn::last_batch_problem(rows, data::smallest_batch(rows, integer_in(values, "batch")),
                                                   nn::outline_of(architecture_of(values), data::image_shape(values)),
                                                   text_in(values, "model"));
  if (!wrong.empty()) problems.push_back({"batch", wrong, "sizes with a last batch of at least 2"});
} catch (const InvalidInput&) {
  return;  // an unknown model has been reported already
}

/// Blocks of informative pixels tile an image.
void check_blocks(const Values& values, Problems& problems) {
  const data::Shape shape = data::image_shape(values);
  const std::int64_t block = integer_in(values, "backselect_block");
  if (integer_in(values, "backselect_images") == 0 || (shape.height % block == 0 && shape.width % block == 0)) return;
  const std::string size = std::to_string(shape.width) + "x" + std::to_string(shape.height);
  problems.push_back({"backselect_block", "does not divide images of " + size, "a divisor of both sides"});
}

std::vector<std::string> methods_that(bool (Method::*fit)() const) {
  std::vector<std::string> names;
  for (const Method& method : all_methods())
    if ((method.*fit)()) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// A parent that is used as it is: only a file has trained weights, and its retraining has no other length or rate.
void check_pretrained(const Values& values, Problems& problems) {
  if (integer_in(values, "epochs") > 0) return;
  const Pipeline& pipeline = pipeline_of(values);
  if (!is_script(values))
    problems.push_back({"epochs", "0, and the parent " + text_in(values, "model") + " would keep its drawn weights",
                        "1 and above; 0 with model = script:FILE"});
  else if (!pipeline.prunes || pipeline.last_rate)
    problems.push_back({"epochs", "0, and pipeline " + pipeline.name + " needs the training of the parent",
                        "1 and above; 0 with a pipeline that prunes, other than fine_tune"});
  else if (integer_in(values, "retrain_epochs") == 0)
    problems.push_back({"retrain_epochs", "0 means as many as for the parent, and epochs = 0 gives it none",
                        "1 and above with epochs = 0"});
}

/// Nothing is known of a script but its named parameters, and the weights in its file are its only initial ones.
void check_script(const Values& values, Problems& problems) {
  if (!is_script(values)) return;
  const auto refuse_if = [&](bool wrong, const char* key, const std::string& problem, const char* allowed) {
    if (wrong) problems.push_back({key, problem, allowed});
  };
  refuse_if(flag_in(values, "recalibrate"), "recalibrate", "the batch norms of a script are not known", "false");
  refuse_if(flag_in(values, "separate"), "separate", "a script has no other initial weights to start from", "false");
  if (!pipeline_of(values).prunes) return;
  const Method& method = method_of(values);
  if (!method.of_parameters())
    problems.push_back({"method",
                        "method " + method.name +
                            " needs the layers of a network, and a script shows its named "
                            "parameters alone",
                        "for a script: " + results::joined(methods_that(&Method::of_parameters))});
  refuse_if(pipeline_of(values).control == Control::reinit, "pipeline",
            "reinit draws other initial weights, and a script has none but its own", "another pipeline");
  refuse_if(!flag_in(values, "prune_classifier"), "prune_classifier", "which layer of a script is last is not known",
            "true");
  refuse_if(integer_in(values, "min_keep") > 0, "min_keep", "the layers of a script are not known before its run", "0");
}

/// Factors have no single weights and cannot be rewound.
void check_low_rank(const Values& values, Problems& problems) {
  const Method& method = method_of(values);
  const Pipeline& pipeline = pipeline_of(values);
  if (!method.low_rank() || pipeline.keeps_factors()) return;
  const std::string why = pipeline.rewinds ? "restores the weights of an early epoch" : "is a control for masks";
  problems.push_back({"pipeline",
                      pipeline.name + " " + why + ", and method = " + method.name + " replaces weights by factors",
                      "cascade, fine_tune, one_shot, train, or a method that masks"});
}

void check_method(const Values& values, Problems& problems) {
  const Method& method = method_of(values);
  const std::string does = method.low_rank() ? " replaces weights by factors" : " masks single weights";
  if (text_in(values, "structure") == "group" && !method.structured())
    problems.push_back(
        {"structure", "group removes channels, and method = " + method.name + does,
         "mask, or a method that removes channels: " + results::joined(methods_that(&Method::structured))});
  check_low_rank(values, problems);
  if (method.rule == Rule::lottery && !level_fraction(text_in(values, "grid")))
    problems.push_back({"grid", "method lth removes a fraction of what remains at every level", "levels(f, L)"});
}

/// A corruption that is named must be available; a missing one in a list like mix2 is left out, with a warning.
void check_frost(const Values& values, Problems& problems) {
  if (!wants_textures(values)) return;
  const std::string& folder = text_in(values, "frost_dir");
  const corrupt::Corruption& frost = corrupt::find("frost");
  if (const std::string wrong = corrupt::problem_with(frost, data::image_shape(values)); !wrong.empty())
    problems.push_back({"corruptions", wrong, "other corruptions, or downscale"});
  const std::string why = corrupt::textures_missing(folder);
  if (why.empty()) return (void)corrupt::load_textures(folder);
  if (text_in(values, "corruptions") == "mix2" && folder.empty()) return;
  problems.push_back(
      {folder.empty() ? "corruptions" : "frost_dir", "frost is not available: " + why,
       "frost_dir = a folder with frost1.png to frost6.jpg (retrial data corrupt --help), or other corruptions"});
}

/// The arrays hold the 10,000 test images of CIFAR-10 in the same order and size.
void check_official(const Values& values, Problems& problems) {
  if (text_in(values, "corruptions") != "official") return;
  if (text_in(values, "dataset") != "cifar10" || integer_in(values, "downscale") != 1 ||
      text_in(values, "split") != "published") {
    problems.push_back({"corruptions", "official is CIFAR-10-C, which needs the published test images of CIFAR-10",
                        "dataset = cifar10, downscale = 1, split = published"});
    return;
  }
  const auto set = data::loaded_set(workload_name, values);
  constexpr std::uint32_t train = 50000, test = 10000;
  if (set->published.train != train || set->count != train + test) {
    problems.push_back(
        {"corruptions",
         "official needs all 60,000 images of CIFAR-10, but the folder has " + std::to_string(set->count),
         "portable, or names of corruptions"});
    return;
  }
  const std::span labels(set->labels);
  data::Cifar10C(text_in(values, "data_dir") + "/" + official_folder, labels.subspan(train)).require_arrays();
}

void check_norms(const Values& values, Problems& problems) {
  if (method_of(values).name == "bn_scale" && network_of(values).norms.empty())
    problems.push_back({"model",
                        text_in(values, "model") + " has no batch norm, but method = bn_scale reads its scales",
                        "a cnn or a residual network, or another method"});
}

void check_retraining(const Values& values, Problems& problems) {
  const auto steps = static_cast<std::int64_t>(grid_of(values).size());
  if (const std::int64_t every = integer_in(values, "retrain_every"); every > steps)
    problems.push_back({"retrain_every",
                        "no network is ever retrained and evaluated: the grid has " + std::to_string(steps) +
                            (steps == 1 ? " step" : " steps"),
                        "1 to " + std::to_string(steps)});
}

/// The scoring set is at most half of the `validation` rows, if there are any.
void check_scoring_set(const Values& values, Problems& problems) {
  const double share = number_in(values, "validation");
  if (!method_of(values).reads_samples) return;
  const std::int64_t wanted = integer_in(values, "train_count"),
                     rows = wanted > 0 ? wanted : data::published_training_rows(values);
  if (share == 0 && rows < 2)
    problems.push_back(
        {"train_count", "leaves no row for the scoring set of method " + method_of(values).name, "at least 2"});
  if (share > 0 && rows > 0 && data::floor_of_share(share, rows) < 2)
    problems.push_back(
        {"validation",
         "too small: half of its rows is less than one row for the scoring set of method " + method_of(values).name,
         "0, or at least " + results::text_of(2 / static_cast<double>(rows))});
}

void check_smallest(const Values& values, Problems& problems) {
  const auto min_keep = integer_in(values, "min_keep");
  if (min_keep == 0 || !enforces_min_keep(values)) return;
  const double smallest = smallest_keep(network_of(values), min_keep, flag_in(values, "prune_classifier"));
  if (grid_of(values).back() < smallest)
    problems.push_back({"min_keep",
                        "the last keep ratio " + results::text_of(grid_of(values).back()) + " leaves fewer than " +
                            std::to_string(min_keep) + " weights per layer",
                        "keep ratios from " + results::text_of(std::ceil(smallest * 1e6) / 1e6)});
}

}  // namespace

std::vector<workloads::Problem> validate(const Values& values) {
  Problems problems;
  data::check_images(values, problems);
  if (!problems.empty()) return problems;
  check_model(values, problems);
  check_numbers(values, problems);
  check_training(values, problems);
  check_blocks(values, problems);
  data::check_rows(workload_name, values, problems);
  check_batches(values, problems);
  check_script(values, problems);
  check_pretrained(values, problems);
  check_official(values, problems);
  if (problems.empty()) check_frost(values, problems);
  if (!pipeline_of(values).prunes) return problems;
  if (const std::string wrong = grid_problem(text_in(values, "grid")); !wrong.empty())
    problems.push_back({"grid", wrong, ""});
  check_method(values, problems);
  check_scoring_set(values, problems);
  if (!problems.empty()) return problems;
  check_norms(values, problems);
  check_smallest(values, problems);
  check_retraining(values, problems);
  return problems;
}

}  // namespace retrial::pruning::inline keys
