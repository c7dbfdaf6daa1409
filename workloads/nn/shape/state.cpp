#include "workloads/nn/shape/state.hpp"

#include <bit>
#include <istream>
#include <ostream>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::nn::inline shape {
namespace {

static_assert(std::endian::native == std::endian::little, "the state is written in the byte order of memory");

constexpr std::uint64_t longest_text = 1 << 24;

[[noreturn]] void damaged(const std::string& name) {
  throw workloads::TrialFailure("checkpoint.damaged",
                                "the saved state is damaged or of another trial, at \"" + name + "\"");
}

}  // namespace

void StateWriter::raw(const void* from, std::size_t size) {
  to_.write(static_cast<const char*>(from), static_cast<std::streamsize>(size));
}

void StateWriter::bytes(const std::string& name, std::span<const std::byte> value) {
  for (const auto& [data, size] :
       {std::pair<const void*, std::uint64_t>(name.data(), name.size()), {value.data(), value.size()}}) {
    raw(&size, sizeof size);
    raw(data, size);
  }
}

void StateWriter::number(const std::string& name, std::uint64_t value) {
  bytes(name, std::as_bytes(std::span(&value, 1)));
}
void StateWriter::real(const std::string& name, double value) {
  number(name, std::bit_cast<std::uint64_t>(value));
}
void StateWriter::text(const std::string& name, const std::string& value) {
  bytes(name, std::as_bytes(std::span(value)));
}

void StateReader::raw(void* to, std::size_t size, const std::string& name) {
  if (!from_.read(static_cast<char*>(to), static_cast<std::streamsize>(size))) damaged(name);
}

std::uint64_t StateReader::raw_number(const std::string& name) {
  std::uint64_t value = 0;
  raw(&value, sizeof value, name);
  return value;
}

void StateReader::expect(const std::string& name) {
  if (raw_number(name) != name.size()) damaged(name);
  std::string found(name.size(), '\0');
  raw(found.data(), found.size(), name);
  if (found != name) damaged(name);
}

void StateReader::bytes(const std::string& name, std::span<std::byte> to) {
  expect(name);
  if (raw_number(name) != to.size()) damaged(name);
  raw(to.data(), to.size(), name);
}

std::uint64_t StateReader::number(const std::string& name) {
  std::uint64_t value = 0;
  bytes(name, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

double StateReader::real(const std::string& name) {
  return std::bit_cast<double>(number(name));
}

std::string StateReader::text(const std::string& name) {
  expect(name);
  const std::uint64_t size = raw_number(name);
  if (size > longest_text) damaged(name);
  std::string value(size, '\0');
  raw(value.data(), value.size(), name);
  return value;
}

}  // namespace retrial::nn::inline shape
