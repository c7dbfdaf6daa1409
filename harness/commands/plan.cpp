#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/judge/claims/claims_page.hpp"
#include "harness/judge/design/design_figures.hpp"
#include "harness/plan/planned_work.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/show/plan_page.hpp"
#include "harness/stored/likeness/same_data.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr std::size_t shown_trials = 20;

using Work = std::optional<PlannedWork>;

Json plan_json(const Study& study, const Plan& plan, const Work& work) {
  Json trials = Json::array();
  for (const auto& entry : plan.entries) {
    trials.push_back({{"trial", trial_name(entry)},
                      {"identity", results::hex(entry.identity)},
                      {"replicate", entry.replicate},
                      {"pair", entry.pair_index},
                      {"variant", entry.variant},
                      {"seeds", TrialBody(entry).seeds()}});
  }
  return {{"schema", "retrial.plan_page/1"},
          {"study", plan.study},
          {"study_digest", results::hex(plan.study_digest)},
          {"plan_digest", results::hex(plan.plan_digest)},
          {"design", design_figures(study)},
          {"claims", planned_claims_json(study)},
          {"work", work ? json_of(*work) : Json()},
          {"trials", std::move(trials)}};
}

void print_plan(const Study& study, const Plan& plan, const Work& work, bool all) {
  report::Facts facts = study_facts(study);
  if (work) facts.rows.push_back({"work", text_of(*work)});
  std::cout << bold("Plan of study " + study.name) << ": "
            << counted(static_cast<std::int64_t>(plan.entries.size()), "trial") << "\n\n"
            << blocks_text({facts}) << "\n"
            << figures_page(study) << "\n"
            << planned_claims_page(study) << bold("Trials") << "\n";
  TextTable table({{"place", Align::right}, {"trial"}, {"identity"}, {"seeds"}});
  for (std::size_t i = 0; i < plan.entries.size() && (all || i < shown_trials); ++i) {
    const TrialBody body(plan.entries[i]);
    std::vector<std::string> seeds;
    for (const auto& [source, seed] : body.seeds().items()) seeds.push_back(source + " " + seed.get<std::string>());
    table.add({"#" + std::to_string(i), trial_name(plan.entries[i]),
               results::hex(plan.entries[i].identity).substr(0, 12), results::joined(seeds)});
  }
  std::cout << table.text(2, terminal_width());
  if (!all && plan.entries.size() > shown_trials)
    std::cout << "  ... and " << plan.entries.size() - shown_trials << " more (use --all)\n";
  std::cout << "\n  study digest  " << results::hex(plan.study_digest) << "\n  plan digest   "
            << results::hex(plan.plan_digest) << "\n";
}

int run_plan(const Arguments& arguments) {
  auto study = checked_to_run(draft_from(arguments));
  refuse_idle_options(arguments, workloads::find_workload(study.workload, ""));
  const bool drawn = !study.seed;
  if (drawn) study.seed = draw_root_seed();
  const auto inputs = plan_inputs(arguments, study.mode);
  const auto plan = make_plan(study, inputs);
  const Work work = planned_work(study, plan, inputs.data);
  if (arguments.has("json"))
    print_json(plan_json(study, plan, work));
  else
    print_plan(study, plan, work, arguments.has("all"));
  for (const auto& remark : variant_remarks(study, plan)) warn(remark);
  if (inputs.build_id.empty() && !inputs.program_label)
    note(
        "there is no retrial-worker-cuda yet (scripts/setup --cuda), so these identities name no program; retrial run "
        "has others");
  if (drawn)
    note("no seed was given, so one was drawn to show the plan; retrial run draws its own unless you add --seed " +
         std::to_string(*study.seed));
  return 0;
}

}  // namespace

Command plan_command() {
  return {
      .name = "plan",
      .group = "run",
      .purpose = "show the design of a study, its error rates, and every trial with its digest, without running any",
      .examples = {"retrial plan studies/quickstart.toml", "retrial plan null --family dual_e --gamma 0.75 --n-max 60",
                   "retrial plan null --pairs 42 --hold data-split"},
      .arguments = "STUDY.toml|WORKLOAD",
      .options = study_options() + under("Execution", program_options()) +
                 std::vector<Option>{{.name = "all", .meaning = "list every trial, not just the first 20"},
                                     {.name = "json", .meaning = "one JSON document (schema retrial.plan_page/1)"}},
      .brief = {"Comparison and its design", "Variance by source, and search", "Execution"},
      .run = run_plan};
}

}  // namespace retrial::harness::inline commands
