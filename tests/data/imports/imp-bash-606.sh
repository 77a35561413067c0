#!/bin/bash
export NCCL_IB_DISABLE=
NNODES=${WORLD_SIZE}
HIDDEN=4096 # 5120 for the 13B
LAYERS=32 # 40
torchrun --nproc_per_node 8 --nnodes $NNODES pretrain_gpt.py \
    --num-layers $LAYERS --hidden-size $HIDDEN --num-attention-heads 32 \
    --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 64 \
    --bf16 --vocab-size 32000 
