#!/usr/bin/env bash
# dense 3D: Llama 3 70B on 64 H100, for megatron-bridge@0.6.
# Start it on each of the 8 nodes; the node rank is the line of the node in hosts, from 0:
#   ./run.sh [NODE_RANK]
# Static rendezvous with given node ranks: rank = node rank * 8 + local GPU, as the plan places them.
# Not in these files: memory.recompute_layers: the first 2 layers of each of the 5 chunks of a rank
# Not in these files: overlap.pipeline: set comm_overlap.overlap_p2p_comm=false as well where the recipe has comm_overlap: that one would turn it on again
# Not in these files: model: name a recipe of this architecture (RECIPE of run.sh): norms, activation, biases and positions are the recipe's
# Not in these files: training.precision: mixed_precision=bf16_mixed among the words of run.sh: a recipe's own mixed precision would win over this file
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
export CUDA_DEVICE_MAX_CONNECTIONS=1
# The recipe runner takes the values of overrides.yaml as words; a script of your own can hand the file to process_config_with_overrides.
exec torchrun --nnodes "$NNODES" --nproc-per-node "$NPROC_PER_NODE" --node-rank "$NODE_RANK" \
    --rdzv-backend static --master-addr "$MASTER_ADDR" --master-port "$MASTER_PORT" \
    "${BRIDGE_DIR:-.}/scripts/training/run_recipe.py" --recipe "${RECIPE:?set RECIPE to a recipe of this architecture}" --mode pretrain \
    model.num_layers=80 \
    model.hidden_size=8192 \
    model.num_attention_heads=64 \
    model.vocab_size=128256 \
    model.tensor_model_parallel_size=4 \
    model.pipeline_model_parallel_size=4 \
    model.context_parallel_size=2 \
    model.sequence_parallel=true \
    model.ffn_hidden_size=28672 \
    model.num_query_groups=8 \
    model.kv_channels=128 \
    model.seq_length=8192 \
    model.virtual_pipeline_model_parallel_size=5 \
    model.share_embeddings_and_output_weights=false \
    model.make_vocab_size_divisible_by=64 \
    model.cp_comm_type=p2p \
    model.account_for_embedding_in_pipeline_split=false \
    model.account_for_loss_in_pipeline_split=false \
    model.pipeline_model_parallel_layout=null \
    model.recompute_granularity=full \
    model.recompute_method=block \
    model.recompute_num_layers=2 \
    model.bf16=true \
    model.fp8=null \
    model.fp4=null \
    model.tp_comm_overlap=false \
    model.overlap_moe_expert_parallel_comm=false \
    model.gradient_accumulation_fusion=true \
    model.overlap_p2p_comm=false \
    model.batch_p2p_comm=true \
    dataset.seq_length=8192 \
    train.micro_batch_size=1 \
    train.global_batch_size=128 \
    train.train_iters=953675 \
    ddp.use_distributed_optimizer=true \
    ddp.overlap_grad_reduce=true \
    ddp.overlap_param_gather=true \
    ddp.use_megatron_fsdp=false \
    optimizer.use_distributed_optimizer=true \
    optimizer.overlap_param_gather=true \
    optimizer.optimizer=adam \
    optimizer.use_precision_aware_optimizer=false \
    optimizer.optimizer_cpu_offload=false \
    dist.use_megatron_fsdp=false \
    dist.use_tp_pp_dp_mapping=false \
    mixed_precision=bf16_mixed
