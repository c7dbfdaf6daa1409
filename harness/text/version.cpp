#include "harness/text/version.hpp"

#include <boost/version.hpp>
#include <nlohmann/json.hpp>

namespace retrial::harness::inline text {

std::string version_line() {
  return "retrial " RETRIAL_VERSION;
}

Json version_document() {
  return {{"schema", "retrial.version/1"},
          {"version", RETRIAL_VERSION},
          {"compiler", __VERSION__},
          {"libraries",
           {{"boost", BOOST_LIB_VERSION},
            {"nlohmann_json", std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                                  std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                                  std::to_string(NLOHMANN_JSON_VERSION_PATCH)}}}};
}

}  // namespace retrial::harness::inline text
