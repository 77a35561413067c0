#!/usr/bin/env bash
# dense 3D: Llama 3 70B on 64 H100, for torchtitan@0.2.2. sbatch job.slurm.sh, from this folder.
#SBATCH --job-name=dense-3D-Llama-3-70B-on-64-H100
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --distribution=block
#SBATCH --exclusive
#SBATCH --nodelist=./hosts
set -euo pipefail
here=${SLURM_SUBMIT_DIR:-$PWD}
# One task per node; torchrun starts a process for each of its GPUs.
srun --ntasks-per-node=1 --distribution=block "$here/run.sh"
