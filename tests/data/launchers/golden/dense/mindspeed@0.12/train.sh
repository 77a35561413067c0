#!/usr/bin/env bash
# dense 3D: Llama 3 70B on 64 H100, for MindSpeed 0.12 on Megatron-LM core 0.12 (mindspeed@0.12)
# pretrain_gpt.py must import mindspeed.megatron_adaptor before anything of Megatron.
# Not part of a plan, set them yourself: learning rate, data (--mock-data), tokenizer, checkpoints, rotary base.
# Not in this file: model.vocab: the vocabulary is padded to 128512 rows
# Not in this file: memory.recompute_layers: the first 2 layers of each of the 5 chunks of a rank
# Started on every node by run.sh, which sets NODE_RANK and MASTER_ADDR; the static rendezvous keeps ranks in node order.
set -euo pipefail
export CUDA_DEVICE_MAX_CONNECTIONS=1
exec torchrun --nnodes 8 --nproc-per-node 8 --node-rank "${NODE_RANK:-0}" \
    --rdzv-backend static --master-addr "${MASTER_ADDR:-127.0.0.1}" --master-port "${MASTER_PORT:-29500}" \
    "${MEGATRON_DIR:-.}/pretrain_gpt.py" \
    --num-layers 80 \
    --hidden-size 8192 \
    --ffn-hidden-size 28672 \
    --num-attention-heads 64 \
    --group-query-attention \
    --num-query-groups 8 \
    --attention-backend flash \
    --position-embedding-type rope \
    --max-position-embeddings 8192 \
    --swiglu \
    --normalization RMSNorm \
    --disable-bias-linear \
    --vocab-size 128256 \
    --make-vocab-size-divisible-by 64 \
    --untie-embeddings-and-output-weights \
    --tensor-model-parallel-size 4 \
    --pipeline-model-parallel-size 4 \
    --context-parallel-size 2 \
    --context-parallel-algo megatron_cp_algo \
    --sequence-parallel \
    --num-virtual-stages-per-pipeline-rank 5 \
    --no-overlap-p2p-communication \
    --use-distributed-optimizer \
    --overlap-grad-reduce \
    --overlap-param-gather \
    --seq-length 8192 \
    --micro-batch-size 1 \
    --global-batch-size 128 \
    --train-iters 953675 \
    --bf16 \
    --optimizer adam \
    --lr 3e-4 \
    --min-lr 3e-5 \
    --lr-decay-style cosine \
    --clip-grad 1.0 \
    --recompute-granularity full \
    --recompute-method block \
    --recompute-num-layers 2 \
    --tokenizer-type NullTokenizer \
    --mock-data
