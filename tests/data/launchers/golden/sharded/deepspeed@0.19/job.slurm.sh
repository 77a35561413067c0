#!/usr/bin/env bash
# sharded: Llama 3 8B on 16 H100, for deepspeed@0.19. sbatch job.slurm.sh, from this folder.
#SBATCH --job-name=sharded-Llama-3-8B-on-16-H100
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --distribution=block
#SBATCH --exclusive
#SBATCH --nodelist=./hosts
set -euo pipefail
here=${SLURM_SUBMIT_DIR:-$PWD}
# One task per node; torchrun starts a process for each of its GPUs.
srun --ntasks-per-node=1 --distribution=block "$here/run.sh"
