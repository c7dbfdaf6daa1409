#include <algorithm>

#include "harness/judge/design/scale.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "results/report/drawing/escape.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

/// \uXXXX of a character of at most three bytes.
std::string escaped(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  unsigned code = character.size() == 1 ? first : character.size() == 2 ? first & 0x1FU : first & 0x0FU;
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  std::string out = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789abcdef"[code >> shift & 0xFU];
  return out;
}

/// A basic string of TOML 1.0. Characters that a report does not show as they are (controls, changes of writing
/// direction; all below U+FFFF) are escaped as in TOML, so that every format prints the same file.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character =
        std::string_view(text).substr(at, std::max<std::size_t>(1, results::utf8_length(text, at)));
    if (character == "\"" || character == "\\")
      out += "\\" + std::string(character);
    else if (character == "\n")
      out += "\\n";
    else if (character == "\t" || report::cleaned(character) != character)
      out += escaped(character);
    else
      out += character;
    at += character.size();
  }
  return out + "\"";
}

std::string toml(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? quoted(*text) : results::text_of(value);
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + quoted(name);
  return "[" + out + "]";
}

/// A mode without axes is named; otherwise all of its axes are written, so that no default of a later version enters.
std::string mode(const Json& document) {
  const std::string preset = document.is_object() ? document.value("preset", "") : "";
  if (preset == "inherit" || !document.is_object()) return quoted(preset);
  std::string out;
  for (const auto& [axis, value] : document.items()) {
    if (axis == "preset" || value.is_null()) continue;
    out += (out.empty() ? " " : ", ") + axis + " = " +
           (value.is_string() ? quoted(value.get<std::string>()) : value.dump());
  }
  return "{" + out + " }";
}

/// The value of a key before [set] and the variant's own table are read.
Value before(const workloads::Declaration& declaration, const VariantView& variant,
             const workloads::Parameter& parameter) {
  for (const auto& preset : declaration.variants)
    if (preset.name == variant.preset)
      if (const auto found = preset.preset.find(parameter.name); found != preset.preset.end()) return found->second;
  return parameter.fallback;
}

struct Keys {
  std::string set;
  std::vector<std::string> own;  ///< by variant
};

/// Keys with one value for all variants go to [set], the others to the tables of the variants that need them. Values
/// that a default or a preset gives are left out.
Keys keys_of(const StudyView& study, const workloads::Declaration& declaration) {
  Keys out;
  out.own.resize(study.variants.size());
  for (const auto& parameter : declaration.parameters) {
    std::vector<std::string> now, then;
    for (const auto& variant : study.variants) {
      if (!variant.values.contains(parameter.name)) continue;
      now.push_back(
          toml(results::value_from_canonical(variant.values.at(parameter.name), parameter.fallback, parameter.name)));
      then.push_back(toml(before(declaration, variant, parameter)));
    }
    if (now == then || now.size() != study.variants.size()) continue;
    if (std::all_of(now.begin(), now.end(), [&](const auto& value) { return value == now.front(); })) {
      out.set += parameter.name + " = " + now.front() + "\n";
      continue;
    }
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] != then[i]) out.own[i] += parameter.name + " = " + now[i] + "\n";
  }
  return out;
}

/// A design of variance sets the number of runs and the sources that are re-drawn.
std::string pairs_of(const StudyView& study) {
  if (study.variance) return "";
  return "pairs = " + std::to_string(study.pairs) + "\nvary = " + list(study.vary) + "\n";
}

std::string study_lines(const StudyView& study) {
  return "schema = 1\nname = " + quoted(study.name) + "\nworkload = " + quoted(study.workload) + "\nseed = \"0x" +
         study.seed + "\"\n" + pairs_of(study) + "hold = " + list(study.hold) + "\nmode = " + mode(study.mode) + "\n";
}

/// Names the re-drawn sources; fix_hopt draws the others once per group.
std::string variance(const VarianceDesign& d) {
  return "\n[variance]\ndesign = " + quoted(d.design) + "\nsources = " + list(d.sources) +
         "\nruns = " + std::to_string(d.runs) +
         (d.design == "crossed" || d.design == "nested" || d.design == "fix_hopt"
              ? "\ngroups = " + std::to_string(d.groups)
              : "") +
         "\nreplicates = " + std::to_string(d.replicates) + "\nmetric = " + quoted(d.metric) + "\n";
}

std::string profile(const ProfileDesign& p) {
  return "\n[profile]\nblocks = " + std::to_string(p.blocks) + "\ntolerance = " + results::text_of(p.tolerance) +
         "\ncollector = " + quoted(p.collector) +
         (p.level == ProfileDesign().level ? "" : "\nlevel = " + quoted(p.level)) + "\n";
}

std::string search(const SearchSpace& s) {
  std::string out = "\n[search]\nmethod = " + quoted(s.method) + "\ntrials = " + std::to_string(s.trials) +
                    "\nmetric = " + quoted(s.metric) + "\n\n[search.keys]\n";
  for (const auto& key : s.keys)
    out += key.key + " = { low = " + results::text_of(key.low) + ", high = " + results::text_of(key.high) +
           (key.log ? ", log = true" : "") + (key.points > 0 ? ", points = " + std::to_string(key.points) : "") +
           " }\n";
  return out;
}

std::string toml_of(const Json& value) {
  if (value.is_string()) return quoted(value.get<std::string>());
  return value.is_array() ? "[" + field_text(value) + "]" : field_text(value);
}

std::string compare(const variance::Design& design) {
  std::string out = "\n[compare]\nmetric = " + quoted(design.metric) + "\nbaseline = " + quoted(design.baseline) +
                    "\ncandidate = " + quoted(design.candidate) + "\n";
  for (const auto& field : design_table()) {
    const bool written =
        field.in_file == Written::always || (field.in_file == Written::if_declared && field.declared(design));
    if (written && field.has_meaning(design)) out += field.name + " = " + toml_of(field.get(design)) + "\n";
  }
  return out;
}

std::string readings(const Readings& readings) {
  std::vector<std::string> texts;
  for (const auto& reading : readings) texts.push_back(reading.text());
  return readings.size() == 1 ? quoted(readings.front().text()) : list(texts);
}

/// { "kd" = 1, "scratch" = -1 }
std::string weights(const Contrast& contrast) {
  std::vector<std::string> parts;
  for (const auto& [variant, weight] : contrast) parts.push_back(quoted(variant) + " = " + results::text_of(weight));
  return "{ " + results::joined(parts) + " }";
}

/// Lists of variants where each set has its own, else one name.
std::string share(const RegisteredClaim& c) {
  std::vector<std::string> candidates, baselines;
  for (const auto& cell : c.cells) candidates.push_back(cell.candidate), baselines.push_back(cell.baseline);
  const bool one = c.metric.size() > 1;
  return "metric = " + readings(c.metric) + "\ncandidate = " + (one ? quoted(c.candidate) : list(candidates)) +
         "\nbaseline = " + (one ? quoted(c.baseline) : list(baselines)) + "\nshare = " + results::text_of(*c.value) +
         "\nexpect = " + quoted(name_of(c.expect)) + "\ntest = " + quoted(c.test) + "\n";
}

std::string claim(const RegisteredClaim& c, const std::vector<std::string>& candidates) {
  std::string out = "\n[claim." + quoted(c.table()) + "]\n";
  if (!c.says.empty()) out += "says = " + quoted(c.says) + "\n";
  if (!c.cells.empty()) return out + share(c);
  out += "metric = " + readings(c.metric) + "\n";
  if (!c.contrast.empty()) out += "contrast = " + weights(c.contrast) + "\n";
  if (c.contrast.empty())
    out += "candidate = " + (candidates.size() == 1 ? quoted(c.candidate) : list(candidates)) + "\n";
  if (c.baseline != c.candidate) out += "baseline = " + quoted(c.baseline) + "\n";
  if (c.value) out += "value = " + results::text_of(*c.value) + "\n";
  if (!c.value && c.against != c.metric) out += "against = " + readings(c.against) + "\n";
  out += "expect = " + quoted(name_of(c.expect)) + "\n";
  if (c.margin > 0) out += "margin = " + results::text_of(c.margin) + "\n";
  if (c.expect == Expect::equal && c.overlap) return out + "test = " + quoted(resample_test) + "\n";
  return out + (c.expect == Expect::equal ? "" : "test = " + quoted(c.test) + "\n");
}

std::string claims(const std::vector<RegisteredClaim>& all) {
  std::string out;
  for (std::size_t first = 0; first < all.size();) {
    std::vector<std::string> candidates;
    std::size_t next = first;
    while (next < all.size() && all[next].table() == all[first].table()) candidates.push_back(all[next++].candidate);
    out += claim(all[first], candidates);
    first = next;
  }
  return out;
}

}  // namespace

std::optional<std::string> study_file_of(const StudyView& stored) {
  StudyView study = stored;
  study.variants = judged_variants(stored);
  const auto* declaration = workloads::workload_if_known(study.workload);
  if (declaration == nullptr) return {};
  const Keys keys = keys_of(study, *declaration);
  std::string out = study_lines(study) + (untested_overlap(study) ? "claims_about = \"resamples\"\n" : "");
  if (!keys.set.empty()) out += "\n[set]\n" + keys.set;
  for (std::size_t i = 0; i < study.variants.size(); ++i) {
    const auto& variant = study.variants[i];
    out += "\n[variant." + quoted(variant.name) + "]\n";
    if (!variant.preset.empty() && variant.preset != variant.name) out += "preset = " + quoted(variant.preset) + "\n";
    out += keys.own[i];
  }
  if (study.variance) out += variance(*study.variance);
  if (study.search) out += search(*study.search);
  if (study.profile) out += profile(*study.profile);
  if (study.design) out += compare(*study.design);
  return out + claims(study.claims.claims);
}

}  // namespace retrial::harness::inline study_report::inline provenance
