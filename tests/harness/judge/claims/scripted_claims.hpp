#pragma once

// Registered claims about a scripted store of ten pairs, and the answers of `compare --claims`.
#include "harness/judge/claims/judged_claims.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::scripted_claims {

using namespace retrial;
using namespace retrial::harness;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

/// Claims about the accuracy of variant new, against that of plain unless a value is given.
inline RegisteredClaim claim(const std::string& name, Expect expect, const std::string& test = "paired_permutation") {
  return {.name = name,
          .candidate = "new",
          .baseline = "plain",
          .metric = {{"accuracy", {}}},
          .against = {{"accuracy", {}}},
          .value = {},
          .expect = expect,
          .test = test,
          .unit = "%",
          .overlap = test == resample_test ? std::optional(0.797) : std::nullopt};
}

inline RegisteredClaim above(const std::string& name, double value) {
  auto out = claim(name, Expect::higher, "sign");
  out.baseline = out.candidate;
  out.value = value;
  return out;
}

inline void put(const StudySpec& spec, const Json& document) {
  results::Store store("c.db", results::Store::Access::write);
  std::vector<std::pair<std::string, Json>> documents{{"design", fixture::design_document(spec)}};
  store.put_study(document.at("name"), document, fixture::plan_of(spec), documents);
}

inline RegisteredClaim contrast(const std::string& name, Contrast weights, Expect expect = Expect::higher,
                                const std::string& test = "paired_permutation") {
  auto out = claim(name, expect, test);
  out.candidate = out.baseline = "";
  out.value = 0;
  out.contrast = std::move(weights);
  return out;
}

struct Script {
  std::vector<double> gains{1.5, 0.75, 2.0, 1.25, 0.5, 1.0, 1.75, 0.25, 2.5, 0.9};
  std::vector<double> third_gains = {};
  std::vector<RegisteredClaim> claims = {};
  std::string failure = "loss";
  fixture::Change change = {};
};

inline StudySpec spec_of(const Script& script) {
  return {.baseline = std::vector<double>(script.gains.size(), 90.0),
          .gains = script.gains,
          .third_gains = script.third_gains};
}

inline void write(const Script& script) {
  const StudySpec spec = spec_of(script);
  Json document = fixture::study_document(spec);
  if (!script.claims.empty()) document["claims"] = document_of({.claims = script.claims, .failure = script.failure});
  put(spec, document);
  results::Store store("c.db", results::Store::Access::write);
  for (const auto& entry : fixture::plan_of(spec)) {
    auto record = fixture::record_of(entry, fixture::score_of(spec, entry));
    if (!script.change || script.change(entry, record)) store.append(record);
  }
}

inline Answer compared(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"compare", "c.db", "--claims"};
  words.insert(words.end(), more.begin(), more.end());
  return fixture::retrial(words);
}

/// The claims of the document, in the order of the study.
inline Json judged(const Script& script) {
  const Folder here;
  write(script);
  const Answer answer = compared({"--json"});
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return Json::parse(answer.out).at("claims");
}

/// The question of each claim, as its look has it.
inline std::vector<results::Digest> questions(const Script& script) {
  const Folder here;
  write(script);
  const results::Store store("c.db", results::Store::Access::read);
  const auto study = read_study(store, store.studies().back());
  std::vector<results::Digest> out;
  for (const auto& look : judge_claims(store, study, plan_state(store, study.plan)).looks) out.push_back(look.question);
  return out;
}

inline std::vector<std::string> words(const Json& claims) {
  std::vector<std::string> out;
  for (const Json& claim : claims) out.push_back(claim.at("verdict"));
  return out;
}

using Words = std::vector<std::string>;

}  // namespace retrial::tests::scripted_claims
