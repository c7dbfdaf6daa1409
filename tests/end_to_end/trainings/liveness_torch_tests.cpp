// The studies that are shipped must be alive in every key, source and loss term. Where a finding is planted:
// ../survey_tests.cpp.
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/workloads/data/files/data_folder.hpp"

namespace retrial::tests::liveness_torch_tests {

using Folder = retrial::tests::FullFolder;

namespace {

const std::string studies = std::string(RETRIAL_SOURCE_DIR) + "/studies/";

void demand_alive(const std::string& study, const std::vector<std::string>& more = {}) {
  const Folder folder;
  std::vector<std::string> words{"check", studies + study + ".toml", "--liveness", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const auto ran = run_retrial(folder, words);
  INFO(study << "\n" << ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(field(ran.out, "findings") == "[]");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path))
    CHECK_THAT(entry.path().string(), !has_text("teachers"));  // no trained teacher stays in the cache
}

}  // namespace

TEST_CASE("no study of digits that is shipped has a dead key, a dead source or a finding of a probe", "[slow]") {
  for (const char* study :
       {"quickstart", "digits-early", "digits-estimators", "digits-sources", "distill-tier0", "distill-tier1",
        "distill-tier1-same", "distill-sources", "distill-teachers", "distill-kdparam", "prune-tier0"})
    demand_alive(study);
}

TEST_CASE("the study of photographs has no finding either", "[needs-data][slow]") {
  const auto photos = retrial::test::real_data("cifar10-jpeg");
  if (photos) demand_alive("distill-tier2", {"--data", photos->string()});
}

}  // namespace retrial::tests::liveness_torch_tests
