ARGS="--num-layers 24 --hidden-size 1024
  --num-attention-heads 16
  --seq-length 1024 --max-position-embeddings 1024"
torchrun --nproc_per_node 4 pretrain_gpt.py \
    $ARGS \
    --micro-batch-size 2 --global-batch-size 32
    --tensor-model-parallel-size 2 \
    --bf16
