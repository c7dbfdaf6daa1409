// A plain SQLite connection, for tests that damage a file or inspect it from outside.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace retrial::results {

class Raw {
 public:
  explicit Raw(const std::filesystem::path& file) {
    if (sqlite3_open(file.c_str(), &handle_) != SQLITE_OK) throw std::runtime_error("raw open");
  }
  ~Raw() { sqlite3_close(handle_); }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  void exec(const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return;
    const std::string text = message != nullptr ? message : "error";
    sqlite3_free(message);
    throw std::runtime_error(text + " in " + sql);
  }
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    std::vector<std::vector<std::string>> out;
    const auto collect = [](void* list, int columns, char** values, char**) {
      auto& row = static_cast<std::vector<std::vector<std::string>>*>(list)->emplace_back();
      for (int i = 0; i < columns; ++i) row.emplace_back(values[i] != nullptr ? values[i] : "NULL");
      return 0;
    };
    if (sqlite3_exec(handle_, sql.c_str(), collect, &out, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(handle_));
    return out;
  }
  std::string one(const std::string& sql) { return rows(sql).at(0).at(0); }
  sqlite3* handle() { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace retrial::results
