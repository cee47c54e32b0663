// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators: MPI-3.1 6.4 to 6.6, 6.8, 10.3.2, 10.5.4.
#include "corner.h"

static int how(MPI_Comm a, MPI_Comm b) {
  int result;
  MPI_Comm_compare(a, b, &result);
  return result;
}

static MPI_Group first_of(int n) {
  MPI_Group all, some;
  int range[1][3] = {{0, n - 1, 1}};
  MPI_Comm_group(comm, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Group_free(&all);
  return some;
}

static void of_nobody(void) {
  MPI_Comm none = comm;
  MPI_Comm_create(comm, MPI_GROUP_EMPTY, &none);
  IS(none == MPI_COMM_NULL);
}

static void of_some(void) {
  MPI_Group group = first_of(size - 1);
  MPI_Comm some;
  MPI_Comm_create(comm, group, &some);
  MPI_Group_free(&group);
  IS((some == MPI_COMM_NULL) == (rank == size - 1));
  if (some == MPI_COMM_NULL) return;  // what the others do there is not our business
  MPI_Barrier(some);
  MPI_Comm_free(&some);
}

static void members_only(void) {  // called by the members alone, with any tag
  MPI_Group group = first_of(size - 1);
  MPI_Comm some[2];
  for (int i = 0; i < 2 && rank < size - 1; i++) MPI_Comm_create_group(comm, group, 1000 + i, &some[i]);
  MPI_Group_free(&group);
  for (int i = 0; i < 2 && rank < size - 1; i++) {
    int n;
    MPI_Comm_size(some[i], &n);
    IS(n == size - 1);
    MPI_Comm_free(&some[i]);
  }
}

static void left_out(void) {
  MPI_Comm part;
  MPI_Comm_split(comm, rank ? MPI_UNDEFINED : 0, 5, &part);
  IS((part == MPI_COMM_NULL) == (rank != 0));
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

static void keys(void) {  // any key: negative, and equal ones in the old order
  MPI_Comm part;
  int me;
  MPI_Comm_split(comm, 0, -rank, &part);
  MPI_Comm_rank(part, &me);
  IS(me == size - 1 - rank && how(part, comm) == MPI_SIMILAR);
  MPI_Comm_free(&part);
  MPI_Comm_split(comm, 0, -2147483647, &part);
  IS(how(part, comm) == MPI_CONGRUENT);
  MPI_Comm_free(&part);
}

static void parts_of_their_own(void) {  // the parts of one split go separate ways
  MPI_Comm part;
  int one = 1, n = 0, expected;
  MPI_Comm_split(comm, rank % 2, 0, &part);
  MPI_Comm_size(part, &expected);
  if (rank % 2) MPI_Barrier(part);
  else MPI_Allreduce(&one, &n, 1, MPI_INT, MPI_SUM, part);
  MPI_Bcast(&one, 1, MPI_INT, 0, part);
  IS(rank % 2 || n == expected);
  MPI_Comm_free(&part);
}

static void changing_parts(void) {  // who is with whom changes from split to split
  for (int i = 0; i < size; i++) {
    MPI_Comm part;
    int n = 0, x = i;
    MPI_Comm_split(comm, rank == i, rank, &part);  // all but one; and that one alone
    MPI_Comm_size(part, &n);
    if (rank == i) MPI_Barrier(part);
    else MPI_Bcast(&x, 1, MPI_INT, 0, part);
    IS(n == (rank == i ? 1 : size - 1) && x == i);
    MPI_Comm_free(&part);
  }
}

static void kept_and_freed(void) {  // freed in another order than made
  MPI_Comm a, b, c;
  int in = -1;
  MPI_Comm_dup(comm, &a);
  MPI_Comm_dup(a, &b);
  MPI_Comm_free(&a);
  MPI_Comm_dup(b, &c);  // may have the handle of the first
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, c, MPI_STATUS_IGNORE);
  IS(in == left && how(b, c) == MPI_CONGRUENT);
  MPI_Comm_free(&b);
  MPI_Barrier(c);
  MPI_Comm_free(&c);
}

static void by_memory(void) {
  MPI_Comm node, none;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_split_type(comm, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
  IS(node != MPI_COMM_NULL && none == MPI_COMM_NULL);
  MPI_Barrier(node);
  MPI_Comm_free(&node);
}

static void freed_in_use(void) {
  MPI_Comm copy;
  int in = -1;
  MPI_Request request[3];
  MPI_Comm_dup(comm, &copy);
  MPI_Irecv(&in, 1, MPI_INT, left, 1, copy, &request[0]);
  MPI_Isend(&rank, 1, MPI_INT, right, 1, copy, &request[1]);
  MPI_Ibarrier(copy, &request[2]);
  MPI_Comm_free(&copy);
  IS(copy == MPI_COMM_NULL);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  IS(in == left);
}

static void address_reused(void) {
  for (int i = 0; i < 5; i++) {
    MPI_Comm copy;
    int in = -1;
    MPI_Comm_dup(comm, &copy);
    MPI_Sendrecv(&i, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, copy, MPI_STATUS_IGNORE);
    IS(in == i);
    MPI_Comm_free(&copy);
  }
}

static void disconnected(void) {
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, copy);
  MPI_Comm_disconnect(&copy);
  IS(copy == MPI_COMM_NULL);
}

static void compared(void) {
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  IS(how(comm, comm) == MPI_IDENT && how(comm, copy) == MPI_CONGRUENT && how(comm, MPI_COMM_SELF) == MPI_UNEQUAL);
  MPI_Comm_free(&copy);
}

static void several_idups(void) {
  MPI_Comm copy[3];
  MPI_Request request[3];
  for (int i = 0; i < 3; i++) MPI_Comm_idup(comm, &copy[i], &request[i]);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  for (int i = 2; i >= 0; i--) {
    IS(how(copy[i], comm) == MPI_CONGRUENT);
    MPI_Comm_free(&copy[i]);
  }
}

static void with_hints(void) {
  MPI_Info info, got;
  MPI_Comm copy;
  int n = -1;
  MPI_Info_create(&info);
  MPI_Comm_dup_with_info(comm, info, &copy);
  MPI_Comm_set_info(copy, info);
  MPI_Info_free(&info);
  MPI_Comm_get_info(copy, &got);
  MPI_Info_get_nkeys(got, &n);
  IS(n >= 0);
  MPI_Info_free(&got);
  MPI_Comm_free(&copy);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm copy;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  IS(!strcmp(name, "MPI_COMM_WORLD"));
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_set_name(copy, "");
  MPI_Comm_get_name(copy, name, &length);
  IS(length == 0);
  MPI_Comm_free(&copy);
}

static void no_parent(void) {
  MPI_Comm parent = comm;
  MPI_Comm_get_parent(&parent);
  IS(parent == MPI_COMM_NULL);
}

static void converted(void) {
  IS(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm && MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
}

// Even ranks on one side, odd ones on the other.
static MPI_Comm sides(void) {
  MPI_Comm mine, both;
  MPI_Comm_split(comm, rank % 2, 0, &mine);
  MPI_Intercomm_create(mine, 0, comm, 1 - rank % 2, 77, &both);
  MPI_Comm_free(&mine);  // not needed any more
  return both;
}

static void two_sides(void) {
  MPI_Comm both = sides();
  MPI_Group other;
  int is_inter, me, here, there, n;
  MPI_Comm_test_inter(both, &is_inter);
  MPI_Comm_rank(both, &me), MPI_Comm_size(both, &here), MPI_Comm_remote_size(both, &there);
  MPI_Comm_remote_group(both, &other);
  MPI_Group_size(other, &n);
  IS(is_inter && me == rank / 2 && here + there == size && n == there);
  MPI_Group_free(&other);
  MPI_Comm_free(&both);
}

static void across(void) {  // ranks are those of the other side, and may be beyond the size of one's own
  MPI_Comm both = sides();
  int here, there, in = -1;
  MPI_Status status;
  MPI_Comm_size(both, &here), MPI_Comm_remote_size(both, &there);
  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, there - 1, 5, both);
  if (rank % 2 == 0 && rank / 2 == here - 1) {
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, both, &status);
    IS(in == 1 && status.MPI_SOURCE == 0);
  }
  MPI_Comm_free(&both);
}

static void merged(void) {
  MPI_Comm both = sides(), one, other;
  int me;
  MPI_Intercomm_merge(both, rank % 2, &one);        // the even ones first
  MPI_Intercomm_merge(both, 1 - rank % 2, &other);  // the odd ones first
  MPI_Comm_rank(one, &me);
  IS(me == (rank % 2 ? (size + 1) / 2 + rank / 2 : rank / 2));
  MPI_Comm_rank(other, &me);
  IS(me == (rank % 2 ? rank / 2 : size / 2 + rank / 2));
  MPI_Comm_free(&both);
  MPI_Barrier(one);
  MPI_Comm_free(&other), MPI_Comm_free(&one);
}

static void copy_of_both(void) {
  MPI_Comm both = sides(), copy;
  MPI_Comm_dup(both, &copy);
  IS(how(both, copy) == MPI_CONGRUENT);
  MPI_Comm_free(&both);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

static void first_ranks_only(void) {  // the tag and the peer communicator count at the leaders only
  MPI_Comm mine, both;
  MPI_Comm_split(comm, rank % 2, 0, &mine);
  if (rank < 2) MPI_Intercomm_create(mine, 0, comm, 1 - rank, 4, &both);
  else MPI_Intercomm_create(mine, 0, MPI_COMM_NULL, -5, 4, &both);
  MPI_Comm_free(&mine);
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  IS(both == MPI_COMM_NULL);
}

TABLE(comms) = {
    {"6.4.2", "a communicator of the empty group is MPI_COMM_NULL", of_nobody},
    {"6.4.2", "who is not in the group gets MPI_COMM_NULL", of_some},
    {"6.4.2", "MPI_Comm_create_group is called by members only", members_only},
    {"6.4.2", "MPI_UNDEFINED as color: MPI_COMM_NULL", left_out},
    {"6.4.2", "keys are any numbers", keys},
    {"6.4.2", "the parts of a split call what they like", parts_of_their_own},
    {"6.4.2", "splits with changing members", changing_parts},
    {"6.4.3", "a duplicate outlives its original, and another one gets the handle", kept_and_freed},
    {"6.4.2", "a split by memory, and MPI_UNDEFINED in it", by_memory},
    {"6.4.3", "a communicator is freed while operations of it are under way", freed_in_use},
    {"6.4.3", "a handle given again is another communicator", address_reused},
    {"10.5.4", "MPI_Comm_disconnect frees", disconnected},
    {"6.4.1", "identical, congruent, unequal", compared},
    {"6.4.2", "several MPI_Comm_idup at once", several_idups},
    {"6.4.4", "hints of communicators, and none", with_hints},
    {"6.8", "names of communicators, an empty one too", names},
    {"10.3.2", "who was not spawned has no parent", no_parent},
    {"17.2.4", "handles there and back", converted},
    {"6.6.1", "an intercommunicator has two sizes", two_sides},
    {"6.6", "ranks of the other side", across},
    {"6.6.2", "merged in either order", merged},
    {"6.6", "a duplicate of an intercommunicator", copy_of_both},
    {"6.6.2", "peer and remote leader count at the leaders only", first_ranks_only},
    END};
