#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"

/// A network of the user's own in a file (TorchScript) as the value of a key: "script:FILE" as a user writes it, and
/// "script:SHA-256" in studies, plans and trials. The file is a program, so a user must allow it.
namespace retrial::workloads::inline interface {

/// Whether a value begins with "script:".
[[nodiscard]] bool names_script(const std::string& value);
/// "script:SHA-256" of 64 hex digits.
[[nodiscard]] std::string script_name(const std::string& digest);
/// FILE, or the digest, of such a value.
[[nodiscard]] std::string script_part(const std::string& value);
/// The digest of "script:SHA-256"; nothing for other values.
[[nodiscard]] std::optional<std::string> script_digest(const std::string& value);

/// A key that has a script, and the SHA-256 of the file.
struct NamedScript {
  std::string key, digest;
};
/// The scripts that a trial under these values loads, in the order of the declaration.
[[nodiscard]] std::vector<NamedScript> scripts_read(const Declaration& declaration, const Values& values);

}  // namespace retrial::workloads::inline interface
