#include "harness/study/options/source_design_options.hpp"

#include <algorithm>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study::inline options {
namespace {

StudyDraft::Search::Key searched_key(const std::string& text) {
  const auto equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  const auto form = [&] { refuse_usage("--search " + text, "not KEY=LOW:HIGH", "for example --search lr=0.01:1:log"); };
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos) form();
  StudyDraft::Search::Key out{.key = text.substr(0, equals), .where = "--search"};
  const auto end = std::min(text.find(':', colon + 1), text.size());
  out.low = results::parse_double(text.substr(equals + 1, colon - equals - 1));
  out.high = results::parse_double(text.substr(colon + 1, end - colon - 1));
  const std::string scale = end < text.size() ? text.substr(end + 1) : "";
  if (!out.low || !out.high || (!scale.empty() && scale != "log")) form();
  out.log = scale == "log";
  return out;
}

}  // namespace

std::vector<Option> variance_options() {
  return {
      {.name = "design",
       .value_name = "DESIGN",
       .meaning = "study of variance by source: which sources vary together (docs/method/variance.md)",
       .choices = design_words()},
      {.name = "sources", .value_name = "LIST", .meaning = "sources to separate (default: all that vary)"},
      {.name = "runs", .value_name = "N", .meaning = "runs per source or group of the design (default 20)"},
      {.name = "groups",
       .value_name = "N",
       .meaning = "levels of the first source (crossed, nested); repetitions (fix_hopt)"},
      {.name = "replicates",
       .value_name = "N",
       .meaning = "runs with every seed frozen, to measure numerical noise (default 5; 0: none)"},
      {.name = "search",
       .value_name = "KEY=LOW:HIGH[:log]",
       .meaning = "search for the best value of this key before each trial that needs it",
       .repeats = true},
      {.name = "search-trials", .value_name = "T", .meaning = "number of trials per search"},
      {.name = "search-metric", .value_name = "NAME", .meaning = "validation metric that the search selects by"},
  };
}

void override_variance(const Arguments& arguments, StudyDraft& draft) {
  const auto design = arguments.value("design");
  const auto sources = arguments.list("sources");
  const auto runs = arguments.integer("runs", 1, 1'000'000), groups = arguments.integer("groups", 1, 1'000'000);
  const auto replicates = arguments.integer("replicates", 0, 1000);
  if (design || sources || runs || groups || replicates) {
    if (!draft.variance) draft.variance = StudyDraft::Variance{.where = "--design"};
    auto& variance = *draft.variance;
    if (design) variance.design = design;
    if (sources) variance.sources = sources;
    if (runs) variance.runs = runs;
    if (groups) variance.groups = groups;
    if (replicates) variance.replicates = replicates;
  }
  const auto keys = arguments.values("search");
  const auto trials = arguments.integer("search-trials", 2, 500);
  const auto metric = arguments.value("search-metric");
  if (keys.empty() && !trials && !metric) return;
  if (!draft.search) draft.search = StudyDraft::Search{.where = "--search", .keys = {}};
  if (trials) draft.search->trials = trials;
  if (metric) draft.search->metric = metric;
  for (const auto& text : keys) {
    auto key = searched_key(text);
    std::erase_if(draft.search->keys, [&](const auto& each) { return each.key == key.key; });
    draft.search->keys.push_back(std::move(key));
  }
}

}  // namespace retrial::harness::inline study::inline options
