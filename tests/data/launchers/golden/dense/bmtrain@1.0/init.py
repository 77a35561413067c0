# dense 3D: Llama 3 70B on 64 H100, for BMTrain 1.0 (bmtrain@1.0)
# Import it first in your program. torchrun sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT.
# Not in this file: parallel.schedule: BMTrain runs gpipe instead of 1f1b
# Not in this file: parallel.tensor: build column- and row-parallel layers for the tensor ranks in your program
# Not in this file: parallel.sequence: norms and dropout work on whole sequences on every tensor rank
# Not in this file: memory.recompute_layers: build all but the first 10 blocks of each rank with use_checkpoint=False in your program
# Not in this file: training.precision: build the parameters in bf16 in your program
# Not in this file: training.gradient_dtype: gradients have the training precision
# Not in this file: training.optimizer: give an optimizer (adamw) to bmtrain's OptimManager in your program
# Not in this file: training.global_batch_size: feed 8 samples per process and step in your program; the pipeline gathers them and cuts them into micro-batches
# Not in this file: model: build the model in your program: 80 layers, hidden 8192, 64 heads of size 128, 8 KV heads, FFN 28672, vocabulary 128256
# Not in this file: training.sequence_length: feed sequences of 8192 tokens in your program
import bmtrain as bmt

bmt.init_distributed(
    seed=1234,
    pipe_size=4,
    num_micro_batches=32,
    tp_size=4,
)
