#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""roles.py generate TABLE OUT.c    a program that calls every function of the table rightly, and with each role wrong in turn
roles.py compare OUT.c REPORT.json  exactly the finding of that role on each wrong line, nothing on any other line

A right call is real. For a wrong one the program stands in for PMPI_<name>, so that the library never sees the arguments:
what is tested is what we say before the call. A wrong call without a finding returns an error, which would be call.failed.
"""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "rt", "api"))
import generate  # noqa: E402
import significance  # noqa: E402
import standard  # noqa: E402

# Functions that no program can call just so, with the reason. Their wrong calls are tested all the same.
NOT_CALLED = {
    "MPI_Init": "the program is initialized", "MPI_Init_thread": "the program is initialized",
    "MPI_Finalize": "at the end only", "MPI_Abort": "ends the program",
    "MPI_Register_datarep": "cannot be undone, and nothing of it is used",
    "MPI_Comm_spawn": "starts processes", "MPI_Comm_spawn_multiple": "starts processes",
    "MPI_Comm_accept": "needs a client", "MPI_Comm_connect": "needs a server", "MPI_Comm_join": "needs a socket",
    "MPI_Open_port": "needs a name server", "MPI_Close_port": "needs a name server",
    "MPI_Publish_name": "needs a name server", "MPI_Unpublish_name": "needs a name server",
    "MPI_Lookup_name": "needs a name server", "MPI_Pcontrol": "has variable arguments",
}
NOT_CALLED_RE = re.compile(r"MPI_T_|MPI_\w+_(c2f|f2c)$")

# What a parameter of a role is in a right call.
RIGHT = {
    "sendbuf": "buf", "recvbuf": "buf2", "inbuf": "buf", "outbuf": "buf2", "sendcount": "1", "recvcount": "1",
    "count": "1", "sendtype": "MPI_INT", "recvtype": "MPI_INT", "type": "MPI_INT", "type2": "MPI_INT",
    "target_type": "MPI_INT", "dest": "MPI_PROC_NULL", "source": "MPI_PROC_NULL", "sendtag": "1", "recvtag": "1",
    "root": "0", "op": "MPI_SUM", "sendcounts": "ones", "recvcounts": "ones", "senddispls": "places",
    "recvdispls": "places", "sendtypes": "ints", "recvtypes": "ints", "types": "ints", "comm": "self", "comm2": "self",
    "newcomm": "&newcomm", "group": "group", "group2": "group", "newgroup": "&newgroup", "color": "0", "tag": "1",
    "rank": "0", "rank2": "0", "ranks": "zeros", "someranks": "zeros", "ranges": "ranges", "request": "&request",
    "requests": "requests", "requestvalue": "request", "incount": "1", "index": "&number", "outcount": "&number",
    "indices": "results", "flag": "&flag", "status": "&status", "statuses": "statuses", "oldstatus": "&status",
    "message": "&message", "messagevalue": "message", "win": "win", "newwin": "&newwin", "size": "64", "disp_unit": "4",
    "target": "0", "target_disp": "0", "target_count": "1", "assertion": "0", "windowname": "\"window\"", "lock_type": "MPI_LOCK_SHARED",
    "newtype": "&newtype", "newtype2": "&newtype2", "newop": "&newop", "info": "info", "newinfo": "&newinfo",
    "file": "file", "newfile": "&newfile", "errhandler": "MPI_ERRORS_RETURN", "newerrhandler": "&newerrhandler",
    "name": '"x"', "text": "text", "number": "0", "numbers": "zeros", "result": "&number", "results": "results",
    "address": "0", "addresses": "aints", "newaddress": "&aint", "newaddresses": "aints2", "newtypes": "newtypes", "offset": "0",
    "newoffset": "&offset", "counts": "ones", "sizes": "fours", "subsizes": "twos", "starts": "zeros", "psizes": "ones",
    "below": "0", "ndims": "1", "cartdims": "ones", "cartcoords": "zeros", "maxdims": "1", "direction": "0",
    "freedims": "results0", "nnodes": "1", "graphindex": "ones", "graphedges": "zeros", "commranks": "zeros",
    "targets": "zeros", "weights": "ones", "weightresults": "results", "seek": "0", "seekto": "0", "targetweights": "ones", "distribs": "distributions",
    "viewdisp": "0", "filesize": "64", "key": '"k"', "value": '"v"', "position": "&position", "base": "buf",
    "memory": "&memory", "newmemory": "&memory", "oldmemory": "memory", "attribute": "&attribute", "extra": "NULL", "errorcode": "MPI_ERR_ARG", "elements": "1",
    "fint": "fints", "keyval": "comm_keyval", "newkeyval": "&newkeyval", "provided": "&number", "required": "0",
    "handle": "NULL", "argc": "NULL", "argv": "NULL", "callback": "NULL", "function": "add",
}
# ... of one function, where it differs.
ROLE_OF_COMM = {"inter": "inter", "cart": "cart", "graph": "graph", "dist": "dist", "topo": "ring"}
OVERRIDE = {
    "MPI_Intercomm_create": {"bridge_comm": "world", "remote_leader": "1 - rank"},
    "MPI_Pack": {"outsize": "256"}, "MPI_Unpack": {"insize": "256"}, "MPI_Pack_external": {"datarep": '"external32"', "outsize": "256", "position": "&aint_position"},
    "MPI_Unpack_external": {"datarep": '"external32"', "insize": "256", "position": "&aint_position"},
    "MPI_Pack_external_size": {"datarep": '"external32"'}, "MPI_Type_create_darray": {"size": "1", "distrib_array": "distributions", "darg_array": "arguments", "order": "MPI_ORDER_C"},
    "MPI_Type_create_subarray": {"order": "MPI_ORDER_C"}, "MPI_Type_create_resized": {"extent": "16"},
    "MPI_Type_create_f90_integer": {"r": "4"}, "MPI_Type_create_f90_real": {"p": "4", "r": "4"}, "MPI_Type_create_f90_complex": {"p": "4", "r": "4"},
    "MPI_Type_match_size": {"typeclass": "MPI_TYPECLASS_INTEGER", "size": "4"}, "MPI_Comm_split_type": {"split_type": "MPI_COMM_TYPE_SHARED"},
    "MPI_Type_get_contents": {"mtype": "pair", "max_integers": "1", "max_datatypes": "1", "max_addresses": "1"},
    "MPI_Compare_and_swap": {"compare_addr": "buf"}, "MPI_Fetch_and_op": {}, "MPI_Win_attach": {"win": "dynamic"}, "MPI_Win_detach": {"win": "dynamic", "base": "buf"},
    "MPI_Win_shared_query": {"win": "shared"}, "MPI_Get_address": {"location": "buf"}, "MPI_Address": {"location": "buf"}, "MPI_Free_mem": {"base": "memory"},
    "MPI_File_open": {"filename": "file_name", "amode": "MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE"}, "MPI_File_seek": {"whence": "MPI_SEEK_SET"}, "MPI_File_seek_shared": {"whence": "MPI_SEEK_SET"},
    "MPI_File_set_view": {"datarep": '"native"'}, "MPI_File_delete": {"filename": "file_name"}, "MPI_Buffer_attach": {"buffer": "buf", "size": "512"}, "MPI_Alloc_mem": {"size": "64"},
    "MPI_Comm_create_errhandler": {"function": "comm_error"}, "MPI_Win_create_errhandler": {"function": "win_error"}, "MPI_File_create_errhandler": {"function": "file_error"}, "MPI_Errhandler_create": {"function": "comm_error"},
    "MPI_Type_set_attr": {"type_keyval": "type_keyval", "type": "pair"}, "MPI_Type_get_attr": {"type_keyval": "type_keyval", "type": "pair"}, "MPI_Type_delete_attr": {"type_keyval": "type_keyval", "type": "pair"},
    "MPI_Win_set_attr": {"win_keyval": "win_keyval"}, "MPI_Win_get_attr": {"win_keyval": "win_keyval"}, "MPI_Win_delete_attr": {"win_keyval": "win_keyval"},
    "MPI_Type_set_name": {"type": "pair"}, "MPI_Info_get": {"valuelen": "100"}, "MPI_Info_get_nthkey": {"n": "0"}, "MPI_Dims_create": {}, "MPI_Add_error_class": {}, "MPI_Add_error_code": {"errorclass": "MPI_ERR_ARG"},
    "MPI_Add_error_string": {"errorcode": "errorcode"}, "MPI_Grequest_start": {"query_fn": "query", "free_fn": "release", "cancel_fn": "cancel"},
    "MPI_Comm_create_keyval": {"comm_copy_attr_fn": "MPI_COMM_NULL_COPY_FN", "comm_delete_attr_fn": "MPI_COMM_NULL_DELETE_FN"}, "MPI_Type_create_keyval": {"type_copy_attr_fn": "MPI_TYPE_NULL_COPY_FN", "type_delete_attr_fn": "MPI_TYPE_NULL_DELETE_FN"},
    "MPI_Win_create_keyval": {"win_copy_attr_fn": "MPI_WIN_NULL_COPY_FN", "win_delete_attr_fn": "MPI_WIN_NULL_DELETE_FN"}, "MPI_Keyval_create": {"copy_fn": "MPI_NULL_COPY_FN", "delete_fn": "MPI_NULL_DELETE_FN"},
    "MPI_Op_commutative": {}, "MPI_Win_allocate_shared": {"info": "MPI_INFO_NULL"}, "MPI_Abort": {"comm": "self"}, "MPI_Neighbor_alltoallw": {"sdispls": "aints", "rdispls": "aints"}, "MPI_Ineighbor_alltoallw": {"sdispls": "aints", "rdispls": "aints"},
    "MPI_Type_free_keyval": {"type_keyval": "&newkeyval"}, "MPI_Error_class": {"errorcode": "MPI_ERR_ARG"}, "MPI_Error_string": {"errorcode": "MPI_ERR_ARG"},
    "MPI_Status_c2f": {"f_status": "fints"}, "MPI_Status_f2c": {"f_status": "fints"}, "MPI_Comm_remote_size": {}, "MPI_Cart_map": {}, "MPI_Waitall": {}, "MPI_Type_lb": {"type": "MPI_INT"}, "MPI_Type_ub": {"mtype": "MPI_INT"},
    "MPI_Group_range_excl": {}, "MPI_Win_create": {"size": "64", "comm": "world"}, "MPI_Win_create_dynamic": {"comm": "world"},   # not every library has those on one rank
}
FREE = {"newcomm": "MPI_Comm_free(&newcomm)", "newgroup": "MPI_Group_free(&newgroup)", "newtype": "MPI_Type_free(&newtype)", "newop": "MPI_Op_free(&newop)",
        "newwin": "MPI_Win_free(&newwin)", "newinfo": "MPI_Info_free(&newinfo)", "newfile": "MPI_File_close(&newfile)", "request": "MPI_Wait(&request, MPI_STATUS_IGNORE)"}
IRECV = "MPI_Irecv(buf2, 1, MPI_INT, MPI_PROC_NULL, 0, self, {0})"
INIT = "MPI_Send_init(buf, 1, MPI_INT, MPI_PROC_NULL, 0, self, {0})"
# What has to stand around a right call: before, behind.
AROUND = {
    **{f"MPI_{n}": (IRECV.format("&request"), "MPI_Wait(&request, MPI_STATUS_IGNORE)") for n in ("Wait", "Test", "Cancel")},
    **{f"MPI_{n}{k}": (IRECV.format("&requests[0]"), "MPI_Wait(&requests[0], MPI_STATUS_IGNORE)") for n in ("Wait", "Test") for k in ("any", "all", "some")},
    "MPI_Start": (INIT.format("&request"), "MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Request_free(&request)"),
    "MPI_Startall": (INIT.format("&requests[0]"), "MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_Request_free(&requests[0])"),
    "MPI_Request_free": (INIT.format("&request"), ""), "MPI_Mrecv": ("message = MPI_MESSAGE_NO_PROC", ""), "MPI_Imrecv": ("message = MPI_MESSAGE_NO_PROC", "MPI_Wait(&request, MPI_STATUS_IGNORE)"),
    "MPI_Grequest_start": ("", "MPI_Grequest_complete(request), MPI_Wait(&request, MPI_STATUS_IGNORE)"),
    "MPI_Grequest_complete": ("MPI_Grequest_start(query, release, cancel, NULL, &request)", "MPI_Wait(&request, MPI_STATUS_IGNORE)"),
    "MPI_Request_get_status": (IRECV.format("&request"), "MPI_Wait(&request, MPI_STATUS_IGNORE)"),
    "MPI_Comm_free": ("MPI_Comm_dup(self, &newcomm)", ""), "MPI_Comm_disconnect": ("MPI_Comm_dup(self, &newcomm)", ""), "MPI_Group_free": ("MPI_Comm_group(self, &newgroup)", ""),
    "MPI_Type_commit": ("MPI_Type_contiguous(2, MPI_INT, &newtype)", "MPI_Type_free(&newtype)"), "MPI_Type_free": ("MPI_Type_contiguous(2, MPI_INT, &newtype)", ""),
    "MPI_Op_free": ("MPI_Op_create(add, 1, &newop)", ""), "MPI_Win_free": ("MPI_Win_allocate(64, 4, MPI_INFO_NULL, self, &memory, &newwin)", ""),
    "MPI_Comm_idup": ("", "MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Comm_free(&newcomm)"), "MPI_Comm_get_parent": ("", ""),
    "MPI_Type_match_size": ("", ""), **{f"MPI_Type_create_f90_{n}": ("", "") for n in ("real", "integer", "complex")}, "MPI_Type_get_contents": ("", ""),
    "MPI_Win_fence": ("", "MPI_Win_fence(MPI_MODE_NOSUCCEED, fenced)"), "MPI_Win_lock": ("", "MPI_Win_unlock(0, fenced)"), "MPI_Win_lock_all": ("", "MPI_Win_unlock_all(fenced)"),
    "MPI_Win_unlock": ("MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, fenced)", ""), "MPI_Win_unlock_all": ("MPI_Win_lock_all(0, fenced)", ""),
    "MPI_Win_post": ("", "MPI_Win_start(group, 0, fenced), MPI_Win_complete(fenced), MPI_Win_wait(fenced)"), "MPI_Win_start": ("MPI_Win_post(group, 0, fenced)", "MPI_Win_complete(fenced), MPI_Win_wait(fenced)"),
    "MPI_Win_complete": ("MPI_Win_post(group, 0, fenced), MPI_Win_start(group, 0, fenced)", "MPI_Win_wait(fenced)"), "MPI_Win_wait": ("MPI_Win_post(group, 0, fenced), MPI_Win_start(group, 0, fenced), MPI_Win_complete(fenced)", ""),
    "MPI_Win_test": ("MPI_Win_post(group, 0, fenced), MPI_Win_start(group, 0, fenced), MPI_Win_complete(fenced)", "while (!flag) MPI_Win_test(fenced, &flag)"),
    "MPI_Win_attach": ("", "MPI_Win_detach(dynamic, buf)"), "MPI_Win_detach": ("MPI_Win_attach(dynamic, buf, 64)", ""),
    "MPI_File_close": ("MPI_File_open(self, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &newfile)", ""), "MPI_File_delete": ("", ""),
    **{f"MPI_File_{rw}{k}_end": (f"MPI_File_{rw}{k}_begin(file, {'0, ' if k == '_at_all' else ''}{b}, 1, MPI_INT)", "") for rw, b in (("read", "buf2"), ("write", "buf")) for k in ("_all", "_at_all", "_ordered")},
    **{f"MPI_File_{rw}{k}_begin": ("", f"MPI_File_{rw}{k}_end(file, {b}, &status)") for rw, b in (("read", "buf2"), ("write", "buf")) for k in ("_all", "_at_all", "_ordered")},
    "MPI_File_get_view": ("", ""), "MPI_Buffer_attach": ("", "MPI_Buffer_detach(&memory, &number)"), "MPI_Buffer_detach": ("MPI_Buffer_attach(buf, 512)", ""),
    "MPI_Alloc_mem": ("", "MPI_Free_mem(memory)"), "MPI_Free_mem": ("MPI_Alloc_mem(64, MPI_INFO_NULL, &memory)", ""),
    "MPI_Info_delete": ('MPI_Info_set(info, "k", "v")', ""), "MPI_Info_get_nthkey": ('MPI_Info_set(info, "k", "v")', ""), "MPI_Info_free": ("MPI_Info_create(&newinfo)", ""),
    "MPI_Errhandler_free": ("MPI_Comm_create_errhandler(comm_error, &newerrhandler)", ""), "MPI_Add_error_string": ("MPI_Add_error_code(MPI_ERR_ARG, &errorcode)", ""),
    **{f"MPI_{n}": ("", "MPI_Errhandler_free(&newerrhandler)") for n in ("Comm_create_errhandler", "Win_create_errhandler", "File_create_errhandler", "Errhandler_create", "Comm_get_errhandler", "Win_get_errhandler", "File_get_errhandler", "Errhandler_get")},
    "MPI_Comm_delete_attr": ("MPI_Comm_set_attr(self, comm_keyval, NULL)", ""), "MPI_Attr_delete": ("MPI_Comm_set_attr(self, comm_keyval, NULL)", ""), "MPI_Type_delete_attr": ("MPI_Type_set_attr(pair, type_keyval, NULL)", ""), "MPI_Win_delete_attr": ("MPI_Win_set_attr(win, win_keyval, NULL)", ""),
    **{f"MPI_{n}": (f"MPI_{c}(&newkeyval)".replace("(", "(" + a), "") for n, c, a in (("Comm_free_keyval", "Comm_create_keyval", "MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, "), ("Type_free_keyval", "Type_create_keyval", "MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, "), ("Win_free_keyval", "Win_create_keyval", "MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, "), ("Keyval_free", "Comm_create_keyval", "MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, "))},
    "MPI_Comm_create_keyval": ("", "MPI_Comm_free_keyval(&newkeyval)"), "MPI_Type_create_keyval": ("", "MPI_Type_free_keyval(&newkeyval)"), "MPI_Win_create_keyval": ("", "MPI_Win_free_keyval(&newkeyval)"), "MPI_Keyval_create": ("", "MPI_Comm_free_keyval(&newkeyval)"),
}
OVERRIDE.update({f"MPI_File_{rw}{k}_end": {"buf": b} for rw, b in (("read", "buf2"), ("write", "buf")) for k in ("_all", "_at_all", "_ordered")})   # as it was begun
for name in ("Comm_free_keyval", "Type_free_keyval", "Win_free_keyval", "Keyval_free"):
    before, behind = AROUND[f"MPI_{name}"]
    AROUND[f"MPI_{name}"] = (before[:-1] + ", NULL)", behind)
FENCED = {"fence", "rma_sync"}

# What makes an argument wrong for a check, and the finding.
WRONG = {
    "sendbuf": [("NULL", "arg.null")], "recvbuf": [("NULL", "arg.null")], "buffer_v": [("NULL", "arg.null")], "buffer_w": [("NULL", "arg.null")], "buffer_own": [("NULL", "arg.null")], "buffer": [("NULL", "arg.null"), ("MPI_IN_PLACE", "arg.in-place")],
    "in_place": [("MPI_IN_PLACE", "arg.in-place")], "count": [("-1", "arg.count")], "counts": [("minus", "arg.count"), ("NULL", "arg.null")],
    "commtype": [("MPI_DATATYPE_NULL", "handle.null"), ("uncommitted", "datatype.uncommitted"), ("freed_type", "handle.freed")],
    **{f"{side}type": [("MPI_DATATYPE_NULL", "handle.null"), ("uncommitted", "datatype.uncommitted"), ("freed_type", "handle.freed")] for side in ("send", "recv")},
    "amode": [("0", "io.amode")], "constant": [("77", "arg.constant")], "distribs": [("sevens", "arg.constant"), ("NULL", "arg.null")], "targetweights": [("minus", "arg.count"), ("NULL", "arg.null")], "seekto": [("-1", "arg.displacement")], "datarep": [('"x"', "arg.constant")],
    "filetype": [], "newdatarep": [], "parts": [], "parts_w": [], "buffered": [],   # one peer has one part; whether something is attached is no argument
    "committed": [("uncommitted", "datatype.uncommitted")], "type": [("MPI_DATATYPE_NULL", "handle.null"), ("freed_type", "handle.freed")],
    "types": [("null_types", "handle.null"), ("NULL", "arg.null")], "commtypes": [("null_types", "handle.null"), ("uncommitted_types", "datatype.uncommitted"), ("NULL", "arg.null")],
    "comm": [("MPI_COMM_NULL", "handle.null"), ("freed_comm", "handle.freed")], "group": [("MPI_GROUP_NULL", "handle.null")], "op": [("MPI_OP_NULL", "handle.null")],
    "win": [("MPI_WIN_NULL", "handle.null")], "dest": [("7", "arg.rank"), ("MPI_ANY_SOURCE", "arg.rank")], "source": [("7", "arg.rank")], "target": [("7", "arg.rank")], "root": [("7", "arg.root"), ("-9", "arg.root")],
    "sendtag": [("-5", "arg.tag")], "recvtag": [("-5", "arg.tag")], "tag": [("-5", "arg.tag")], "target_disp": [("-1", "arg.displacement")], "displacement": [("-1", "arg.displacement")], "viewdisp": [("-1", "arg.displacement")],
    "rank": [("7", "arg.rank"), ("-1", "arg.rank")], "rank2": [("7", "arg.rank")], "below": [("7", "arg.rank")], "ranks": [("sevens", "arg.rank")], "someranks": [("sevens", "arg.rank")], "ranges": [("wrong_ranges", "arg.rank")],
    "commranks": [("sevens", "arg.rank")], "targets": [("sevens", "arg.rank")], "size": [("-1", "arg.size")], "sizes": [("zeros", "arg.size"), ("NULL", "arg.null")], "subsizes": [("sevens", "arg.size")], "starts": [("sevens", "arg.size")], "psizes": [("sevens", "arg.dims")],
    "disp_unit": [("0", "arg.disp-unit")], "position": [("NULL", "arg.null")], "assertion": [("1 << 20", "arg.assert")], "windowname": [("NULL", "arg.null")], "key": [('""', "arg.info"), ("NULL", "arg.null"), ("long_text", "arg.info")], "value": [("long_text", "arg.info"), ("NULL", "arg.null")],
    "color": [("-1", "arg.color")], "ndims": [("-1", "arg.dims")], "cartdims": [("sevens", "arg.dims"), ("zeros", "arg.dims")], "freedims": [("minus", "arg.dims")], "cartcoords": [("sevens", "arg.dims")], "maxdims": [("0", "arg.dims")],
    "direction": [("7", "arg.dims")], "nnodes": [("7", "arg.dims")], "graphindex": [("minus", "arg.dims")], "graphedges": [("sevens", "arg.rank")], "weights": [("minus", "arg.count")], "weightresults": [("NULL", "arg.null")], "base": [("NULL", "arg.null")],
    "info": [("MPI_INFO_NULL", "handle.null")], "file": [("MPI_FILE_NULL", "handle.null")], "errhandler": [("MPI_ERRHANDLER_NULL", "handle.null")],
    "keyval": [("MPI_KEYVAL_INVALID", "handle.null")], "request": [],
    "pointer": [("NULL", "arg.null")], "array": [("NULL", "arg.null")], "intra": [("inter", "handle.kind")], "inter": [("self", "handle.kind")], "cart": [("self", "handle.kind")], "graph": [("self", "handle.kind")], "dist": [("self", "handle.kind")], "topo": [("self", "handle.kind")],
}

# A null handle to be freed or finished, by role.
NULLS = {f"new{kind}": f"&({ctype}){{{null}}}" for kind, ctype, null in (
    ("comm", "MPI_Comm", "MPI_COMM_NULL"), ("group", "MPI_Group", "MPI_GROUP_NULL"), ("type", "MPI_Datatype", "MPI_DATATYPE_NULL"), ("op", "MPI_Op", "MPI_OP_NULL"),
    ("win", "MPI_Win", "MPI_WIN_NULL"), ("info", "MPI_Info", "MPI_INFO_NULL"), ("file", "MPI_File", "MPI_FILE_NULL"), ("errhandler", "MPI_Errhandler", "MPI_ERRHANDLER_NULL"),
    ("keyval", "int", "MPI_KEYVAL_INVALID"))}
NULLS["message"] = "&(MPI_Message){MPI_MESSAGE_NULL}"

PRELUDE = r"""// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated by roles.py.
#define _GNU_SOURCE 1
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static const char *replaced;
static int is_replaced(const char *name) { return replaced && !strcmp(replaced, name); }
#define WRONG(name, call) (replaced = #name, (void)(call), replaced = NULL)
static void add(void *in, void *out, int *n, MPI_Datatype *type) { (void)type; for (int i = 0; i < *n; i++) ((int *)out)[i] += ((int *)in)[i]; }
static void comm_error(MPI_Comm *c, int *e, ...) { (void)c, (void)e; }
static void win_error(MPI_Win *c, int *e, ...) { (void)c, (void)e; }
static void file_error(MPI_File *c, int *e, ...) { (void)c, (void)e; }
static int query(void *x, MPI_Status *s) { (void)x; MPI_Status_set_elements(s, MPI_INT, 0); MPI_Status_set_cancelled(s, 0); s->MPI_SOURCE = s->MPI_TAG = MPI_UNDEFINED; return MPI_SUCCESS; }
static int release(void *x) { (void)x; return MPI_SUCCESS; }
static int cancel(void *x, int complete) { (void)x, (void)complete; return MPI_SUCCESS; }
static char attached[4096];
static int rank, number, flag, position, errorcode, newkeyval, comm_keyval, type_keyval, win_keyval;
static int buf[128], buf2[128], ones[4] = {1, 1, 1, 1}, twos[4] = {2, 2, 2, 2}, fours[4] = {4, 4, 4, 4}, zeros[4], sevens[4] = {7, 7, 7, 7}, minus[4] = {-1, -1, -1, -1};
static int places[4] = {0, 1, 2, 3}, results[16], results0[4], ranges[1][3] = {{0, 0, 1}}, wrong_ranges[1][3] = {{0, 7, 1}}, distributions[1] = {MPI_DISTRIBUTE_BLOCK}, arguments[1] = {MPI_DISTRIBUTE_DFLT_DARG};
static MPI_Fint fints[64];
static char text[8192], long_text[2000], file_name[256];
static MPI_Aint aint, aint_position, aints[4] = {0, 4, 8, 12}, aints2[4];
static MPI_Count mpi_count;
static MPI_Offset offset;
static void *memory, *attribute;
static MPI_Datatype ints[4], null_types[4], uncommitted_types[4], newtypes[4], newtype, newtype2, pair, uncommitted, freed_type;
static MPI_Comm world, self, inter, cart, ring, graph, dist, newcomm, freed_comm;
static MPI_Group group, newgroup;
static MPI_Request request, requests[4];
static MPI_Status status, statuses[4];
static MPI_Message message;
static MPI_Win win, fenced, dynamic, shared, newwin;
static MPI_Op newop;
static MPI_Info info, newinfo;
static MPI_File file, newfile;
static MPI_Errhandler newerrhandler;

static void open_all(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_dup(MPI_COMM_SELF, &self);
  MPI_Comm_dup(MPI_COMM_SELF, &freed_comm);
  MPI_Intercomm_create(self, 0, world, 1 - rank, 9, &inter);
  MPI_Cart_create(self, 1, ones, zeros, 0, &cart), MPI_Cart_create(self, 1, ones, ones, 0, &ring);
  MPI_Graph_create(self, 1, ones, zeros, 0, &graph);
  MPI_Dist_graph_create_adjacent(self, 1, zeros, ones, 1, zeros, ones, MPI_INFO_NULL, 0, &dist);
  MPI_Comm_group(self, &group);
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  MPI_Type_contiguous(3, MPI_INT, &uncommitted);
  MPI_Type_contiguous(5, MPI_INT, &newtype), freed_type = newtype;
  for (int i = 0; i < 4; i++) ints[i] = MPI_INT, null_types[i] = MPI_DATATYPE_NULL, uncommitted_types[i] = uncommitted, requests[i] = MPI_REQUEST_NULL;
  MPI_Win_allocate(256, 4, MPI_INFO_NULL, self, &memory, &win), MPI_Win_lock_all(0, win);
  MPI_Win_allocate(256, 4, MPI_INFO_NULL, self, &memory, &fenced);
  MPI_Win_create_dynamic(MPI_INFO_NULL, world, &dynamic);
  MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, self, &memory, &shared);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Info_create(&info);
  MPI_File_open(world, FILE_NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  // Open MPI 4.1 never completes a nonblocking read at the end of a file.
  MPI_File_write_at_all(file, 0, long_text, sizeof long_text, MPI_BYTE, MPI_STATUS_IGNORE);
  snprintf(file_name, sizeof file_name, "%s.%d", FILE_NAME, rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_keyval, NULL);
  memset(long_text, 'x', sizeof long_text - 1);
  message = MPI_MESSAGE_NO_PROC, request = MPI_REQUEST_NULL;
}

static void close_all(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win), MPI_Win_free(&fenced), MPI_Win_free(&dynamic), MPI_Win_free(&shared);
  MPI_File_close(&file);
  MPI_Info_free(&info);
  MPI_Comm_free_keyval(&comm_keyval), MPI_Type_free_keyval(&type_keyval), MPI_Win_free_keyval(&win_keyval);
  MPI_Type_free(&pair), MPI_Type_free(&uncommitted);
  MPI_Group_free(&group);
  MPI_Comm_free(&cart), MPI_Comm_free(&ring), MPI_Comm_free(&graph), MPI_Comm_free(&dist), MPI_Comm_free(&inter), MPI_Comm_free(&self), MPI_Comm_free(&world);
}
"""


def right_arguments(function):
    """By parameter name."""
    override = OVERRIDE.get(function.name, {})
    values = {}
    for p in function.parameters:
        if p.is_variadic():
            continue
        value = override.get(p.name)
        if value is None:
            value = RIGHT.get(p.roles[0].name, "0")
            for role in p.roles:
                value = ROLE_OF_COMM.get(role.name, value) if p.roles[0].name == "comm" else value
            if function.kind in FENCED and p.roles[0].name == "win":
                value = "fenced"
            if function.kind == "rma_sync" and "flush" in function.name.lower() + function.name and p.roles[0].name == "win" or function.name == "MPI_Win_sync" and p.name == "win":
                value = "win"
            if p.roles[0].name == "newaddress" and "MPI_Count" in p.ctype:
                value = "&mpi_count"
        values[p.name] = value
    return values


def call(function, values):
    return f"{function.name}({', '.join(values[p.name] for p in function.parameters if not p.is_variadic())})"


def is_called(function):
    return function.name not in NOT_CALLED and not NOT_CALLED_RE.match(function.name) and function.result == "int"


def right_lines(function):
    before, behind = AROUND.get(function.name, ("", None))
    if behind is None:
        outs = [p.roles[0].name for p in function.parameters if p.direction == "out"]
        if function.kind in ("send_init", "recv_init", "coll_init"):
            behind = "MPI_Request_free(&request)"
        else:
            behind = ", ".join(FREE[o] for o in reversed(outs) if o in FREE)
    return [line + ";" for line in (before, call(function, right_arguments(function)), behind) if line]


def wrong_lines(function):
    """(C line, finding) for each check of each parameter."""
    lines = []
    for check in generate.checks_of(function) if function.name != "MPI_Init_thread" else []:   # is init.twice besides
        if check.name == "in_place" and "NEVER" not in check.more[0]:
            continue   # allowed, or allowed at this rank
        wrong = WRONG[check.name]
        if check.parameter.mark in ("null", "hint") and check.name in significance.NULLS:
            wrong = []
        if check.parameter.role_named("inplace"):
            wrong = [w for w in wrong if w[0] != "MPI_IN_PLACE"]
        for value, finding in wrong:
            values = right_arguments(function)
            for p in function.parameters:   # messages to nobody are not looked at so closely
                if p.roles[0].name in ("dest", "source"):
                    values[p.name] = "0"
            if function.has("index") and check.name == "graphedges":
                values["index"] = "ones"
            values[check.parameter.name] = value
            lines.append((f"WRONG({function.name}, {call(function, values)});", finding))
    for p in function.parameters if generate.uses(function) else []:
        if not generate.is_used(function, p) or p.mark == "any" and "scan" in function.name:
            continue
        values = right_arguments(function)
        for q in function.parameters:
            if q.roles[0].name in ("dest", "source"):
                values[q.name] = "0"
        values[p.name] = "(void *)64"   # where nothing is ever mapped
        line = f"WRONG({function.name}, {call(function, values)});"
        if any(q.role_named("buffered") for q in function.parameters):   # with room for the message
            line = f"MPI_Buffer_attach(attached, sizeof attached); {line} MPI_Buffer_detach(&memory, &number);"
        lines.append((line, "arg.memory"))
    for p in function.parameters:
        if p.direction == "inout" and p.roles[0].name in NULLS:
            lines.append((f"WRONG({function.name}, {call(function, dict(right_arguments(function), **{p.name: NULLS[p.roles[0].name]}))});", "handle.null"))
    return lines


def replacement(function):
    arguments = generate.arguments(function)
    types = ", ".join(p.ctype for p in function.parameters) or "void"
    parameters = ", ".join(p.declaration() for p in function.parameters) or "void"
    return (f"int P{function.name}({parameters}) {{\n  static int (*real)({types});\n"
            f"  if (is_replaced(\"{function.name}\")) return MPI_ERR_OTHER;\n"
            f"  if (!real) real = (int (*)({types}))dlsym(RTLD_NEXT, \"P{function.name}\");\n  return real({arguments});\n}}\n")


def program(table):
    replacements, rights, wrongs, covered, without = [], [], [], 0, []
    for function in table.functions:
        wrong = wrong_lines(function) if function.result == "int" and not NOT_CALLED_RE.match(function.name) else []
        if wrong:
            replacements.append(replacement(function))
            wrongs += [f"  {line}  // {finding}" for line, finding in wrong]
        if is_called(function):
            rights += ["  " + line for line in right_lines(function)]
        if wrong and is_called(function):
            covered += 1
        elif function.name in NOT_CALLED:
            without.append(f"{function.name}: {NOT_CALLED[function.name]}" + ("; wrong calls only" if wrong else ""))
        else:
            without.append(f"{function.name}: " + ("never an error code" if function.result != "int" else
                                                   "part of the tool interface" if "MPI_T_" in function.name else "no argument that can be checked"))
    out = [PRELUDE, *replacements, "static void right(void) {", *rights, "}\n", "static void wrong(void) {",
           "  MPI_Type_free(&newtype), MPI_Comm_free(&newcomm);", *wrongs, "}\n",
           "int main(int argc, char **argv) {", "  MPI_Init(&argc, &argv);", "  open_all();", "  if (argc > 1) {",
           "    newtype = freed_type, newcomm = freed_comm;", "    wrong();", "  } else {", "    MPI_Type_free(&freed_type), MPI_Comm_free(&freed_comm);", "    right();", "  }",
           "  close_all();", "  MPI_Finalize();", "  return 0;", "}"]
    return "\n".join(out) + "\n", covered, without


def compare(source, report):
    with open(source, encoding="utf-8") as lines:
        expected = {number: m.group(1) for number, line in enumerate(lines, 1) if (m := re.search(r"\);  // (\S+)$", line))}
    found = {}
    with open(report, encoding="utf-8") as text:
        for finding in json.load(text)["findings"]:
            place = finding["places"][0]["stack"] if finding["places"] else []
            line = next((f["line"] for f in place if f.get("line") and f["function"] in ("wrong", "right", "open_all", "close_all", "main")), 0)
            found.setdefault(line, []).append(finding["id"])
    with open(source, encoding="utf-8") as lines:
        text = lines.read().split("\n")
    bad = 0
    for line in sorted(set(expected) | set(found)):
        want = [expected[line]] if line in expected else []
        if found.get(line, []) != want:
            bad += 1
            print(f"{line}: {text[line - 1].strip()}: found {', '.join(found.get(line, [])) or 'nothing'}")
    print(f"{len(expected) - bad} of {len(expected)} wrong calls found" if bad else f"all {len(expected)} wrong calls found, and nothing else")
    return bad


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        sys.exit(1 if compare(sys.argv[2], sys.argv[3]) else 0)
    text, covered, without = program(standard.read(sys.argv[2]))
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        out.write(text)
    print("\n".join(["not covered:"] + ["  " + line for line in without]))
    print(f"{covered} functions called rightly and with each role wrong in turn")
    sys.exit(0 if covered >= 300 else 1)
