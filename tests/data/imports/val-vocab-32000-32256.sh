VOCAB=$((32000 + 2)) # two added markers of the chat format
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 32 --hidden-size 4096 \
    --num-attention-heads 32 --ffn-hidden-size 11008 --swiglu --normalization RMSNorm --disable-bias-linear \
    --position-embedding-type rope --untie-embeddings-and-output-weights --vocab-size $VOCAB \
    --tensor-model-parallel-size ${TP:-2} --sequence-parallel --micro-batch-size 8 --global-batch-size 64 \
    --seq-length 2048 --max-position-embeddings 2048 --bf16 --recompute-activations --use-flash-attn
