# Options of every target of ours; retrial_bits are those that a workload outside this tree needs too.
# Contraction to fused multiply-add would change the bits of half of the normals that are drawn, so it is off everywhere;
# fast-math is never on. A build id tells the worker that ran a trial.
add_library(retrial_bits INTERFACE)
target_compile_features(retrial_bits INTERFACE cxx_std_20)
target_compile_options(retrial_bits INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_definitions(retrial_bits INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(retrial_bits INTERFACE -Wl,--build-id=sha1)

cmake_path(SET retrial_root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(GET retrial_root PARENT_PATH retrial_root)
add_library(retrial_options INTERFACE)
target_link_libraries(retrial_options INTERFACE retrial_bits)
target_include_directories(retrial_options INTERFACE ${retrial_root} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(retrial_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion>
  # In a unity build a local name may shadow a helper in another file of the batch; the other presets warn about shadowing.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>
  # Members left out of a designated initializer are meant to have their defaults.
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>
  # False alarms of g++ 12 about std::string and std::optional under optimization; the sanitizer preset finds real ones.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>
  $<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${retrial_root}=.>
  # A unit is many files: by function, the linker leaves out what a program does not call.
  $<$<COMPILE_LANGUAGE:CXX>:-ffunction-sections;-fdata-sections>
  # g++ collects garbage from 128 MB on; a unit reaches 1 GB. From 600 MB on: a tenth less CPU time, 250 MB more at the peak.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:--param=ggc-min-heapsize=600000>)
target_link_options(retrial_options INTERFACE -Wl,--gc-sections)
if(RETRIAL_WERROR)
  target_compile_options(retrial_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(RETRIAL_SANITIZE STREQUAL "thread")
  target_compile_options(retrial_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(retrial_options INTERFACE -fsanitize=thread)
elseif(RETRIAL_SANITIZE)
  if(RETRIAL_FUZZ)  # coverage for libFuzzer
    target_compile_options(retrial_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
  # Functions of libraries that are opened at run time (NVML, XGBoost) are called by types of ours, as C allows.
  target_compile_options(retrial_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function>)
  target_link_options(retrial_options INTERFACE -fsanitize=address,undefined)
endif()
