#include "harness/watch/watch_store.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/system/entropy.hpp"
#include "harness/system/host.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline watch {
namespace {

using results::hex_of_bits;
using variance::DetectorEvidence, variance::Direction;

constexpr const char* state_schema = "retrial.gate_state/1";

Json state_json(const variance::DetectorState& state) {
  Json values = Json::array();
  for (const double v : state.values) values.push_back(hex_of_bits(v));
  return {{"updates", state.updates}, {"values", values}};
}

Json state_json(const TwoDetectors& two) {
  return {{"alarm", two.alarm},
          {"better", state_json(two.better)},
          {"level", hex_of_bits(two.level)},
          {"worse", state_json(two.worse)}};
}

Json state_json(const WatchedSeries& one) {
  Json reference;
  if (one.reference)
    reference = {{"mean", hex_of_bits(one.reference->mean)},
                 {"runs", one.reference->runs},
                 {"sd", hex_of_bits(one.reference->sd)}};
  return {{"benchmark", one.workload},
          {"blocks", one.blocks},
          {"candidate", state_json(one.candidate)},
          {"control", state_json(one.control)},
          {"direction", one.direction == Direction::lower ? "lower" : "higher"},
          {"median", Json::array({hex_of_bits(one.median[base]), hex_of_bits(one.median[head])})},
          {"metric", one.metric},
          {"reference", reference},
          {"unit", one.unit},
          {"worse_blocks", one.worse_blocks}};
}

double bits_in(const Json& hex) {
  const auto value = results::double_from_hex(hex.get<std::string>());
  if (!value) throw Json::other_error::create(501, "no 16 hex digits", nullptr);
  return *value;
}

variance::DetectorState detector_in(const Json& json) {
  variance::DetectorState out{.values = {}, .updates = json.at("updates").get<std::int64_t>()};
  for (const Json& v : json.at("values")) out.values.push_back(bits_in(v));
  return out;
}

TwoDetectors detectors_in(const Json& json) {
  return {.worse = detector_in(json.at("worse")),
          .better = detector_in(json.at("better")),
          .level = bits_in(json.at("level")),
          .alarm = json.at("alarm").get<std::string>()};
}

WatchedSeries series_in(const Json& json) {
  WatchedSeries out{.workload = json.at("benchmark").get<std::string>(),
                    .metric = json.at("metric").get<std::string>(),
                    .unit = json.at("unit").get<std::string>(),
                    .direction = json.at("direction") == "lower" ? Direction::lower : Direction::higher,
                    .median = {bits_in(json.at("median").at(base)), bits_in(json.at("median").at(head))},
                    .blocks = json.at("blocks").get<std::int64_t>(),
                    .worse_blocks = json.at("worse_blocks").get<std::int64_t>(),
                    .candidate = detectors_in(json.at("candidate")),
                    .control = detectors_in(json.at("control")),
                    .reference = {}};
  if (const Json& reference = json.at("reference"); !reference.is_null())
    out.reference = {.mean = bits_in(reference.at("mean")),
                     .sd = bits_in(reference.at("sd")),
                     .runs = reference.at("runs").get<std::int64_t>()};
  return out;
}

WatchSettings settings_in(const Json& json) {
  WatchSettings out{.run_length = bits_in(json.at("run_length"))};
  const std::string kind = json.at("kind").get<std::string>(), direction = json.at("direction").get<std::string>();
  for (const auto evidence : {DetectorEvidence::paired_sign, DetectorEvidence::normal_known, DetectorEvidence::bounded})
    if (word_of(evidence) == kind) out.evidence = evidence;
  for (const auto one : {WatchDirection::worse, WatchDirection::better, WatchDirection::both})
    if (word_of(one) == direction) out.direction = one;
  if (word_of(out.evidence) != kind || word_of(out.direction) != direction)
    throw Json::other_error::create(501, "unknown detector", nullptr);
  return out;
}

Error no_line(const results::Store& store, const std::string& problem) {
  return Error({.exit = Exit::integrity,
                .code = "watch.line",
                .where = store.path().string(),
                .problem = problem,
                .help = "restore the file from a copy"});
}

/// Keeps other gates from adding a state to the same history.
class HistoryLease {
 public:
  explicit HistoryLease(results::Store& store) : store_(store), owner_(draw_name()) {
    const std::pair<results::Digest, std::uint32_t> history{results::sha256("retrial.gate_state"), 0};
    constexpr std::int64_t second = 1'000'000'000;
    for (const std::int64_t begin = monotonic_ns();;) {
      const std::int64_t now = monotonic_ns();
      if (store.claim(owner_, std::span(&history, 1), now, now + 60 * second).front()) return;
      if (now - begin > 60 * second)
        throw Error({.exit = Exit::measurement,
                     .code = "watch.busy",
                     .where = store.path().string(),
                     .problem = "another gate is adding to this history"});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~HistoryLease() {
    try {
      store_.release(owner_);
    } catch (const Error&) {  // it expires by itself
    }
  }
  HistoryLease(const HistoryLease&) = delete;
  HistoryLease& operator=(const HistoryLease&) = delete;

 private:
  results::Store& store_;
  results::Id16 owner_;
};

}  // namespace

Json document_of(const WatchState& state) {
  Json series = Json::array();
  for (const WatchedSeries& one : state.series) series.push_back(state_json(one));
  return {{"schema", state_schema},
          {"number", state.number},
          {"previous", state.previous ? Json(results::hex(*state.previous)) : Json()},
          {"detector",
           {{"direction", word_of(state.settings.direction)},
            {"kind", word_of(state.settings.evidence)},
            {"recursion", "shiryaev_roberts"},
            {"run_length", hex_of_bits(state.settings.run_length)}}},
          {"commit", state.commit},
          {"inputs", results::hex(state.inputs)},
          {"machine", state.machine},
          {"metrics", series},
          {"reset", state.reset},
          {"invalid", state.invalid}};
}

WatchState state_of(const Json& document, const std::string& where) {
  try {
    WatchState out{.number = document.at("number").get<std::int64_t>(),
                   .settings = settings_in(document.at("detector")),
                   .commit = document.at("commit").get<std::string>(),
                   .inputs = results::digest_from_hex(document.at("inputs").get<std::string>(), where),
                   .series = {},
                   .machine = document.at("machine").get<std::map<std::string, std::string>>(),
                   .reset = document.at("reset").get<std::string>(),
                   .invalid = document.at("invalid").get<bool>()};
    if (const Json& previous = document.at("previous"); !previous.is_null())
      out.previous = results::digest_from_hex(previous.get<std::string>(), where);
    for (const Json& one : document.at("metrics")) out.series.push_back(series_in(one));
    return out;
  } catch (const Json::exception&) {
    throw Error({.exit = Exit::integrity, .code = "watch.state", .where = where, .problem = "is no state of a watch"});
  }
}

std::vector<WatchState> watch_states(const results::Store& store) {
  std::vector<std::pair<WatchState, results::Digest>> found;
  for (const Json& document : store.documents("gate_state")) {
    const results::Digest digest = results::digest_of(document);
    found.emplace_back(state_of(document, store.path().string() + ": document " + results::hex(digest)), digest);
  }
  std::ranges::sort(found, {}, [](const auto& one) { return one.first.number; });
  std::vector<WatchState> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [state, _] = found[i];
    const std::string number = std::to_string(i + 1);
    if (state.number < std::int64_t(i) + 1)
      throw no_line(store, "two states have the number " + std::to_string(state.number));
    if (state.number > std::int64_t(i) + 1) throw no_line(store, "state " + number + " of the watch is missing");
    const auto expected = i == 0 ? std::nullopt : std::optional(found[i - 1].second);
    if (state.previous != expected) throw no_line(store, "state " + number + " does not follow the one before it");
    out.push_back(state);
  }
  return out;
}

std::vector<WatchState> watch_under_way(const std::vector<WatchState>& all) {
  const auto last = std::ranges::find_if(all.rbegin(), all.rend(), [](const auto& one) { return !one.reset.empty(); });
  return {last.base(), all.end()};
}

std::optional<WatchState> append_state(
    results::Store& store, const std::function<std::optional<WatchState>(const std::vector<WatchState>&)>& next) {
  const HistoryLease alone(store);
  const auto all = watch_states(store);
  auto state = next(all);
  if (!state) return std::nullopt;
  state->number = std::ssize(all) + 1;
  state->previous = all.empty() ? std::nullopt : std::optional(results::digest_of(document_of(all.back())));
  store.put_document("gate_state", document_of(*state));
  return state;
}

}  // namespace retrial::harness::inline watch
