#!/usr/bin/env bash
# Every benchmark that needs a card, and the attacks on times, with what they print kept in FOLDER:
#
#   benchmarks/on_a_card.sh FOLDER [throughput|compile|baselines|same|slowdown|attacks|contexts|truths ...]
#
# All of them unless some are named. REAL=FILE.jsonl adds a data set of kernels that models wrote to
# the first two: a row has `predict`, the source or a whole reply, and `file`, category/task.py.
# PYTHON is the Python that has torch. What does not hold is said at the end.
set -euo pipefail
steps=(throughput compile baselines same slowdown attacks contexts truths)
refuse() { echo "$1" >&2; exit 2; }
case ${1-} in
  -h | --help) sed -n '2,${/^#/!q;s/^# \{0,1\}//;p}' "$0"; exit ;;
  "" | -*) refuse "usage: $0 FOLDER [STEP ...]" ;;
esac
folder=$1; shift
for step in "$@"; do
  [[ " ${steps[*]} " == *" $step "* ]] || refuse "no step is called $step: ${steps[*]}"
done
[[ -z ${REAL-} || ( $REAL == *.jsonl && -f $REAL ) ]] || refuse "REAL: no .jsonl file is at $REAL"
[ $# -eq 0 ] || steps=("$@")
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here/../src${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1 COLUMNS=${COLUMNS:-140}
python=${PYTHON:-python3}
real=(${REAL:+--real "$REAL"})
broken=()
mkdir -p "$folder" || exit 2

printed() { # NAME SCRIPT WORDS...
  local name=$1 script=$2; shift 2
  echo "== $name"
  "$python" "$here/$script.py" "$@" --out "$folder/$name.txt" || broken+=("$name")
}

throughput() { # twice: two runs of the same kernels must agree
  rm -rf "$folder/first" "$folder/second"
  printed card_throughput card_throughput "${real[@]}" --run "$folder/first"
  printed card_throughput_again card_throughput "${real[@]}" --run "$folder/second"
  printed card_agreement card_agreement "$folder/first" "$folder/second"
}

compile() { # beside the first run without torch.compile, or one of its own
  local against=()
  [ -f "$folder/first/throughput.json" ] && against=(--against "$folder/first")
  rm -rf "$folder/with" "$folder/with-compile"
  printed card_throughput_compile card_throughput "${real[@]}" --compile "${against[@]}" --run "$folder/with"
  printed card_table card_table "$folder/with-compile"
}

baselines() { # in the timing cases; and what inductor computes in ordinary ones
  printed card_baselines card_baselines --compile
  printed card_inductor card_baselines --compile --checks 4
}
same() { printed card_same card_same; }
slowdown() { printed card_slowdown card_slowdown; }
contexts() { printed card_contexts card_contexts; }
truths() { printed check_truths check_truths; }

attacks() {
  local words=(redteam --stage perf --no-checks --device cuda)
  echo "== kbx ${words[*]}"
  echo "\$ kbx ${words[*]}" > "$folder/card_attacks.txt"
  "$python" -m kernelbenchx "${words[@]}" | tee -a "$folder/card_attacks.txt" || broken+=(card_attacks)
}

for step in "${steps[@]}"; do "$step"; done
[ ${#broken[@]} -eq 0 ] || { echo "does not hold, or did not end: ${broken[*]}" >&2; exit 1; }
