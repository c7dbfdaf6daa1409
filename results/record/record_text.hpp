#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/record/record.hpp"
#include "results/record/series.hpp"

namespace retrial::results::inline record {

/// The measurements of a record, sorted once for payload, record and rows. Refers to the record.
struct Measured {
  std::map<std::string_view, const MetricDef*> defs;  ///< definitions of the metrics that have values, by name
  Points points;
};

/// Throws Error{usage} for a metric without definition, with two different ones, or with the same step twice.
[[nodiscard]] Measured measured(const TrialRecord& record);

/// The canonical bytes of the payload and record documents, written directly: building them as documents in memory
/// first took half of the time of appending a trial.
[[nodiscard]] std::string payload_text(const TrialRecord& record, const Measured& measured);
[[nodiscard]] std::string record_text(const TrialRecord& record, const Measured& measured, const Digest& payload,
                                      const Digest& environment, const std::optional<Digest>& manifest);

}  // namespace retrial::results::inline record
