#!/usr/bin/env bash
# Every benchmark that needs a card, and the attacks on times, with what they print kept in FOLDER:
#
#   benchmarks/on_a_card.sh FOLDER [throughput|levels|compile|baselines|same|slowdown|attacks|contexts|
#                                   truths|leases|cluster|isolation|tests|docs ...]
#
# All of them unless some are named. LIMIT_S=SECONDS bounds the whole: a step without time left counts
# as one that does not hold. REAL=FILE.jsonl adds a data set of kernels that models wrote to
# throughput and compile: a row has `predict`, the source or a whole reply, and `file`,
# category/task.py. PYTHON is the Python that has torch. What does not hold is printed at the end.
set -euo pipefail
steps=(throughput levels compile baselines same slowdown attacks contexts truths)
steps+=(leases cluster isolation tests docs)
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

bounded() { # COMMAND...: an interrupt lets it say what it has done
  [ -n "${LIMIT_S-}" ] || { "$@"; return; }
  local left=$((LIMIT_S - SECONDS))
  [ "$left" -gt 5 ] || { echo "no time is left for it" >&2; return 1; }
  timeout -s INT -k 10 "$left" "$@"
}

printed() { # NAME SCRIPT WORDS...
  local name=$1 script=$2; shift 2
  echo "== $name"
  bounded "$python" "$here/$script.py" "$@" --out "$folder/$name.txt" || broken+=("$name")
}

logged() { # NAME WORDS...: of Python; what they print is kept with the command
  local name=$1; shift
  local said="python3 $*"
  said=${said/python3 -m kernelbenchx/kbx}
  echo "== $said"
  echo "\$ $said" > "$folder/$name.txt"
  bounded "$python" "$@" 2>&1 | tee -a "$folder/$name.txt" || broken+=("$name")
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

attacks() { logged card_attacks -m kernelbenchx redteam --stage perf --no-checks --device cuda; }
leases() { printed two_runs_on_one_gpu two_runs_on_one_gpu; }
cluster() { printed cluster_on_one_gpu cluster_on_one_gpu; }

levels() { # the witnesses of KernelBench's problems
  rm -rf "$folder/level1" "$folder/level23"
  printed card_throughput_level1 card_throughput --only 'level1/*' --run "$folder/level1"
  printed card_throughput_level23 card_throughput --only 'level2/*' 'level3/*' --run "$folder/level23"
}

isolation() { # level L2, where system calls are refused and no namespaces are there
  local attacks=(X8 X9 X11 X1 X2 X3 V12 V13 X16 elementwise reduction)
  logged card_isolation -m kernelbenchx redteam --device cuda --isolation L2 --no-checks "${attacks[@]}"
}

tests() { # that of the GPU's health must be alone on it
  local words=(-m pytest -v --tb=short -p no:cacheprovider -o "addopts=-rfE --import-mode=importlib")
  words+=(-o filterwarnings=default)
  local gpu=$here/../tests/gpu
  logged card_health_tests "${words[@]}" "$gpu/test_card_health.py"
  logged card_tests "${words[@]}" --durations=25 "$gpu" --ignore "$gpu/test_card_health.py"
}

docs() { logged docs_commands "$here/../scripts/run_docs_commands.py" --gpu; }

for step in "${steps[@]}"; do "$step"; done
[ ${#broken[@]} -eq 0 ] || { echo "does not hold, or did not end: ${broken[*]}" >&2; exit 1; }
