#include "results/store/state.hpp"

namespace retrial::results::inline store {
namespace {

bool claim_one(Connection& connection, const Id16& owner, const std::pair<Digest, std::uint32_t>& wanted,
               std::int64_t now_ns, std::int64_t expires_ns) {
  const auto& [identity, replicate] = wanted;
  Query held(connection, "SELECT owner, expires_ns FROM lease WHERE identity=? AND replicate=?");
  if (held.bind(identity, replicate).step() && held.id16(0) != owner && held.integer(1) > now_ns) return false;
  Query(connection,
        "INSERT INTO lease(identity,replicate,owner,expires_ns) VALUES(?,?,?,?) "
        "ON CONFLICT(identity,replicate) DO UPDATE SET owner=excluded.owner, expires_ns=excluded.expires_ns")
      .bind(identity, replicate, owner, expires_ns)
      .run();
  return true;
}

}  // namespace

std::uint64_t launch_key(const Id16& launch) {
  std::uint64_t key = 0;
  for (std::size_t i = 8; i-- > 0;) key = key << 8 | launch[i];
  return key;
}

std::vector<bool> Store::claim(const Id16& owner, std::span<const std::pair<Digest, std::uint32_t>> wanted,
                               std::int64_t now_ns, std::int64_t expires_ns) {
  std::vector<bool> granted;
  impl_->connection.write(launch_key(owner), [&] {
    granted.clear();
    for (const auto& one : wanted) granted.push_back(claim_one(impl_->connection, owner, one, now_ns, expires_ns));
  });
  return granted;
}

std::optional<Id16> Store::lease_owner(const Digest& identity, std::uint32_t replicate) const {
  Query held(impl_->connection, "SELECT owner FROM lease WHERE identity=? AND replicate=?");
  return held.bind(identity, replicate).step() ? std::optional(held.id16(0)) : std::nullopt;
}

std::vector<Id16> Store::lease_owners() const {
  std::vector<Id16> owners;
  Query held(impl_->connection, "SELECT DISTINCT owner FROM lease ORDER BY owner");
  while (held.step()) owners.push_back(held.id16(0));
  return owners;
}

void Store::release(const Id16& owner) {
  impl_->connection.write(launch_key(owner),
                          [&] { Query(impl_->connection, "DELETE FROM lease WHERE owner=?").bind(owner).run(); });
}

}  // namespace retrial::results::inline store
