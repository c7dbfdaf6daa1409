#include "harness/run/root_seed.hpp"

#include "harness/plan/plan.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/run/run_study.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run {
namespace {

Json without_seed(Json document) {
  document.erase("seed");
  return document;
}

/// The seed of the newest study in the store that differs from this one only in its seed; unfinished ones come first.
/// One that stopped because nothing could run is not continued, unless `although_failed`: its program has probably been
/// edited.
std::optional<std::uint64_t> seed_to_resume(const results::Store& store, Study study, bool retry_failed,
                                            bool although_failed) {
  study.seed = 0;
  const auto wanted = without_seed(study_document(study));
  std::optional<std::uint64_t> unfinished, finished;
  for (const auto& row : store.studies()) {
    if (without_seed(row.document) != wanted) continue;
    const auto plan = store.plan(row.digest);
    if (!although_failed && failed_alike(store, plan)) continue;
    const bool open = !open_trials(store, plan, retry_failed).empty();
    (open ? unfinished : finished) = results::parse_hex16(row.document.at("seed").get<std::string>());
  }
  return unfinished ? unfinished : finished;
}

}  // namespace

SeedFrom set_seed(Study& study, const std::filesystem::path& path, const Arguments& arguments) {
  const bool again = arguments.has("again"), dry = arguments.has("dry-run");
  if (study.seed && again)
    refuse_usage("--again", "draws new seeds, and the seed of this study is given", "leave out one of the two");
  if (study.seed) return SeedFrom::study;
  if (!again && !dry && std::filesystem::exists(path))
    study.seed =
        seed_to_resume(results::Store(path, results::Store::Access::read), study, arguments.has("retry-failed"),
                       arguments.has("retry-failed") || arguments.has("keep-going"));
  if (study.seed) return SeedFrom::store;
  study.seed = draw_root_seed();
  return SeedFrom::chance;
}

void print_seed_note(SeedFrom from, std::uint64_t seed, bool finished) {
  const auto root = "root seed " + std::to_string(seed);
  if (from == SeedFrom::chance) note("no seed was given: drew " + root + " and stored it");
  if (from != SeedFrom::store) return;
  if (finished)
    note("nothing to run: this study is finished (" + root +
         "). --again runs a new one with new seeds, --seed N one with seeds of your choice; more pairs need a new "
         "study");
  else
    note("continuing the unfinished study in this store, " + root);
}

}  // namespace retrial::harness::inline run
