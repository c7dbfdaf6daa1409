#include "harness/show/usual_cause.hpp"

#include "results/json/json.hpp"

namespace retrial::harness::inline show {
namespace {

/// A Python whose hashes of texts differ from run to run.
bool shuffles_hashes(const Json& manifest) {
  static const Json::json_pointer variable("/program/variables/PYTHONHASHSEED"), file("/program/interpreter/file");
  if (!manifest.contains(variable) || !manifest.contains(file)) return false;
  const auto path = manifest.at(file).get<std::string>();
  const bool python = path.find("python", path.rfind('/') + 1) != std::string::npos;
  return python && (manifest.at(variable) == "unset" || manifest.at(variable) == "random");
}

}  // namespace

std::string usual_cause(const Json& a, const Json& b) {
  if (!shuffles_hashes(a) || !shuffles_hashes(b)) return "";
  return "a usual cause: PYTHONHASHSEED is not set, so each run of Python orders sets of texts in its own way; with "
         "PYTHONHASHSEED=0 in the environment all runs order them alike";
}

}  // namespace retrial::harness::inline show
