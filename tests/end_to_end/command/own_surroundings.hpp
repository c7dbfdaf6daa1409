#pragma once

#include "results/json/json.hpp"
#include "results/store/store.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

/// What is known of the surroundings of a user's program, and stores in which they are others.
namespace retrial::tests {

/// The manifest of a trial in s.db.
inline Json manifest_of(const Folder& folder, const std::string& trial) {
  const auto shown = run_retrial(folder, {"show", "s.db", trial, "--manifest", "--json"});
  INFO(shown.err);
  REQUIRE(shown.code == 0);
  return Json::parse(shown.out);
}

/// The study of a store with its design and plan, without its trials.
inline void put_same_study(const results::Store& from, results::Store& to) {
  const auto study = from.studies().front();
  std::vector<std::pair<std::string, Json>> documents;
  for (const char* kind : {"design", "config"})
    for (auto& document : from.documents(kind)) documents.emplace_back(kind, std::move(document));
  to.put_study(study.name, study.document, from.plan(study.digest), documents);
}

}  // namespace retrial::tests
