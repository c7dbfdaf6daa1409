#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"

namespace retrial::nn::inline training {

/// The learning rate is multiplied by gamma at each milestone: "1/3,.66" are exact shares of the epochs, floor of the
/// exact product; "150,180" are epochs (0-based); "" keeps it constant. It changes before the first step of that epoch.
struct Schedule {
  double lr = 0, gamma = 1;
  std::string milestones;
};

/// What is wrong with the text of milestones; empty when nothing is.
[[nodiscard]] std::string milestones_problem(const std::string& milestones);

/// The epochs, 0-based and in the order given, before which the rate falls; one from `epochs` on never comes. Throws
/// InvalidInput("milestones").
[[nodiscard]] std::vector<std::int64_t> milestone_epochs(const std::string& milestones, std::int64_t epochs);

/// One learning rate an epoch. Throws InvalidInput("milestones").
[[nodiscard]] std::vector<double> learning_rates(const Schedule& schedule, int epochs);

/// SHA-256 of the sequence as little-endian doubles: what the record keeps of it.
[[nodiscard]] results::Digest schedule_digest(const std::vector<double>& rates);

}  // namespace retrial::nn::inline training
