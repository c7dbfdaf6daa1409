#pragma once

#include <string>
#include <variant>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::workloads::inline interface {

/// An interval of numbers; infinite ends allowed.
struct Range {
  double low, high;
  bool low_open = false, high_open = false;
};

/// Phase in which a key has an effect. Liveness checks skip `evaluation` keys, which do not change training (only which
/// numbers are reported, or how they are computed), and compare `schedule` keys on the whole schedule. A `place` key
/// names a folder of this machine and enters no identity; the programs make it absolute, relative to the folder of
/// --data. `rare` keys decide in cases that may not occur in a few steps of training (equal scores, a configuration
/// that comes again, a limit of memory): tests of the workload show their effect.
enum class Reads { training, schedule, evaluation, place, rare };

/// A key of a workload, or of one of its views.
struct Parameter {
  std::string name;
  Value fallback;  ///< the default; its alternative is the key's type
  std::string meaning;
  std::variant<std::monostate, Range, std::vector<std::string>>
      allowed;  ///< anything of the type, an interval, choices
  Reads reads = Reads::training;
  /// False for a key that was added after studies had been stored: at its default it is left out of study documents and
  /// plans, so that a study without it keeps its digest.
  bool written_at_default = true;
  /// True for a text that may be "script:FILE", a network of the user's own. The programs put the SHA-256 of the file
  /// in the place of FILE; the file itself reaches a worker as Place::scripts.
  bool may_be_script = false;
};

}  // namespace retrial::workloads::inline interface
