#include "results/store_query.hpp"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <cstring>

#include "results/utf8.hpp"

namespace retrial::results {
namespace {

template <typename F>
decltype(auto) translated(const Connection& connection, F&& call) {
  try {
    return call();
  } catch (const SQLite::Exception& exception) {
    translate(exception, connection.file(), connection.writing());
  }
}

}  // namespace

Query::Query(Connection& connection, const char* sql) : connection_(connection), sql_(sql) {
  const auto prepare = [&] { translated(connection, [&] { statement_ = connection.lend(sql); }); };
  if (connection.writing())
    prepare();
  else
    retry_busy(connection.file(), 0, prepare);
}

Query::~Query() {
  statement_->tryReset();
  connection_.take_back(sql_, std::move(statement_));
}

void Query::reset() {
  statement_->tryReset();
  place_ = 0;
  started_ = false;
}

// In a write the whole transaction is begun again; a read waits here, which it can only need before its first row.
bool Query::step() {
  bool row = false;
  try {
    row = step_once();
  } catch (const Busy&) {
    if (connection_.writing() || started_) throw;
    retry_busy(connection_.file(), 0, [&] { row = step_once(); });
  }
  started_ = true;
  return row;
}

bool Query::step_once() {
  try {
    return translated(connection_, [&] { return statement_->executeStep(); });
  } catch (const Busy&) {
    statement_->tryReset();
    throw;
  }
}

bool Query::null(int column) const {
  return statement_->getColumn(column).isNull();
}

void Query::require(int column, int type) const {
  if (statement_->getColumn(column).getType() == type) return;
  throw damaged(connection_.file(),
                "is damaged: column " + std::string(statement_->getColumn(column).getName()) + " has the wrong type");
}

std::int64_t Query::integer(int column) const {
  require(column, SQLITE_INTEGER);
  return statement_->getColumn(column).getInt64();
}

double Query::real(int column) const {
  require(column, SQLITE_FLOAT);
  return statement_->getColumn(column).getDouble();
}

std::string Query::text(int column) const {
  require(column, SQLITE_TEXT);
  std::string out = statement_->getColumn(column).getString();
  if (invalid_utf8(out) != std::string::npos)
    throw damaged(connection_.file(), "is damaged: a text is not valid UTF-8");
  return out;
}

std::string Query::bytes(int column) const {
  require(column, SQLITE_BLOB);
  return statement_->getColumn(column).getString();
}

void Query::copy_blob(int column, std::uint8_t* out, std::size_t size) const {
  require(column, SQLITE_BLOB);
  const SQLite::Column value = statement_->getColumn(column);
  if (static_cast<std::size_t>(value.getBytes()) != size)
    throw damaged(connection_.file(), "is damaged: column " + std::string(value.getName()) + " has the wrong length");
  std::memcpy(out, value.getBlob(), size);
}

void Query::bind_next(std::nullopt_t) {
  translated(connection_, [&] { statement_->bind(++place_); });
}
void Query::bind_next(std::int64_t value) {
  translated(connection_, [&] { statement_->bind(++place_, value); });
}
void Query::bind_next(double value) {
  translated(connection_, [&] { statement_->bind(++place_, value); });
}
void Query::bind_next(std::string_view value) {
  translated(connection_, [&] { statement_->bind(++place_, std::string(value)); });
}
void Query::bind_next(Blob value) {
  translated(connection_,
             [&] { statement_->bind(++place_, value.bytes.data(), static_cast<int>(value.bytes.size())); });
}

}  // namespace retrial::results
