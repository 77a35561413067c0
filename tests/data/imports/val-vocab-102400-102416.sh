# A script of the form: run.sh MODEL_SIZE MICRO_BATCH GLOBAL_BATCH TP PP EP
MODEL_SIZE=$1
BATCH_SIZE=$2
GLOBAL_BATCH_SIZE=$3
TP=$4
PP=$5
EP=$6
EXTRA_VOCAB_SIZE=16
megatron_options=" \
    --num-layers 27 --hidden-size 2048 --num-attention-heads 16 --ffn-hidden-size 10944 \
    --vocab-size 102400 --extra-vocab-size ${EXTRA_VOCAB_SIZE} --make-vocab-size-divisible-by 1 \
    --micro-batch-size ${BATCH_SIZE} --global-batch-size ${GLOBAL_BATCH_SIZE} \
    --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size ${PP} \
    --expert-model-parallel-size ${EP} --num-experts 64 --seq-length 4096 --max-position-embeddings 4096 --bf16"
run_cmd="torchrun --nproc_per_node 4 pretrain_deepseek.py ${megatron_options}"
eval $run_cmd
