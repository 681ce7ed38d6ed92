#!/usr/bin/env bash
# one_node.sh start FOLDER: a Slurm of one node, this machine, with everything of its own in FOLDER; prints
# nothing when it is up (then SLURM_CONF is FOLDER/slurm.conf), else one sentence, and exits with 3.
# one_node.sh stop FOLDER ends it.
set -uo pipefail
command=$1 folder=$2
export SLURM_CONF=$folder/slurm.conf

absent() {
  printf '%s\n' "$1"
  exit 3
}

stop() {
  local file
  for file in slurmd.pid slurmctld.pid munge/pid; do
    [[ -s $folder/$file ]] && kill "$(cat "$folder/$file")" 2>/dev/null
  done
  sleep 0.5
  for file in slurmd.pid slurmctld.pid munge/pid; do
    [[ -s $folder/$file ]] && kill -9 "$(cat "$folder/$file")" 2>/dev/null
  done
  return 0
}

start() {
  local program tries host
  ((EUID == 0)) || absent "Slurm's daemons need root"
  for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null ||
      absent "$program is not installed (slurmctld, slurmd, munge)"
  done
  host=$(hostname -s)
  mkdir -p "$folder"/{state,spool,log,munge}
  chmod 755 "$folder" "$folder/munge"
  head -c 128 /dev/urandom >"$folder/munge/key"
  chown -R munge "$folder/munge" && chmod 600 "$folder/munge/key"
  runuser -u munge -- /usr/sbin/munged --force --key-file="$folder/munge/key" \
    --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed" >/dev/null 2>&1 ||
    absent "munged does not start here"
  cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
SlurmUser=root
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmdPort=$((30000 + RANDOM % 10000))
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1024 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  if ! /usr/sbin/slurmctld -i >/dev/null 2>&1 || ! /usr/sbin/slurmd >/dev/null 2>&1; then
    stop && absent "slurmctld and slurmd do not start here"
  fi
  for ((tries = 0; tries < 100; ++tries)); do
    sinfo --noheader --format=%T 2>/dev/null | grep -q idle && return 0
    sleep 0.2
  done
  stop
  absent "Slurm's node did not come up within 20 s"
}

"$command"
