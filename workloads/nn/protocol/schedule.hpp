#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"

namespace retrial::nn::inline protocol {

/// The learning rate is multiplied by gamma at each milestone: "1/3,.66" are exact shares of the epochs, floor of the
/// exact product; "150,180" are epochs (0-based); "" keeps it constant. It changes before the first step of that epoch.
struct Schedule {
  double lr = 0, gamma = 1;
  std::string milestones;
};

/// The problem with a text of milestones; empty if it is valid.
[[nodiscard]] std::string milestones_problem(const std::string& milestones);

/// The epochs, 0-based and in the given order, before which the rate falls; those from `epochs` on are never reached.
/// Throws InvalidInput("milestones").
[[nodiscard]] std::vector<std::int64_t> milestone_epochs(const std::string& milestones, std::int64_t epochs);

/// One learning rate per epoch. Throws InvalidInput("milestones").
[[nodiscard]] std::vector<double> learning_rates(const Schedule& schedule, int epochs);

/// SHA-256 of the sequence as little-endian doubles, for the record.
[[nodiscard]] results::Digest schedule_digest(const std::vector<double>& rates);

}  // namespace retrial::nn::inline protocol
