#include "harness/judge/verdict/answers_text.hpp"

#include <algorithm>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/json/json.hpp"
#include "variance/verdict/answers.hpp"

namespace retrial::harness::inline judge::inline verdict {
namespace {

using variance::Answer;
using variance::Bound;
using variance::RealAnswer;
using variance::SizeAnswer;
using variance::Verdict;

/// Where the headline itself does not say which variant is ahead.
std::string in_favor_text(const RealAnswer& real, const Verdict& v) {
  if (v.status == variance::Status::better || v.status == variance::Status::worse) return "";
  return ", in favor of " + (real.direction == variance::Status::better ? v.design.candidate : v.design.baseline);
}

std::string real_text(const RealAnswer& real, const Verdict& v) {
  if (!real.asked) return "real: not asked";
  return (real.shown ? "real: yes" + in_favor_text(real, v) : "real: not shown") + " (" +
         (real.p ? "p = " + p_text(*real.p, v.design.alpha) + ", " : "") + "alpha " + short_text(v.design.alpha) + ")";
}

std::string bound_text(Bound bound, const Verdict& v, const std::string& unit) {
  switch (bound) {
    case Bound::gamma:
      return percent(*v.design.levels().gamma) + " of pairs";
    case Bound::margin:
      return "margin " + or_dash(v.design.margin) + (unit.empty() ? "" : " " + difference_unit(unit));
    case Bound::band:
      break;
  }
  return "band " + short_text(v.design.band->first) + " to " + short_text(v.design.band->second);
}

std::string large_text(const std::vector<SizeAnswer>& answers, const Verdict& v, const std::string& unit) {
  if (answers.empty()) return "large enough: not asked (no gamma, no margin)";
  std::string out;
  for (const auto& each : answers)
    out += (out.empty() ? "large enough (" : ", (") + bound_text(each.bound, v, unit) +
           "): " + std::string(variance::name_of(each.answer));
  return out;
}

Json bound_value(Bound bound, const variance::Design& design) {
  switch (bound) {
    case Bound::gamma:
      return derived(design.levels().gamma);
    case Bound::margin:
      return derived(design.margin);
    case Bound::band:
      break;
  }
  return {derived(design.band->first), derived(design.band->second)};
}

/// Of several bounds: no if any says no, yes if all do.
std::string_view answer_of(const std::vector<SizeAnswer>& answers) {
  if (answers.empty()) return "not_asked";
  const auto says = [](Answer answer) { return [answer](const SizeAnswer& each) { return each.answer == answer; }; };
  if (std::ranges::any_of(answers, says(Answer::no))) return variance::name_of(Answer::no);
  return variance::name_of(std::ranges::all_of(answers, says(Answer::yes)) ? Answer::yes : Answer::undecided);
}

Json real_json(const RealAnswer& real, const variance::Design& design) {
  return {{"answer", !real.asked  ? "not_asked"
                     : real.shown ? "yes"
                                  : "not_shown"},
          {"direction", real.asked ? Json(variance::name_of(real.direction)) : Json()},
          {"p", derived(real.p)},
          {"alpha", derived(design.alpha)}};
}

Json large_json(const std::vector<SizeAnswer>& answers, const variance::Design& design) {
  Json bounds = Json::array();
  for (const auto& each : answers)
    bounds.push_back({{"bound", variance::name_of(each.bound)},
                      {"value", bound_value(each.bound, design)},
                      {"answer", variance::name_of(each.answer)},
                      {"p_yes", derived(each.p_yes)},
                      {"p_no", derived(each.p_no)}});
  return {{"answer", answer_of(answers)}, {"bounds", std::move(bounds)}};
}

}  // namespace

std::string answers_text(const Verdict& v, const std::string& unit) {
  const auto answers = variance::answers_of(v);
  return answers ? real_text(answers->real, v) + "; " + large_text(answers->large, v, unit) : "";
}

Json answers_fields(const Verdict& v) {
  const auto answers = variance::answers_of(v);
  if (!answers) return {{"real", nullptr}, {"large_enough", nullptr}};
  return {{"real", real_json(answers->real, v.design)}, {"large_enough", large_json(answers->large, v.design)}};
}

}  // namespace retrial::harness::inline judge::inline verdict
