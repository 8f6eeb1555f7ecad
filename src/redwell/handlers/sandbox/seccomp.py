"""Seccomp: the calls that no child of a profile needs and an attacker does are refused with EPERM.

The mandatory layer: namespaces and Landlock alone leave Unix sockets, file modes and times within reach.
Called by the sandbox's `lock_down`, last of all, in the host process; without libseccomp the import fails.
"""

import errno
import os

import pyseccomp

from redwell.core.work.profiles import Rights

_CONNECT = "connect"  # to whatever has an address or a name; no profile may
_LISTEN = "bind listen accept accept4"
_KERNEL_SURFACE = (
    "ptrace process_vm_readv process_vm_writev kcmp bpf perf_event_open userfaultfd keyctl add_key request_key "
    "open_by_handle_at name_to_handle_at kexec_load kexec_file_load init_module finit_module delete_module "
    "reboot swapon swapoff quotactl acct syslog iopl ioperm modify_ldt uselib lookup_dcookie vhangup "
    "settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname fanotify_init "
    "shmget semget msgget mq_open"
)
_MOUNTS = "mount umount2 pivot_root chroot unshare setns"
# Landlock does not guard these: with them a child could make its evidence look changed.
_FILE_ATTRIBUTES = (
    "chmod fchmod fchmodat chown lchown fchown fchownat utime utimes futimesat utimensat mknod mknodat "
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"
)
# By number, the same on every architecture, as an older libseccomp has no name for them:
# io_uring_*, the new mount calls, pidfd_getfd, process_madvise, fchmodat2, the *xattrat calls, file_setattr.
_RECENT = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442, 443, 452, 463, 466, 467, 469)
_SIGNALS = "kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal"
_NEW_PROCESS = "fork vfork"

_CLONE_THREAD = 0x10000
_CLONE_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
# A pair of streams stays within the process, and Rust's tokio makes one; a browser makes pairs of packets in sequence.
_SENDING_TYPES, _SEQUENCE, _SOCKET_TYPE = (2, 3, 4, 6, 10), 5, 0xF
_UNIX = 1
_SET_FILE_FLAGS = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR


_REFUSED = pyseccomp.ERRNO(errno.EPERM)


def refuse_calls(rights: Rights, *, own_pids: bool) -> None:
    """Load the filter. `own_pids`: it sees no process but its own."""
    calls = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    names = [_CONNECT, _KERNEL_SURFACE, _MOUNTS, _FILE_ATTRIBUTES]
    names += [] if rights.sockets else ["socket", _LISTEN]
    if not rights.processes:
        names.append(_NEW_PROCESS)
        calls.add_rule(_REFUSED, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, 0))
    if not own_pids:
        names.append(_SIGNALS)
        calls.add_rule(_REFUSED, "tgkill", pyseccomp.Arg(0, pyseccomp.NE, os.getpid()))  # abort() needs its own
    for name in " ".join(names).split():
        calls.add_rule(_REFUSED, name)
    for number in _RECENT:
        calls.add_rule(_REFUSED, number)
    _refuse_by_argument(calls)
    _refuse_sockets(calls, rights)
    calls.load()


def _refuse_by_argument(calls: pyseccomp.SyscallFilter) -> None:
    # ENOSYS makes libc fall back to clone, whose flags a filter can read.
    calls.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for flag in _CLONE_NAMESPACES:
        calls.add_rule(_REFUSED, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    for request in _SET_FILE_FLAGS:
        calls.add_rule(_REFUSED, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xFFFFFFFF, request))
    calls.add_rule(_REFUSED, "prlimit64", pyseccomp.Arg(0, pyseccomp.NE, 0))


def _refuse_sockets(calls: pyseccomp.SyscallFilter, rights: Rights) -> None:
    """Kinds that can send to an address without being connected, and every kind that is not local."""
    for kind in _SENDING_TYPES if rights.sockets else (*_SENDING_TYPES, _SEQUENCE):
        calls.add_rule(_REFUSED, "socketpair", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _SOCKET_TYPE, kind))
    if rights.sockets:
        calls.add_rule(_REFUSED, "socket", pyseccomp.Arg(0, pyseccomp.NE, _UNIX))
        for kind in _SENDING_TYPES:
            calls.add_rule(_REFUSED, "socket", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _SOCKET_TYPE, kind))
