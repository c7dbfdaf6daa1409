#pragma once

#include "harness/watch/history.hpp"
#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline watch {

/// All series in one table.
[[nodiscard]] report::Section history_section(const CommitHistory& history);
/// One series: its commits and, as a figure, its values with their alarms.
[[nodiscard]] report::Section series_section(const CommitSeries& series, std::size_t number, bool figure);
/// retrial.history/1, share/retrial/schema/history.json.
[[nodiscard]] Json history_document(const CommitHistory& history);
/// The whole as a file to share; `source` names the files that were read.
[[nodiscard]] report::Report history_report(const CommitHistory& history, const std::string& source);

}  // namespace retrial::harness::inline watch
