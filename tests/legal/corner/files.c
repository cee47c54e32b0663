// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files: MPI-3.1 chapter 13.
#include <unistd.h>
#include "corner.h"

static MPI_File opened(int mode) {
  MPI_File file;
  MPI_File_open(comm, path, mode | MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  return file;
}

static void synchronize(MPI_File file) {  // 13.6.1: sync, barrier, sync
  MPI_File_sync(file);
  MPI_Barrier(comm);
  MPI_File_sync(file);
}

static void goes_with_its_close(void) {
  MPI_File file = opened(0);
  MPI_File_close(&file);
  MPI_Barrier(comm);
  IS(file == MPI_FILE_NULL && access(path, F_OK) != 0);
}

static void nothing(void) {
  MPI_File file = opened(0);
  MPI_Status status;
  MPI_Offset bytes = -1;
  int n = -1;
  MPI_File_write_at(file, 1000, NULL, 0, MPI_INT, &status);
  MPI_File_write_at_all(file, 0, NULL, 0, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_read_all(file, NULL, 0, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  MPI_File_get_size(file, &bytes);
  IS(n == 0 && bytes == 0);
  MPI_File_close(&file);
}

static void beyond_the_end(void) {  // a seek makes nothing; reading there gives nothing
  MPI_File file = opened(0);
  MPI_Offset at = -1, bytes = -1;
  MPI_Status status;
  int x = 7, n = -1;
  MPI_File_seek(file, 4000, MPI_SEEK_SET);
  MPI_File_get_position(file, &at);
  MPI_File_get_size(file, &bytes);
  MPI_File_read(file, &x, 1, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(at == 4000 && bytes == 0 && n == 0 && x == 7);
  MPI_File_close(&file);
}

static void short_read(void) {
  MPI_File file = opened(0);
  MPI_Status status;
  int out[2] = {1, 2}, in[4] = {0}, n = -1;
  if (rank == 0) MPI_File_write_at(file, 0, out, 2, MPI_INT, MPI_STATUS_IGNORE);
  synchronize(file);
  MPI_File_read_at(file, 4, in, 4, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(n == 1 && in[0] == 2);
  MPI_File_close(&file);
}

static void from_the_end(void) {
  MPI_File file = opened(0);
  MPI_Offset at;
  MPI_File_set_size(file, 100);
  MPI_File_seek(file, -40, MPI_SEEK_END);
  MPI_File_seek(file, -20, MPI_SEEK_CUR);
  MPI_File_get_position(file, &at);
  IS(at == 40);
  MPI_File_close(&file);
}

static void through_views(void) {  // everybody every size-th int; the type may be freed at once
  MPI_File file = opened(0);
  MPI_Datatype type, etype, filetype;
  MPI_Offset at, bytes;
  char name[MPI_MAX_DATAREP_STRING];
  int out[2] = {rank, rank + 100}, in = -1, combiner, n[3];
  MPI_Type_create_resized(MPI_INT, 0, size * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, 8 + 4 * rank, MPI_INT, type, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
  MPI_File_write_all(file, out, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_get_view(file, &at, &etype, &filetype, name);
  MPI_File_get_byte_offset(file, 1, &bytes);
  IS(at == 8 + 4 * rank && bytes == 8 + 4 * rank + 4 * size && !strcmp(name, "native"));
  MPI_Type_get_envelope(filetype, &n[0], &n[1], &n[2], &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&filetype);  // 13.3: a derived one is the caller's
  MPI_Type_get_envelope(etype, &n[0], &n[1], &n[2], &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&etype);
  synchronize(file);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 8 + 4 * size + 4 * right, &in, 4, MPI_BYTE, MPI_STATUS_IGNORE);
  IS(in == right + 100);
  MPI_File_close(&file);
}

static void in_two_parts(void) {  // the buffer is in use between begin and end; other work is not
  MPI_File file = opened(0);
  MPI_Status status;
  int out = rank, in = -1, n = -1;
  MPI_File_write_at_all_begin(file, 4 * rank, &out, 1, MPI_INT);
  MPI_Barrier(comm);
  MPI_File_write_at_all_end(file, &out, &status);
  out = -1;
  synchronize(file);
  MPI_File_read_at_all_begin(file, 4 * right, &in, 1, MPI_INT);
  MPI_File_read_at_all_end(file, &in, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(in == right && n == 1);
  MPI_File_close(&file);
}

static void shared_pointer(void) {  // in any order, or in that of the ranks
  MPI_File file = opened(0);
  MPI_Offset at = -1;
  int in[16] = {0}, sum = 0;
  MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_shared(file, &size, 1, MPI_INT, MPI_STATUS_IGNORE);
  synchronize(file);
  MPI_File_get_position_shared(file, &at);
  MPI_File_read_at(file, 0, in, 2 * size, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; i++) sum += in[i] == i && in[size + i] == size;
  IS(at == 2 * size * 4 && sum == size);  // in units of the etype, here bytes
  MPI_Barrier(comm);
  MPI_File_seek_shared(file, 1, MPI_SEEK_SET);
  MPI_File_get_position_shared(file, &at);
  IS(at == 1);
  MPI_File_close(&file);
}

static void with_messages(void) {  // requests of files and messages in one call
  MPI_File file = opened(0);
  int in[2] = {-1, -1};
  MPI_Request request[3];
  MPI_File_iwrite_at(file, 4 * rank, &rank, 1, MPI_INT, &request[0]);
  MPI_Irecv(&in[0], 1, MPI_INT, left, 1, comm, &request[1]);
  MPI_Isend(&rank, 1, MPI_INT, right, 1, comm, &request[2]);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  synchronize(file);
  MPI_File_iread_at(file, 4 * left, &in[1], 1, MPI_INT, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  IS(in[0] == left && in[1] == left);
  MPI_File_close(&file);
}

static void for_oneself(void) {
  char own[4200];
  MPI_File file;
  MPI_Offset bytes = -1;
  snprintf(own, sizeof own, "%s.%d", path, rank);
  MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL, MPI_INFO_NULL, &file);
  MPI_File_write_all(file, own, 10, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_get_size(file, &bytes);
  MPI_File_close(&file);
  MPI_File_delete(own, MPI_INFO_NULL);
  IS(bytes == 10 && access(own, F_OK) != 0);
}

static void settings_of(void) {
  MPI_File file = opened(MPI_MODE_UNIQUE_OPEN);
  MPI_Info info;
  MPI_Group group;
  MPI_Aint extent = 0;
  int mode = 0, flag = -1, n = -1;
  MPI_File_get_amode(file, &mode);
  MPI_File_get_group(file, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  MPI_File_get_info(file, &info);
  MPI_Info_set(info, "mck_unknown_hint", "1");
  MPI_File_set_info(file, info);
  MPI_Info_free(&info);
  MPI_File_get_type_extent(file, MPI_DOUBLE, &extent);
  MPI_File_set_atomicity(file, 1);
  MPI_File_get_atomicity(file, &flag);
  IS((mode & MPI_MODE_UNIQUE_OPEN) && n == size && extent == 8 && flag == 1);
  MPI_File_close(&file);
}

static void sizes(void) {
  MPI_File file = opened(0);
  MPI_Offset bytes = -1;
  MPI_File_preallocate(file, 50);
  MPI_File_set_size(file, 20);
  MPI_File_get_size(file, &bytes);
  IS(bytes == 20 && MPI_File_f2c(MPI_File_c2f(file)) == file);
  MPI_Barrier(comm);
  MPI_File_set_size(file, 0);
  MPI_File_close(&file);
}

static void scattered_memory(void) {
  MPI_File file = opened(0);
  MPI_Datatype spread;
  int out[5] = {1, 0, 2, 0, 3}, in[3] = {0};
  MPI_Type_vector(3, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  MPI_File_write_at_all(file, 12 * rank, out, 1, spread, MPI_STATUS_IGNORE);
  MPI_Type_free(&spread);
  synchronize(file);
  MPI_File_read_at_all(file, 12 * right, in, 3, MPI_INT, MPI_STATUS_IGNORE);
  IS(in[0] == 1 && in[1] == 2 && in[2] == 3);
  MPI_File_close(&file);
}

static void at_the_end(void) {
  char own[4200];
  MPI_File file;
  MPI_Offset at = -1;
  int x = 5;
  snprintf(own, sizeof own, "%s.%d", path, rank);
  MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_APPEND | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_get_position(file, &at);
  IS(at == 4);
  MPI_File_close(&file);
}

TABLE(files) = {
    {"13.2.1", "MPI_MODE_DELETE_ON_CLOSE", goes_with_its_close},
    {"13.4", "reading and writing nothing, from no buffer", nothing},
    {"13.4.3", "seeking and reading beyond the end", beyond_the_end},
    {"13.4.2", "the end of the file cuts a read", short_read},
    {"13.4.3", "seeking backwards, from the end and from here", from_the_end},
    {"13.3", "views with holes, whose types are freed at once", through_views},
    {"13.4.5", "split collectives with other calls between", in_two_parts},
    {"13.4.4", "the shared file pointer, ordered and not", shared_pointer},
    {"13.4.2", "requests of files and messages in one MPI_Waitall", with_messages},
    {"13.2.1", "a file of one process, made exclusively", for_oneself},
    {"13.2.8", "hints that nobody knows, group, atomic mode", settings_of},
    {"13.2.4", "sizes set and preallocated", sizes},
    {"13.4", "memory with gaps", scattered_memory},
    {"13.2.1", "MPI_MODE_APPEND starts at the end", at_the_end},
    END};
