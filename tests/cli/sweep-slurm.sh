# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shards as a Slurm job array, as rsbsim-sweep(1) shows it, under daemons of our own on this
# machine. Where Slurm is not installed or does not start, this is skipped.

set -eu
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch scontrol; do
	command -v $program >/dev/null || exit 77
done

dir=$(mktemp -d)
daemons=
stop()
{
	for daemon in $daemons; do
		kill "$daemon" 2>/dev/null || :
	done
	wait
	rm -rf "$dir"
}
trap stop EXIT

# Without munge: nobody else can reach these daemons' jobs. Ports that are most likely free.
host=$(hostname)
port=$((20000 + $$ % 20000 * 2))
mkdir "$dir/state" "$dir/spool"
cat >"$dir/slurm.conf" <<CONF
ClusterName=rsbsim
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
SLURM_CONF=$dir/slurm.conf
export SLURM_CONF

slurmctld -D -c >"$dir/out" 2>&1 &
daemons=$!
slurmd -D -N "$host" >"$dir/out" 2>&1 &
daemons="$daemons $!"
tries=0
until timeout 5 sinfo -h -t idle -o %D 2>/dev/null | grep -qx 1; do
	tries=$((tries + 1))
	if [ $tries -gt 20 ]; then
		echo 'Slurm does not start here'
		exit 77
	fi
	sleep 1
done

cd "$dir"
cat >sweep.sh <<JOB
#!/bin/sh
'$RSBSIM' sweep plain-call --depth 20 --set depth=1..64 --set underflow=stale,none \\
	--jobs 1 --shard "\$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT" \\
	-o "part-\$SLURM_ARRAY_TASK_ID.json"
JOB
timeout 100 sbatch --wait --array=1-4 sweep.sh
"$RSBSIM" sweep plain-call --depth 20 --set depth=1..64 --set underflow=stale,none -f csv >whole
"$RSBSIM" merge part-*.json -f csv | cmp - whole
