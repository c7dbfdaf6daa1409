#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::harness::inline study::inline declared {

/// Fields of one document of the store. A missing field or one of the wrong type is damage, not a user's mistake: every
/// reader throws Error{integrity} with document and field. The document must outlive this object.
class StoredFields {
 public:
  /// `prefix` is put before each field in messages: "claims.".
  StoredFields(const Json& document, std::string kind, std::string prefix = "")
      : document_(document), kind_(std::move(kind)), prefix_(std::move(prefix)) {}

  [[nodiscard]] bool has(const std::string& key) const;  ///< present and not null
  [[nodiscard]] const Json& at(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::optional<std::string> text_or_null(const std::string& key) const;
  [[nodiscard]] std::string word(const std::string& key, const std::vector<std::string>& words) const;
  [[nodiscard]] std::int64_t integer(const std::string& key) const;
  [[nodiscard]] bool flag(const std::string& key) const;
  [[nodiscard]] double bits(const std::string& key) const;  ///< a double from its bits
  [[nodiscard]] std::vector<std::string> names(const std::string& key) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& key) const;
  [[nodiscard]] std::vector<double> interval(const std::string& key) const;  ///< two doubles from their bits
  [[noreturn]] void wrong(const std::string& key, const std::string& allowed) const;

 private:
  const Json& document_;
  std::string kind_, prefix_;
};

}  // namespace retrial::harness::inline study::inline declared
