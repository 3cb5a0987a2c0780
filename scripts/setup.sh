# shellcheck shell=sh
# Sourced by ./reproduce, ./test and scripts/lint, with `root` set to the repository's directory:
# goes there, makes or updates .venv from requirements.lock if needed, and activates it.
#
# A stamp in .venv names all that the environment was made from. If it still fits, nothing is done.

say() {
    printf 'set-up: %s\n' "$*" >&2
}

find_python() {
    # The lock is tried with these versions; the first is the one behind reference/.
    for candidate in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3.13 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
                printf '%s\n' "$candidate"
                return
            fi
            say "$candidate lacks the module venv (Debian, Ubuntu: apt install python3-venv)"
        fi
    done
    say "no usable Python 3.11 or newer found; install one or name it: PYTHON=/path/to/python3 $0"
    return 1
}

fingerprint() {
    printf '%s\n' "$root"
    cksum requirements.lock pyproject.toml scripts/setup.sh
}

make_venv() {
    # Scripts in .venv hold its path: one that was moved or copied here must be made anew.
    if [ ! -f $stamp ] || [ "$(head -n 1 $stamp)" = "$root" ]; then
        usable='import sys, pip; sys.exit(sys.version_info < (3, 11))'
        .venv/bin/python -c "$usable" 2>/dev/null && return
    fi
    base_python=$(find_python) || return
    say "making .venv with $("$base_python" --version)"
    "$base_python" -m venv --clear .venv
}

install_packages() {
    # The lock pins uv too; pip alone takes one or two minutes longer.
    awk '/^[a-z]/ { uv = /^uv==/ } uv' requirements.lock >.venv/uv.txt
    awk '/^[a-z]/ { uv = /^uv==/ } !uv' requirements.lock >.venv/packages.txt
    if .venv/bin/python -m pip install --quiet --require-hashes --requirement .venv/uv.txt; then
        say "installing the packages of requirements.lock (a few hundred megabytes, once)"
        set -- uv pip install --python .venv/bin/python
    else
        say "uv is not to be had: pip installs requirements.lock, which takes a few minutes"
        set -- pip install
    fi
    .venv/bin/python -m "$@" --quiet --require-hashes --requirement .venv/packages.txt &&
        .venv/bin/python -m pip install --quiet \
            --no-index --no-deps --no-build-isolation --editable .
}

set_up() {
    stamp=.venv/set-up-stamp
    wanted=$(fingerprint)
    if [ -x .venv/bin/python ] && [ -f $stamp ] && [ "$(cat $stamp)" = "$wanted" ]; then
        return
    fi
    make_venv || return
    rm -f $stamp
    if ! install_packages; then
        say "failed for the reason above; the same command tries again"
        return 1
    fi
    printf '%s\n' "$wanted" >$stamp
    say "done"
}

cd -- "$root" || exit 1
unset PYTHONPATH PYTHONHOME
set_up || exit 1

VIRTUAL_ENV=$root/.venv
PATH=$VIRTUAL_ENV/bin:$PATH
# Numerical results of linear algebra depend on the number of threads; jobs share the cores anyway.
OPENBLAS_NUM_THREADS=1
OMP_NUM_THREADS=1
export VIRTUAL_ENV PATH OPENBLAS_NUM_THREADS OMP_NUM_THREADS
unset NUMBA_NUM_THREADS
# Each of the many short jobs would compile all that it imports.
unset PYTHONDONTWRITEBYTECODE
