#include "harness/judge/verdict/requirement.hpp"

#include "harness/judge/looks/look.hpp"

namespace retrial::harness::inline judge::inline verdict {
namespace {

using variance::InvalidReason;
using variance::Status;
using variance::Verdict;

Exit exit_of_invalid(const std::optional<InvalidReason>& reason) {
  const bool failed = reason == InvalidReason::numerics || reason == InvalidReason::sampler ||
                      reason == InvalidReason::missing || reason == InvalidReason::null_control;
  return failed ? Exit::measurement : Exit::incomparable;
}

Exit exit_for_not_worse(const Verdict& v) {
  if (v.status == Status::better || v.status == Status::equivalent) return Exit::ok;
  if (v.status == Status::worse) return Exit::different;
  // The fixed rule with the variants exchanged says nothing about another design.
  if (v.sequential || v.test) return Exit::inconclusive;
  const Status exchanged = variance::pab_exact(v.counts.losses, v.counts.untied(), v.design.levels());
  return exchanged == Status::not_meaningful ? Exit::ok : Exit::inconclusive;
}

Exit exit_for_status(const Verdict& v, Status wanted) {
  if (v.status == wanted) return Exit::ok;
  return v.status == Status::inconclusive ? Exit::inconclusive : Exit::different;
}

}  // namespace

std::vector<std::string> remarks_on(const Standing& standing) {
  std::vector<std::string> out;
  for (const auto& text : standing.undeclared) out.push_back("not declared: " + text);
  if (!standing.recorded) out.push_back("look not recorded: " + std::string(look_not_counted));
  return out;
}

Exit required(const Arguments& arguments, Exit exit, const Standing& standing) {
  if (!arguments.has("require")) return exit;
  if (!standing.recorded)
    throw Error({.exit = Exit::incomparable,
                 .code = "compare.not_recorded",
                 .field = "--require",
                 .value = *arguments.value("require"),
                 .problem = "the look was not recorded, so it could not be counted",
                 .help = "make the store writable, and leave out --foreign"});
  if (exit != Exit::ok || standing.undeclared.empty() || arguments.has("undeclared-ok")) return exit;
  throw Error({.exit = Exit::incomparable,
               .code = "compare.undeclared",
               .field = "--require",
               .value = *arguments.value("require"),
               .problem = "the verdict was not declared: " + standing.undeclared.front(),
               .help = "--undeclared-ok accepts it; its rate is that of all looks together"});
}

Requirement requirement_from(const std::optional<std::string>& word) {
  if (!word) return Requirement::nothing;
  if (*word == "better") return Requirement::better;
  return *word == "equivalent" ? Requirement::equivalent : Requirement::not_worse;
}

Exit exit_for(const Verdict& verdict, Requirement requirement) {
  if (requirement == Requirement::nothing) return Exit::ok;
  if (verdict.status == Status::invalid) return exit_of_invalid(verdict.reason);
  if (requirement == Requirement::not_worse) return exit_for_not_worse(verdict);
  return exit_for_status(verdict, requirement == Requirement::better ? Status::better : Status::equivalent);
}

Exit exit_for(Status status, std::optional<InvalidReason> reason, Requirement requirement) {
  if (requirement == Requirement::nothing) return Exit::ok;
  if (status == Status::invalid) return exit_of_invalid(reason);
  if (status == Status::inconclusive || status == Status::not_meaningful) return Exit::inconclusive;
  const Status wanted = requirement == Requirement::equivalent ? Status::equivalent : Status::better;
  const bool met = requirement == Requirement::not_worse ? status != Status::worse : status == wanted;
  return met ? Exit::ok : Exit::different;
}

}  // namespace retrial::harness::inline judge::inline verdict
