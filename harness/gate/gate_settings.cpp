#include "harness/gate/gate_settings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/gate/gate_page.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate {
namespace {

std::string range_words(const workloads::Range& range) {
  return results::text_of(range.low) + (range.low_open ? " < " : " <= ") + "value" +
         (range.high_open ? " < " : " <= ") + results::text_of(range.high);
}

/// A key as an option gives it, else as the file does.
class Given {
 public:
  Given(const Arguments& arguments, const GateTable& file) : arguments_(arguments), file_(file) {}

  [[nodiscard]] std::string place(const std::string& key) const {
    if (arguments_.has(key_of(key).option())) return "--" + key_of(key).option();
    const auto found = file_.places.find(key);
    return found == file_.places.end() ? "--" + key_of(key).option() : found->second;
  }
  [[nodiscard]] bool has(const std::string& key) const {
    return arguments_.has(key_of(key).option()) || file_.values.contains(key);
  }
  [[nodiscard]] std::optional<double> number(const std::string& key, const workloads::Range& range) const {
    if (const auto value = arguments_.number(key_of(key).option(), range)) return value;
    if (!file_.values.contains(key)) return {};
    const double value = file_.values.at(key).get<double>();
    if (!inside(value, range)) refuse(key, results::text_of(value), "out of range", range_words(range));
    return value;
  }
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& key, std::int64_t low, std::int64_t high) const {
    if (const auto value = arguments_.integer(key_of(key).option(), low, high)) return value;
    if (!file_.values.contains(key)) return {};
    const auto value = file_.values.at(key).get<std::int64_t>();
    if (value < low || value > high)
      refuse(key, std::to_string(value), "out of range",
             "whole numbers from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
  }
  [[nodiscard]] bool flag(const std::string& key) const { return has(key); }
  [[nodiscard]] std::optional<std::string> word(const std::string& key) const {
    const GateKey& row = key_of(key);
    if (auto value = arguments_.value(row.option())) return value;
    if (!file_.values.contains(key)) return {};
    auto value = file_.values.at(key).get<std::string>();
    if (std::ranges::find(row.choices, value) != row.choices.end()) return value;
    const auto near = results::nearest(value, row.choices);
    throw Error({.code = "gate.value",
                 .where = place(key),
                 .field = "gate." + key,
                 .value = results::one_line(value, 100),
                 .problem = "not a known word",
                 .allowed = results::joined(row.choices),
                 .help = near ? "did you mean " + *near + "?" : ""});
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const {
    if (arguments_.has(key_of(key).option())) return arguments_.values(key_of(key).option());
    if (!file_.values.contains(key)) return {};
    return file_.values.at(key).get<std::vector<std::string>>();
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& problem,
                           const std::string& allowed) const {
    const bool option = arguments_.has(key_of(key).option()) || !file_.places.contains(key);
    throw Error({.code = "gate.value",
                 .where = option ? "" : place(key),
                 .field = option ? place(key) : "gate." + key,
                 .value = value,
                 .problem = problem,
                 .allowed = allowed});
  }

 private:
  static const GateKey& key_of(const std::string& name) {
    return *std::ranges::find(gate_keys(), name, &GateKey::name);
  }
  const Arguments& arguments_;
  const GateTable& file_;
};

const std::map<std::string, GateTest>& test_words() {
  static const std::map<std::string, GateTest> words{{"auto", GateTest::automatic}, {"rank", GateTest::rank},
                                                     {"paired", GateTest::paired},  {"signflip", GateTest::signflip},
                                                     {"win", GateTest::win},        {"counts", GateTest::counts}};
  return words;
}

void take_thresholds(const Given& given, GateSettings& out) {
  const workloads::Range any{0, 1e300};
  if (out.count_instructions) out.min_effect = 0.005;
  out.min_effect = given.number("min_effect", any).value_or(out.min_effect);
  out.margin = given.number("margin", any).value_or(out.margin);
  out.min_effect_abs = given.number("min_effect_abs", any);
  out.margin_abs = given.number("margin_abs", any);
  for (const auto& [one, other] : {std::pair{"min_effect_abs", "margin_abs"}, {"margin_abs", "min_effect_abs"}})
    if (given.has(one) && !given.has(other))
      given.refuse(other, "", "must be given: an absolute least effect and an absolute margin go together", "");
  const auto ordered = [&](const char* key, double margin, double least) {
    if (margin == 0.0 || margin > least) return;
    given.refuse(key, results::text_of(margin), "is not above the least effect",
                 "more than " + results::text_of(least) + ", or 0 to judge no equivalence");
  };
  ordered("margin", out.margin, out.min_effect);
  if (out.margin_abs) ordered("margin_abs", *out.margin_abs, *out.min_effect_abs);
}

}  // namespace

std::vector<Option> judging_options() {
  std::vector<Option> out;
  for (const GateKey& key : gate_keys()) {
    Option option{.name = key.option(), .meaning = key.meaning, .choices = key.choices};
    if (key.kind == GateKeyKind::number) option.value_name = "X";
    if (key.kind == GateKeyKind::whole) option.value_name = "N";
    if (key.kind == GateKeyKind::text) option.value_name = "WORD";
    if (key.kind == GateKeyKind::texts) option.value_name = "NAME", option.repeats = true;
    out.push_back(std::move(option));
  }
  return under("Judging", std::move(out));
}

GateSettings gate_settings(const Arguments& arguments, const GateTable& file) {
  const Given given(arguments, file);
  GateSettings out;
  const workloads::Range level{0, 0.5, true, true};
  out.alpha = given.number("alpha", level).value_or(out.alpha);
  out.equiv_alpha = given.number("equiv_alpha", level).value_or(out.equiv_alpha);
  out.power = given.number("power", {0.5, 1, true, true}).value_or(out.power);
  out.count_instructions = given.word("count") == "instructions";
  take_thresholds(given, out);
  static const std::map<std::string, Statistic> statistics{{"min", Statistic::min},
                                                           {"q1", Statistic::q1},
                                                           {"median", Statistic::median},
                                                           {"mean", Statistic::mean},
                                                           {"last", Statistic::last}};
  if (const auto word = given.word("statistic")) out.statistic = statistics.at(*word);
  const std::string test = given.word("test").value_or("auto");
  out.test = test_words().at(test);
  const std::string failure = given.word("failure").value_or("refuse");
  out.failure = failure == "loss" ? GateFailure::loss : failure == "drop" ? GateFailure::drop : GateFailure::refuse;
  out.allow_sequential = given.flag("allow_sequential");
  out.inconclusive = given.word("inconclusive").value_or("fail");
  out.allow_diff = given.texts("allow_diff");
  out.metrics = given.texts("metrics");
  out.pairs = given.whole("pairs", 2, 1000);
  out.until_decided = given.flag("until_decided");
  out.max_pairs = given.whole("max_pairs", 4, 1000).value_or(out.max_pairs);
  out.launches = given.whole("launches", 1, 20).value_or(out.launches);
  out.repetitions = given.whole("repetitions", 1, 1000);
  out.mid_p = arguments.has("mid-p");
  if (out.launches > 1 && out.until_decided)
    given.refuse("launches", std::to_string(out.launches), "is for a fixed number of pairs, not for until_decided", "");
  if (given.has("max_pairs") && !out.until_decided)
    given.refuse("max_pairs", std::to_string(out.max_pairs),
                 "is the last look of until_decided, which is not asked for", "");
  if (given.has("pairs") && out.until_decided)
    given.refuse("pairs", std::to_string(*out.pairs), "is for a fixed number of pairs; until_decided has max_pairs",
                 "");
  return out;
}

Json gate_design(const GateSettings& settings, const std::vector<std::string>& metrics) {
  const auto bits = [](double value) -> Json { return results::hex_of_bits(value); };
  const auto if_given = [&](const std::optional<double>& value) { return value ? bits(*value) : Json(); };
  const auto test =
      std::ranges::find(test_words(), settings.test, &std::pair<const std::string, GateTest>::second)->first;
  const char* failure = settings.failure == GateFailure::loss   ? "loss"
                        : settings.failure == GateFailure::drop ? "drop"
                                                                : "refuse";
  Json out{{"schema", "retrial.design/1"},
           {"kind", "gate"},
           {"alpha", bits(settings.alpha)},
           {"min_effect", bits(settings.min_effect)},
           {"margin", bits(settings.margin)},
           {"min_effect_abs", if_given(settings.min_effect_abs)},
           {"margin_abs", if_given(settings.margin_abs)},
           {"equiv_alpha", bits(settings.equiv_alpha)},
           {"statistic", word_of(settings.statistic)},
           {"test", test},
           {"failure", failure},
           {"until_decided", settings.until_decided},
           {"metrics", metrics}};
  if (settings.launches > 1) out["launches"] = settings.launches;  // designs of one launch keep their digests
  return out;
}

GateTable table_of_design(const Json& design) try {
  GateTable out;
  for (const char* key : {"alpha", "min_effect", "margin", "min_effect_abs", "margin_abs", "equiv_alpha"})
    if (const Json& bits = design.at(key); !bits.is_null())
      out.values[key] = results::double_from_hex(bits.get<std::string>()).value();
  for (const char* key : {"test", "failure"}) out.values[key] = design.at(key);
  if (design.at("statistic") != "auto") out.values["statistic"] = design.at("statistic");
  return out;
} catch (const std::exception&) {
  throw Error({.exit = Exit::integrity, .code = "gate.design", .problem = "a stored design of a gate is malformed"});
}

}  // namespace retrial::harness::inline gate
