#include "tests/portable/golden.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/portable/short_runs.hpp"

/// The bits of one short trial of each workload, made once and compared on every machine that runs the tests. After an
/// intended change: RETRIAL_ACCEPT=1 RETRIAL_REASON='...' portable_tests "[golden]".
namespace retrial::tests::portable::golden_tests {

namespace {

const std::filesystem::path folder = RETRIAL_SOURCE_DIR "/tests/golden/portable";

Json read(const std::filesystem::path& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

std::string environment(const char* name) {
  const char* set = std::getenv(name);
  return set == nullptr ? "" : set;
}

/// Writes the file where it differs; the reason stays in it until the next change.
void accept(const std::filesystem::path& file, const Case& one, const results::TrialRecord& record) {
  const std::string reason = environment("RETRIAL_REASON");
  if (reason.find_first_not_of(" \t\n") == reason.npos)
    FAIL("RETRIAL_ACCEPT needs RETRIAL_REASON='why these bits changed', which " << file << " keeps");
  std::ofstream(file) << golden_of(one.trial.name, record, reason).dump(1) << "\n";
}

/// The whole manifest, for a report.
std::filesystem::path kept_manifest(const Case& one, const results::TrialRecord& record) {
  const std::filesystem::path file = RETRIAL_BINARY_DIR "/golden-" + one.workload + "-manifest.json";
  std::ofstream(file) << record.manifest.dump(1) << "\n";
  return file;
}

void compare(const Case& one, const results::TrialRecord& record) {
  const std::filesystem::path file = folder / (one.workload + ".json");
  const bool known = std::filesystem::exists(file);
  const std::optional<std::string> wrong = known ? mismatch(read(file), record) : "there is no such file";
  SUCCEED(one.name());
  if (!wrong) return;
  if (!environment("RETRIAL_ACCEPT").empty()) return accept(file, one, record);
  FAIL_CHECK(
      one.name() << " differs from " << file.string() << "; " << *wrong
                 << "\n  Mode portable promises these bits on every x86-64 CPU with AVX2. Please open an issue "
                    "with these lines and "
                 << kept_manifest(one, record).string()
                 << "\n  After an intended change: RETRIAL_ACCEPT=1 RETRIAL_REASON='...' portable_tests \"[golden]\"");
}

}  // namespace

TEST_CASE("a short trial of every workload gives the committed bits under portable", "[golden][needs-avx]") {
  if (const std::string why = unavailable(); !why.empty()) {
    WARN("left out: " << why);
    return;
  }
  const std::vector<Case> cases = first_cases();
  const std::vector<results::TrialRecord> records = run(cases, "portable", "");
  REQUIRE(records.size() == cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) compare(cases[i], records[i]);
}

TEST_CASE("a flipped digest in a golden file is reported with its step, the file itself is not") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    INFO(entry.path());
    const Json golden = read(entry.path());
    CHECK_FALSE(golden.at("reason").get<std::string>().empty());
    const results::TrialRecord record = record_in(golden);
    CHECK_FALSE(mismatch(golden, record));
    for (const auto& [key, hex] : golden.at("digests").items()) {
      Json flipped = golden;
      std::string& text = flipped["digests"][key].get_ref<std::string&>();
      text.front() = text.front() == '0' ? '1' : '0';
      const std::optional<std::string> said = mismatch(flipped, record);
      REQUIRE(said);
      const std::size_t blank = key.rfind(' ');
      CHECK_THAT(*said, has_text("digest " + key.substr(0, blank) + " is " + text + " and " + hex.get<std::string>()));
      CHECK_THAT(*said, has_text(blank == key.npos ? " at the end" : " at step" + key.substr(blank)));
    }
    ++files;
  }
  CHECK(files >= 3);
}

}  // namespace retrial::tests::portable::golden_tests
