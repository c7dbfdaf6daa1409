# Installs the variance library into an empty folder, then configures, builds and runs a program that uses this project
# only through find_package(retrial-variance): with the static library and with the shared one.
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)
step(${CMAKE_COMMAND} --install ${BUILD} --component variance --prefix ${SCRATCH}/installed)
if(NOT EXISTS ${SCRATCH}/installed/share/doc/retrial-variance/LICENSE)
  message(FATAL_ERROR "the license was not installed")
endif()
headers_are_complete(${SCRATCH}/installed/include/retrial)
set(libraries retrial::variance)
if(SHARED)
  list(APPEND libraries retrial::variance_shared)
endif()
foreach(library IN LISTS libraries)
  string(MAKE_C_IDENTIFIER ${library} folder)
  step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/${folder} -G Ninja -DCMAKE_PREFIX_PATH=${SCRATCH}/installed
    -DSTATISTICS=${library} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror ${FLAGS}"
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
  step(${CMAKE_COMMAND} --build ${SCRATCH}/${folder})
  step_says("candidate is BETTER" ${SCRATCH}/${folder}/consumer)
endforeach()
if(SHARED)
  step_says("libretrial_variance.so.[0-9]+.[0-9]+ => ${SCRATCH}/installed/" ldd ${SCRATCH}/retrial__variance_shared/consumer)
endif()
