#!/usr/bin/env bash
# experts: Qwen3 30B-A3B on 32 H100, for deepspeed@0.19.
# Start it on each of the 4 nodes; the node rank is the line of the node in hosts, from 0:
#   ./run.sh [NODE_RANK]
# Static rendezvous with given node ranks: rank = node rank * 8 + local GPU, as the plan places them.
# Not in these files: training.precision: bf16: replace the linear layers by Transformer Engine's fp8 ones in your program
# Not in these files: parallel.pipeline: build a PipelineModule with num_stages=2 in your program; the step's 16 micro-batches are gradient_accumulation_steps
# Not in these files: parallel.layers_per_stage: choose partition_method so that the stages hold 24, 24 layers
# Not in these files: parallel.tensor: hand PipeModelDataParallelTopology(num_pp=2, num_mp=2, num_dp=8) to PipelineModule and build tensor-parallel layers in your program
# Not in these files: parallel.sequence: norms and dropout work on whole sequences on every tensor rank
# Not in these files: parallel.expert: build the MoE layers with ep_size=8 in your program
# Not in these files: memory.recompute: wrap every layer (selective) in deepspeed.checkpointing.checkpoint in your program
# Not in these files: memory.recompute_modules: inside a layer wrap core_attention, moe_act and nothing else in your program
# Not in these files: model: build the model in your program: 48 layers, hidden 2048, 32 heads of size 128, 4 KV heads, 128 experts of width 768, 8 for each token, vocabulary 151936
# Not in these files: training.sequence_length: feed sequences of 4096 tokens in your program
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
NNODES=4
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
exec torchrun --nnodes "$NNODES" --nproc-per-node "$NPROC_PER_NODE" --node-rank "$NODE_RANK" \
    --rdzv-backend static --master-addr "$MASTER_ADDR" --master-port "$MASTER_PORT" \
    "${TRAIN_SCRIPT:?set TRAIN_SCRIPT to your training program}" --deepspeed \
    --deepspeed_config "$here/ds_config.json"
