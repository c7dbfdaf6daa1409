#include "harness/scores/formats/json_file.hpp"

#include <cmath>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {

void refuse_json(const ScoreInput& input, const std::string& place, const Json& value, const std::string& problem) {
  throw Error({.code = "scores.syntax",
               .where = input.path.string(),
               .field = place,
               .value = value.is_null()
                            ? ""
                            : results::one_line(value.dump(-1, ' ', true, Json::error_handler_t::replace), 100),
               .problem = problem});
}

Json json_of_file(const ScoreInput& input, const char* list) {
  Json document = results::parse_json(input.text, input.path.string());
  if (!document.is_object() || !document.contains(list) || !document.at(list).is_array())
    refuse_json(input, list, {}, "the list is missing");
  if (document.at(list).empty()) refuse_json(input, list, {}, "the list is empty");
  return document;
}

double number_field(const ScoreInput& input, const Json& object, const std::string& place, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse_json(input, place + "." + key, {}, "is missing");
  if (!found->is_number() || !std::isfinite(found->get<double>()))
    refuse_json(input, place + "." + key, *found, "not a finite number");
  return found->get<double>();
}

std::string text_field(const ScoreInput& input, const Json& object, const std::string& place, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse_json(input, place + "." + key, {}, "is missing");
  if (!found->is_string()) refuse_json(input, place + "." + key, *found, "not a string");
  return found->get<std::string>();
}

}  // namespace retrial::harness::inline scores::inline formats
