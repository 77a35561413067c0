# dense 3D: Llama 3 70B on 64 H100, for torchtitan@main
# Not part of a plan, set them yourself: learning rate, data, tokenizer, checkpoints.
# Not in this file: memory.recompute_layers: every layer is recomputed
# Not in this file: parallel.context_kind: keys and values are gathered: FlexAttention passes none around
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
        "70B",
    )
    return replace(
        base(),
        model_spec=model_spec,
        loss=ChunkedLossWrapper.Config(
            loss_fn=CrossEntropyLoss.Config(global_vocab_size=decoder_vocab_size(model_spec)),
        ),
        parallelism=ParallelismConfig(
            tensor_parallel_degree=4,
            pipeline_parallel_degree=4,
            context_parallel_degree=2,
            fsdp_reshard_after_forward="never",
            enable_sequence_parallel=True,
            data_parallel_replicate_degree=1,
            data_parallel_shard_degree=2,
            pipeline_parallel_schedule="Interleaved1F1B",
            num_pp_microbatches=64,
            pipeline_parallel_first_stage_less_layers=0,
            pipeline_parallel_last_stage_less_layers=0,
            pipeline_parallel_layers_per_stage=4,
        ),
        training=TrainingConfig(
            mixed_precision_param="bfloat16",
            max_context_length=8192,
            num_tokens_per_microbatch_per_dp_rank=8192,
            num_tokens_per_train_step=1048576,
            steps=953675,
            disable_cuda_graphs=True,
        ),
        activation_checkpoint=FullAC.Config(),
        compile=CompileConfig(enable=False),
    )
