#include "harness/scores/formats/json_file.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>

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

namespace {

bool within(int value, int least, int most) {
  return value >= least && value <= most;
}

}  // namespace

/// A text that is not a time, and a time that does not fit into 64 bits of nanoseconds since 1970 (they end in 2262),
/// is unknown.
void note_start(ScoreTable& table, const std::string& process, const Json& time) {
  using namespace std::chrono;
  if (!time.is_string()) return;
  const auto text = time.get<std::string>();
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, used = 0;
  double s = 0.0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%n", &y, &mo, &d, &h, &mi, &s, &used) != 6) return;
  const year_month_day day{year(y), month(static_cast<unsigned>(mo)), std::chrono::day(static_cast<unsigned>(d))};
  if (!day.ok() || !within(y, 1970, 2261) || !within(h, 0, 23) || !within(mi, 0, 59) || !(s >= 0 && s < 61)) return;
  int zone_h = 0, zone_m = 0;
  char sign = '+';
  const std::string zone = text.substr(static_cast<std::size_t>(used));
  if (!zone.empty() && zone != "Z" && std::sscanf(zone.c_str(), "%c%2d:%2d", &sign, &zone_h, &zone_m) != 3) return;
  if (!within(zone_h, 0, 23) || !within(zone_m, 0, 59)) return;
  const auto east = (sign == '-' ? -1 : 1) * (hours(zone_h) + minutes(zone_m));
  const auto at = sys_days(day).time_since_epoch() + hours(h) + minutes(mi) - east;
  table.started[process] = duration_cast<std::chrono::nanoseconds>(at).count() + static_cast<std::int64_t>(s * 1e9);
}

void note_machine(ScoreTable& table, const std::string& variant, const Json& object, const char* key) {
  if (!object.is_object()) return;
  if (const auto found = object.find(key); found != object.end() && !found->is_null())
    table.machines[variant][key].insert(
        results::one_line(found->is_string() ? found->get<std::string>() : found->dump(), 100));
}

}  // namespace retrial::harness::inline scores::inline formats
