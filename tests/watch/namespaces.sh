#!/bin/sh
# namespaces.sh run MPIRUN RANKS PROGRAM...: runs it on two hosts, ranks in turn. Each host has a network, a host name
# and a /dev/shm of its own, with a cable in between: the only way from one to the other is TCP. It needs root.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
net=10.77.0
# shellcheck disable=SC2016
disk='disk() { [ -z "${MCK_LOCAL:-}" ] || mount --bind "$MCK_LOCAL/$1" "$MCK_LOCAL/local"; }; disk'
case $1 in
run)
  mpirun=$2 ranks=$3
  shift 3
  name=mck$$
  trap 'ip netns del ${name}a 2>/dev/null || :; ip netns del ${name}b 2>/dev/null || :' EXIT
  trap 'exit 143' TERM INT
  ip netns add ${name}a
  ip netns add ${name}b
  ip link add ${name}a netns ${name}a type veth peer name ${name}b netns ${name}b
  for host in a:1 b:2; do
    ip -n $name${host%:*} addr add $net.${host#*:}/24 dev $name${host%:*}
    ip -n $name${host%:*} link set $name${host%:*} up
    ip -n $name${host%:*} link set lo up
  done
  unset OMPI_MCA_btl
  code=0
  [ -z "${MCK_LOCAL:-}" ] || mkdir -p "$MCK_LOCAL/a" "$MCK_LOCAL/b" "$MCK_LOCAL/local"
  # shellcheck disable=SC2016
  unshare -u -m sh -c "hostname mckhead; $disk a"'; exec ip netns exec "$0" "$@"' ${name}a timeout 60 "$mpirun" \
    --mca plm rsh --mca plm_rsh_agent "env MCK_LOCAL=${MCK_LOCAL:-} sh $0 agent ${name}b" \
    --mca oob_tcp_if_include $net.0/24 --mca btl tcp,self,vader --mca btl_tcp_if_include $net.0/24 \
    --map-by node --host $net.1:$ranks,$net.2:$ranks -np $ranks "$@" || code=$?
  exit $code
  ;;
agent)   # namespaces.sh agent NAMESPACE HOST COMMAND...: what rsh does
  name=$2
  shift 3
  # shellcheck disable=SC2016
  exec unshare -u -m \
    sh -c "hostname mckother; mount -t tmpfs none /dev/shm; $disk b"'; exec ip netns exec "$0" sh -c "$1"' "$name" "$*"
  ;;
esac
