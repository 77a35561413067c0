# experts: Qwen3 30B-A3B on 32 H100, for BMTrain 1.0 (bmtrain@1.0)
# Import it first in your program. torchrun sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT.
# Not in this file: parallel.schedule: BMTrain runs gpipe instead of 1f1b
# Not in this file: parallel.tensor: build column- and row-parallel layers for the tensor ranks in your program
# Not in this file: parallel.sequence: norms and dropout work on whole sequences on every tensor rank
# Not in this file: memory.recompute: every block is recomputed as a whole
# Not in this file: training.precision: build the parameters in fp8 in your program
# Not in this file: training.gradient_dtype: gradients have the training precision
# Not in this file: training.optimizer: give an optimizer (adamw) to bmtrain's OptimManager in your program
# Not in this file: training.global_batch_size: feed 16 samples per process and step in your program; the pipeline gathers them and cuts them into micro-batches
# Not in this file: model: build the model in your program: 48 layers, hidden 2048, 32 heads of size 128, 4 KV heads, 128 experts of width 768, 8 for each token, vocabulary 151936
# Not in this file: training.sequence_length: feed sequences of 4096 tokens in your program
import bmtrain as bmt

bmt.init_distributed(
    seed=1234,
    pipe_size=2,
    num_micro_batches=16,
    tp_size=2,
)
