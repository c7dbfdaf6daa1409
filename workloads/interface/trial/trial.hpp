#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results/text/error.hpp"
#include "results/text/value.hpp"

namespace retrial::workloads::inline interface::inline trial {

/// The inputs of a run. A workload reads its keys and its seeds from here and from nowhere else.
struct Trial {
  std::string workload, variant;               ///< variant: the study's name for it
  Values values;                               ///< every key of the declaration, resolved
  std::map<std::string, std::uint64_t> seeds;  ///< source seed of every honored source
  std::map<std::string, std::uint64_t> pairs;  ///< pair index of each of them (0 when held)
  std::uint64_t pair = 0;                      ///< the trial's pair index; enters no draw
  std::string identity;                        ///< 64 hex digits
  std::string dataset = {};                    ///< digest of the data the trial was planned for, 64 hex digits, or ""

  [[nodiscard]] bool flag(const std::string& key) const { return flag_in(values, key); }
  [[nodiscard]] std::int64_t integer(const std::string& key) const { return integer_in(values, key); }
  [[nodiscard]] double number(const std::string& key) const { return number_in(values, key); }
  [[nodiscard]] const std::string& text(const std::string& key) const { return text_in(values, key); }
  /// The seed of a source this trial honors; a missing one is a programmer's error and throws std::out_of_range.
  [[nodiscard]] std::uint64_t seed(const std::string& source) const { return seeds.at(source); }
};

/// Folders named by keys of place, by key, without empty ones.
using Folders = std::map<std::string, std::filesystem::path>;

/// Files with a network of the user's own, by their SHA-256 (64 hex digits): those that the user has allowed to run.
using Scripts = std::map<std::string, std::filesystem::path>;

/// The folders a run may use.
struct Place {
  std::filesystem::path data;       ///< folder of data sets that are not embedded
  std::filesystem::path cache;      ///< trained teachers; deleting it changes no result
  std::filesystem::path out;        ///< an empty folder of this attempt
  std::int64_t max_steps = 0;       ///< end every training after this many optimizer steps (liveness); 0: no limit
  std::int64_t checksum_every = 0;  ///< also digest weights every K optimizer steps; 0: at boundaries only
  Folders folders = {};
  Scripts scripts = {};
  /// Runs a user's program: an emulator of another CPU, with its arguments. Empty: the program runs by itself.
  std::vector<std::string> launcher = {};
  std::string device = "cpu";  ///< on which networks are trained, as LibTorch names it
};

/// A trial that cannot continue. `kind` is a token such as torch.oom, data.digest_mismatch, command.no_metric; the
/// attempt is stored as failed (oom where kind ends in "oom") with "kind: message".
class TrialFailure : public std::runtime_error {
 public:
  TrialFailure(std::string token, const std::string& message) : std::runtime_error(message), kind(std::move(token)) {}
  std::string kind;
};

}  // namespace retrial::workloads::inline interface::inline trial
