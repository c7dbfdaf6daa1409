#include "results/text/error.hpp"
#include "results/text/file_system.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/pipeline/analysis/schedule.hpp"

/// Rows of `retrial list formulas`.
namespace retrial::pipeline::inline analysis {
namespace {

using std::string_literals::operator""s;
using workloads::Argument, workloads::FormulaArguments, workloads::Range, workloads::RegisterFormula;
using Choices = std::vector<std::string>;

constexpr double longest = 1e9;

Argument time_argument(const std::string& name, double fallback, const std::string& meaning) {
  return {.value = {name, fallback, meaning, Range{0, longest}}, .optional = true};
}

Schedule schedule_in_file(const std::string& file) {
  const auto text = results::read_whole(file);
  if (!text)
    throw Error({.code = "pipeline.program",
                 .where = "--formula",
                 .field = "simulate_schedule.file",
                 .value = file,
                 .problem = "cannot be read",
                 .allowed = "a file of lines stage,op,index"});
  return read_program(*text, file);
}

Schedule schedule_in(const FormulaArguments& given) {
  const std::string kind = given.text("kind"), file = given.text("file");
  if (kind != "csv" && !file.empty()) throw InvalidInput("file", file, "only with kind = csv");
  if (kind != "csv") return program(kind, given.integer("S"), given.integer("M"));
  if (given.integer("S") != 0) throw InvalidInput("S", std::to_string(given.integer("S")), "left out with kind = csv");
  if (given.integer("M") != 0) throw InvalidInput("M", std::to_string(given.integer("M")), "left out with kind = csv");
  return schedule_in_file(file);
}

Simulation simulation_of(const FormulaArguments& given) {
  return simulate_schedule(schedule_in(given), given.number("t_F"), given.number("t_B"), given.number("c"),
                           given.number("t_W"));
}

/// With a deadlock the sums would be of what ran before it.
Json simulation_json(const Simulation& simulation) {
  const bool ran = simulation.deadlock.empty();
  Json waiting = Json::array();
  for (const auto& [stage, entry, needs] : simulation.deadlock)
    waiting.push_back({{"stage", stage}, {"entry", entry}, {"needs", needs}});
  return {{"makespan", ran ? Json(simulation.makespan) : Json()},
          {"busy_share", ran ? Json(simulation.busy_share) : Json()},
          {"peak_in_flight", ran ? Json(simulation.peak_in_flight) : Json()},
          {"deadlock", std::move(waiting)},
          {"stages", passes_json(simulation)}};
}

const RegisterFormula simulation_row{
    {.name = "simulate_schedule",
     .arguments = {{.value = {"kind", "pb"s, "the program", Choices{"gpipe", "1f1b", "pb", "csv"}}},
                   {.value = {"S", std::int64_t{0}, "stages", Range{1, 512}}, .optional = true},
                   {.value = {"M", std::int64_t{0}, "micro-batches", Range{1, 50'000}}, .optional = true},
                   time_argument("t_F", 1, "time of a forward"),
                   time_argument("t_B", 1, "time of a backward"),
                   time_argument("c", 0, "time from a stage to the next"),
                   time_argument("t_W", 1, "time of a weight gradient that is a pass of its own"),
                   {.value = {"file", ""s, "with kind = csv: a file of lines stage,op,index with op F, B or W", {}},
                    .optional = true}},
     .meaning = "makespan, busy share, peak of samples in flight, and each pass with start and end; or the deadlock",
     .example = "kind=1f1b S=4 M=8 t_F=1 t_B=2",
     .function = [](const FormulaArguments& given) { return simulation_json(simulation_of(given)); },
     .files = {
         {".json", "a Chrome trace", [](const FormulaArguments& given) { return chrome_trace(simulation_of(given)); }},
         {".svg", "the timeline", [](const FormulaArguments& given) { return timeline_svg(simulation_of(given)); }}}}};

const RegisterFormula utilisation_row{
    {.name = "utilisation",
     .arguments =
         {{.value = {"model", "tick"s, "forward and backward in one tick, or in a slot each", Choices{"tick", "slot"}}},
          {.value = {"N", std::int64_t{1}, "samples (tick) or micro-batches (slot) per update", Range{1, longest}}},
          {.value = {"S", std::int64_t{1}, "stages", Range{1, longest}}}},
     .meaning = "share of the time in which a stage works, in the slot model that the key names",
     .example = "model=tick N=32 S=4",
     .function = [](const FormulaArguments& given) {
       const std::string model = given.text("model");
       const auto found = utilisation(model, given.integer("N"), given.integer("S"));
       Json out{{"utilisation_" + model, found.share}};
       if (found.ticks) out["ticks"] = *found.ticks;
       if (found.bubble) out["bubble"] = *found.bubble;
       if (found.zb1p_bubble) out["zb1p_bubble"] = *found.zb1p_bubble;
       return out;
     }}};

const RegisterFormula partition_row{
    {.name = "partition",
     .arguments = {{.value = {"costs", 1.0, "cost of each layer", Range{0, longest, true}},
                    .shape = workloads::Shape::list},
                   {.value = {"parts", std::int64_t{1}, "stages to make of them", Range{1, 512}}}},
     .meaning = "consecutive blocks with the smallest largest sum: the first index of each but the first",
     .example = "costs=4,2,7,1,3,6,2,5 parts=2",
     .function = [](const FormulaArguments& given) {
       const auto found = partition(given.numbers("costs"), given.integer("parts"));
       return Json{{"largest", found.largest}, {"cuts", found.cuts}};
     }}};

}  // namespace
}  // namespace retrial::pipeline::inline analysis
