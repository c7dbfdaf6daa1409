#include "results/store/sqlite/query.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "results/text/cleaned.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"

namespace retrial::results::inline store::inline sqlite {
namespace {

template <typename F>
decltype(auto) translated(const Connection& connection, F&& call) {
  try {
    return call();
  } catch (const SQLite::Exception& exception) {
    connection.fail(exception);
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
  sqlite3_reset(statement_.get());
  connection_.take_back(sql_, std::move(statement_));
}

void Query::reset() {
  sqlite3_reset(statement_.get());
  place_ = 0;
  started_ = false;
}

// In a write the whole transaction is restarted; a read waits here, which can be needed only before its first row.
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
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const SQLite::Exception exception(connection_.database().getHandle(), code);
  sqlite3_reset(statement_.get());
  connection_.fail(exception);
}

// The value is fetched once and then queried: each sqlite3_column_TYPE call would look it up again.
sqlite3_value* Query::value(int column) const {
  return sqlite3_column_value(statement_.get(), column);
}

bool Query::null(int column) const {
  return sqlite3_value_type(value(column)) == SQLITE_NULL;
}

sqlite3_value* Query::required(int column, int type) const {
  sqlite3_value* const found = value(column);
  if (sqlite3_value_type(found) == type) return found;
  refuse(column, "has the wrong type");
}

void Query::refuse(int column, const std::string& problem) const {
  throw damaged(connection_.file(), "is damaged: column " + std::string(sqlite3_column_name(statement_.get(), column)) +
                                        " " + one_line(problem, 100));
}

std::int64_t Query::integer(int column) const {
  return sqlite3_value_int64(required(column, SQLITE_INTEGER));
}

std::int64_t Query::integer(int column, std::int64_t min, std::int64_t max) const {
  const std::int64_t found = integer(column);
  if (found < min || found > max) refuse(column, "holds " + std::to_string(found) + ", which is out of range");
  return found;
}

bool Query::readable_form_fits(int readable_column, int bits_column) const {
  return fits(readable_column, std::bit_cast<double>(integer(bits_column)));
}

// Each column is fetched once: one page can read half a million values.
bool Query::fits(int readable_column, double number) const {
  sqlite3_value* const readable = value(readable_column);
  const int type = sqlite3_value_type(readable);
  if (std::isnan(number) || type == SQLITE_NULL) return std::isnan(number) && type == SQLITE_NULL;
  if (type != SQLITE_FLOAT) refuse(readable_column, "has the wrong type");
  return std::bit_cast<std::uint64_t>(sqlite3_value_double(readable)) ==
         std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
}

double Query::number(int readable_column, int bits_column) const {
  const auto number = std::bit_cast<double>(integer(bits_column));
  if (!fits(readable_column, number)) refuse(readable_column, "does not match its bit pattern");
  return number;
}

std::string Query::text(int column) const {
  std::string out = raw_bytes(required(column, SQLITE_TEXT));
  if (invalid_utf8(out) != std::string::npos)
    throw damaged(connection_.file(), "is damaged: a string is not valid UTF-8");
  return out;
}

std::string Query::name(int column) const {
  std::string out = text(column);
  if (has_control(out)) refuse(column, "holds a control character: " + one_line(out, 60));
  return out;
}

std::string Query::bytes(int column) const {
  return raw_bytes(required(column, SQLITE_BLOB));
}

// The pointer first: reading the length of a text may move it.
std::string Query::raw_bytes(sqlite3_value* value) {
  const void* begin = sqlite3_value_blob(value);
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return begin == nullptr ? std::string() : std::string(static_cast<const char*>(begin), size);
}

void Query::copy_blob(int column, std::uint8_t* out, std::size_t size) const {
  sqlite3_value* const found = required(column, SQLITE_BLOB);
  const void* begin = sqlite3_value_blob(found);
  if (static_cast<std::size_t>(sqlite3_value_bytes(found)) != size) refuse(column, "has the wrong length");
  std::memcpy(out, begin, size);
}

void Query::bound(int code) {
  if (code != SQLITE_OK) connection_.fail(SQLite::Exception(connection_.database().getHandle(), code));
}

void Query::bind_next(std::nullopt_t) {
  bound(sqlite3_bind_null(statement_.get(), ++place_));
}
void Query::bind_next(std::int64_t value) {
  bound(sqlite3_bind_int64(statement_.get(), ++place_, value));
}
void Query::bind_next(double value) {
  bound(sqlite3_bind_double(statement_.get(), ++place_, value));
}
// Copied, because a parameter may be a temporary of the expression that binds it.
void Query::bind_next(std::string_view value) {
  bound(sqlite3_bind_text(statement_.get(), ++place_, value.data() == nullptr ? "" : value.data(),
                          static_cast<int>(value.size()), SQLITE_TRANSIENT));
}
void Query::bind_next(Blob value) {
  bound(sqlite3_bind_blob(statement_.get(), ++place_, value.bytes.data(), static_cast<int>(value.bytes.size()),
                          SQLITE_TRANSIENT));
}

}  // namespace retrial::results::inline store::inline sqlite
