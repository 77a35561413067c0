#!/usr/bin/env bash
# dense 3D: Llama 3 70B on 64 H100, for bmtrain@1.0.
# Start it on each of the 8 nodes; the node rank is the line of the node in hosts, from 0:
#   ./run.sh [NODE_RANK]
# Static rendezvous with given node ranks: rank = node rank * 8 + local GPU, as the plan places them.
# Not in these files: parallel.schedule: BMTrain runs gpipe instead of 1f1b
# Not in these files: parallel.tensor: build column- and row-parallel layers for the tensor ranks in your program
# Not in these files: parallel.sequence: norms and dropout work on whole sequences on every tensor rank
# Not in these files: memory.recompute_layers: build all but the first 10 blocks of each rank with use_checkpoint=False in your program
# Not in these files: training.precision: build the parameters in bf16 in your program
# Not in these files: training.gradient_dtype: gradients have the training precision
# Not in these files: training.optimizer: give an optimizer (adamw) to bmtrain's OptimManager in your program
# Not in these files: training.global_batch_size: feed 8 samples per process and step in your program; the pipeline gathers them and cuts them into micro-batches
# Not in these files: model: build the model in your program: 80 layers, hidden 8192, 64 heads of size 128, 8 KV heads, FFN 28672, vocabulary 128256
# Not in these files: training.sequence_length: feed sequences of 8192 tokens in your program
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
NNODES=8
NPROC_PER_NODE=8
mapfile -t hosts < <(tr -d '\r' < "$here/hosts" | grep -Ev '^[[:space:]]*(#|$)')
if [[ ${#hosts[@]} -ne $NNODES ]]; then
    echo "$here/hosts names ${#hosts[@]} nodes; the plan needs $NNODES, one per line, in the order of the node ranks" >&2
    exit 2
fi
NODE_RANK=${1:-${NODE_RANK:-}}
if [[ -z $NODE_RANK ]]; then
    name=$(hostname)
    for i in "${!hosts[@]}"; do
        if [[ ${hosts[$i]} == "$name" || ${hosts[$i]} == "${name%%.*}" || ${hosts[$i]%%.*} == "$name" ]]; then
            NODE_RANK=$i
        fi
    done
fi
if [[ -z $NODE_RANK ]]; then
    echo "this node ($name) is not in $here/hosts; name it there or give its rank: $0 NODE_RANK" >&2
    exit 2
fi
if ! [[ $NODE_RANK =~ ^[0-9]+$ && $NODE_RANK -lt $NNODES ]]; then
    echo "$NODE_RANK is no rank of a node; 0 to $((NNODES - 1)) is right" >&2
    exit 2
fi
MASTER_ADDR=${MASTER_ADDR:-${hosts[0]}}
MASTER_PORT=${MASTER_PORT:-29500}
export NNODES NPROC_PER_NODE NODE_RANK MASTER_ADDR MASTER_PORT
export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
exec torchrun --nnodes "$NNODES" --nproc-per-node "$NPROC_PER_NODE" --node-rank "$NODE_RANK" \
    --rdzv-backend static --master-addr "$MASTER_ADDR" --master-port "$MASTER_PORT" \
    "${TRAIN_SCRIPT:?set TRAIN_SCRIPT to the training program that imports init}"
