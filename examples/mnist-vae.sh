#!/bin/sh
# The MNIST VAE of the paper, from nothing to a report: fetches MNIST, trains, evaluates, draws digits.
# After a crash, Ctrl-C or a reboot call it again with the same options: it goes on where it was.
set -eu

usage() {
  cat <<'END'
Usage: examples/mnist-vae.sh [--gpu] [--epochs E] [--out DIR] [--limit N] [--seed N] [--data DIR] [-- OPTION...]

  --gpu        compute on a GPU (the same as MDNF_BACKEND=cuda)
  --epochs E   passes over the training images: 45 by default; more than before trains on
  --out DIR    where everything goes: runs/mnist-vae by default
  --limit N    use the first N training and test images only
  --seed N     seed: 1 by default
  --data DIR   folder with the four MNIST files; else they are looked for and fetched
  OPTION...    more options of 'mdnf vae train', such as --latents 20 --categories 10

Writes DIR/run (checkpoints, metrics.csv, report.html), DIR/evaluation.txt, DIR/samples.png and
DIR/reconstructions.png. Exit codes: 0 all done, 1 a step failed, 2 wrong usage, 130 or 143 stopped by a signal.
END
}

say() {
  echo "mnist-vae: $1" >&2
}

wrong() {
  say "$1 (--help says how)"
  exit 2
}

# A whole number above 0 for an option.
number() {
  case $2 in
    '' | 0* | *[!0-9]*) wrong "$1 $2: a whole number above 0 is needed" ;;
  esac
}

epochs=45
out=runs/mnist-vae
seed=1
limit=
data=
while [ $# -gt 0 ]; do
  case $1 in
    --gpu)
      MDNF_BACKEND=cuda
      export MDNF_BACKEND
      ;;
    --epochs | --out | --limit | --seed | --data)
      [ $# -gt 1 ] || wrong "$1: a value is missing"
      case $1 in
        --epochs) number "$1" "$2" && epochs=$2 ;;
        --out) out=$2 ;;
        --limit) number "$1" "$2" && limit=$2 ;;
        --seed) seed=$2 ;;
        --data) data=$2 ;;
      esac
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    --)
      shift
      break
      ;;
    *) wrong "unknown option $1" ;;
  esac
  shift
done

mdnf=$(cd "$(dirname "$0")/.." && pwd -P)/mdnf
run=$out/run
mkdir -p "$out" || wrong "--out $out: cannot be made"

# Runs mdnf so that a signal to this script reaches it: training then saves a checkpoint before it ends.
child=
stop() {
  trap '' INT TERM
  if [ -n "$child" ]; then
    kill -TERM "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  say "stopped; call again to go on"
  exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM

step() {
  say "$1"
  name=$1
  shift
  status=0
  "$mdnf" "$@" &
  child=$!
  wait "$child" || status=$?
  child=
  if [ "$status" -ne 0 ]; then
    say "$name failed with exit code $status; call again to go on"
    [ "$status" -eq 2 ] && exit 2
    exit 1
  fi
}

# Whether a result was made after the training ended.
made() {
  [ -s "$out/$1" ] && [ -n "$(find "$out/$1" -newer "$run/result.json")" ]
}

# 1. Train; this fetches MNIST first, unless it is there, and checks it. result.json is written last.
trained=0
if [ -s "$run/result.json" ]; then
  trained=$(sed -n 's/.*"epochs" *: *\([0-9][0-9]*\).*/\1/p' "$run/result.json" | head -n 1)
fi
if [ "${trained:-0}" -ge "$epochs" ]; then
  say "trained already, $trained epochs"
else
  if [ -e "$run/manifest.json" ]; then set -- --resume "$@"; fi
  if [ -n "$limit" ]; then set -- --limit "$limit" "$@"; fi
  if [ -n "$data" ]; then set -- --data "$data" "$@"; fi
  step "train $epochs epochs" vae train --epochs "$epochs" --seed "$seed" --out "$run" "$@"
fi

# 2. Bounds on test images: ELBO, importance-weighted with 100 codes, and log p(x) where all codes can be summed.
if made evaluation.txt; then
  say "evaluated already"
else
  set --
  if [ -n "$limit" ]; then set -- --limit "$limit" "$@"; fi
  if [ -n "$data" ]; then set -- --data "$data" "$@"; fi
  step "evaluate" vae evaluate "$run" --importance 100 --seed "$seed" "$@" >"$out/evaluation.part"
  mv "$out/evaluation.part" "$out/evaluation.txt"
fi

# 3. Pictures.
if made samples.png; then
  say "sampled already"
else
  step "sample" vae sample "$run" --seed "$seed" --out "$out/samples.png" >/dev/null
fi
if made reconstructions.png; then
  say "reconstructed already"
else
  set --
  if [ -n "$data" ]; then set -- --data "$data"; fi
  step "reconstruct" vae reconstruct "$run" --seed "$seed" --out "$out/reconstructions.png" "$@" >/dev/null
fi

# 4. What came out.
echo "test images, nats per image"
cat "$out/evaluation.txt"
echo "pictures: $out/samples.png, $out/reconstructions.png"
echo "report: $run/report.html"
