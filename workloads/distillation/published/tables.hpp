#pragma once

#include "workloads/published/table.hpp"

/// Published results of distillation, one file per publication or family of them.
namespace retrial::distillation {

/// All of them, with what the survey of 2019 concludes from its own.
[[nodiscard]] published::Table kd_survey();

/// Ruffy and Chahal 2019: one run each, best test epoch.
[[nodiscard]] std::vector<published::Row> ruffy_rows();
/// CIFAR-100 tables of RepDistiller and mdistiller.
[[nodiscard]] std::vector<published::Row> cifar100_rows();
/// torchdistill's re-runs on ImageNet, plain baselines on CIFAR-10.
[[nodiscard]] std::vector<published::Row> baseline_rows();

/// The parts of a row's cell; teacher "none" for a network trained from labels alone.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> networks(const std::string& teacher,
                                                                        const std::string& student);

}  // namespace retrial::distillation
