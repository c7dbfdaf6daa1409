// The helpers of cli_fixture.hpp. Named so that the build takes it into this test program.
#include "tests/harness/program/cli_fixture.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <limits>
#include <sstream>

#include "harness/program/program.hpp"
#include "harness/text/colour.hpp"
#include "results/text/text.hpp"

namespace retrial::fixture {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t first_start_ns = 1'617'451'200'000'000'000;  // 2021-04-03 12:00:00 UTC

/// The text printed to a stream during the lifetime of this object.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(before_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* before_;
};

results::Id16 id_of(const std::string& text) {
  const auto digest = results::sha256(text);
  results::Id16 out{};
  std::copy_n(digest.begin(), out.size(), out.begin());
  return out;
}

Json manifest_of(const results::PlanEntry& entry) {
  return {{"schema", "retrial.manifest/1"},
          {"trial", {{"workload", entry.workload}, {"variant", entry.variant}}},
          {"randomness", {{"init", results::hex16(static_cast<std::uint64_t>(entry.pair_index))}}},
          {"numeric", {{"requested", {{"deterministic", true}, {"threads", 1}}}}},
          {"program", {{"build_id", "feed"}}},
          {"machine", {{"cpu_model", "Test CPU"}, {"cpu_cores", 2}}},
          {"volatile", {{"load_average", std::to_string(entry.ordinal)}}}};
}

}  // namespace

Answer retrial(const std::vector<std::string>& words) {
  setenv("COLUMNS", "100", 1);
  unsetenv("RETRIAL_DB");
  harness::set_colour(harness::Colour::automatic);
  const Captured out(std::cout), err(std::cerr);
  const int exit = harness::run_program(words);
  return {.exit = exit, .out = out.text(), .err = err.text()};
}

Json json_of(const std::vector<std::string>& words) {
  return results::parse_json(retrial(words).out, "stdout");
}

Folder::Folder() : before_(fs::current_path()) {
  std::string name = (fs::temp_directory_path() / "retrial-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
  fs::current_path(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  fs::current_path(before_, ignored);
  fs::remove_all(path_, ignored);
}

std::vector<std::string> variants_of(const StudySpec& spec) {
  std::vector<std::string> out{"plain", "new"};
  if (!spec.third_gains.empty()) out.emplace_back("third");
  return out;
}

Json design_document(const StudySpec& spec) {
  Json out{{"schema", "retrial.design/1"},
           {"alpha", results::hex_of_bits(spec.alpha)},
           {"beta", results::hex_of_bits(0.05)},
           {"tie_limit", results::hex_of_bits(0.5)},
           {"margin", spec.margin ? Json(results::hex_of_bits(*spec.margin)) : Json()},
           {"failure", spec.failure},
           {"family", "fixed"},
           {"test", "pab_exact"},
           {"pairs", spec.baseline.size()},
           {"metric", spec.metric},
           {"direction", spec.direction},
           {"baseline", "plain"},
           {"candidate", "new"},
           {"randomised", {"init"}},
           {"frozen", {"order"}}};
  if (spec.gamma) out["gamma"] = results::hex_of_bits(*spec.gamma);
  return out;
}

Json study_document(const StudySpec& spec) {
  Json variants = Json::array();
  for (const auto& name : variants_of(spec))
    variants.push_back({{"name", name}, {"preset", ""}, {"values", {{"rate", name}}}});
  Json out{{"schema", "retrial.study/1"},
           {"name", spec.name},
           {"workload", spec.workload},
           {"seed", spec.seed},
           {"pairs", spec.baseline.size()},
           {"vary", {"init"}},
           {"hold", {"order"}},
           {"mode",
            {{"preset", "deterministic"},
             {"deterministic", true},
             {"threads", 1},
             {"isa", "avx2"},
             {"onednn", true},
             {"tf32", false},
             {"fused", false}}},
           {"variants", variants},
           {"baseline", nullptr},
           {"candidate", nullptr},
           {"metric", nullptr},
           {"design", nullptr}};
  if (!spec.compares) return out;
  out["baseline"] = "plain";
  out["candidate"] = "new";
  out["metric"] = spec.metric;
  out["design"] = results::hex(results::digest_of(design_document(spec)));
  return out;
}

std::vector<results::PlanEntry> plan_of(const StudySpec& spec) {
  std::vector<results::PlanEntry> out;
  for (std::size_t pair = 0; pair < spec.baseline.size(); ++pair) {
    for (const auto& variant : variants_of(spec)) {
      results::PlanEntry entry{.ordinal = static_cast<std::int64_t>(out.size()),
                               .identity = results::sha256(spec.name + "/" + variant + "/" + std::to_string(pair)),
                               .workload = spec.workload,
                               .variant = variant,
                               .pair_index = static_cast<std::int64_t>(pair)};
      entry.trial_body =
          results::canonical({{"identity", results::hex(entry.identity)},
                              {"workload", spec.workload},
                              {"variant", variant},
                              {"values", {{"rate", variant}}},
                              {"seeds", {{"init", results::hex16(pair + spec.first_seed)}}},
                              {"pairs", {{"init", pair}}},
                              {"pair", pair},
                              {"mode", study_document(spec).at("mode")},
                              {"dataset", spec.data.contains(variant) ? Json(spec.data.at(variant)) : Json()},
                              {"program", "feed"}});
      out.push_back(std::move(entry));
    }
  }
  return out;
}

double score_of(const StudySpec& spec, const results::PlanEntry& entry) {
  const auto pair = static_cast<std::size_t>(entry.pair_index);
  if (entry.variant == "third") return spec.baseline[pair] + spec.third_gains[pair];
  return spec.baseline[pair] + (entry.variant == "new" ? spec.gains[pair] : 0.0);
}

results::TrialRecord record_of(const results::PlanEntry& entry, double score) {
  results::TrialRecord out{.identity = entry.identity, .replicate = entry.replicate};
  out.attempt = id_of("attempt at " + results::hex(entry.identity));
  out.started_ns = first_start_ns + entry.ordinal * 1'000'000'000;
  out.wall_ns = (entry.variant == "new" ? 750 : 500) * 1'000'000LL;
  out.cpu_ns = out.wall_ns / 2;
  out.peak_rss = 64LL << 20;
  out.worker = "w0";
  out.defs = {{.name = "accuracy", .unit = "%", .direction = results::Direction::higher},
              {.name = "curve", .unit = "%", .direction = results::Direction::higher, .axis = results::Axis::epoch},
              {.name = "wall_s", .unit = "s", .direction = results::Direction::lower, .nature = results::Nature::cost}};
  out.metrics = {{"accuracy", -1, score},
                 {"wall_s", -1, static_cast<double>(out.wall_ns) * 1e-9},
                 {"curve", 0, score / 2},
                 {"curve", 1, score}};
  for (const std::int64_t step : {0, 1, -1})
    out.digests.push_back(
        {"weights", step, "sha256",
         results::hex(results::sha256(entry.trial_body + std::to_string(step) + results::hex_of_bits(score)))});
  out.manifest = manifest_of(entry);
  return out;
}

void write_store(const std::string& file, const StudySpec& spec, const Change& change) {
  results::Store store(file, results::Store::Access::write);
  const auto plan = plan_of(spec);
  std::vector<std::pair<std::string, Json>> documents;
  if (spec.compares) documents.emplace_back("design", design_document(spec));
  store.put_study(spec.name, study_document(spec), plan, documents);
  for (const auto& entry : plan) {
    auto record = record_of(entry, score_of(spec, entry));
    if (!change || change(entry, record)) store.append(record);
  }
}

bool one_failed_one_diverged(const results::PlanEntry& entry, results::TrialRecord& record) {
  if (entry.variant == "new" && entry.pair_index == 1) {
    record.status = results::Status::failed;
    record.exit_code = 3;
    record.message = "command.no_metric: accuracy not found in the output";
    record.metrics.clear();
  }
  if (entry.variant == "plain" && entry.pair_index == 2) {
    record.status = results::Status::diverged;
    record.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  }
  return true;
}

}  // namespace retrial::fixture
