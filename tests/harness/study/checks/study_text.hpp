// A study from the text of its file, and the error for an invalid text.
#pragma once

#include <string>

#include "harness/study/file/study_file.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests {

inline harness::Study load(const std::string& text) {
  const Folder folder;
  write_file(folder / "s.toml", text);
  return harness::checked(harness::read_study_file(folder / "s.toml"));
}

/// Message and help of the one usage error, or "no error".
inline std::string error_of(const std::string& text) {
  try {
    static_cast<void>(load(text));
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    return std::string(error.what()) + "\n" + error.text.help;
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace retrial::tests
