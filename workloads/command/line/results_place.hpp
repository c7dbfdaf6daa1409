#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workloads/command/reading/written_file.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// Start folder of the program of a trial: among its copies, else `workdir`; empty: the current folder.
[[nodiscard]] std::filesystem::path start_folder(const Trial& trial, const std::filesystem::path& out);

/// Possible places of a file of results that `name` names, placeholders filled in. A relative one is looked for in the
/// trial's own folder and, unless the program starts there, where it starts; there it is read only if trials under
/// these values share that place (`shared_place`).
[[nodiscard]] ResultPlaces places_of(const std::string& name, const Trial& trial, const std::filesystem::path& out);

/// The place that trials under these values share, because they leave their results in it: by `shared_folder`, or
/// because a file of results is neither below {out} by its name, nor does the command or a file it names mention {out}
/// or TRIAL_OUT.
[[nodiscard]] std::optional<SharedPlace> shared_place(const Values& values);

/// The folders of that place, of which a trial must have each for itself: where the program starts, and where its
/// files of results are. In one order for all trials, so that two never wait for each other.
[[nodiscard]] std::vector<std::filesystem::path> folders_to_keep(const Trial& trial, const std::filesystem::path& out);

}  // namespace retrial::workloads::command::inline line
