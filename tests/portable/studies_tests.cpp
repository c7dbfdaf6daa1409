#include <filesystem>
#include <set>

#include "harness/study/file/study_file.hpp"
#include "tests/catch.hpp"
#include "tests/portable/short_runs.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/nn/shape/architecture.hpp"

/// Bits that hold on other CPUs are those of the networks that people train: the shipped studies'.
namespace retrial::tests::portable::studies_tests {

namespace {

bool is_network(const std::string& text) try {
  (void)nn::parse_architecture(text, "");
  return true;
} catch (const InvalidInput&) {
  return false;
}

void add_networks(const std::vector<harness::StudyDraft::Key>& keys, std::set<std::string>& to) {
  for (const auto& key : keys)
    if (const auto* text = std::get_if<std::string>(&key.value); text != nullptr && is_network(*text)) to.insert(*text);
}

}  // namespace

TEST_CASE("short trials have every network of the shipped studies") {
  std::set<std::string> ours;
  for (const Case& one : all_cases())
    for (const auto& [key, value] : one.trial.keys)
      if (const auto* text = std::get_if<std::string>(&value)) ours.insert(*text);
  std::set<std::string> theirs;
  for (const auto& file : std::filesystem::directory_iterator(RETRIAL_SOURCE_DIR "/studies")) {
    const harness::StudyDraft draft = harness::read_study_file(file.path().string());
    add_networks(draft.set, theirs);
    for (const auto& variant : draft.variants) add_networks(variant.keys, theirs);
  }
  CHECK(theirs.contains("resnet20b"));  // a key of [set]
  for (const std::string& network : theirs) {
    INFO(network);
    CHECK(ours.contains(network));
  }
}

}  // namespace retrial::tests::portable::studies_tests
