#include "workloads/pipeline/analysis/reference.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "results/json/json.hpp"
#include "workloads/interface/formula.hpp"

namespace retrial::pipeline {

extern const std::string_view reference_json;  // the file of that name

inline namespace analysis {
namespace {

using Numbers = std::vector<double>;

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

void add_numbers(const Json& found, Numbers& to) {
  if (found.is_array())
    for (const Json& each : found) add_numbers(each, to);
  else
    to.push_back(found.is_null() ? std::numeric_limits<double>::quiet_NaN() : found.get<double>());
}

variance::ReproducedLine line_of(const Json& group, const Json& row) {
  const auto& formula = workloads::find_formula(group.at("formula").get<std::string>());
  const auto more = row.at(0).get<std::string>();
  const auto places = words_in(row.at(1));
  const auto answer = [&](const char* key) {
    const std::string words = group.value("given", "") + " " + more + " " + group.value(key, "");
    const Json found = formula.function(workloads::arguments_of(formula, words_in(words)));
    Numbers made;
    for (const std::string& place : places) add_numbers(found.at(Json::json_pointer(place)), made);
    return made;
  };
  variance::ReproducedLine made{.what = group.at("title").get<std::string>() + ": " + more + " " + places.front() +
                                        (places.size() > 1 ? " ..." : ""),
                                .value = answer("with"),
                                .reference = row.at(2).get<Numbers>()};
  if (group.contains("less")) {
    const Numbers less = answer("less");
    double square = 0;
    for (std::size_t i = 0; i < less.size(); ++i) square += (made.value[i] - less[i]) * (made.value[i] - less[i]);
    made.value = {std::sqrt(square)};
  }
  made.tolerance = row.size() > 3               ? row.at(3).get<double>()
                   : group.contains("relative") ? group.at("relative").get<double>() * std::fabs(made.reference.at(0))
                                                : group.at("absolute").get<double>();
  return made;
}

const variance::RegisterReproduction registered{
    {.name = "pipelined-backprop",
     .title = "formulas of pipelined training, and pipelines of one weight per stage",
     .source = "two independent programs in double precision that agree",
     .run = [] { return recomputed(reference_json); }}};

}  // namespace

variance::Reproduced recomputed(std::string_view document) {
  const Json groups = Json::parse(document).at("groups");
  variance::Reproduced made;
  for (const Json& group : groups)
    for (const Json& row : group.at("rows")) made.lines.push_back(line_of(group, row));
  return made;
}

}  // namespace analysis
}  // namespace retrial::pipeline
