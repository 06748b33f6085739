"""A clock for whole processes that a test sets while they run: a preloaded `clock_gettime`."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void)
{
    int file = open(getenv("CLOCK_AHEAD"), O_RDONLY);
    if (file < 0) abort();
    ahead = mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!real) begin();
    int failed = real(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += *ahead;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *kept)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (kept) *kept = exact.tv_sec;
    return exact.tv_sec;
}
"""


class ProcessClock:
    """The clock of the processes that are started with *environment*; only Linux has it."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("gcc")
        if compiler is None:
            pytest.skip("needs-server: gcc compiles a clock that can be set")
        source, library = folder / "clock.c", folder / "clock.so"
        source.write_text(PROGRAM)
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True
        )
        self._ahead = folder / "clock.ahead"
        self.put_ahead(0)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(self._ahead)}

    def put_ahead(self, seconds: int) -> None:
        """Set the clock so many *seconds* ahead of the machine's, or behind."""
        with self._ahead.open("r+b" if self._ahead.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))
