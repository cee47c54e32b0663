// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Process topologies and neighborhood collectives: MPI-3.1 chapter 7.
#include "corner.h"

static MPI_Comm line(int periodic) {
  MPI_Comm cart;
  MPI_Cart_create(comm, 1, &size, &periodic, 0, &cart);
  return cart;
}

static void smaller(void) {
  MPI_Comm cart;
  int one = 1, no = 0;
  MPI_Cart_create(comm, 1, &one, &no, 0, &cart);
  IS((cart == MPI_COMM_NULL) == (rank != 0));
  if (cart != MPI_COMM_NULL) MPI_Comm_free(&cart);
}

static void no_dimension_left(void) {
  MPI_Comm cart = line(0), point;
  int keep = 0, n = -1, members = 0;
  MPI_Cart_sub(cart, &keep, &point);
  MPI_Cartdim_get(point, &n);
  MPI_Comm_size(point, &members);
  IS(n == 0 && members == 1);
  MPI_Comm_free(&point);
  MPI_Comm_free(&cart);
}

static void over_the_edge(void) {
  MPI_Comm cart = line(0), ring = line(1);
  int from, to;
  MPI_Cart_shift(cart, 0, 1, &from, &to);
  IS(from == (rank ? rank - 1 : MPI_PROC_NULL) && to == (rank < size - 1 ? rank + 1 : MPI_PROC_NULL));
  MPI_Cart_shift(cart, 0, -size, &from, &to);
  IS(from == MPI_PROC_NULL && to == MPI_PROC_NULL);
  MPI_Cart_shift(ring, 0, 2 * size + 1, &from, &to);
  IS(from == left && to == right);
  MPI_Comm_free(&cart), MPI_Comm_free(&ring);
}

static void no_shift(void) {
  MPI_Comm cart = line(0);
  int from = -1, to = -1;
  MPI_Cart_shift(cart, 0, 0, &from, &to);
  IS(from == rank && to == rank);
  MPI_Comm_free(&cart);
}

static void shifted_messages(void) {  // what comes from nobody leaves the buffer
  MPI_Comm cart = line(0);
  int from, to, in = -5;
  MPI_Cart_shift(cart, 0, 1, &from, &to);
  MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, cart, MPI_STATUS_IGNORE);
  IS(in == (rank ? rank - 1 : -5));
  MPI_Comm_free(&cart);
}

static void periodic_coordinates(void) {
  MPI_Comm ring = line(1);
  int where = -1, coordinate = size + 1, got = -1;
  MPI_Cart_rank(ring, &coordinate, &where);
  IS(where == 1 % size);
  coordinate = -1;
  MPI_Cart_rank(ring, &coordinate, &where);
  MPI_Cart_coords(ring, where, 1, &got);
  IS(where == size - 1 && got == size - 1);
  MPI_Comm_free(&ring);
}

static void more_room(void) {  // arrays longer than the dimensions
  MPI_Comm ring = line(1);
  int n[3] = {-1, -1, -1}, periodic[3] = {0, 5, 5}, at[3] = {-1, 5, 5};
  MPI_Cart_get(ring, 3, n, periodic, at);
  IS(n[0] == size && periodic[0] && at[0] == rank && at[1] == 5);
  MPI_Comm_free(&ring);
}

static void kinds(void) {
  MPI_Comm cart = line(0), copy;
  int kind = 0;
  MPI_Topo_test(comm, &kind);
  IS(kind == MPI_UNDEFINED);
  MPI_Comm_dup(cart, &copy);
  MPI_Comm_free(&cart);
  MPI_Topo_test(copy, &kind);  // a duplicate keeps the topology
  IS(kind == MPI_CART);
  MPI_Comm_free(&copy);
}

static void graph_of_some(void) {  // two nodes; a loop and a double edge
  MPI_Comm graph;
  int index[2] = {2, 4}, edges[4] = {0, 1, 0, 0}, n = 0, to[2] = {9, 9}, nodes, all;
  MPI_Graph_create(comm, 2, index, edges, 0, &graph);
  IS((graph == MPI_COMM_NULL) == (rank > 1));
  if (graph == MPI_COMM_NULL) return;
  MPI_Graph_neighbors_count(graph, 1, &n);
  MPI_Graph_neighbors(graph, 1, 2, to);
  MPI_Graphdims_get(graph, &nodes, &all);
  IS(n == 2 && to[0] == 0 && to[1] == 0 && nodes == 2 && all == 4);
  MPI_Comm_free(&graph);
}

static void edges_from_one(void) {  // rank 0 tells all edges, the others none
  MPI_Comm graph;
  int from[16], degrees[16], to[16], in, out, weighted;
  for (int i = 0; i < size; i++) from[i] = i, degrees[i] = 1, to[i] = (i + 1) % size;
  if (rank == 0) MPI_Dist_graph_create(comm, size, from, degrees, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  else MPI_Dist_graph_create(comm, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  IS(in == 1 && out == 1 && !weighted);
  MPI_Dist_graph_neighbors(graph, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED);
  IS(from[0] == left && to[0] == right);
  MPI_Comm_free(&graph);
}

static void no_neighbors(void) {  // MPI_WEIGHTS_EMPTY: weighted, but there is nothing to weigh
  MPI_Comm graph;
  int in, out, weighted;
  MPI_Dist_graph_create_adjacent(comm, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                                 &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  IS(in == 0 && out == 0);
  MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, graph);
  MPI_Neighbor_allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, graph);
  MPI_Comm_free(&graph);
}

static void doubled(void) {  // a neighbor may stand there twice, weights may be zero
  MPI_Comm graph;
  int from[2] = {left, left}, to[2] = {right, right}, weight[2] = {0, 7};
  int out[2] = {10 * rank, 10 * rank + 1}, in[2] = {-1, -1};
  MPI_Dist_graph_create_adjacent(comm, 2, from, weight, 2, to, weight, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
  IS(in[0] == 10 * left && in[1] == 10 * left + 1);
  MPI_Comm_free(&graph);
}

static void one_way(void) {  // who only gives has no buffer to receive
  MPI_Comm graph;
  int zero = 0, one = 1, x = rank, y = -1;
  MPI_Dist_graph_create_adjacent(comm, rank == 1, &zero, MPI_UNWEIGHTED, rank == 0, &one, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, rank == 1 ? &y : NULL, 1, MPI_INT, graph);
  IS(rank == 1 ? y == 0 : y == -1);
  MPI_Comm_free(&graph);
}

static void missing_neighbors(void) {  // at the edge: that part of the buffer stays
  MPI_Comm cart = line(0);
  int in[2] = {-5, -5};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, cart);
  IS(in[0] == (rank ? rank - 1 : -5) && in[1] == (rank < size - 1 ? rank + 1 : -5));
  MPI_Comm_free(&cart);
}

static void own_neighbor(void) {  // a periodic dimension of one
  MPI_Comm ring;
  int one = 1, yes = 1, x = 4, in[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &yes, 0, &ring);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, in, 1, MPI_INT, ring);
  IS(in[0] == 4 && in[1] == 4);
  MPI_Comm_free(&ring);
}

static void different_types(void) {  // MPI_Neighbor_alltoallw: absolute displacements with MPI_BOTTOM
  MPI_Comm graph;
  double out = rank + 0.5, in = -1;
  MPI_Aint from, to;
  int one = 1;
  MPI_Datatype type = MPI_DOUBLE;
  MPI_Dist_graph_create_adjacent(comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Get_address(&out, &from), MPI_Get_address(&in, &to);
  MPI_Neighbor_alltoallw(MPI_BOTTOM, &one, &from, &type, MPI_BOTTOM, &one, &to, &type, graph);
  IS(in == left + 0.5);
  MPI_Comm_free(&graph);
}

static void nonblocking(void) {
  MPI_Comm ring = line(1);
  int in[2] = {-1, -1}, counts[2] = {1, 1}, at[2] = {1, 0};
  MPI_Request request;
  MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, in, counts, at, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in[1] == left && in[0] == right);
  MPI_Comm_free(&ring);
}

static void dimensions(void) {  // what is given stays
  int n[3] = {0, 1, 0};
  MPI_Dims_create(size, 3, n);
  IS(n[1] == 1 && n[0] * n[2] == size && n[0] >= n[2]);
}

static void mapped(void) {  // advice only: nothing is made
  int no = 0, place = -5;
  MPI_Cart_map(comm, 1, &size, &no, &place);
  IS(place >= 0 && place < size);
}

static void reordered(void) {
  MPI_Comm cart;
  int no = 0, me, group_rank, at;
  MPI_Group group;
  MPI_Cart_create(comm, 1, &size, &no, 1, &cart);
  MPI_Comm_rank(cart, &me);
  MPI_Comm_group(cart, &group);
  MPI_Group_rank(group, &group_rank);
  MPI_Cart_coords(cart, me, 1, &at);
  IS(me == group_rank && at == me);
  MPI_Group_free(&group);
  MPI_Comm_free(&cart);
}

TABLE(topologies) = {
    {"7.5.1", "a grid smaller than its communicator", smaller},
    {"7.5.7", "a subgrid without dimensions", no_dimension_left},
    {"7.5.6", "shifts over the edge, backwards, and several times around", over_the_edge},
    {"7.5.6", "a shift by nothing", no_shift},
    {"7.5.6", "messages to the neighbors that MPI_Cart_shift gives", shifted_messages},
    {"7.5.5", "coordinates beyond a periodic dimension", periodic_coordinates},
    {"7.5.5", "arrays longer than needed", more_room},
    {"7.5.5", "no topology is MPI_UNDEFINED; a duplicate keeps it", kinds},
    {"7.5.3", "a graph of some, with loops and double edges", graph_of_some},
    {"7.5.4", "one process tells all edges", edges_from_one},
    {"7.5.4", "no neighbors, MPI_WEIGHTS_EMPTY", no_neighbors},
    {"7.5.4", "a neighbor twice, weights of zero", doubled},
    {"7.6", "one gives, one takes", one_way},
    {"7.6", "neighbors beyond the edge leave the buffer", missing_neighbors},
    {"7.6", "one's own neighbor, twice", own_neighbor},
    {"7.6.2", "absolute displacements and MPI_BOTTOM", different_types},
    {"7.7", "a nonblocking exchange, backwards", nonblocking},
    {"7.5.2", "MPI_Dims_create keeps what is given", dimensions},
    {"7.5.8", "MPI_Cart_map only advises", mapped},
    {"7.5.1", "a grid that may be reordered", reordered},
    END};
