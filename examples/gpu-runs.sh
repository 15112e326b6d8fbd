#!/usr/bin/env bash
# Trains one model from several seeds on one card, each as examples/gpu-job.sh does, in processes that take turns there.
#
#   sbatch examples/gpu-runs.sh RUNS DIR [options of 'mdnf vae train']
#   MDNF_BACKEND=native examples/gpu-runs.sh 2 runs/seeds --epochs 1 --limit 1000
#
# Seed S is in DIR/seed-S. The exit code is that of the last seed that did not end with 0, else 0.
#
#SBATCH --job-name=mdnf-vae-seeds
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=4
#SBATCH --mem=48G
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
set -uo pipefail

if [ $# -lt 2 ] || ! [ "$1" -ge 1 ] 2>/dev/null; then
  echo "gpu-runs: usage: gpu-runs.sh RUNS DIR [options of 'mdnf vae train']" >&2
  exit 2
fi
runs=$1
out=$2
shift 2
# Slurm runs a copy of this script, from where the job was submitted.
job=$(dirname "${BASH_SOURCE[0]}")/gpu-job.sh
[ -x "$job" ] || job=${SLURM_SUBMIT_DIR:-$PWD}/examples/gpu-job.sh

jobs=()
trap 'kill -TERM "${jobs[@]}" 2>/dev/null' TERM INT USR1
for seed in $(seq "$runs"); do
  "$job" "$out/seed-$seed" "$@" --seed "$seed" &
  jobs+=($!)
done
worst=0
for one in "${jobs[@]}"; do
  # a signal ends a wait early
  wait "$one"
  status=$?
  while kill -0 "$one" 2>/dev/null; do
    wait "$one"
    status=$?
  done
  [ "$status" -eq 0 ] || worst=$status
done
exit "$worst"
