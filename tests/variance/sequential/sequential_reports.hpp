// Every sequential rule and every family of designs on fixed scores, as text: parts of the report of the rules.
#pragma once

#include <string>
#include <vector>

#include "tests/variance/comparisons/rule_report_parts.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/verdict/verdict.hpp"

namespace rules {

struct Series {
  std::string name;
  std::vector<double> differences;
};

inline std::vector<Series> series_of() {
  return {{"equal", normals(500, 40, 0, 0)},
          {"better", normals(501, 40, .9, 0)},
          {"worse", normals(502, 40, -.9, 0)},
          {"decimals", normals(503, 40, .2, .5)}};
}

inline std::string of_step(const SequentialStep& s) {
  return std::to_string(s.pairs) + " " + std::to_string(s.wins) + " " + std::to_string(s.ties) + " " +
         std::string(name_of(s.state)) + " " + std::string(name_of(s.status)) + "; e " + text_of(s.log_e) + " " +
         text_of(s.log_e_against) + "; " + text_of(s.statistic) + " of " + text_of(s.boundary) + " and " +
         text_of(s.boundary_against) + "; " + text_of(s.interval) + (s.note.empty() ? "" : "; " + std::string(s.note));
}

/// The tenth step and the last.
inline std::string of_sequential_rules() {
  std::string text;
  for (const SequentialRule& rule : all_sequential_rules())
    for (const Series& series : series_of()) {
      const SequentialSettings settings{
          .horizon = 40, .low = -8.0, .high = 8.0, .draws = 1'000, .key = derive(17, "draws")};
      const auto steps = watch(rule.name, series.differences, settings);
      const std::string head = "sequential " + std::string(rule.name) + " " + series.name + " ";
      if (steps.size() > 9) text += head + of_step(steps[9]) + "\n";
      text += head + of_step(steps.back()) + "\n";
    }
  return text;
}

inline Design design_of(const DesignFamily& family) {
  Design design{.candidate = "a", .baseline = "b", .metric = "m", .gamma = .75, .pairs = 40};
  design.family = family.name;
  design.range = std::pair{-8.0, 8.0};
  design.key = derive(17, "comparison:a|b");
  if (family.looks) design.looks = {8, 16, 24, 40};
  return design;
}

/// How it is expected to end at a share of pairs won.
inline std::string of_operating(const Design& design, double p) {
  const auto plan = sign_plan_of(design);
  const auto simulated = plan ? std::nullopt : simulated_operating(design, p, 23, 500, .2);
  if (!plan && !simulated) return "-";
  const Operating at = plan ? operating(*plan, p) : simulated->mean;
  return text_of(at.better) + " " + text_of(at.against) + " " + text_of(at.undecided) + " " + text_of(at.pairs);
}

inline std::string of_designs() {
  std::string text;
  for (const DesignFamily& family : all_design_families()) {
    const Design design = design_of(family);
    for (const double p : {.5, .6, .75, .9})
      text += "design " + std::string(family.name) + " " + text_of(p) + " " + of_operating(design, p) + "\n";
    for (const Series& series : series_of()) {
      PairedScores scores{.direction = Direction::higher};
      for (const double d : series.differences) scores.candidate.emplace_back(d), scores.baseline.emplace_back(0.0);
      const Verdict v = judge(scores, design);
      text += "design " + std::string(family.name) + " " + series.name + " " + std::string(name_of(v.status)) + " " +
              std::to_string(v.sequential ? v.sequential->at_n : v.counts.pairs()) + "; " + text_of(v.paired_p) + "; " +
              (v.difference ? text_of(v.difference->mean) : "-") + "; " + sentence(v) + "\n";
    }
  }
  return text;
}

}  // namespace rules
