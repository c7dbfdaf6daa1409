# A workload outside this tree: everything is installed into an empty folder, the folder is moved, and a project that uses
# this one only through find_package(retrial) builds programs with its own workload, runs, judges, replays and checks it.
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)
unset(ENV{RETRIAL_DB})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/installed)
file(RENAME ${SCRATCH}/installed ${SCRATCH}/moved)
headers_are_complete(${SCRATCH}/moved/include/retrial)

# No path of the build machine except that of its LibTorch, which is a default.
file(GLOB_RECURSE files ${SCRATCH}/moved/*.cmake)
foreach(file IN LISTS files)
  file(STRINGS ${file} lines)
  list(FILTER lines EXCLUDE REGEX "^set\\(retrial_default_libtorch")
  foreach(path ${ROOT} ${BUILD} ${SCRATCH} /usr/lib)
    string(FIND "${lines}" "${path}/" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} holds the path ${path}")
    endif()
  endforeach()
endforeach()

step(${CMAKE_COMMAND} -S ${EXAMPLE} -B build -G Ninja -DCMAKE_PREFIX_PATH=${SCRATCH}/moved
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step(${CMAKE_COMMAND} --build build)
set(retrial ${SCRATCH}/build/retrial)
set(short --set train_count=200 --set epochs=3)
step_says("my_net +LibTorch +relu, gated" ${retrial} list)
step_says("distillation" ${retrial} list)
step(${retrial} run my_net --pairs 3 --seed 1 ${short})
step_says("gated beat relu in" ${retrial} compare my_net.db)
step_says("same bits: all" ${retrial} replay my_net.db gated/1)
step_says("reproducible: all runs agree" ${retrial} check my_net --variant gated --seeds 1 --repeats 2 ${short})
step_says("alive: each of them" ${retrial} check my_net --liveness ${short})
