#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "workloads/interface/evidence.hpp"

/// The rows that student and teacher trained on, and the labels among them: a label counts once, although split = oob
/// can draw its row several times. A teacher that saw more labels than its student hands on more than a method does.
/// Counts come from the artifact `data` of each trial; older records have labels only where no row can repeat.
namespace retrial::distillation {

/// "kd: student of 150 rows with 144.2 labels, teacher of 1000 rows with 769.1 labels" for every variant with a
/// finished trial, means over pairs; variants with the same counts share a sentence.
[[nodiscard]] std::vector<std::string> rows_beside(const workloads::StudyEvidence& evidence);

/// The same as a table and as `rows`: a list of {variant, student: {rows, labels}, teacher: {rows, labels} or null}.
[[nodiscard]] report::Part rows_section(const workloads::StudyEvidence& evidence);

}  // namespace retrial::distillation
