# Installed for workloads outside this tree: find_package(retrial), then retrial_add_workload (programs.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/retrial)
set(libraries bits results determinism_core determinism workloads harness front_end_main worker_main)
if(RETRIAL_TORCH)
  list(APPEND libraries workloads_torch)
endif()
foreach(library IN LISTS libraries)
  add_library(retrial::${library} ALIAS retrial_${library})
  set_target_properties(retrial_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
list(TRANSFORM libraries PREPEND retrial_)
# Object libraries: registrations in a static library would be dropped.
install(TARGETS ${libraries} EXPORT retrial COMPONENT development
  OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/retrial)
install(EXPORT retrial NAMESPACE retrial:: DESTINATION ${package} FILE retrialTargets.cmake COMPONENT development)

# Headers for workloads; those of the store are not among them.
install(DIRECTORY results determinism workloads DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/retrial COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "store*" EXCLUDE PATTERN "seal.hpp" EXCLUDE PATTERN "schema.hpp" EXCLUDE)

configure_file(cmake/retrialConfig.cmake.in retrialConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/retrialConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/retrialConfig.cmake ${PROJECT_BINARY_DIR}/retrialConfigVersion.cmake
  cmake/libraries.cmake cmake/programs.cmake DESTINATION ${package} COMPONENT development)
