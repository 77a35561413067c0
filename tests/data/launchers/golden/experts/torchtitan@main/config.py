# experts: Qwen3 30B-A3B on 32 H100, for torchtitan@main
# Not part of a plan, set them yourself: learning rate, data, tokenizer, checkpoints.
# The plan names no tokens: 1000 steps are an example.
# Not in this file: memory.recompute_modules: torchtitan chooses operators, not modules: every second matrix product and what is cheap to compute again
from dataclasses import replace

from torchtitan.components.loss import ChunkedLossWrapper, CrossEntropyLoss
from torchtitan.components.quantization import Float8LinearConverter
from torchtitan.config import CompileConfig, ParallelismConfig, TrainingConfig
from torchtitan.distributed.activation_checkpoint import SelectiveAC
from torchtitan.models.common.config_utils import decoder_vocab_size
from torchtitan.models.qwen3 import model_registry
from torchtitan.models.qwen3.config_registry import qwen3_14b as base
from torchtitan.trainer import Trainer


def plan() -> Trainer.Config:
    model_spec = model_registry(
        "30B-A3B",
        converters=[Float8LinearConverter.Config(model_compile_enabled=True)],
    )
    return replace(
        base(),
        model_spec=model_spec,
        loss=ChunkedLossWrapper.Config(
            loss_fn=CrossEntropyLoss.Config(global_vocab_size=decoder_vocab_size(model_spec)),
        ),
        parallelism=ParallelismConfig(
            tensor_parallel_degree=2,
            pipeline_parallel_degree=2,
            context_parallel_degree=1,
            expert_parallel_degree=8,
            fsdp_reshard_after_forward="never",
            enable_sequence_parallel=True,
            data_parallel_replicate_degree=1,
            data_parallel_shard_degree=8,
            pipeline_parallel_schedule="1F1B",
            num_pp_microbatches=16,
            pipeline_parallel_first_stage_less_layers=1,
            pipeline_parallel_last_stage_less_layers=1,
        ),
        training=TrainingConfig(
            mixed_precision_param="bfloat16",
            max_context_length=4096,
            num_tokens_per_microbatch_per_dp_rank=8192,
            num_tokens_per_train_step=1048576,
            steps=1000,
            disable_cuda_graphs=True,
        ),
        activation_checkpoint=SelectiveAC.Config(),
        compile=CompileConfig(enable=True),
    )
