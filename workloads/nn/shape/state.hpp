#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

namespace retrial::nn::inline shape {

/// The state of a run as bytes: fields in a fixed order, each preceded by its name, so that a damaged file, or one of
/// another kind, is rejected at the first wrong field. Little-endian.
class StateWriter {
 public:
  explicit StateWriter(std::ostream& to) : to_(to) {}
  void number(const std::string& name, std::uint64_t value);
  void real(const std::string& name, double value);
  void text(const std::string& name, const std::string& value);
  void bytes(const std::string& name, std::span<const std::byte> value);

 private:
  void raw(const void* from, std::size_t size);
  std::ostream& to_;
};

/// Reads what StateWriter wrote. Throws TrialFailure("checkpoint.damaged") naming the field.
class StateReader {
 public:
  explicit StateReader(std::istream& from) : from_(from) {}
  [[nodiscard]] std::uint64_t number(const std::string& name);
  [[nodiscard]] double real(const std::string& name);
  [[nodiscard]] std::string text(const std::string& name);
  /// Exactly as many bytes as `to` holds.
  void bytes(const std::string& name, std::span<std::byte> to);

 private:
  void expect(const std::string& name);
  void raw(void* to, std::size_t size, const std::string& name);
  [[nodiscard]] std::uint64_t raw_number(const std::string& name);
  std::istream& from_;
};

}  // namespace retrial::nn::inline shape
