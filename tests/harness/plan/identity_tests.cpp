// Identities of the studies that are shipped: a key that is added later must not change them. Digests of their plans,
// taken with `retrial plan STUDY --program-label pinned` on 22 November 2026; those of quickstart, early, own-script
// and the digits studies and of distill-tier2 by a program from before the catalogue of distillation had its keys.
// Those in mode portable: on 23 November 2026.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/plan/plan.hpp"
#include "harness/study/file/study_file.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"

namespace retrial::tests::plan_identity_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

const std::filesystem::path folder = std::filesystem::path(RETRIAL_SOURCE_DIR) / "studies";

const std::map<std::string, std::string> pinned{
    {"prune-control", "6931fe252112fdd76e292f70d58aa8d87801a50d2b4e67689789120af890edb6"},
    {"distill-mnist-500-tuned", "14a9aab5146cdca3b5cd5270c23aa9c5b2e510d191f3a992e5d139627ed496f8"},
    {"distill-mnist-100-tuned", "e650a883ef72dfbfbc4a97dba8c0d332f2712022ad7d6765674f92a78fbf713f"},
    {"distill-mnist-500", "91eff0d79f68458a7e2a4f1e894ca36be992607e55867d922703edf2bec2d7dd"},
    {"distill-mnist-100", "8b9bbbb8adb07a8ab874a6cc23ded956190ce4203332fcce110c5747f4173828"},
    {"distill-equal-1000", "02417320f9700c6ebf0aba8d7e3d5a8547158d8ad496e41de1d665fc00d49ce1"},
    {"distill-equal-500", "f90fa3eede908e42db88bbcb8341d4ecbbcdd6f14ae4d7f92cd9589e2a30ee71"},
    {"distill-equal-150", "6b17ac811ee055840032310ed19afd67776b049694ecd83e40e7d4ab22ae532a"},
    {"distill-budget", "78bcf8055bb5dd34604df78d15374b48608c2785b334636368d9d7cd21331b75"},
    {"automl-quick", "df4acf9764b7df2e19d8760b2b0ec7d6ded5c4b2cd7e29e143542ae000567e09"},
    {"digits-early", "7029114efc3cbbc2997652b609fed8e1bbeaba55da3fd3f2a983474758590cb7"},
    {"digits-estimators", "244ef785494d00cd70dc9811e1835d53016bfc66cb1e175fae2a8d8467eb86e6"},
    {"digits-sources", "7e594ba640942c493f93ffc50a37f738da46ba2775b7a1c38e0d18f531679b95"},
    {"distill-sources", "d640cf7d5084fedfbcb020ebeab12c78e03b9973c32f7e3961301d15fbcfa27c"},
    {"distill-teachers", "d3bf568f03ce5972b29f820a87ed6ddb697bbf3270b49e7cccd3cbb014ea0938"},
    {"distill-half", "f6360b1dbad644fbd4f75de34e5afce98796538fa3c8ab51c1ff8ca356a9d4b9"},
    {"distill-kdparam", "9f9bcbd51a9b6eb8d80505c9e9b97c224c6437ee05be81b2e2d3d6bee46d4685"},
    {"distill-tier0", "604e15c9f4b9b3651f112f340b474d8c45acb6b584f887b01de59ea46ad7b06e"},
    {"distill-tier1", "44bf6bbd264a1dc34120e83ab9f01fd85d5250fc9415c98044bfd0966393b539"},
    {"distill-tier1-same", "722894f27a122997494663b591a601b33eb3fc3208a7b2c8b27cb41a3f39ac26"},
    {"distill-tier2", "64f86d3457a9840421d197ee9f20d8dbe05632f7e69247cdea1548a77dafff92"},
    {"early", "34236233837adb209abc00fa4a15adbfd022912cc59af22b2cb137b4797f0916"},
    {"own-script", "1ea7ed750a6cebcd3584f67a785101eed87b0b6d8bbf2dbf0e3534aeb564eafc"},
    {"pipeline-delay", "af097cc74ea13c7b09e45f0f0dac509669d0089969c2f1afdb877ce16c5c71b0"},
    {"pipeline-easy", "0e5df686e91092da0d9ba640adcb96e7a8b40afc49cb50218d15042d9859e953"},
    {"pipeline-edge", "5a388201702fc73375e5170e1bbffaffc012a964eb5593617c1eabddf50af725"},
    {"pipeline-medium", "217bd1a6ad2ae53e4c3d19256bc95f5581503874f8bd58c40f1d898d482a7676"},
    {"pipeline-normal", "64842781e59e279b8fa4205b494e62648ae9540bc3e10c56bc48b1db37cf930f"},
    {"pipeline-optimisers", "5e4b32f8aaf69000dbde5a6c526a7039eff9d555214bb4a7ecafd8eae8b52d9a"},
    {"pipeline-quick", "fb25a4fc1852962b2c47012acfce2b77595cd3650cf5d2e38b92bb5b25b48bcc"},
    {"pipeline-rates", "4eef6c2d8784b0be3787a7a8eb30012910875735651788c51b927ef9e92545a2"},
    {"pipeline-stability", "3c74208c0e6f7f91e5f1bb9b7b8954a3bfff49b433d16abdf4a1995aafdcf2ef"},
    {"prune-tier0", "26f7568af20be42e71a95b410d06cb1e480ba498d3229181f497692f9a7c6e9a"},
    {"prune-tier1", "fec05b1bdb7cfd76c2a2a42d3d3b05bfecf6fac6adb341940d6899f3acbe4a85"},
    {"prune-tier2", "b529dfecf61e1a13862c18f4249550e12b4d717ed87aafdb616da876d9039c52"},
    {"prune-tier2-small", "6710256bd177040165dda411ea3c2c7beed81d1c46f96fd858274d09c6c63b07"},
    {"rl-gpu", "cbd7a111163138810d8f034a3a5bdb51fd768ceb4741f4b8c095aff5649737a7"},
    {"rl-quick", "6cc5baeff1d3b649088f6e208831512e397aa10a64a0e8821480b2de9b94351b"},
    {"rl-scores", "0a0528893d0bfbd5b1c82bc88d57daf55ef8f971c52f517a4bec57c7a6868845"},
    {"rl-survey", "f95e1fb98cc105d2a7ba38562b7695085158a8955647e93c47ea5798e78f7353"},
    {"quickstart", "07879836533161ac4177aa1a3be41443b8a76a77d0e2901583db1ec917616571"},
};

/// Those that went to mode portable, in the mode that they had: their older stores stay valid.
const std::map<std::string, std::string> in_mode_deterministic{
    {"digits-early", "67481a24927a2a1368d2282f56db646c7d840bbe8f7897a4c73888230fdc68ee"},
    {"distill-kdparam", "f73449732fa00259321ab25870f6b9ada43e44386b601ee69f2ad49e3f116c8d"},
    {"distill-sources", "1e81b18598e93a63596e626c7d42f03522d3eae409e5ca74a0726bd4d04273a5"},
    {"distill-teachers", "8932c1c9516337e35a3cca540364378bf97534b711d472da611981b75b568543"},
    {"distill-tier0", "0fa620a9a6ce9483a983b7f63e5256f1ffba7eca8ef7755cf5f0730a3927972b"},
    {"distill-tier1", "2e2e0a665f30499ab4457c1c5b149579be1e7b90ce88043b38d48c4506aa2e39"},
    {"distill-tier1-same", "c6ad5f1af7596fbeba38295d6bfc7e55e2a81ff356acdb76bd4dd6ca047c4b3a"},
    {"prune-tier1", "bbd0fb6e14f64474d5cfbbe1a04c67a8553c41f193ed243f830181abd16d187e"},
    {"prune-tier0", "aad69cfcba7baeaa540f06faa9f3b6ed79164e438a8bcdce2c18844c42eee397"},
    {"quickstart", "c57858be295059fc081c2a98157d797b93e1778688a73bbf73317779299004dc"},
};

/// Studies on tables and on a surrogate, which the user provides: they are planned where the files are.
const std::set<std::string> on_tables{"automl-costs", "automl-lcbench", "automl-multifidelity", "automl-quality",
                                      "automl-sources"};

/// Studies on photographs, which the user provides.
const std::set<std::string> on_photographs{"distill-tier2", "pipeline-medium", "prune-tier2", "prune-tier2-small"};

Study shipped(const std::string& name) {
  return checked(read_study_file(folder / (name + ".toml")));
}

std::string plan_digest(const Study& study) {
  return results::hex(make_plan(study, {.build_id = "0123", .program_label = "pinned", .data = "."}).plan_digest);
}

}  // namespace

TEST_CASE("every shipped study keeps the identities that it had") {
  // The example script of a study of commands is named from the root of the tree.
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(RETRIAL_SOURCE_DIR);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem();
    if (on_tables.contains(name)) continue;
    INFO(name << ": a study added or changed on purpose has its digest in the list above");
    REQUIRE(pinned.contains(name));
    if (!on_photographs.contains(name)) CHECK(plan_digest(shipped(name)) == pinned.at(name));
  }
  std::filesystem::current_path(here);
}

TEST_CASE("a study that went to another kernel mode has its old identities in the old mode") {
  for (const auto& [name, digest] : in_mode_deterministic) {
    Study study = shipped(name);
    study.mode = determinism::mode_from_name("deterministic", "test");
    INFO(name);
    CHECK(plan_digest(study) == digest);
    CHECK(pinned.at(name) != digest);
  }
}

TEST_CASE("the studies on photographs keep the identities that they had", "[needs-data]") {
  const auto photos = test::real_data("cifar10-jpeg");
  if (!photos) return;
  for (const std::string& name : on_photographs) {
    INFO(name);
#ifdef RETRIAL_NO_TORCH
    if (name == "pipeline-medium") continue;  // its network needs LibTorch, and says so when it is planned
#endif
    auto draft = read_study_file(folder / (name + ".toml"));
    draft.set.push_back({.key = "data_dir", .value = photos->string(), .where = "test"});
    CHECK(plan_digest(checked(draft)) == pinned.at(name));
  }
}

TEST_CASE("a key at another value is another identity") {  // the control of the tests above
  Study study = shipped("quickstart");
  const std::string before = plan_digest(study);
  study.variants[1].values["w_feat"] = 1.0;
  CHECK(plan_digest(study) != before);
}

}  // namespace retrial::tests::plan_identity_tests
