// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that is made inside MPI is one of the library's: all that it moves is recorded.
#include <pthread.h>
#include <stdlib.h>
#include "flow/recorder/next-call.h"

struct start {
  void *(*run)(void *);
  void *argument;
};

static void *run(void *data) {
  struct start start = *(struct start *)data;
  free(data);
  mck_flow_thread.depth = 1, mck_flow_thread.fn = UINT16_MAX, mck_flow_thread.frame = UINTPTR_MAX;
  return start.run(start.argument);
}

MCK_FLOW_NEXT(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
MCK_EXPORT int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attributes,
                              void *(*function)(void *), void *restrict argument) {
  struct start *start = mck_flow_thread.depth ? malloc(sizeof *start) : NULL;
  if (!start) return next_pthread_create()(id, attributes, function, argument);
  *start = (struct start){function, argument};
  int rc = next_pthread_create()(id, attributes, run, start);
  if (rc) free(start);
  return rc;
}
