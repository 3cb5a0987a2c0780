"""A SLURM cluster of one node on the loopback interface, in a folder of its own.

Needs the programs of SLURM and MUNGE (Debian, Ubuntu: ``apt install slurm-wlm``), neither their
services nor accounting. To run a command in one by hand, from the repository's directory::

    python tests/cluster/one_node_slurm.py ./reproduce --profile workflow/profiles/slurm ...
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo", "sacct")
CONFIG = """\
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MinJobAge=3600
DefMemPerCPU=1000
KillWait=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cores} RealMemory={megabytes}
PartitionName=main Nodes=localhost Default=YES
"""


def program(name: str) -> str | None:
    """Return the path of a program, also of one for administrators."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def missing() -> list[str]:
    """Return the programs that are not installed."""
    return [name for name in (*DAEMONS, *CLIENTS) if program(name) is None]


class OneNodeSlurm:
    """The cluster; it runs between `start` and `stop`.

    Parameters
    ----------
    folder
        New folder for all files; of a short path, since it holds a socket.
    cores
        Processor cores that jobs may use together.
    """

    def __init__(self, folder: Path, cores: int = 2) -> None:
        self.folder = folder
        self._daemons: dict[str, subprocess.Popen] = {}
        for name in ("state", "spool", "bin"):
            (folder / name).mkdir(parents=True)
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o600)
        controller_port, node_port = _free_ports(2)
        config = CONFIG.format(
            folder=folder,
            user=subprocess.check_output(["id", "-un"], text=True).strip(),
            controller_port=controller_port,
            node_port=node_port,
            cores=cores,
            megabytes=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20,
        )
        (folder / "slurm.conf").write_text(config)
        for name in CLIENTS:
            # The executor plugin removes SLURM_CONF from the environment of its commands.
            script = folder / "bin" / name
            script.write_text(
                f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {program(name)} "$@"\n'
            )
            script.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}

    def start(self) -> None:
        """Start all daemons, and wait until the node takes jobs."""
        folder = self.folder
        files = ("key-file=munge.key", "socket=munge.socket", "pid-file=munged.pid")
        files += ("log-file=munged.log", "seed-file=munged.seed")
        options = [f"--{option.replace('=', f'={folder}/')}" for option in files]
        self._start("munged", "--foreground", "--force", *options)
        wait_until((folder / "munge.socket").exists, "munged opens its socket")
        self.start_controller("-c")
        self._start("slurmd", "-D", "-N", "localhost")
        wait_until(lambda: "idle" in self.run("sinfo", "--noheader", "--format=%T"), "idle node")

    def start_controller(self, *options: str) -> None:
        """Start the controller; without ``-c`` it takes up the jobs that it knew."""
        self._start("slurmctld", "-D", *options)
        wait_until(lambda: "is UP" in self.run("scontrol", "ping"), "controller answers")

    def stop_controller(self) -> None:
        """Stop the controller alone: jobs go on, commands find nobody."""
        _end(self._daemons.pop("slurmctld"))

    def stop(self) -> None:
        """Cancel all jobs, and end the daemons that were started, by their ids."""
        if {"slurmctld", "slurmd"} <= self._daemons.keys():
            jobs = self.run("squeue", "--noheader", "--format=%i").split()
            if jobs:
                self.run("scancel", *jobs)
                wait_until(lambda: not self.run("squeue", "--noheader"), "jobs end")
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self._daemons:
                _end(self._daemons.pop(name))

    def run(self, name: str, *options: str) -> str:
        """Return what a command of SLURM printed, or nothing if it failed."""
        command = [self.folder / "bin" / name, *options]
        return subprocess.run(command, capture_output=True, check=False, text=True).stdout

    def _start(self, name: str, *options: str) -> None:
        path = program(name)
        assert path, f"{name} is not installed"
        with (self.folder / f"{name}.out").open("ab") as output:
            self._daemons[name] = subprocess.Popen(
                [path, *options],
                env={**self.environment, "SLURM_CONF": f"{self.folder}/slurm.conf"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )


def _end(daemon: subprocess.Popen) -> None:
    daemon.terminate()
    try:
        daemon.wait(30)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 120) -> None:
    """Wait until a condition holds, and fail if it takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s until {what}"
        time.sleep(0.2)


@contextmanager
def one_node_slurm(cores: int = 2) -> Iterator[OneNodeSlurm]:
    """Start a cluster, and stop it at the end."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
        cluster = OneNodeSlurm(Path(folder), cores)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


if __name__ == "__main__":
    with one_node_slurm() as running:
        sys.exit(subprocess.run(sys.argv[1:], check=False, env=running.environment).returncode)
