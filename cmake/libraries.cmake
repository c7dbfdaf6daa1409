# Third parties. Their headers are SYSTEM, so that our warnings stay ours.
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(Threads REQUIRED)
find_library(RETRIAL_RE2 re2 REQUIRED)
find_library(RETRIAL_NETTLE nettle REQUIRED)
find_library(RETRIAL_XXHASH xxhash REQUIRED)

# tomlplusplus is used header-only on purpose: the shared library of Debian ignores TOML_MAX_NESTED_VALUES.
find_path(RETRIAL_TOML toml++/toml.h REQUIRED)
add_library(retrial_toml INTERFACE)
target_include_directories(retrial_toml SYSTEM INTERFACE ${RETRIAL_TOML})
target_compile_definitions(retrial_toml INTERFACE TOML_HEADER_ONLY=1 TOML_MAX_NESTED_VALUES=64)

if(RETRIAL_TORCH)
  # No find_package(Torch): it insists on a CUDA toolkit and adds flags for every architecture. The unpacked wheel
  # runs as it is, because its RPATH finds the two NVIDIA libraries beside it.
  set(LIBTORCH_DIR "$ENV{LIBTORCH_DIR}" CACHE PATH "folder of LibTorch with include/ and lib/")
  if(NOT LIBTORCH_DIR)
    set(LIBTORCH_DIR ${PROJECT_SOURCE_DIR}/.deps/libtorch/torch CACHE PATH "" FORCE)
  endif()
  if(NOT EXISTS ${LIBTORCH_DIR}/lib/libtorch_cpu.so)
    message(FATAL_ERROR "no LibTorch in ${LIBTORCH_DIR}: run scripts/setup, set LIBTORCH_DIR, or configure the core preset")
  endif()
  add_library(retrial_libtorch INTERFACE)
  target_include_directories(retrial_libtorch SYSTEM INTERFACE
    ${LIBTORCH_DIR}/include ${LIBTORCH_DIR}/include/torch/csrc/api/include)
  target_link_libraries(retrial_libtorch INTERFACE
    ${LIBTORCH_DIR}/lib/libtorch_cpu.so ${LIBTORCH_DIR}/lib/libc10.so)
  # The observer class of LibTorch has one more member without NDEBUG; a release library needs it defined.
  target_compile_definitions(retrial_libtorch INTERFACE NDEBUG)
endif()
