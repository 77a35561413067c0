#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs BMTrain's own init_distributed on an exported init.py, once for every rank, without torch and GPUs.

usage: check_bmtrain.py init.py --world N [--root CHECKOUT] [--groups] [--debug]
Exit code 0 = accepted, 1 = refused (the first line says why), 2 = the checker itself failed.
What stands in: torch (common/stubs.py of CHECKERS), the compiled part of BMTrain, the store of the rendezvous. A
communicator is accepted when each of its places is taken exactly once.
"""
import argparse
import collections
import contextlib
import io
import os
import pathlib
import re
import runpy
import sys
import types
import typing

CHECKERS = pathlib.Path(os.environ.get("CHECKERS", "."))
sys.path.insert(0, str(CHECKERS / "common"))


class Refused(Exception):
    pass


class Store:
    """What the ranks tell each other. They run one after the other: a value that no earlier rank has set would be
    waited for in vain."""

    values = {}

    def __init__(self, *_):
        pass

    def set_timeout(self, _):
        pass

    def set(self, key, value):
        if key in Store.values:
            raise Refused(f"two ranks found the communicator {key}")
        Store.values[key] = value

    def get(self, key):
        if key not in Store.values:
            raise Refused(f"nobody founds the communicator {key}")
        return Store.values[key].encode()


class FloatTensor:
    """The one number that a barrier adds up."""

    def __init__(self, values):
        self.values = values

    def storage(self):
        import torch
        return types.SimpleNamespace(dtype=torch.float32, is_cuda=True, data_ptr=lambda: 0, size=lambda: len(self.values))


class Compiled:
    """bmtrain.C: communicators of NCCL become rows of `members`; every other function does nothing."""

    def __init__(self):
        self.founded = 0
        self.rank = 0
        self.members = collections.defaultdict(dict)  # id of a communicator -> place in it -> global rank
        self.sizes = {}

    def ncclGetUniqueId(self):
        self.founded += 1
        return self.founded.to_bytes(8, "big")

    def ncclCommInitRank(self, unique_id, size, place):
        places = self.members[unique_id.hex()]
        if self.sizes.setdefault(unique_id.hex(), size) != size or not 0 <= place < size or place in places:
            raise Refused(f"rank {self.rank} takes place {place} of {size} in a communicator with {sorted(places)} taken")
        places[place] = self.rank
        return len(self.members)

    def __getattr__(self, _):
        return lambda *arguments, **keywords: 0


def import_bmtrain(root, compiled):
    import stubs

    def rendezvous(_method, rank, world_size, timeout=None):
        yield Store(), rank, world_size

    stubs.OVERRIDES["torch.distributed.rendezvous"] = rendezvous
    stubs.OVERRIDES["torch.distributed.PrefixStore"] = Store
    stubs.OVERRIDES["torch.cuda.FloatTensor"] = FloatTensor
    stubs.install("torch", "numpy", "tqdm", "tensorboard")
    sys.modules.setdefault("typing_extensions", types.SimpleNamespace(
        **{name: getattr(typing, name) for name in typing.__all__}))
    sys.modules["bmtrain.C"] = compiled
    sys.path.insert(0, str(root))
    import bmtrain
    bmtrain.init.synchronize = first_of_rank(bmtrain.init.synchronize)
    return bmtrain


def first_of_rank(barrier):
    """Every rank meets the same barrier once for each rank of the world: the first time is enough."""
    met = set()

    def once():
        rank = os.environ["RANK"]
        if rank not in met:
            met.add(rank)
            barrier()

    return once


def run_rank(path, rank, world, local, bmtrain):
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(world), LOCAL_RANK=str(rank % local), LOCAL_WORLD_SIZE=str(local),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT="29500")
    affinity = os.sched_getaffinity(0)
    try:
        runpy.run_path(str(path))
    finally:
        os.sched_setaffinity(0, affinity)  # each rank keeps its share of the CPUs for itself
    if not bmtrain.init.is_initialized():
        raise Refused("the file does not call init_distributed")


def groups_by_key(compiled):
    """Name of the store's key without its number -> the groups founded under it, members in their places."""
    found = collections.defaultdict(list)
    for key, unique_id in Store.values.items():
        places, size = compiled.members[unique_id], compiled.sizes.get(unique_id, 0)
        if sorted(places) != list(range(size)):
            raise Refused(f"the communicator {key} of {size} ranks is never complete: {len(places)} join it")
        found[re.sub(r"(_?UNIQUE_ID)\d*$", "", key)].append([places[place] for place in sorted(places)])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--world", type=int, required=True)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(os.environ.get("PEERS", ".")) / "bmtrain")
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--debug", action="store_true")
    options = parser.parse_args()
    compiled = Compiled()
    try:
        # Its functions print to what is the standard output now.
        with contextlib.redirect_stdout(io.StringIO()):
            bmtrain = import_bmtrain(options.root, compiled)
    except Exception as error:
        if options.debug:
            raise
        print(f"CHECKER FAILED importing {options.root}: {type(error).__name__}: {error}")
        return 2
    config = bmtrain.global_var.config
    try:
        for rank in range(options.world):
            compiled.rank = rank
            config["initialized"] = False
            run_rank(options.file, rank, options.world, min(8, options.world), bmtrain)
        found = groups_by_key(compiled)
    except Exception as error:
        if options.debug:
            raise
        print(f"REJECTED: {type(error).__name__}: {(str(error).splitlines() or [repr(error)])[0]}")
        return 1
    tensor, stages = config["tp_size"], config["pipe_size"]
    print(f"ACCEPTED world={options.world} pipe={stages} micros={config.get('micros') if config['pipe_enabled'] else None} "
          f"tp={tensor} dp={config['tp_zero_size']} zero={config['zero_size']}")
    if options.groups:
        # Data ranks without those of other tensor and pipeline ranks: the smallest communicator that is made.
        data = "PP_TP_ZERO" if stages > 1 and tensor > 1 else "PP_ZERO" if stages > 1 else "TP_ZERO" if tensor > 1 else "BMTRAIN"
        alone = [[rank] for rank in range(options.world)]
        print("tp", found["TP"] if tensor > 1 else alone)
        print("pp", found["PIPE"] if stages > 1 else alone)
        print("dp", found[data])
    return 0


if __name__ == "__main__":
    sys.exit(main())
