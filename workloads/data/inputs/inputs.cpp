#include <algorithm>
#include <set>

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/inputs/keys.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::data::inline inputs {
namespace {

/// The files may have changed since the trial was planned.
void require_planned(const workloads::Trial& trial, const workloads::Place& place, const Values& values) {
  if (trial.dataset.empty()) return;
  const auto digest = workloads::find_workload(trial.workload, "").dataset(values, place.data);
  const std::string found = digest ? results::hex(*digest) : "";
  if (trial.dataset == found) return;
  throw workloads::TrialFailure("data.digest_mismatch", "planned with data " + trial.dataset.substr(0, 12) +
                                                            ", found " + found.substr(0, 12) + " in " +
                                                            text_in(values, "data_dir"));
}

/// Number of rows that evaluate a training cut after a few steps: digests of the logits of a few rows distinguish two
/// networks as well as those of many, and 500 rows took half of the time of such a trial.
void shorten(Parts& parts) {
  constexpr std::size_t enough = 64;
  for (auto* rows : {&parts.test, &parts.valid}) rows->resize(std::min(rows->size(), enough));
}

}  // namespace

Inputs inputs_of(const workloads::Trial& trial, const workloads::Place& place) try {
  const Values values = located(trial.values, place);
  const std::shared_ptr<const ImageSet> set = loaded_set(trial.workload, values);
  require_planned(trial, place, values);
  const bool drawn = trial.text("split") != "published";
  Parts parts =
      make_parts(*set, parts_request(trial.values, drawn ? std::optional(trial.seed("data-split")) : std::nullopt));
  Normalisation normalisation = normalisation_of(trial.values, *set, parts.whole);
  if (place.max_steps > 0) shorten(parts);
  return {set, std::move(parts), std::move(normalisation)};
} catch (const InvalidInput& wrong) {
  throw workloads::TrialFailure("data.too_few_rows", wrong.what());  // a drawn split may lack rows of a class
}

std::string inputs_text(const Inputs& inputs) {
  const ImageSet& set = *inputs.set;
  Json files = Json::array();
  for (const FileDigest& file : set.files)
    files.push_back({{"name", file.name},
                     {"bytes", file.bytes},
                     {"sha256", file.sha256 ? Json(results::hex(*file.sha256)) : Json()}});
  const auto labels = [](const std::vector<std::uint32_t>& rows) {
    return std::set<std::uint32_t>(rows.begin(), rows.end()).size();
  };
  return results::printed({{"name", set.name},
                           {"identity", results::hex(identity(set))},
                           {"shape", {set.shape.channels, set.shape.height, set.shape.width}},
                           {"classes", set.classes},
                           {"rows",
                            {{"train", inputs.parts.train.size()},
                             {"valid", inputs.parts.valid.size()},
                             {"test", inputs.parts.test.size()},
                             {"teacher", inputs.parts.whole.size()}}},  // its name in stored documents
                           {"labels",
                            {{"train", labels(inputs.parts.train)},
                             {"valid", labels(inputs.parts.valid)},
                             {"test", labels(inputs.parts.test)},
                             {"teacher", labels(inputs.parts.whole)}}},
                           {"files", std::move(files)}});
}

}  // namespace retrial::data::inline inputs
