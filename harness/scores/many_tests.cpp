#include "harness/scores/many_tests.hpp"

#include <algorithm>

#include "harness/scores/selection/options.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "variance/groups/groups.hpp"

namespace retrial::harness::inline scores {

bool tests_many(std::string_view name) {
  return variance::find_omnibus(name) != nullptr || variance::find_group_test(name) != nullptr;
}

void refuse_options_of_two(const Arguments& arguments, std::string_view test, const std::vector<std::string>& reads) {
  const std::string name(test);
  if (arguments.has("require") && std::ranges::find(reads, "require") == reads.end())
    throw Error({.code = "usage.option_value",
                 .field = "--require",
                 .value = *arguments.value("require"),
                 .problem = "is about a candidate, and test " + name + " has none: it treats all variants alike",
                 .help = "name two variants with --baseline and --candidate for a test of two, or compare each with "
                         "the baseline with --adjust holm or --test dunnett"});
  std::vector<std::string> others{"candidate", "baseline", "sides", "failure", "adjust"};
  for (const std::string& option : settings_of_tests()) others.push_back(option);
  std::erase_if(others, [&](const std::string& option) { return std::ranges::find(reads, option) != reads.end(); });
  refuse_options(arguments, others,
                 {.problem = "does not apply to test " + name,
                  .help = "name two variants with --baseline and --candidate for a test of two, or compare each with "
                          "the baseline with --adjust holm"});
}

Standing standing_of_many(const TableStart& start, double alpha) {
  variance::TestSettings settings = start.settings;
  settings.alpha = alpha;
  return start.standing ? start.standing(settings) : Standing{.on_trust = true};
}

Exit report_many(const Arguments& arguments, ManyTest test, const TableStart& start) {
  const Standing standing = standing_of_many(start, test.alpha);
  const auto undeclared = remarks_on(standing);
  test.notes.insert(test.notes.end(), undeclared.begin(), undeclared.end());
  print_part({.section = many_section(test), .data = many_document(test)}, arguments.has("json"));
  const Requirement requirement = requirement_from(arguments.value("require"));
  Exit exit = Exit::ok;
  for (const ManyPair& pair : test.pairs) exit = worse_of(exit, exit_for(status_of(pair, test), {}, requirement));
  return required(arguments, exit, standing);
}

}  // namespace retrial::harness::inline scores
