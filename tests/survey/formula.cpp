// A formula that the folder of a workload registers where it stands; no file of the programs names it.
#include "workloads/interface/formula.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::survey {
namespace {

using workloads::FormulaArguments, workloads::Range, workloads::Shape;

/// The teacher's share of a weighted loss.
double soft_share(const std::vector<std::vector<double>>& weights) {
  double soft = 0, all = 0;
  for (const auto& row : weights) {
    if (row.size() != 2)
      throw InvalidInput("weights", std::to_string(row.size()) + " in a row", "w_ce,w_soft in each row");
    soft += row[1];
    all += row[0] + row[1];
  }
  return soft / all;
}

const workloads::RegisterFormula share_row{
    {.name = "soft_share",
     .arguments = {{.value = {"weights", 0.5, "rows w_ce,w_soft", Range{0, 1e6, true}}, .shape = Shape::rows},
                   {.value = {"digits", std::int64_t{3}, "kept", Range{0, 17}}, .optional = true}},
     .meaning = "share of the teacher's term in the loss",
     .example = "weights=0.5,0.5;1,2",
     .function =
         [](const FormulaArguments& given) {
           return Json{{"share", soft_share(given.rows("weights"))}};
         },
     .files = {{".txt", "the rows in words", [](const FormulaArguments& given) {
                  return std::to_string(given.rows("weights").size()) + " rows\n";
                }}}}};

}  // namespace
}  // namespace retrial::survey
