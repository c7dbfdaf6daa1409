#pragma once

#include <array>
#include <span>
#include <string_view>

namespace retrial::results::inline store::inline sqlite {

constexpr int application_id = 1381256241;  ///< 0x52544C31, ASCII "RTL1"
constexpr int schema_version = 2;           ///< of new stores; those of version 1 are read and continued

/// One table, index or view, with the text that SQLite keeps in sqlite_schema.
struct SchemaObject {
  std::string_view type, name, sql;
};

/// The schema of a version, in the order of creation: every table STRICT, public identities are BLOBs of 32 bytes, and
/// there is no JSON function, trigger, virtual table or expression index (with trusted_schema=OFF a JSON function in a
/// CHECK makes the table unusable). The views v_* are for people; retrial never reads them.
[[nodiscard]] std::span<const SchemaObject> schema_objects(int version = schema_version);

}  // namespace retrial::results::inline store::inline sqlite
