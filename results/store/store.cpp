#include "results/store/store.hpp"

#include "results/store/seal.hpp"
#include "results/store/state.hpp"
#include "results/store/tally.hpp"

namespace retrial::results::inline store {

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const std::filesystem::path& Store::path() const {
  return impl_->connection.file();
}

void Store::at_once(const std::function<void()>& body) const {
  impl_->connection.read(body);
}

std::optional<std::string> Store::meta(const std::string& key) const {
  return find_meta(impl_->connection, key);
}

void Store::put_meta(const std::string& key, const std::string& value) {
  if (key.empty() || reserved_meta_key(key))
    throw Error({.code = "store.meta_key", .field = "meta key", .value = key, .problem = "is reserved"});
  Connection& connection = impl_->connection;
  connection.write(0, [&] {
    insert_meta(connection, key, value);
    insert_meta(connection, "check/" + key, hex(meta_seal(key, value)));
  });
}

std::optional<std::string> find_meta(Connection& connection, const std::string& key) {
  Query row(connection, "SELECT value FROM meta WHERE key=?");
  return row.bind(key).step() ? std::optional(row.text(0)) : std::nullopt;
}

void insert_meta(Connection& connection, const std::string& key, const std::string& value) {
  if (const auto old = find_meta(connection, key)) {
    if (*old == value) return;
    throw Error({.code = "store.meta_twice",
                 .where = connection.file().string(),
                 .field = key,
                 .value = value,
                 .problem = "already has a different value in this append-only store: " + *old});
  }
  Query(connection, "INSERT INTO meta(key,value) VALUES(?,?)").bind(key, value).run();
  keep_tally(connection, "meta", meta_seal(key, value));
}

}  // namespace retrial::results::inline store
