# sharded: Llama 3 8B on 16 H100, for BMTrain 1.0 (bmtrain@1.0)
# Import it first in your program. torchrun sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT.
# Not in this file: training.precision: build the parameters in bf16 in your program
# Not in this file: training.gradient_dtype: gradients have the training precision
# Not in this file: training.optimizer: give an optimizer (adamw) to bmtrain's OptimManager in your program
# Not in this file: training.global_batch_size: feed 1 samples at a time and accumulate 4 times in your program
# Not in this file: model: build the model in your program: 32 layers, hidden 4096, 32 heads of size 128, 8 KV heads, FFN 14336, vocabulary 128256
# Not in this file: training.sequence_length: feed sequences of 16384 tokens in your program
import bmtrain as bmt

bmt.init_distributed(
    seed=1234,
    tp_size=1,
)
