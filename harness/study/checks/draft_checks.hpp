#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

/// For .cpp files that check a draft of a study: errors with field, value, allowed values and nearest name.
namespace retrial::harness::inline study::inline checks::draft_checks {

inline bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// A help text with the nearest name; empty if none is near.
inline std::string suggestion(const std::string& value, const std::vector<std::string>& known) {
  const auto near = results::nearest(value, known);
  return near ? "did you mean \"" + *near + "\"?" : "";
}

/// Error{study.unknown_WHAT}, with the known names and the nearest of them.
[[noreturn]] inline void unknown(const std::string& where, const std::string& field, const std::string& value,
                                 const std::vector<std::string>& known, const std::string& what) {
  throw Error({.code = "study.unknown_" + what,
               .where = where,
               .field = field,
               .value = value,
               .problem = "unknown " + what,
               .allowed = results::joined(known),
               .help = suggestion(value, known)});
}

[[noreturn]] inline void refuse(const std::string& where, const std::string& field, const std::string& value,
                                const std::string& problem, const std::string& allowed, const std::string& help = "") {
  throw Error({.code = "study.variance",
               .where = where,
               .field = field,
               .value = results::one_line(value, 80),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

inline void known(const std::string& where, const std::string& field, const std::string& value,
                  const std::vector<std::string>& words, const std::string& what) {
  if (!contains(words, value))
    refuse(where, field, value, "unknown " + what, results::joined(words), suggestion(value, words));
}

inline std::int64_t in_range(const std::string& where, const std::string& field, std::int64_t value, std::int64_t low,
                             std::int64_t high) {
  if (value < low || value > high)
    refuse(where, field, std::to_string(value), "out of range", std::to_string(low) + " to " + std::to_string(high));
  return value;
}

}  // namespace retrial::harness::inline study::inline checks::draft_checks
