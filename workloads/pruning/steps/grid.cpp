#include "workloads/pruning/steps/grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/portable.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::pruning::inline steps {
namespace {

using Numbers = std::vector<double>;

constexpr double max_steps = 10000;
const char* const forms =
    "geometric(n, max, min), linear(n, max, min), levels(f, L), powers(n, first, factor), list(...) or numbers, joined "
    "by +";

constexpr std::string_view blanks = " \t\n";

[[noreturn]] void refuse(std::string_view what, const std::string& problem, const std::string& allowed = "") {
  throw Error({.code = "pruning.grid",
               .field = "pruning.grid",
               .problem = results::one_line(what, 100) + " " + problem,
               .allowed = allowed});
}

std::string quoted(std::string_view text) {
  return std::string(1, '"').append(text) + '"';
}

Numbers numbers_of(std::string_view text) {
  Numbers numbers;
  for (const std::string_view piece : workloads::split(text, ',', blanks)) {
    const auto number = results::parse_double(piece);
    if (!number) refuse(quoted(piece), "is not a number");
    numbers.push_back(*number);
  }
  return numbers;
}

std::size_t steps_of(double count) {
  if (!(count >= 1 && count <= max_steps && count == std::floor(count)))
    refuse(results::text_of(count), "is not a number of steps", "1 to 10000");
  return static_cast<std::size_t>(count);
}

/// Checks values that the formulas divide by or take logarithms of.
void require_ratio(double ratio) {
  if (!(ratio > 0 && ratio <= 1)) refuse(results::text_of(ratio), "is not a keep ratio", "above 0, at most 1");
}

Numbers geometric(const Numbers& given) {
  const std::size_t n = steps_of(given[0]);
  const double largest = given[1], smallest = given[2];
  require_ratio(largest), require_ratio(smallest);
  Numbers ratios(n, largest);
  for (std::size_t i = 1; i < n; ++i)
    ratios[i] =
        largest * variance::portable_pow(smallest / largest, static_cast<double>(i) / static_cast<double>(n - 1));
  if (n > 1) ratios.back() = smallest;
  return ratios;
}

Numbers linear(const Numbers& given) {
  const std::size_t n = steps_of(given[0]);
  const double largest = given[1], smallest = given[2];
  Numbers ratios(n, largest);
  for (std::size_t i = 1; i < n; ++i)
    ratios[i] = largest + (smallest - largest) * static_cast<double>(i) / static_cast<double>(n - 1);
  if (n > 1) ratios.back() = smallest;
  return ratios;
}

Numbers powers(const Numbers& given) {
  Numbers ratios(steps_of(given[0]), given[1]);
  for (std::size_t i = 1; i < ratios.size(); ++i) ratios[i] = ratios[i - 1] * given[2];
  return ratios;
}

Numbers levels(const Numbers& given) {
  return powers({given[1], 1 - given[0], 1 - given[0]});
}

Numbers list(const Numbers& given) {
  return given;
}

struct Form {
  std::string_view name;
  std::size_t numbers;  ///< 0: any
  Numbers (*ratios)(const Numbers& given);
};
constexpr std::array<Form, 5> all_forms{{{"geometric", 3, geometric},
                                         {"linear", 3, linear},
                                         {"levels", 2, levels},
                                         {"powers", 3, powers},
                                         {"list", 0, list}}};

Numbers part(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos) return numbers_of(text);
  const std::string_view name = workloads::trimmed(text.substr(0, open), blanks);
  const auto form = std::find_if(all_forms.begin(), all_forms.end(), [&](const Form& f) { return f.name == name; });
  if (form == all_forms.end() || text.back() != ')') refuse(quoted(text), "is not a grid", forms);
  const Numbers given = numbers_of(text.substr(open + 1, text.size() - open - 2));
  if (form->numbers != 0 && given.size() != form->numbers)
    refuse(text, "has " + std::to_string(given.size()) + " numbers", std::to_string(form->numbers));
  return form->ratios(given);
}

void require_decreasing(const Numbers& ratios) {
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    require_ratio(ratios[i]);
    if (i > 0 && ratios[i] >= ratios[i - 1])
      refuse(results::text_of(ratios[i]), "after " + results::text_of(ratios[i - 1]) + "; must decrease");
  }
}

}  // namespace

std::vector<double> grid(std::string_view text) {
  if (workloads::trimmed(text, blanks).empty()) refuse("\"\"", "has no keep ratio", forms);
  Numbers ratios;
  for (const std::string_view piece : workloads::split(text, '+', blanks)) {
    const Numbers more = part(piece);
    ratios.insert(ratios.end(), more.begin(), more.end());
    if (static_cast<double>(ratios.size()) > max_steps)
      refuse(std::to_string(ratios.size()), "are too many steps", "1 to 10000");
  }
  require_decreasing(ratios);
  return ratios;
}

std::string grid_problem(std::string_view text) try {
  (void)grid(text);
  return "";
} catch (const Error& wrong) {
  return wrong.text.problem + (wrong.text.allowed.empty() ? "" : " (allowed: " + wrong.text.allowed + ")");
}

std::vector<double> retrained(std::span<const double> ratios, std::size_t q) {
  if (q == 0) throw InvalidInput("retrain_every", "0", "1 or more");
  Numbers steps;
  for (std::size_t i = q - 1; i < ratios.size(); i += q) steps.push_back(ratios[i]);
  return steps;
}

}  // namespace retrial::pruning::inline steps
