#pragma once

#include <optional>
#include <string>

namespace retrial::harness::inline watch {

/// The commit that --commit names, as the git repository of this folder calls it; a word that git does not know stays
/// as it is, for other systems. Without a word the HEAD of the repository; Error{usage} where there is none.
[[nodiscard]] std::string commit_named(const std::optional<std::string>& word);

}  // namespace retrial::harness::inline watch
