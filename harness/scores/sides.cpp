#include <algorithm>

#include "harness/scores/options.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {

std::size_t place_of_variant(const ScoreNames& file, const std::string& option, const std::string& name) {
  const auto found = std::find(file.names.begin(), file.names.end(), name);
  if (found != file.names.end()) return static_cast<std::size_t>(found - file.names.begin());
  const auto near = results::nearest(name, file.names);
  throw Error({.code = "variant.unknown",
               .field = option,
               .value = results::one_line(name, 100),
               .problem = "no such variant in " + file.where,
               .allowed = results::joined(file.names),
               .help = near ? "did you mean " + option + " " + *near + "?" : ""});
}

Sides sides_of(const ScoreNames& file, const Arguments& arguments) {
  Sides sides;
  const auto baseline = arguments.value("baseline"), candidate = arguments.value("candidate");
  if (baseline) sides.baseline = place_of_variant(file, "--baseline", *baseline);
  if (candidate) sides.candidate = place_of_variant(file, "--candidate", *candidate);
  if (!baseline && sides.baseline == sides.candidate) sides.baseline = sides.candidate == 0 ? 1 : 0;
  if (!candidate && sides.baseline == sides.candidate) sides.candidate = sides.baseline == 0 ? 1 : 0;
  if (sides.baseline == sides.candidate)
    throw Error({.code = "compare.same_variant",
                 .field = "--candidate",
                 .value = file.names[sides.candidate],
                 .problem = "is also the baseline",
                 .allowed = results::joined(file.names)});
  if (file.names.size() > 2 && !(baseline && candidate))
    throw Error({.code = "compare.which",
                 .where = file.where,
                 .problem = "holds " + std::to_string(file.names.size()) + " variants",
                 .allowed = results::joined(file.names),
                 .help = "name two with --baseline and --candidate, compare each with the baseline with --adjust holm, "
                         "or test all with --test iman_davenport"});
  return sides;
}

}  // namespace retrial::harness::inline scores
