#include "harness/study/design_options.hpp"

#include "harness/study/design_check.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study {
namespace {

[[noreturn]] void not_numbers(const std::string& name, const std::string& text, const std::string& allowed) {
  throw Error({.code = "usage.option_value",
               .field = "--" + name,
               .value = results::one_line(text, 80),
               .problem = "not a list of numbers",
               .allowed = allowed});
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (;;) {
    const auto comma = text.find(',', from);
    out.push_back(text.substr(from, comma - from));
    if (comma == std::string::npos) return out;
    from = comma + 1;
  }
}

std::optional<std::vector<std::int64_t>> whole_numbers(const Arguments& arguments, const std::string& name) {
  const auto text = arguments.value(name);
  if (!text) return {};
  std::vector<std::int64_t> out;
  for (const auto& part : parts_of(*text)) {
    const auto value = results::parse_int(part);
    if (!value) not_numbers(name, *text, "how many looks, or the pairs at each: 10,20,40");
    out.push_back(*value);
  }
  return out;
}

void take(const Arguments& arguments, const std::string& name, std::optional<std::string>& into) {
  if (const auto text = arguments.value(name)) into = text;
}
void take(const Arguments& arguments, const std::string& name, const workloads::Range& range,
          std::optional<double>& into) {
  if (const auto value = arguments.number(name, range)) into = value;
}

}  // namespace

std::optional<std::vector<double>> numbers_given(const Arguments& arguments, const std::string& name) {
  const auto text = arguments.value(name);
  if (!text) return {};
  std::vector<double> out;
  for (const auto& part : parts_of(*text)) {
    const auto value = results::parse_double(part);
    if (!value) not_numbers(name, *text, "LOW,HIGH");
    out.push_back(*value);
  }
  return out;
}

std::vector<Option> design_options() {
  return {
      {.name = "family",
       .value_name = "NAME",
       .meaning = "when one looks: fixed (default), or a family that stops on the way (retrial list designs)",
       .choices = design_family_names()},
      {.name = "n-max", .value_name = "N", .meaning = "of a sequential family: most pairs that are run"},
      {.name = "looks",
       .value_name = "K",
       .meaning = "of group_sequential and group_permutation: how many looks (default 5), or 10,20,40"},
      {.name = "spending",
       .value_name = "NAME",
       .meaning = "of group_sequential: strict early (default), or early stopping",
       .choices = {"obrien_fleming", "pocock"}},
      {.name = "test",
       .value_name = "NAME",
       .meaning = "of a fixed design: a test of two variants (retrial list tests; default pab_exact)",
       .choices = design_test_names()},
      {.name = "sides",
       .value_name = "WHICH",
       .meaning = "alpha for each of better and worse (one, the default), or for both together",
       .choices = {"one", "two"}},
      {.name = "beta", .value_name = "X", .meaning = "rate of NOT MEANINGFUL said at gamma (default 0.05)"},
      {.name = "gamma-mode",
       .value_name = "MODE",
       .meaning = "what gamma is a share of: pairs that share seeds (default), or independent runs",
       .choices = {"paired", "unpaired"}},
      {.name = "correlation",
       .value_name = "R",
       .meaning = "of paired scores; with --gamma-mode unpaired, which is converted by it"},
      {.name = "margin", .value_name = "M", .meaning = "differences below it count as equal, in units of the metric"},
      {.name = "band", .value_name = "LOW,HIGH", .meaning = "shares of pairs won around 0.5 that count as equal"},
      {.name = "range", .value_name = "LOW,HIGH", .meaning = "of betting: least and largest score there can be"},
      {.name = "tie-limit",
       .value_name = "X",
       .meaning = "share of tied pairs above which nothing is said (default 0.5)"},
      {.name = "failure",
       .value_name = "POLICY",
       .meaning = "what a failed trial does: lose its pair (default), drop it, or refuse a verdict",
       .choices = {"loss", "drop", "refuse"}},
  };
}

void override_design(const Arguments& arguments, StudyDraft& draft) {
  take(arguments, "family", draft.family);
  take(arguments, "spending", draft.spending);
  take(arguments, "test", draft.test);
  take(arguments, "sides", draft.sides);
  take(arguments, "gamma-mode", draft.gamma_mode);
  take(arguments, "failure", draft.failure);
  take(arguments, "beta", {0, 0.5, true, true}, draft.beta);
  take(arguments, "correlation", {-1, 1, true, true}, draft.correlation);
  take(arguments, "margin", {0, 1e300, true, true}, draft.margin);
  take(arguments, "tie-limit", {0, 1, false, true}, draft.tie_limit);
  if (const auto n = arguments.integer("n-max", 1, most_sequential_pairs)) draft.n_max = n;
  if (const auto looks = whole_numbers(arguments, "looks")) draft.looks = looks;
  if (const auto band = numbers_given(arguments, "band")) draft.band = band;
  if (const auto range = numbers_given(arguments, "range")) draft.range = range;
}

}  // namespace retrial::harness::inline study
