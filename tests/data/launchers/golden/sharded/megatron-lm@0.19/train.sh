#!/usr/bin/env bash
# sharded: Llama 3 8B on 16 H100, for Megatron-LM core 0.19 (megatron-lm@0.19)
# Not part of a plan, set them yourself: learning rate, data (--mock-data), tokenizer, checkpoints, rotary base.
# Started on every node by run.sh, which sets NODE_RANK and MASTER_ADDR; the static rendezvous keeps ranks in node order.
set -euo pipefail
export CUDA_DEVICE_MAX_CONNECTIONS=8
exec torchrun --nnodes 2 --nproc-per-node 8 --node-rank "${NODE_RANK:-0}" \
    --rdzv-backend static --master-addr "${MASTER_ADDR:-127.0.0.1}" --master-port "${MASTER_PORT:-29500}" \
    "${MEGATRON_DIR:-.}/pretrain_gpt.py" \
    --num-layers 32 \
    --hidden-size 4096 \
    --ffn-hidden-size 14336 \
    --num-attention-heads 32 \
    --group-query-attention \
    --num-query-groups 8 \
    --attention-backend flash \
    --position-embedding-type rope \
    --max-position-embeddings 16384 \
    --swiglu \
    --normalization RMSNorm \
    --disable-bias-linear \
    --vocab-size 128256 \
    --make-vocab-size-divisible-by 128 \
    --untie-embeddings-and-output-weights \
    --tensor-model-parallel-size 1 \
    --pipeline-model-parallel-size 1 \
    --context-parallel-size 2 \
    --cp-comm-type all_gather \
    --use-megatron-fsdp \
    --data-parallel-sharding-strategy optim_grads_params \
    --ckpt-format fsdp_dtensor \
    --no-gradient-accumulation-fusion \
    --num-distributed-optimizer-instances 2 \
    --outer-dp-sharding-strategy no_shard \
    --overlap-grad-reduce \
    --overlap-param-gather \
    --seq-length 16384 \
    --micro-batch-size 1 \
    --global-batch-size 64 \
    --train-iters 14305115 \
    --bf16 \
    --optimizer adam \
    --lr 3e-4 \
    --min-lr 3e-5 \
    --lr-decay-style cosine \
    --clip-grad 1.0 \
    --recompute-granularity full \
    --recompute-method uniform \
    --recompute-num-layers 1 \
    --tokenizer-type NullTokenizer \
    --mock-data
