#!/usr/bin/env bash
# experts: Qwen3 30B-A3B on 32 H100, for Megatron-LM main (megatron-lm@main)
# Not part of a plan, set them yourself: learning rate, data (--mock-data), tokenizer, checkpoints, rotary base.
# The plan names no tokens: --train-iters 1000 is an example.
# Started on every node by run.sh, which sets NODE_RANK and MASTER_ADDR; the static rendezvous keeps ranks in node order.
set -euo pipefail
export CUDA_DEVICE_MAX_CONNECTIONS=1
exec torchrun --nnodes 4 --nproc-per-node 8 --node-rank "${NODE_RANK:-0}" \
    --rdzv-backend static --master-addr "${MASTER_ADDR:-127.0.0.1}" --master-port "${MASTER_PORT:-29500}" \
    "${MEGATRON_DIR:-.}/pretrain_gpt.py" \
    --num-layers 48 \
    --hidden-size 2048 \
    --num-attention-heads 32 \
    --group-query-attention \
    --num-query-groups 4 \
    --kv-channels 128 \
    --attention-backend flash \
    --position-embedding-type rope \
    --max-position-embeddings 4096 \
    --swiglu \
    --normalization RMSNorm \
    --qk-layernorm \
    --disable-bias-linear \
    --vocab-size 151936 \
    --make-vocab-size-divisible-by 64 \
    --untie-embeddings-and-output-weights \
    --num-experts 128 \
    --moe-router-topk 8 \
    --moe-ffn-hidden-size 768 \
    --moe-grouped-gemm \
    --moe-token-dispatcher-type alltoall \
    --tensor-model-parallel-size 2 \
    --pipeline-model-parallel-size 2 \
    --context-parallel-size 1 \
    --expert-model-parallel-size 8 \
    --expert-tensor-parallel-size 1 \
    --sequence-parallel \
    --use-distributed-optimizer \
    --overlap-grad-reduce \
    --overlap-param-gather \
    --seq-length 4096 \
    --micro-batch-size 2 \
    --global-batch-size 256 \
    --train-iters 1000 \
    --bf16 \
    --fp8-format hybrid \
    --fp8-recipe tensorwise \
    --optimizer adam \
    --lr 3e-4 \
    --min-lr 3e-5 \
    --lr-decay-style cosine \
    --clip-grad 1.0 \
    --recompute-granularity selective \
    --recompute-modules core_attn moe_act \
    --tokenizer-type NullTokenizer \
    --mock-data
