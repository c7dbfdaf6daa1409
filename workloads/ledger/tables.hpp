#pragma once

#include "workloads/ledger/ledger.hpp"

/// The tables, one file a publication or a family of them.
namespace retrial::ledger {

[[nodiscard]] Ledger kd_survey();
[[nodiscard]] Ledger lost_in_pruning();

/// Ruffy and Chahal 2019: one run each, best test epoch.
[[nodiscard]] std::vector<Row> ruffy_rows();
/// CIFAR-100 tables of RepDistiller and mdistiller.
[[nodiscard]] std::vector<Row> cifar100_rows();
/// torchdistill's re-runs on ImageNet, plain baselines on CIFAR-10.
[[nodiscard]] std::vector<Row> baseline_rows();

/// "kd" + "resnet26s" + ... as part of an id: joined by dots, blanks and colons as dashes.
[[nodiscard]] std::string id_of(const std::vector<std::string>& parts);

}  // namespace retrial::ledger
