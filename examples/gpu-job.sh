#!/usr/bin/env bash
# Trains a discrete VAE as a batch job that survives time limits, preemption and crashes.
#
#   sbatch examples/gpu-job.sh DIR [options of 'mdnf vae train']      or, without a scheduler, just
#   examples/gpu-job.sh runs/vae --latents 20 --categories 10 --components 20 --epochs 100
#
# It calls 'mdnf vae train ... --out DIR', with --resume as soon as DIR holds a run, and calls again when the program
# dies. SIGTERM, SIGINT or SIGUSR1 makes it save a checkpoint and end. Exit codes:
#
#    0  trained to the end
#    2  wrong options or input: trying again is no use
#   75  stopped by a signal with its state saved: run the same job again (EX_TEMPFAIL of sysexits)
#    1  died MDNF_ATTEMPTS times (3) in a row without a new checkpoint
#
#   MDNF             the program, instead of the launcher of this source tree
#   MDNF_BACKEND     cuda unless set; native trains on the CPU
#   MDNF_ATTEMPTS    how often to try without progress, 3 unless set
#   MDNF_PAUSE       seconds before another try, 10 unless set
#   MDNF_REQUEUE     yes: hand a stopped job back to Slurm by 'scontrol requeue'
#
#SBATCH --job-name=mdnf-vae
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail

say() { echo "gpu-job: $*" >&2; }

if [ $# -lt 1 ] || [ "${1#-}" != "$1" ]; then
  say "usage: gpu-job.sh DIR [options of 'mdnf vae train']"
  exit 2
fi
out=$1
shift
# Slurm runs a copy of this script, from where the job was submitted.
mdnf=${MDNF:-}
if [ -z "$mdnf" ]; then
  here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  mdnf=$here/../mdnf
  [ -x "$mdnf" ] || mdnf=${SLURM_SUBMIT_DIR:-$PWD}/mdnf
fi
if ! command -v "$mdnf" >/dev/null; then
  say "no program $mdnf: submit from MDNF's source tree, or set MDNF"
  exit 2
fi
export MDNF_BACKEND=${MDNF_BACKEND:-cuda}
attempts=${MDNF_ATTEMPTS:-3}

child=
stopping=
stop() {
  stopping=yes
  [ -n "$child" ] && kill -TERM "$child" 2>/dev/null
}
trap stop TERM INT USR1

newest() { find "$out" -name 'step-*.mdnf' 2>/dev/null | sort | tail -n 1; }

failed=0
while :; do
  resume=()
  [ -e "$out/manifest.json" ] && resume=(--resume)
  before=$(newest)
  "$mdnf" vae train "$@" --out "$out" ${resume[@]+"${resume[@]}"} &
  child=$!
  # a signal ends a wait early, and the program takes a moment to save
  wait "$child"
  status=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    status=$?
  done
  child=

  if [ "$status" -eq 0 ]; then
    say "done: $out"
    exit 0
  fi
  if [ -n "$stopping" ]; then
    say "stopped, state saved in $out"
    if [ "${MDNF_REQUEUE:-}" = yes ] && [ -n "${SLURM_JOB_ID:-}" ]; then
      scontrol requeue "$SLURM_JOB_ID" || say "scontrol could not requeue $SLURM_JOB_ID"
    fi
    exit 75
  fi
  if [ "$status" -eq 2 ]; then
    exit 2
  fi
  if [ "$(newest)" != "$before" ]; then
    failed=0
  fi
  failed=$((failed + 1))
  if [ "$failed" -ge "$attempts" ]; then
    say "died $failed times without a new checkpoint (last exit code $status)"
    exit 1
  fi
  say "died with exit code $status, trying again"
  # in the background, so that a signal is answered at once
  sleep "${MDNF_PAUSE:-10}" &
  wait $!
  [ -z "$stopping" ] || exit 75
done
