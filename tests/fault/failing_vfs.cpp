#include "tests/fault/failing_vfs.hpp"

#include <sqlite3.h>

namespace retrial::tests {
namespace {

struct Armed {
  Call call = Call::none;
  std::int64_t left = 0;
  int code = SQLITE_OK;
  bool for_good = false, failed = false;
};
Armed armed;

/// SQLITE_OK: pass it on.
int verdict(Call call) {
  if (call != armed.call || armed.left < 0) return SQLITE_OK;
  if (armed.left > 0 && --armed.left > 0) return SQLITE_OK;
  armed.failed = true;
  if (!armed.for_good) armed.left = -1;
  return armed.code;
}

struct File {
  sqlite3_file base;
  sqlite3_file* real;
};
sqlite3_vfs* vfs_below = nullptr;

sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<File*>(file)->real;
}

int close_file(sqlite3_file* file) {
  return real(file)->pMethods->xClose(real(file));
}
int read_file(sqlite3_file* file, void* into, int amount, sqlite3_int64 at) {
  return real(file)->pMethods->xRead(real(file), into, amount, at);
}
int write_file(sqlite3_file* file, const void* from, int amount, sqlite3_int64 at) {
  const int code = verdict(Call::write);
  // A write that fails may have written its first half.
  if (code != SQLITE_OK) return real(file)->pMethods->xWrite(real(file), from, amount / 2, at), code;
  return real(file)->pMethods->xWrite(real(file), from, amount, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  const int code = verdict(Call::truncate);
  return code != SQLITE_OK ? code : real(file)->pMethods->xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  const int code = verdict(Call::sync);
  return code != SQLITE_OK ? code : real(file)->pMethods->xSync(real(file), flags);
}
int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int unlock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_lock(sqlite3_file* file, int* held) {
  return real(file)->pMethods->xCheckReservedLock(real(file), held);
}
int control(sqlite3_file* file, int operation, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int sector_size(sqlite3_file* file) {
  return real(file)->pMethods->xSectorSize(real(file));
}
int characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, at);
}
int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
void shm_barrier(sqlite3_file* file) {
  real(file)->pMethods->xShmBarrier(real(file));
}
int shm_unmap(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}
const sqlite3_io_methods methods = {2,           close_file,   read_file,       write_file,  truncate_file,
                                    sync_file,   size_of_file, lock_file,       unlock_file, check_lock,
                                    control,     sector_size,  characteristics, shm_map,     shm_lock,
                                    shm_barrier, shm_unmap,    nullptr,         nullptr};

int open_file(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out) {
  auto& mine = *reinterpret_cast<File*>(file);
  mine.base.pMethods = nullptr;
  mine.real = reinterpret_cast<sqlite3_file*>(&mine + 1);
  if (const int code = verdict(Call::open); code != SQLITE_OK) return SQLITE_CANTOPEN;
  const int code = vfs_below->xOpen(vfs_below, name, mine.real, flags, out);
  if (mine.real->pMethods != nullptr) mine.base.pMethods = &methods;
  return code;
}

sqlite3_vfs shim() {
  vfs_below = sqlite3_vfs_find(nullptr);
  sqlite3_vfs vfs = *vfs_below;
  vfs.pNext = nullptr;
  vfs.zName = "failing";
  vfs.szOsFile = static_cast<int>(sizeof(File)) + vfs_below->szOsFile;
  vfs.xOpen = open_file;
  return vfs;
}

}  // namespace

FailingDisk::FailingDisk(Call call, std::int64_t nth, int code, bool for_good) {
  static sqlite3_vfs vfs = shim();
  [[maybe_unused]] static const int registered = sqlite3_vfs_register(&vfs, 1);
  armed = {.call = call, .left = nth, .code = code, .for_good = for_good};
}

FailingDisk::~FailingDisk() {
  armed = {};
}

bool FailingDisk::failed() const {
  return armed.failed;
}

}  // namespace retrial::tests
