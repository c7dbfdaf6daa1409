#include "harness/show/formula.hpp"

#include <algorithm>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/formula.hpp"

namespace retrial::harness::inline show {
namespace {

const workloads::FormulaFile& file_of(const workloads::Formula& formula, const std::string& file) {
  std::vector<std::string> endings;
  for (const auto& each : formula.files) {
    if (file.ends_with(each.ending)) return each;
    endings.push_back(each.ending + " (" + each.meaning + ")");
  }
  throw Error({.code = "formula.file",
               .field = "-o",
               .value = results::one_line(file, 100),
               .problem = formula.files.empty() ? formula.name + " writes no file" : "a file of no known ending",
               .allowed = results::joined(endings),
               .help = formula.files.empty() ? "leave out -o; the answer is on standard output" : ""});
}

}  // namespace

void show_formula(const std::string& name, const std::vector<std::string>& arguments, const std::string& file) {
  const auto& formula = workloads::find_formula(name);
  const auto given = workloads::arguments_of(formula, arguments);
  if (file.empty())
    print_json(formula.function(given));
  else
    write_output(file, file_of(formula, file).bytes(given));
}

}  // namespace retrial::harness::inline show
