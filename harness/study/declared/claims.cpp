#include "harness/study/declared/claims.hpp"

#include <algorithm>
#include <cmath>

#include "harness/study/declared/stored_fields.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline declared {
namespace {

Json texts_of(const Readings& readings) {
  Json out = Json::array();
  for (const auto& reading : readings) out.push_back(reading.text());
  return out;
}

Readings readings_at(const StoredFields& fields, const char* key) {
  Readings out;
  for (const auto& text : fields.names(key)) {
    const auto reading = reading_from(text);
    if (!reading) fields.wrong(key, "a list of readings");
    out.push_back(*reading);
  }
  return out;
}

Expect expect_at(const StoredFields& fields) {
  const std::string word = fields.text("expect");
  for (const Expect expect : all_expectations())
    if (name_of(expect) == word) return expect;
  fields.wrong("expect", "a word of [claim.NAME]");
}

/// [VARIANT, bits of its weight] for each, in the order of the file.
Json contrast_document(const Contrast& contrast) {
  Json out = Json::array();
  for (const auto& [variant, weight] : contrast) out.push_back({variant, results::hex_of_bits(weight)});
  return out;
}

Contrast contrast_at(const StoredFields& fields) {
  Contrast out;
  if (!fields.has("contrast")) return out;
  const Json& list = fields.at("contrast");
  for (const Json& part : list) {
    const auto weight = part.is_array() && part.size() == 2 && part[0].is_string() && part[1].is_string()
                            ? results::double_from_hex(part[1].get<std::string>())
                            : std::nullopt;
    if (!weight) fields.wrong("contrast", "a list of variants and bits of weights");
    out.push_back({part[0].get<std::string>(), *weight});
  }
  return out;
}

/// [CANDIDATE, BASELINE, READING] for each, in the order of the file.
Json cells_document(const std::vector<ShareCell>& cells) {
  Json out = Json::array();
  for (const auto& cell : cells) out.push_back({cell.candidate, cell.baseline, cell.metric.text()});
  return out;
}

std::vector<ShareCell> cells_at(const StoredFields& fields) {
  std::vector<ShareCell> out;
  if (!fields.has("cells")) return out;
  for (const Json& cell : fields.at("cells")) {
    const bool texts = cell.is_array() && cell.size() == 3 &&
                       std::ranges::all_of(cell, [](const Json& one) { return one.is_string(); });
    const auto reading = texts ? reading_from(cell[2].get<std::string>()) : std::nullopt;
    if (!reading) fields.wrong("cells", "a list of candidates, baselines and readings");
    out.push_back({cell[0].get<std::string>(), cell[1].get<std::string>(), *reading});
  }
  return out;
}

/// A claim without a contrast, cells or an overlap has no such field: its document is that of earlier versions.
Json one_claim_document(const RegisteredClaim& claim) {
  Json out{{"name", claim.name},
           {"says", claim.says},
           {"candidate", claim.candidate},
           {"baseline", claim.baseline},
           {"metric", texts_of(claim.metric)},
           {"against", texts_of(claim.against)},
           {"value", claim.value ? Json(results::hex_of_bits(*claim.value)) : Json()},
           {"expect", name_of(claim.expect)},
           {"margin", results::hex_of_bits(claim.margin)},
           {"test", claim.test},
           {"unit", claim.unit}};
  if (!claim.contrast.empty()) out["contrast"] = contrast_document(claim.contrast);
  if (!claim.cells.empty()) out["cells"] = cells_document(claim.cells);
  if (claim.overlap) out["overlap"] = results::hex_of_bits(*claim.overlap);
  return out;
}

std::optional<double> overlap_at(const StoredFields& fields) {
  if (!fields.has("overlap")) {
    if (fields.text("test") == resample_test) fields.wrong("overlap", "the overlap that corrected_t corrects for");
    return std::nullopt;
  }
  const double overlap = fields.bits("overlap");
  if (!std::isfinite(overlap) || overlap <= 0) fields.wrong("overlap", "a finite number above 0");
  return overlap;
}

RegisteredClaim claim_from(const Json& document) {
  const StoredFields fields(document, "study", "claims.");
  static_cast<void>(fields.at("value"));
  return {.name = fields.text("name"),
          .says = fields.text("says"),
          .candidate = fields.text("candidate"),
          .baseline = fields.text("baseline"),
          .metric = readings_at(fields, "metric"),
          .against = readings_at(fields, "against"),
          .value = fields.has("value") ? std::optional(fields.bits("value")) : std::nullopt,
          .contrast = contrast_at(fields),
          .cells = cells_at(fields),
          .expect = expect_at(fields),
          .margin = fields.bits("margin"),
          .test = fields.text("test"),
          .unit = fields.text("unit"),
          .overlap = overlap_at(fields)};
}

std::string with_unit(double number, const std::string& unit) {
  return short_text(number) + (unit.empty() ? "" : " " + unit);
}

/// "accuracy of kd"; "the contrast of accuracy (1 kd, -1 scratch, -0.5 late)".
std::string subject_of(const RegisteredClaim& claim) {
  if (claim.contrast.empty()) return text_of(claim.metric) + " of " + claim.candidate;
  std::vector<std::string> parts;
  for (const auto& [variant, weight] : claim.contrast) parts.push_back(short_text(weight, 10) + " " + variant);
  return "the contrast of " + text_of(claim.metric) + " (" + results::joined(parts) + ")";
}

/// "that of ft", "accuracy[0] of the same trial", "0".
std::string reference_of(const RegisteredClaim& claim) {
  const bool difference = !claim.contrast.empty() && is_balanced(claim.contrast);
  if (claim.value) return with_unit(*claim.value, difference ? difference_unit(claim.unit) : claim.unit);
  if (claim.baseline == claim.candidate) return text_of(claim.against) + " of the same trial";
  return (claim.against == claim.metric ? "that" : text_of(claim.against)) + " of " + claim.baseline;
}

/// The readings, or the variants where all read the same.
std::string sets_of(const std::vector<ShareCell>& cells) {
  std::vector<std::string> names;
  const bool one = std::ranges::all_of(cells, [&](const auto& cell) { return cell.metric == cells.front().metric; });
  if (one) return cells.front().metric.text() + " of each";
  for (const auto& cell : cells) names.push_back(cell.metric.text());
  return results::joined(names);
}

}  // namespace

std::string Reading::text() const {
  return step ? metric + "[" + std::to_string(*step) + "]" : metric;
}

std::optional<Reading> reading_from(const std::string& text) {
  const auto open = text.find('[');
  if (open == std::string::npos) return text.empty() ? std::nullopt : std::optional(Reading{text, std::nullopt});
  if (open == 0 || text.back() != ']') return {};
  const auto step = results::parse_int(text.substr(open + 1, text.size() - open - 2));
  return step && *step >= 0 ? std::optional(Reading{text.substr(0, open), *step}) : std::nullopt;
}

std::string text_of(const Readings& readings) {
  constexpr std::size_t max_listed = 4;
  if (readings.size() == 1) return readings.front().text();
  if (readings.size() > max_listed)
    return "the mean of " + std::to_string(readings.size()) + " readings, " + readings.front().text() + " to " +
           readings.back().text() + ",";
  std::vector<std::string> names;
  for (const auto& reading : readings) names.push_back(reading.text());
  const std::string last = names.back();
  names.pop_back();
  return "the mean of " + results::joined(names) + " and " + last;
}

std::string name_of(Expect expect) {
  switch (expect) {
    case Expect::higher:
      return "higher";
    case Expect::lower:
      return "lower";
    case Expect::not_higher:
      return "not-higher";
    case Expect::not_lower:
      return "not-lower";
    case Expect::equal:
      return "equal";
  }
  return "";
}

const std::vector<Expect>& all_expectations() {
  static const std::vector<Expect> all{Expect::higher, Expect::lower, Expect::not_higher, Expect::not_lower,
                                       Expect::equal};
  return all;
}

bool tolerates(Expect expect) {
  return expect == Expect::not_higher || expect == Expect::not_lower || expect == Expect::equal;
}

bool is_balanced(const Contrast& contrast) {
  constexpr double rounding = 1e-12;
  double sum = 0, size = 0;
  for (const auto& [variant, weight] : contrast) sum += weight, size += std::fabs(weight);
  return std::fabs(sum) <= rounding * size;
}

std::vector<std::string> RegisteredClaim::variants() const {
  std::vector<std::string> out;
  for (const auto& cell : cells)
    for (const auto& variant : {cell.candidate, cell.baseline})
      if (std::ranges::find(out, variant) == out.end()) out.push_back(variant);
  if (!cells.empty()) return out;
  for (const auto& part : contrast) out.push_back(part.variant);
  if (!contrast.empty()) return out;
  out.push_back(candidate);
  if (!value && baseline != candidate) out.push_back(baseline);
  return out;
}

bool RegisteredClaim::raised_by(const std::string& variant) const {
  if (!cells.empty()) return std::ranges::find(cells, variant, &ShareCell::candidate) != cells.end();
  const auto part = std::ranges::find(contrast, variant, &Weighted::variant);
  return part == contrast.end() ? variant == candidate : part->weight > 0;
}

std::string RegisteredClaim::side(bool raising) const {
  auto names = variants();
  std::erase_if(names, [&](const std::string& variant) { return raised_by(variant) != raising; });
  return results::joined(names);
}

std::string RegisteredClaim::sentence() const {
  if (!cells.empty())
    return "the share of " + std::to_string(cells.size()) + " sets (" + sets_of(cells) + ") in which " + candidate +
           " is ahead of " + baseline + " in a pair is " + name_of(expect) + " than " + short_text(*value);
  const std::string subject = subject_of(*this), reference = reference_of(*this);
  const std::string width = with_unit(margin, difference_unit(unit));
  if (expect == Expect::equal) return subject + " differs by no more than " + width + " from " + reference;
  if (expect == Expect::not_higher) return subject + " is at most " + width + " higher than " + reference;
  if (expect == Expect::not_lower) return subject + " is at most " + width + " lower than " + reference;
  return subject + " is " + name_of(expect) + (margin > 0 ? " by more than " + width : "") + " than " + reference;
}

const std::vector<std::string>& claim_tests() {
  static const std::vector<std::string> tests{"paired_permutation", "wilcoxon", "sign", "paired_t", resample_test};
  return tests;
}

std::string test_text(const RegisteredClaim& claim) {
  return claim.overlap ? claim.test + ", overlap " + short_text(*claim.overlap) : claim.test;
}

std::optional<double> min_p(const RegisteredClaim& claim, std::int64_t pairs) {
  if (claim.test == share_test)
    return std::pow(claim.expect == Expect::lower ? 1 - *claim.value : *claim.value, static_cast<double>(pairs));
  // One of the 2^pairs sign patterns has all signs equal.
  if (claim.test == "paired_t" || claim.test == "tost" || claim.test == resample_test) return {};
  return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(pairs, 1000)));
}

Json document_of(const RegisteredClaims& claims) {
  Json list = Json::array();
  for (const auto& claim : claims.claims) list.push_back(one_claim_document(claim));
  return {{"alpha", results::hex_of_bits(claims.alpha)},
          {"adjust", "holm"},
          {"failure", claims.failure},
          {"claims", std::move(list)}};
}

RegisteredClaims registered_claims_of(const Json& document) {
  const StoredFields fields(document, "study", "claims.");
  RegisteredClaims out{.claims = {}, .alpha = fields.bits("alpha"), .failure = fields.text("failure")};
  if (fields.text("adjust") != "holm") fields.wrong("adjust", "holm");
  if (!fields.at("claims").is_array()) fields.wrong("claims", "a list");
  for (const Json& claim : fields.at("claims")) out.claims.push_back(claim_from(claim));
  return out;
}

}  // namespace retrial::harness::inline study::inline declared
