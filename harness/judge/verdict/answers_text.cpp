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

/// The declared question: the level, and the bounds that were given.
struct Asked {
  double alpha = 0.05;
  std::optional<double> gamma = {}, margin = {}, rope = {};
  std::optional<std::pair<double, double>> band = {};
};

Asked asked_by(const variance::Design& design) {
  return {.alpha = design.alpha, .gamma = design.levels().gamma, .margin = design.margin, .band = design.band};
}

Asked asked_by(const variance::TestSettings& settings) {
  return {.alpha = settings.alpha, .gamma = settings.gamma, .margin = settings.margin, .rope = settings.rope};
}

/// Where the headline itself does not say which variant is ahead.
std::string in_favor_text(const RealAnswer& real, const Verdict& v) {
  if (v.status == variance::Status::better || v.status == variance::Status::worse) return "";
  return ", in favor of " + (real.direction == variance::Status::better ? v.design.candidate : v.design.baseline);
}

std::string real_text(const RealAnswer& real, const std::string& in_favor, const Asked& asked) {
  if (!real.asked) return "real: not asked";
  return (real.shown ? "real: yes" + in_favor : "real: not shown") + " (" +
         (real.p ? "p = " + p_text(*real.p, asked.alpha) + ", " : "") + "alpha " + short_text(asked.alpha) + ")";
}

std::string bound_text(Bound bound, const Asked& asked, const std::string& unit) {
  const std::string of_scores = unit.empty() ? "" : " " + difference_unit(unit);
  switch (bound) {
    case Bound::gamma:
      return percent(*asked.gamma) + " of pairs";
    case Bound::margin:
      return "margin " + or_dash(asked.margin) + of_scores;
    case Bound::rope:
      return "rope " + or_dash(asked.rope) + of_scores;
    case Bound::band:
      break;
  }
  return "band " + short_text(asked.band->first) + " to " + short_text(asked.band->second);
}

std::string large_text(const std::vector<SizeAnswer>& answers, const Asked& asked, const std::string& unit) {
  if (answers.empty()) return "large enough: not asked (no gamma, no margin)";
  std::string out;
  for (const auto& each : answers)
    out += (out.empty() ? "large enough (" : ", (") + bound_text(each.bound, asked, unit) +
           "): " + std::string(variance::name_of(each.answer));
  return out;
}

Json bound_value(Bound bound, const Asked& asked) {
  switch (bound) {
    case Bound::gamma:
      return derived(asked.gamma);
    case Bound::margin:
      return derived(asked.margin);
    case Bound::rope:
      return derived(asked.rope);
    case Bound::band:
      break;
  }
  return {derived(asked.band->first), derived(asked.band->second)};
}

/// For several bounds: no if any says no, yes if all do.
std::string_view answer_of(const std::vector<SizeAnswer>& answers) {
  if (answers.empty()) return "not_asked";
  const auto says = [](Answer answer) { return [answer](const SizeAnswer& each) { return each.answer == answer; }; };
  if (std::ranges::any_of(answers, says(Answer::no))) return variance::name_of(Answer::no);
  return variance::name_of(std::ranges::all_of(answers, says(Answer::yes)) ? Answer::yes : Answer::undecided);
}

Json real_json(const RealAnswer& real, const Asked& asked) {
  return {{"answer", !real.asked  ? "not_asked"
                     : real.shown ? "yes"
                                  : "not_shown"},
          {"direction", real.asked ? Json(variance::name_of(real.direction)) : Json()},
          {"p", derived(real.p)},
          {"alpha", derived(asked.alpha)}};
}

Json large_json(const std::vector<SizeAnswer>& answers, const Asked& asked) {
  Json bounds = Json::array();
  for (const auto& each : answers)
    bounds.push_back({{"bound", variance::name_of(each.bound)},
                      {"value", bound_value(each.bound, asked)},
                      {"answer", variance::name_of(each.answer)},
                      {"p_yes", derived(each.p_yes)},
                      {"p_no", derived(each.p_no)}});
  return {{"answer", answer_of(answers)}, {"bounds", std::move(bounds)}};
}

Json fields_of(const std::optional<variance::Answers>& answers, const Asked& asked) {
  if (!answers) return {{"real", nullptr}, {"large_enough", nullptr}};
  return {{"real", real_json(answers->real, asked)}, {"large_enough", large_json(answers->large, asked)}};
}

}  // namespace

std::string answers_text(const Verdict& v, const std::string& unit) {
  const auto answers = variance::answers_of(v);
  if (!answers) return "";
  const auto asked = asked_by(v.design);
  return real_text(answers->real, in_favor_text(answers->real, v), asked) + "; " +
         large_text(answers->large, asked, unit);
}

std::string answers_text(const variance::TestOutcome& outcome, const variance::TestSettings& settings,
                         const std::string& unit) {
  const auto answers = variance::answers_of(outcome, settings);
  if (!answers) return "";
  const auto asked = asked_by(settings);
  return real_text(answers->real, "", asked) + "; " + large_text(answers->large, asked, unit);
}

Json answers_fields(const Verdict& v) {
  return fields_of(variance::answers_of(v), asked_by(v.design));
}

Json answers_fields(const variance::TestOutcome& outcome, const variance::TestSettings& settings) {
  return fields_of(variance::answers_of(outcome, settings), asked_by(settings));
}

}  // namespace retrial::harness::inline judge::inline verdict
