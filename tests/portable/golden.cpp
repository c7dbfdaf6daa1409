#include "tests/portable/golden.hpp"

#include <algorithm>

#include "harness/check/check_protocol.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::tests::portable {
namespace {

/// "train_loss 1", and "accuracy" at the end.
std::string key_of(const std::string& name, std::int64_t step) {
  return step < 0 ? name : name + " " + std::to_string(step);
}

std::pair<std::string, std::int64_t> name_and_step(const std::string& key) {
  const std::size_t blank = key.rfind(' ');
  if (blank == key.npos) return {key, -1};
  return {key.substr(0, blank), results::parse_int(key.substr(blank + 1)).value()};
}

bool is_outcome(const results::TrialRecord& record, const std::string& metric) {
  return std::any_of(record.defs.begin(), record.defs.end(), [&](const results::MetricDef& def) {
    return def.name == metric && def.nature == results::Nature::outcome;
  });
}

Json made_on(const Json& manifest) {
  const Json &machine = manifest.at("machine"), &libraries = manifest.at("libraries");
  return {{"compiler", manifest.at("program").at("compiler")},
          {"cpu", machine.at("cpu_model")},
          {"libc", machine.at("libc")},
          {"microcode", machine.at("microcode")},
          {"torch", libraries.at("torch")}};
}

std::string made_text(const Json& made) {
  const auto of = [&](const char* key) {
    return made.at(key).is_string() ? made.at(key).get<std::string>() : "unknown";
  };
  return of("cpu") + ", microcode " + of("microcode") + ", LibTorch " + of("torch") + ", " + of("libc") + ", " +
         of("compiler");
}

}  // namespace

Json golden_of(const std::string& trial, const results::TrialRecord& record, const std::string& reason) {
  Json digests = Json::object(), metrics = Json::object();
  for (const auto& digest : record.digests) digests[key_of(digest.name, digest.step)] = digest.hex;
  for (const auto& metric : record.metrics)
    if (is_outcome(record, metric.name)) metrics[key_of(metric.name, metric.step)] = results::hex_of_bits(metric.value);
  return {{"trial", trial},
          {"reason", reason},
          {"status", name_of(record.status)},
          {"made_on", made_on(record.manifest)},
          {"digests", digests},
          {"metrics", metrics}};
}

results::TrialRecord record_in(const Json& golden) {
  results::TrialRecord record{.status = results::status_from(golden.at("status").get<std::string>())};
  for (const auto& [key, hex] : golden.at("digests").items()) {
    const auto [name, step] = name_and_step(key);
    record.digests.push_back({.name = name, .step = step, .algo = "", .hex = hex});
  }
  for (const auto& [key, bits] : golden.at("metrics").items()) {
    const auto [name, step] = name_and_step(key);
    record.metrics.push_back({name, step, results::double_from_hex(bits.get<std::string>()).value()});
    record.defs.push_back({.name = name, .unit = ""});
  }
  return record;
}

std::optional<std::string> mismatch(const Json& golden, const results::TrialRecord& record) {
  const auto difference = harness::first_difference(record_in(golden), record);
  if (!difference) return std::nullopt;
  std::string text = "the first difference: " + harness::differing_text(*difference) + "\n  expected, from " +
                     made_text(golden.at("made_on"));
  if (record.manifest.is_object()) text += "\n  found, on " + made_text(made_on(record.manifest));
  return text;
}

}  // namespace retrial::tests::portable
