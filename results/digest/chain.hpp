#pragma once

#include <cstdint>
#include <string_view>

#include "results/digest/sha256.hpp"

namespace retrial::results::inline digest {

/// One hash over lines in their order: SHA-256 of the first one, the header, and then SHA-256(hash, line) of each
/// record. An artifact of the kind jsonl whose trial has a digest of the same name is such a chain: the digest at step
/// N holds for the header and N records, the one at the end for all.
class Chain {
 public:
  void add(std::string_view line);
  [[nodiscard]] const Digest& hash() const { return hash_; }
  [[nodiscard]] std::int64_t records() const { return lines_ - 1; }

 private:
  Digest hash_{};
  std::int64_t lines_ = 0;
};

}  // namespace retrial::results::inline digest
