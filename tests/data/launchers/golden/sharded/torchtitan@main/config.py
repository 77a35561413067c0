# sharded: Llama 3 8B on 16 H100, for torchtitan@main
# Not part of a plan, set them yourself: learning rate, data, tokenizer, checkpoints.
from dataclasses import replace

from torchtitan.components.loss import ChunkedLossWrapper, CrossEntropyLoss
from torchtitan.config import CompileConfig, ParallelismConfig, TrainingConfig
from torchtitan.distributed.activation_checkpoint import FullAC
from torchtitan.models.common.config_utils import decoder_vocab_size
from torchtitan.models.llama3 import model_registry
from torchtitan.models.llama3.config_registry import llama3_8b as base
from torchtitan.trainer import Trainer


def plan() -> Trainer.Config:
    model_spec = model_registry(
        "8B",
    )
    return replace(
        base(),
        model_spec=model_spec,
        loss=ChunkedLossWrapper.Config(
            loss_fn=CrossEntropyLoss.Config(global_vocab_size=decoder_vocab_size(model_spec)),
        ),
        parallelism=ParallelismConfig(
            tensor_parallel_degree=1,
            pipeline_parallel_degree=1,
            context_parallel_degree=2,
            fsdp_reshard_after_forward="always",
            data_parallel_replicate_degree=2,
            data_parallel_shard_degree=4,
        ),
        training=TrainingConfig(
            mixed_precision_param="bfloat16",
            max_context_length=16384,
            num_tokens_per_microbatch_per_dp_rank=16384,
            num_tokens_per_train_step=1048576,
            steps=14305115,
        ),
        activation_checkpoint=FullAC.Config(),
        compile=CompileConfig(enable=False),
    )
