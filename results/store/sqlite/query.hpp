#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "results/digest/sha256.hpp"
#include "results/store/sqlite/connection.hpp"

struct sqlite3_value;

namespace retrial::results::inline store::inline sqlite {

/// Bytes to bind as a BLOB.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement, borrowed from the connection and returned, reset, by the destructor, so no read transaction
/// outlives it. Column types are checked, because a damaged file may hold anything.
class Query {
 public:
  Query(Connection& connection, const char* sql);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Binds all parameters in order and makes the statement ready to run from its start.
  template <typename... V>
  Query& bind(const V&... values) {
    reset();
    (bind_next(values), ...);
    return *this;
  }
  [[nodiscard]] bool step();  ///< false: no more rows
  void run() {
    while (step()) {
    }
  }

  [[nodiscard]] bool null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  /// An integer from `min` to `max`; otherwise the file is damaged.
  [[nodiscard]] std::int64_t integer(int column, std::int64_t min,
                                     std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  [[nodiscard]] std::uint32_t count32(int column) const {
    return static_cast<std::uint32_t>(integer(column, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  /// The double whose 64 bits are in one column and whose readable form is in another. SQLite stores NaN as NULL and
  /// negative zero as zero, so the bits are authoritative; if the two disagree, one of them was changed.
  [[nodiscard]] double number(int readable_column, int bits_column) const;
  [[nodiscard]] bool readable_form_fits(int readable_column, int bits_column) const;
  [[nodiscard]] std::string text(int column) const;
  /// A name, which reaches terminals and pages: text without control characters; otherwise the file is damaged.
  [[nodiscard]] std::string name(int column) const;
  /// A word of a fixed set; any other word is damage, not a user error.
  template <typename Word>
  [[nodiscard]] Word word(int column, Word (*from)(std::string_view)) const {
    const std::string found = text(column);
    try {
      return from(found);
    } catch (const Error&) {
      refuse(column, "holds the unknown word " + found);
    }
  }
  [[nodiscard]] std::string bytes(int column) const;
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint8_t, N> blob(int column) const {
    std::array<std::uint8_t, N> out;
    copy_blob(column, out.data(), N);
    return out;
  }
  [[nodiscard]] Digest digest(int column) const { return blob<32>(column); }
  [[nodiscard]] Id16 id16(int column) const { return blob<16>(column); }
  [[nodiscard]] std::optional<std::int64_t> integer_or_null(int column) const {
    return null(column) ? std::nullopt : std::optional(integer(column));
  }
  [[nodiscard]] std::optional<std::int64_t> integer_or_null(int column, std::int64_t min) const {
    return null(column) ? std::nullopt : std::optional(integer(column, min));
  }
  [[nodiscard]] std::optional<int> int_or_null(int column) const {
    return null(column) ? std::nullopt : std::optional(static_cast<int>(integer(column)));
  }
  [[nodiscard]] std::optional<std::string> text_or_null(int column) const {
    return null(column) ? std::nullopt : std::optional(text(column));
  }
  [[nodiscard]] std::optional<Id16> id16_or_null(int column) const {
    return null(column) ? std::nullopt : std::optional(id16(column));
  }

 private:
  void reset();
  bool step_once();
  void bound(int code);
  [[nodiscard]] sqlite3_value* value(int column) const;
  /// The column's value if it has this type; otherwise the file is damaged.
  [[nodiscard]] sqlite3_value* required(int column, int type) const;
  [[noreturn]] void refuse(int column, const std::string& problem) const;
  [[nodiscard]] bool fits(int readable_column, double number) const;
  void copy_blob(int column, std::uint8_t* out, std::size_t size) const;
  [[nodiscard]] static std::string raw_bytes(sqlite3_value* value);
  void bind_next(std::nullopt_t);
  void bind_next(std::int64_t value);
  void bind_next(int value) { bind_next(std::int64_t{value}); }
  void bind_next(std::uint32_t value) { bind_next(std::int64_t{value}); }
  void bind_next(double value);
  void bind_next(std::string_view value);
  void bind_next(const std::string& value) { bind_next(std::string_view(value)); }
  void bind_next(Blob value);
  template <std::size_t N>
  void bind_next(const std::array<std::uint8_t, N>& value) {
    bind_next(Blob{{reinterpret_cast<const char*>(value.data()), N}});
  }
  template <typename T>
  void bind_next(const std::optional<T>& value) {
    if (value)
      bind_next(*value);
    else
      bind_next(std::nullopt);
  }

  Connection& connection_;
  const char* sql_;
  Statement statement_;
  int place_ = 0;
  bool started_ = false;
};

}  // namespace retrial::results::inline store::inline sqlite
