#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline stored {

/// The store a reading command works on and the arguments that follow it.
struct StoreChoice {
  std::filesystem::path path;
  std::vector<std::string> rest;
};

/// How many arguments a command takes behind the store, and its usage for the error: "explain [STORE] A B".
struct Takes {
  std::size_t least = 0, most = 0;
  std::string usage;
};

/// The first argument when it names a file or ends in .db; else RETRIAL_DB, else the only *.db of this folder.
/// Error{usage} when there is none or several, Error{incomparable} when the named file does not exist.
[[nodiscard]] StoreChoice store_choice(const Arguments& arguments, const Takes& takes);

/// Opens an existing store for reading.
[[nodiscard]] results::Store open_for_reading(const std::filesystem::path& path);

/// The study named by --study: its name, or at least six hex digits of its digest. Without one the newest, and where
/// there are several a line on standard error says which. Error{incomparable} when the store holds none.
[[nodiscard]] results::StudyRow chosen_study(const results::Store& store, const std::optional<std::string>& wanted);

}  // namespace retrial::harness::inline stored
