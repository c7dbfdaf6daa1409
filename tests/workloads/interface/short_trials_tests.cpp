#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "determinism/mode/kernel_mode.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/drawn_images.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/shape/architecture.hpp"

/// Short trials of a workload use all that it offers: every allowed value of every choice, every source of variation
/// and every variant. Emulated CPUs, audits of operators and golden digests see no more than these trials do.
namespace retrial::tests::interface_short_trials_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

using Names = std::vector<std::string>;

/// Values that no short trial can have.
struct Exception {
  std::string key;
  Names values;
  std::string reason;
};

const std::vector<Exception>& exceptions() {
  static const std::vector<Exception> rows{
      {"dataset", {"cifar10.1"}, "has no training rows"},
      {"dataset", {"npy"}, "is read into the same memory as the other sets"},
      {"teacher_cache", {"logits"}, "not used by a training that is cut"},
      {"latency", {"true"}, "gives times, which never repeat"},
      {"executor", {"threads_free"}, "promises no equal bits"},
      {"failure",
       {"throw", "exit", "crash", "kill", "hang", "memory", "nonsense", "noise"},
       "fails or prints on purpose"},
      {"defect", {"unseeded", "dead_key", "dead_source", "resume", "order"}, "does not repeat on purpose"},
  };
  return rows;
}

const Exception* exception_for(const std::string& key, const std::string& value) {
  for (const Exception& row : exceptions())
    if (row.key == key && std::find(row.values.begin(), row.values.end(), value) != row.values.end()) return &row;
  return nullptr;
}

/// Nothing for keys that are not a choice: sizes, rates, names.
Names choices_of(const Parameter& parameter) {
  if (std::holds_alternative<bool>(parameter.fallback)) return {"true", "false"};
  const auto* words = std::get_if<Names>(&parameter.allowed);
  return words == nullptr ? Names{} : *words;
}

std::vector<Values> short_values(const Declaration& declaration) {
  std::vector<Values> all;
  if (declaration.contributes.short_trials)
    for (const ShortTrial& trial : declaration.contributes.short_trials())
      all.push_back(resolved(declaration, trial.keys));
  return all;
}

/// "key = value" for every key that a trial reads: a key that is set and not read shows nothing.
std::set<std::string> used_by(const Declaration& declaration) {
  std::set<std::string> used;
  for (const Values& values : short_values(declaration))
    for (const std::string& key : declaration.reads(values))
      used.insert(key + " = " + results::text_of(values.at(key)));
  return used;
}

bool has_choices_of(const Declaration& declaration, const Values& values, const Variant& variant) {
  return std::all_of(variant.preset.begin(), variant.preset.end(), [&](const auto& set) {
    return choices_of(*find_parameter(declaration, set.first)).empty() || values.at(set.first) == set.second;
  });
}

void add_unused_choices(const Declaration& declaration, Names& to) {
  const std::set<std::string> used = used_by(declaration);
  for (const Parameter& parameter : declaration.parameters)
    for (const std::string& value : choices_of(parameter)) {
      const std::string pair = parameter.name + " = " + value;
      const Exception* excepted = exception_for(parameter.name, value);
      if (!used.contains(pair) && excepted == nullptr) to.push_back(pair + " is in no short trial");
      if (used.contains(pair) && excepted != nullptr) to.push_back(pair + " is an exception and in a short trial");
    }
}

void add_unused_sources(const Declaration& declaration, Names& to) {
  std::set<std::string> honoured;
  for (const Values& values : short_values(declaration))
    for (std::string& name : declaration.honours(values)) honoured.insert(std::move(name));
  for (const Source& source : declaration.sources)
    if (!honoured.contains(source.name)) to.push_back("source " + source.name + " is in no short trial");
}

void add_unused_variants(const Declaration& declaration, Names& to) {
  const std::vector<Values> all = short_values(declaration);
  for (const Variant& variant : declaration.variants)
    if (std::none_of(all.begin(), all.end(),
                     [&](const Values& values) { return has_choices_of(declaration, values, variant); }))
      to.push_back("variant " + variant.name + " is in no short trial");
}

/// What the declaration offers and no short trial uses.
Names unused(const Declaration& declaration) {
  Names found;
  add_unused_choices(declaration, found);
  add_unused_sources(declaration, found);
  add_unused_variants(declaration, found);
  return found;
}

/// Without the program of others, which has a mode and bits of its own, and without workloads that promise equal bits
/// on one kind of CPU alone: they refuse mode portable.
std::vector<Declaration> ours() {
  const auto portable = determinism::mode_from_name("portable", "");
  std::vector<Declaration> all = all_workloads();
  std::erase_if(all, [&](const Declaration& declaration) {
    const bool refuses =
        declaration.mode_problem && declaration.mode_problem(resolved(declaration, {}), portable).has_value();
    return refuses || static_cast<bool>(declaration.program_files);
  });
  return all;
}

/// By the patterns of nn::all_models: "resnetDb" for "resnet8b". After a colon there are options of any residual
/// network.
bool is_kind(const std::string& name, const std::string& pattern) {
  if (const std::size_t colon = pattern.find(':'); pattern.starts_with("resnet") && colon != pattern.npos) {
    const std::size_t options = name.find(':');
    return name.starts_with("resnet") && options != name.npos && is_kind(name.substr(options), pattern.substr(colon));
  }
  std::size_t at = 0;
  const auto digits = [&](const char* more) {
    const std::size_t from = at;
    while (at < name.size() && (std::isdigit(static_cast<unsigned char>(name[at])) || std::strchr(more, name[at])))
      ++at;
    return at > from;
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.compare(i, std::string::npos, "H1,H2,...") == 0) return digits(",") && at == name.size();
    const char letter = pattern[i];
    if (letter == 'D' || letter == 'W' || letter == 'K') {
      if (!digits("")) return false;
    } else if (at >= name.size() || name[at++] != letter) {
      return false;
    }
  }
  return at == name.size();
}

}  // namespace

TEST_CASE("short trials use every choice, source and variant of every workload") {
  REQUIRE(ours().size() >= 3);
  for (const Declaration& declaration : ours()) {
    INFO(declaration.name);
    CHECK(unused(declaration) == Names{});
  }
}

TEST_CASE("a choice, a source or a variant that no short trial uses is named") {
  Declaration changed = find_workload("distillation", "");
  for (Parameter& parameter : changed.parameters)
    if (parameter.name == "reduction") std::get<Names>(parameter.allowed).emplace_back("median");
  changed.parameters.push_back({"warm_restarts", false, "a new flag", {}});
  changed.sources.push_back({"weather", "nothing"});
  changed.variants.push_back({"cached", "a variant", {{"teacher_cache", std::string("logits")}}});
  CHECK(unused(changed) == Names{"reduction = median is in no short trial", "warm_restarts = true is in no short trial",
                                 "warm_restarts = false is in no short trial", "source weather is in no short trial",
                                 "variant cached is in no short trial"});
  changed.contributes.short_trials = {};
  CHECK(unused(changed).size() > 80);
}

TEST_CASE("short trials are valid, of at most four rows a step, and have names of their own") {
  const test::Folder images;
  test::write_drawn_images(images.path());
  for (const Declaration& declaration : ours()) {
    std::set<std::string> names;
    for (const ShortTrial& trial : declaration.contributes.short_trials()) {
      INFO(declaration.name << ": " << trial.name);
      CHECK(names.insert(trial.name).second);
      Values values = resolved(declaration, trial.keys);
      if (values.contains("data_dir")) values["data_dir"] = images.path().string();
      for (const auto& [key, value] : trial.keys) {
        CHECK(checked(declaration, key, value, "") == value);
        if (key.ends_with("batch")) CHECK(std::get<std::int64_t>(value) <= 4);
      }
      if (declaration.validate)
        for (const Problem& problem : declaration.validate(values)) {
#ifdef RETRIAL_NO_TORCH
          if (problem.problem == "this program was built without LibTorch") continue;
#endif
          FAIL_CHECK(problem.key << ": " << problem.problem << " (" << problem.allowed << ")");
        }
    }
  }
}

TEST_CASE("short trials use every family of networks") {
  std::set<std::string> texts;
  for (const Declaration& declaration : ours())
    for (const Values& values : short_values(declaration))
      for (const std::string& key : declaration.reads(values))
        if (const auto* text = std::get_if<std::string>(&values.at(key))) texts.insert(*text);
  for (const nn::ModelInfo& model : nn::all_models()) {
    INFO(model.spelling);
    REQUIRE(is_kind(model.example, model.spelling));
    CHECK(std::any_of(texts.begin(), texts.end(),
                      [&](const std::string& text) { return is_kind(text, model.spelling); }));
  }
}

}  // namespace retrial::tests::interface_short_trials_tests
