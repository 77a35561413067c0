#!/usr/bin/env bash
# experts: Qwen3 30B-A3B on 32 H100, for megatron-bridge@0.6.
# Start it on each of the 4 nodes; the node rank is the line of the node in hosts, from 0:
#   ./run.sh [NODE_RANK]
# Static rendezvous with given node ranks: rank = node rank * 8 + local GPU, as the plan places them.
# Not in these files: model: name a recipe of this architecture (RECIPE of run.sh): norms, activation, biases and positions are the recipe's
# Not in these files: training.precision: mixed_precision=bf16_with_fp8_current_scaling_mixed among the words of run.sh: a recipe's own mixed precision would win over this file
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
export CUDA_DEVICE_MAX_CONNECTIONS=1
# The recipe runner takes the values of overrides.yaml as words; a script of your own can hand the file to process_config_with_overrides.
exec torchrun --nnodes "$NNODES" --nproc-per-node "$NPROC_PER_NODE" --node-rank "$NODE_RANK" \
    --rdzv-backend static --master-addr "$MASTER_ADDR" --master-port "$MASTER_PORT" \
    "${BRIDGE_DIR:-.}/scripts/training/run_recipe.py" --recipe "${RECIPE:?set RECIPE to a recipe of this architecture}" --mode pretrain \
    model.num_layers=48 \
    model.hidden_size=2048 \
    model.num_attention_heads=32 \
    model.vocab_size=151936 \
    model.tensor_model_parallel_size=2 \
    model.pipeline_model_parallel_size=2 \
    model.context_parallel_size=1 \
    model.sequence_parallel=true \
    model.num_query_groups=4 \
    model.kv_channels=128 \
    model.expert_model_parallel_size=8 \
    model.expert_tensor_parallel_size=1 \
    model.num_moe_experts=128 \
    model.moe_router_topk=8 \
    model.moe_ffn_hidden_size=768 \
    model.seq_length=4096 \
    model.virtual_pipeline_model_parallel_size=null \
    model.share_embeddings_and_output_weights=false \
    model.qk_layernorm=true \
    model.make_vocab_size_divisible_by=64 \
    model.moe_token_dispatcher_type=alltoall \
    model.moe_grouped_gemm=true \
    model.account_for_embedding_in_pipeline_split=false \
    model.account_for_loss_in_pipeline_split=false \
    model.pipeline_model_parallel_layout=null \
    model.recompute_granularity=selective \
    model.recompute_method=null \
    model.recompute_num_layers=null \
    'model.recompute_modules=[core_attn,moe_act]' \
    model.bf16=true \
    model.fp8=hybrid \
    model.fp8_recipe=tensorwise \
    model.fp4=null \
    model.tp_comm_overlap=false \
    model.overlap_moe_expert_parallel_comm=false \
    model.gradient_accumulation_fusion=true \
    dataset.seq_length=4096 \
    train.micro_batch_size=2 \
    train.global_batch_size=256 \
    train.train_iters=1000 \
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
    mixed_precision=bf16_with_fp8_current_scaling_mixed
