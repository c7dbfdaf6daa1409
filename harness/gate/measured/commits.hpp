#pragma once

#include <array>
#include <optional>
#include <string>

#include "harness/gate/measured/planned_suite.hpp"

/// Commits of the sides: named by the user or taken from git, never guessed.
namespace retrial::harness::inline gate::inline measured {

/// The commit that --commit names, as the git repository of this folder calls it; a word that git does not know stays
/// as it is, for other systems. Without a word the HEAD of the repository; Error{usage} where there is none, or for a
/// word that is no name.
[[nodiscard]] std::string commit_named(const std::optional<std::string>& word);

/// True for equal names, and where one is at least six digits from the beginning of the other.
[[nodiscard]] bool same_commit(const std::string& one, const std::string& other);

/// The commit of a side, or the reason why none is recorded.
struct SideCommit {
  std::optional<std::string> name;
  std::string why_none;
};

/// HEAD of the repository that holds the programs of one variant, in every benchmark of a suite: files that its
/// commands name, or the working folder where a command names none but a program found through PATH. None where a
/// tracked file there is changed, since the program is of no commit then.
[[nodiscard]] SideCommit commit_of_variant(const PlannedSuite& suite, const std::string& variant);

/// The commits of baseline and candidate. Two sides in one work tree are not both of its commit: the candidate is.
[[nodiscard]] std::array<SideCommit, 2> commits_of_sides(const PlannedSuite& suite);

}  // namespace retrial::harness::inline gate::inline measured
