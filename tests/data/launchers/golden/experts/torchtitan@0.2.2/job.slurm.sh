#!/usr/bin/env bash
# experts: Qwen3 30B-A3B on 32 H100, for torchtitan@0.2.2. sbatch job.slurm.sh, from this folder.
#SBATCH --job-name=experts-Qwen3-30B-A3B-on-32-H100
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --distribution=block
#SBATCH --exclusive
set -euo pipefail
here=${SLURM_SUBMIT_DIR:-$PWD}
# The plan names no nodes: those of the job, in Slurm's order, become the node ranks.
scontrol show hostnames "$SLURM_JOB_NODELIST" > "$here/hosts"
# One task per node; torchrun starts a process for each of its GPUs.
srun --ntasks-per-node=1 --distribution=block "$here/run.sh"
