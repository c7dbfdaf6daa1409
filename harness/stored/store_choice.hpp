#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline stored {

/// The store that a reading command works on, and the arguments after it.
struct StoreChoice {
  std::filesystem::path path;
  std::vector<std::string> rest;
};

/// The number of arguments after the store, and the usage for the error: "explain [STORE] A B".
struct Takes {
  std::size_t min = 0, max = 0;
  std::string usage;
};

/// The first argument if it names a file or ends in .db; else RETRIAL_DB, else the only *.db of this folder.
/// Error{usage} for no store or more than one, Error{incomparable} if the named file does not exist.
[[nodiscard]] StoreChoice store_choice(const Arguments& arguments, const Takes& takes);

/// The store that a word names. Error{incomparable} if it does not exist.
[[nodiscard]] std::filesystem::path existing_store(const std::string& word);

/// Opens an existing store for reading.
[[nodiscard]] results::Store open_for_reading(const std::filesystem::path& path);

/// The study named by --study: its name, or at least six hex digits of its digest. Without --study the newest; if there
/// are several, a note on standard error names it. Error{incomparable} if the store holds none.
[[nodiscard]] results::StudyRow chosen_study(const results::Store& store, const std::optional<std::string>& wanted);

}  // namespace retrial::harness::inline stored
