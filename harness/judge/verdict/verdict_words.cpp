#include "harness/judge/verdict/verdict_words.hpp"

namespace retrial::harness::inline judge::inline verdict {

Headline headline_of(const variance::Verdict& v) {
  using variance::Status;
  const std::string& a = v.design.candidate;
  const std::string& b = v.design.baseline;
  switch (v.status) {
    case Status::better:
    case Status::worse:
      return {a + " is ", " than " + b};
    case Status::equivalent:
      return {a + " is ", " to " + b};
    case Status::not_meaningful:
    case Status::inconclusive:
      return {a + " against " + b + ": ", ""};
    case Status::invalid:
      return {a + " against " + b + ": ", " (" + std::string(v.reason ? variance::name_of(*v.reason) : "") + ")"};
  }
  return {};
}

report::Tone tone_of(variance::Status status) {
  using variance::Status;
  switch (status) {
    case Status::better:
      return report::Tone::good;
    case Status::worse:
    case Status::invalid:
      return report::Tone::bad;
    case Status::equivalent:
    case Status::not_meaningful:
      return report::Tone::settled;
    case Status::inconclusive:
      return report::Tone::open;
  }
  return report::Tone::open;
}

std::string failure_text(variance::FailurePolicy policy) {
  switch (policy) {
    case variance::FailurePolicy::loss:
      return "a failed run counts as a loss";
    case variance::FailurePolicy::drop:
      return "a pair with a failed run is dropped";
    case variance::FailurePolicy::refuse:
      return "any failed run makes the verdict INVALID";
  }
  return "";
}

}  // namespace retrial::harness::inline judge::inline verdict
