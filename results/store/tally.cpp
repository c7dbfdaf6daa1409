#include "results/store/tally.hpp"

namespace retrial::results::inline store {
namespace {

void add_to(Digest& sum, const Digest& item) {
  unsigned carry = 0;
  for (std::size_t i = sum.size(); i-- > 0;) {
    carry += unsigned{sum[i]} + item[i];
    sum[i] = static_cast<std::uint8_t>(carry & 0xff);
    carry >>= 8;
  }
}

}  // namespace

void Tally::add(const Digest& item) {
  ++rows;
  add_to(sum, item);
}

void Tally::add(const Tally& other) {
  rows += other.rows;
  add_to(sum, other.sum);
}

Digest tallied_trial(std::int64_t id, const Digest& record) {
  std::string bytes(record.begin(), record.end());
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(static_cast<std::uint64_t>(id) >> shift);
  return sha256(bytes);
}

void keep_tally(Connection& connection, std::string_view kind, const Tally& added) {
  if (connection.schema() < 2 || added.rows == 0) return;
  Tally total = added;
  Query before(connection, "SELECT rows, sum FROM tally WHERE kind=?");
  if (before.bind(kind).step()) total.add({.rows = before.integer(0, 0), .sum = before.digest(1)});
  Query(connection,
        "INSERT INTO tally(kind,rows,sum) VALUES(?,?,?) "
        "ON CONFLICT(kind) DO UPDATE SET rows=excluded.rows, sum=excluded.sum")
      .bind(kind, total.rows, total.sum)
      .run();
}

void keep_tally(Connection& connection, std::string_view kind, const Digest& item) {
  Tally one;
  one.add(item);
  keep_tally(connection, kind, one);
}

}  // namespace retrial::results::inline store
