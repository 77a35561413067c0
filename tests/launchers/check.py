#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs launchers' own parsers over the exports listed in OUT/index.jsonl; see check.sh."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CHECKERS = pathlib.Path(os.environ["CHECKERS"])
PEERS = pathlib.Path(os.environ["PEERS"])
MOST = int(os.environ.get("MOST", "1000000"))
JOBS = int(os.environ.get("JOBS", "2"))


def megatron(row, path):
    version = row["version"]
    root = PEERS / "megatron-lm" if version == "main" else PEERS / "rel" / f"megatron-core_v{version}.0"
    return ["check_megatron.py", path, "--world", row["world"], "--root", root]


def mindspeed(row, path):
    root = PEERS / "rel" / "megatron-core_v0.12.0"
    return ["check_megatron.py", path, "--world", row["world"], "--root", root, "--mindspeed", PEERS / "mindspeed"]


def deepspeed(row, path):
    command = ["check_deepspeed.py", path, "--world", row["world"], "--pp", row["pipeline"]]
    if row["pipeline"] > 1:
        command += ["--tp", row["tensor"]]
    return command


def torchtitan(row, path):
    path = f"{path}:plan" if row["version"] == "main" else path
    return ["check_torchtitan.py", path, "--world", row["world"]] + (["--groups"] if "groups" in row else [])


def nanotron(row, path):
    return ["check_nanotron.py", path, "--world", row["world"]] + (["--groups"] if "groups" in row else [])


def sagemaker(row, path):
    sdk = PEERS / "rel" / "sagemaker-v2.250.0" / "src" / "sagemaker" / "fw_utils.py"
    return ["check_sagemaker.py", path, "--world", row["world"], "--sdk2", sdk]


def bmtrain(row, path):
    return ["check_bmtrain.py", path, "--world", row["world"]] + (["--groups"] if "groups" in row else [])


def simple(checker, world=True):
    return lambda row, path: [checker, path] + (["--world", row["world"]] if world else [])


COMMANDS = {
    "megatron-lm": megatron,
    "mindspeed": mindspeed,
    "deepspeed": deepspeed,
    "torchtitan": torchtitan,
    "nanotron": nanotron,
    "accelerate": simple("check_accelerate.py", world=False),
    "llm-foundry": simple("check_llmfoundry.py"),
    "megatron-bridge": simple("check_bridge.py"),
    "colossalai": simple("check_colossalai.py"),
    "sagemaker": sagemaker,
    "bmtrain": bmtrain,
}
# Debian's own Python, where it brings the packages that the checker needs.
SYSTEM_PYTHON = {"check_llmfoundry.py"}

# accelerate asks whether a package for fp8 is installed: an empty one of its name stands in.
STAND_IN = tempfile.mkdtemp()
os.makedirs(os.path.join(STAND_IN, "transformer_engine"))
pathlib.Path(STAND_IN, "transformer_engine", "__init__.py").touch()
os.makedirs(os.path.join(STAND_IN, "transformer_engine-2.9.0.dist-info"))
pathlib.Path(STAND_IN, "transformer_engine-2.9.0.dist-info", "METADATA").write_text(
    "Metadata-Version: 2.1\nName: transformer-engine\nVersion: 2.9.0\n")
ENVIRONMENT = {"accelerate": {"PYTHONPATH": STAND_IN}}

# Printed group name -> ours, where both mean the same ranks.
GROUPS = {
    "bmtrain": {"tp": "tp", "dp": "dp", "pp": "pp"},
    "nanotron": {"tp": "tp", "cp": "cp", "dp": "dp", "pp": "pp"},
    "torchtitan": {"tp": "tp", "cp": "cp", "pp": "pp", "ep": "ep", "etp": "etp"},
}


def as_sets(groups):
    return sorted(tuple(sorted(group)) for group in groups)


def compare_groups(row, output):
    """Groups that the launcher printed against the plan's; a list of those that differ, and how many were compared."""
    wrong, compared = [], 0
    for line in output.splitlines():
        match = re.match(r"(\w+) (\[\[.*\]\])$", line)
        ours = GROUPS.get(row["launcher"], {}).get(match.group(1)) if match else None
        if ours is None or ours not in row["groups"] or not row["groups"][ours]:
            continue
        # Without expert ranks torchtitan lays experts over the tensor ranks, and its own mesh of that name is idle.
        if row["launcher"] == "torchtitan" and ours == "etp" and all(len(g) == 1 for g in row["groups"]["ep"]):
            continue
        compared += 1
        if as_sets(json.loads(match.group(2))) != as_sets(row["groups"][ours]):
            wrong.append(match.group(1))
    return wrong, compared


def exported_environment(folder):
    """The variables that run.sh sets for the launcher."""
    lines = (folder / "run.sh").read_text().splitlines()
    return dict(re.findall(r"^export (\w+)=(\w+)$", "\n".join(lines), re.MULTILINE))


def check(row, out):
    path = (out / row["folder"] / row["file"]).resolve()
    command = [str(word) for word in COMMANDS[row["launcher"]](row, path)]
    python = "/usr/bin/python3" if command[0] in SYSTEM_PYTHON else sys.executable
    own = HERE / command[0]
    command = [python, str(own if own.exists() else CHECKERS / command[0])] + command[1:]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=300,
                             env={**os.environ, **exported_environment(path.parent),
                                  **ENVIRONMENT.get(row["launcher"], {})})
    except subprocess.TimeoutExpired:
        return row, 2, "no answer within 300 s", ([], 0)
    said = (run.stdout.strip() or run.stderr.strip() or "no output").splitlines()
    first = next((line for line in said if not line.startswith("NOTE")), said[0])
    notes = [line for line in said if line.startswith(("NOTE", "WARNING"))]
    groups = compare_groups(row, run.stdout) if "groups" in row and run.returncode == 0 else ([], 0)
    return row, run.returncode, first + "".join("\n    " + note for note in notes), groups


def main():
    out = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:]
    rows = collections.defaultdict(list)
    for line in (out / "index.jsonl").read_text().splitlines():
        row = json.loads(line)
        target = f"{row['launcher']}@{row['version']}"
        if row["launcher"] in COMMANDS and (not wanted or row["launcher"] in wanted or target in wanted):
            rows[target].append(row)
    bad = False
    for target, all_rows in rows.items():
        step = max(1, -(-len(all_rows) // MOST))
        chosen = all_rows[::step]
        counts, compared, differing = collections.Counter(), 0, 0
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for row, code, said, (wrong, groups) in pool.map(lambda row: check(row, out), chosen):
                counts[code] += 1
                compared += groups
                differing += len(wrong)
                if code != 0 or "\n" in said:
                    print(f"  {row['folder']}: {said}")
                if wrong:
                    print(f"  {row['folder']}: other groups than the plan's: {', '.join(wrong)}")
        failed = len(chosen) - counts[0] - counts[1]
        bad |= counts[0] != len(chosen)
        print(f"{target}: {len(chosen)} files, {counts[0]} accepted, {counts[1]} refused, {failed} checks failed; "
              f"{compared} kinds of groups compared, {differing} differ", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
