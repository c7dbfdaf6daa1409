#include "workloads/command/surroundings/question.hpp"

#include "results/text/text.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline surroundings {

namespace {

constexpr std::chrono::seconds answer_patience{20};

std::string reason_of(const Finished& finished) {
  if (finished.signal) return "no answer within " + std::to_string(answer_patience.count()) + " s";
  const auto output = finished.output.text();
  return "it ended with " + std::to_string(finished.exit_code) + ": " +
         results::one_line(output.substr(0, output.find('\n')), 200);
}

}  // namespace

Answer ask(const std::vector<std::string>& argv, const std::filesystem::path& folder,
           const std::vector<std::string>& further) try {
  std::vector<std::string> environment = further;
  std::ranges::copy(own_environment(), std::back_inserter(environment));
  const auto finished = run_program({argv, environment, folder, answer_patience});
  const bool well = !finished.signal && finished.exit_code == 0;
  return {.given = well, .text = well ? finished.output.text() : reason_of(finished)};
} catch (const TrialFailure& failure) {
  return {.given = false, .text = failure.what()};
}

}  // namespace retrial::workloads::command::inline surroundings
