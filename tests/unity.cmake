# mck_join_files(RESULT DIRECTORY COUNT FILE...): RESULT is COUNT C files in DIRECTORY that include the FILEs, some
# eight each (unity.py). They are written again when a FILE gets a name that another has.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(MCK_UNITY ${CMAKE_CURRENT_LIST_DIR}/unity.py)
function(mck_join_files result directory count)
  set(joined "")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    list(APPEND joined ${directory}/unity-${i}.c)
  endforeach()
  add_custom_command(OUTPUT ${joined} DEPENDS ${ARGN} ${MCK_UNITY} VERBATIM
                     COMMAND ${Python3_EXECUTABLE} ${MCK_UNITY} ${directory} ${count} ${ARGN})
  set(${result} ${joined} PARENT_SCOPE)
endfunction()
