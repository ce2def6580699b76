#!/usr/bin/env bash
# Pack what kbx, its tests and its benchmarks need for a machine with a GPU and no network, which
# has torch, Triton and scipy: x86_64, Python 3.12 or that of PYTHON_VERSION.
#
#   scripts/pack_packages.sh carry
#
# On the other machine: PYTHONPATH=src:carry/site-packages. scripts/trim_ray.py says how to use carry/ray.tar.xz.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,${/^#/!q;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$here/.venv/bin/python}
mkdir -p "$1"
"$python" -m pip install --quiet --target "$1/site-packages" --upgrade --only-binary=:all: \
  --platform manylinux2014_x86_64 --python-version "${PYTHON_VERSION:-3.12}" \
  click msgspec rich httpx pytest pytest-timeout radon
"$python" "$here/scripts/trim_ray.py" "$1/ray.tar.xz" --python "${PYTHON_VERSION:-3.12}"
find "$1" -name __pycache__ -prune -exec rm -rf {} +
du -sh "$1"/*
