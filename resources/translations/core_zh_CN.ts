<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>core</name>
    <message>
        <source>{0} runs {1} instead of {2}: step time, bubble and memory shown are those of {2}</source>
        <translation>{0} 以 {1} 代替 {2} 运行：所示单步时间、气泡和显存属于 {2}</translation>
    </message>
    <message>
        <source>torchtitan splits every expert over the {0} tensor ranks where expert is 1</source>
        <translation>expert 为 1 时 torchtitan 会把每个专家切分到 {0} 个张量 rank 上</translation>
    </message>
    <message>
        <source>nanotron splits layers by their cost, the head counted with the last ones: no list is read</source>
        <translation>nanotron 按层的开销切分，输出头计入最后的层：不读取列表</translation>
    </message>
    <message>
        <source>accelerate&apos;s Megatron plugin can only make the last stage differ from the others</source>
        <translation>accelerate 的 Megatron 插件只能让最后一个阶段与其他阶段不同</translation>
    </message>
    <message>
        <source>accelerate cuts a sequence into 2 · context = {0} parts, to balance causal attention; {1} tokens do not divide</source>
        <translation>accelerate 把序列切成 2 · context = {0} 份以均衡因果注意力；{1} 个 token 无法均分</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s muon with zero {0} needs reduce_scatter off, which accelerate&apos;s configuration cannot say</source>
        <translation>zero {0} 下 DeepSpeed 的 muon 需要关闭 reduce_scatter，accelerate 的配置无法表达</translation>
    </message>
    <message>
        <source>DeepSpeed cannot offload the optimizer where states are sharded over {0} of {1} ranks</source>
        <translation>状态只在 {1} 个 rank 中的 {0} 个上分片时，DeepSpeed 无法卸载优化器</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s muon on the host needs reduce_scatter off, experts with zero {0} need it on</source>
        <translation>主机上的 DeepSpeed muon 需要关闭 reduce_scatter，而 zero {0} 下的专家需要打开它</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s AutoTP has {0} KV heads for {1} tensor ranks: some ranks hold none</source>
        <translation>DeepSpeed 的 AutoTP 只有 {0} 个 KV 头，却有 {1} 个张量 rank：部分 rank 一个也没有</translation>
    </message>
    <message>
        <source>ColossalAI does not repeat key and value heads: {0} heads cannot be split over {1} ranks of tensor and Ulysses</source>
        <translation>ColossalAI 不复制键值头：{0} 个头无法切分到张量与 Ulysses 的 {1} 个 rank 上</translation>
    </message>
    <message>
        <source>MindSpeed&apos;s dualpipev needs context 1, not {0}</source>
        <translation>MindSpeed 的 dualpipev 需要 context 1，不能是 {0}</translation>
    </message>
    <message>
        <source>MindSpeed&apos;s dualpipev needs zero 0 or 1, not {1}</source>
        <translation>MindSpeed 的 dualpipev 需要 zero 0 或 1，不能是 {1}</translation>
    </message>
    <message>
        <source>MindSpeed&apos;s dualpipev needs embeddings that are not tied</source>
        <translation>MindSpeed 的 dualpipev 需要不共享的嵌入</translation>
    </message>
    <message>
        <source>MindSpeed&apos;s dualpipev needs at least {2} layers, not {3}</source>
        <translation>MindSpeed 的 dualpipev 至少需要 {2} 层，现为 {3} 层</translation>
    </message>
    <message>
        <source>MindSpeed&apos;s dualpipev needs at least {4} micro-batches, not {5}</source>
        <translation>MindSpeed 的 dualpipev 至少需要 {4} 个微批次，现为 {5} 个</translation>
    </message>
    <message>
        <source>layers for multi-token prediction are not recomputed: block leaves them out</source>
        <translation>多 token 预测层不会重计算：block 不包括它们</translation>
    </message>
    <message>
        <source>Megatron 0.12 splits KV heads and does not copy them: {0} over {1} tensor ranks</source>
        <translation>Megatron 0.12 切分 KV 头而不复制：{0} 个分到 {1} 个张量 rank</translation>
    </message>
    <message>
        <source>Megatron 0.12 cannot train MTP layers with context {0}</source>
        <translation>Megatron 0.12 无法在 context {0} 下训练 MTP 层</translation>
    </message>
    <message>
        <source>mixed_precision={0} among the words of run.sh: a recipe&apos;s own mixed precision would win over this file</source>
        <translation>run.sh 的参数中的 mixed_precision={0}：配方自带的混合精度会优先于此文件</translation>
    </message>
    <message>
        <source>{0} does not split an expert over tensor ranks: {1} must be 1</source>
        <translation>{0} 不把专家切分到张量 rank 上：{1} 必须为 1</translation>
    </message>
    <message>
        <source>{0} splits an expert over the {2} tensor ranks: expert_tensor {1} must be {2}</source>
        <translation>{0} 把专家切分到 {2} 个张量 rank 上：expert_tensor {1} 必须为 {2}</translation>
    </message>
    <message>
        <source>{0} has no way to run zero {1}; it runs {2}</source>
        <translation>{0} 无法运行 zero {1}；它支持 {2}</translation>
    </message>
    <message>
        <source>{0} has no pipeline parallelism: {1} stages cannot run</source>
        <translation>{0} 没有流水线并行：无法运行 {1} 个阶段</translation>
    </message>
    <message>
        <source>{0} runs one chunk of the model per pipeline rank, not {1}</source>
        <translation>{0} 每个流水线 rank 只运行一个模型块，不能是 {1} 个</translation>
    </message>
    <message>
        <source>{0} has no context parallelism: a sequence cannot be split over {1} ranks</source>
        <translation>{0} 没有上下文并行：序列无法切分到 {1} 个 rank</translation>
    </message>
    <message>
        <source>{0} does not split sequences by {1}</source>
        <translation>{0} 不用 {1} 切分序列</translation>
    </message>
    <message>
        <source>{0} has no expert parallelism: {1} ranks cannot share the experts</source>
        <translation>{0} 没有专家并行：{1} 个 rank 无法分担专家</translation>
    </message>
    <message>
        <source>{0} shards states over all {1} ranks, not over groups of {2}</source>
        <translation>{0} 在全部 {1} 个 rank 上分片状态，不能按 {2} 个一组分片</translation>
    </message>
    <message>
        <source>{0} layers do not divide into {1} stages of {2} chunks each; Megatron refuses that or, in releases without the check, builds {3} layers</source>
        <translation>{0} 层无法均分为 {1} 个阶段、每阶段 {2} 块；Megatron 会拒绝，没有此检查的版本则只构建 {3} 层</translation>
    </message>
    <message>
        <source>{0} layers do not divide into {1} stages; Megatron refuses that or, in releases without the check, builds {2} layers</source>
        <translation>{0} 层无法均分为 {1} 个阶段；Megatron 会拒绝，没有此检查的版本则只构建 {2} 层</translation>
    </message>
    <message>
        <source>Megatron 0.12 can only give the first and the last chunk one layer less than the others</source>
        <translation>Megatron 0.12 只能让首块和末块比其他块少一层</translation>
    </message>
    <message>
        <source>Megatron 0.12 can only make the first and the last stage differ from the others</source>
        <translation>Megatron 0.12 只能让首阶段和末阶段与其他阶段不同</translation>
    </message>
    <message>
        <source>Megatron takes {0} micro-batches in groups of {1}, which do not make an interleaved step over {2} stages: whole groups are needed, or a rest of at least {2}</source>
        <translation>Megatron 把 {0} 个微批次按 {1} 个一组，无法在 {2} 个阶段上组成交错的一步：需要整组，或余数至少为 {2}</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens is not a multiple of 2 · context = {1}, which Megatron asks of every kind</source>
        <translation>{0} 个 token 的序列不是 2 · context = {1} 的倍数，而 Megatron 对每种上下文并行都有此要求</translation>
    </message>
    <message>
        <source>Megatron drops sequence parallelism with tensor 1 without a word</source>
        <translation>tensor 为 1 时 Megatron 会悄悄关闭序列并行</translation>
    </message>
    <message>
        <source>Megatron&apos;s expert layers train with tensor {0} only with sequence parallelism; without it the first step fails</source>
        <translation>Megatron 的专家层在张量并行 {0} 时必须开启序列并行才能训练；否则第一步就会失败</translation>
    </message>
    <message>
        <source>DeepSpeed refuses to offload the optimizer where experts are spread beside tensor {0}</source>
        <translation>专家并行与张量并行 {0} 同用时，DeepSpeed 拒绝卸载优化器</translation>
    </message>
    <message>
        <source>no program *.py is started by the text alone: the flags that these variables hold count</source>
        <translation>仅从文本看没有启动 *.py 程序：以这些变量中的参数为准</translation>
    </message>
    <message>
        <source>{0} says otherwise than {1}, which counts</source>
        <translation>{0} 与 {1} 不一致，以后者为准</translation>
    </message>
    <message>
        <source>the number of processes is ${0}, which the script does not set</source>
        <translation>进程数为 ${0}，脚本中没有设置它</translation>
    </message>
    <message>
        <source>no single number: how many processes run is not known</source>
        <translation>不是单个数字：无法得知运行多少个进程</translation>
    </message>
    <message>
        <source>one node: no number of nodes is given</source>
        <translation>按一个节点计：没有给出节点数</translation>
    </message>
    <message>
        <source>the processes per node are given, the number of nodes is not</source>
        <translation>给出了每节点的进程数，没有给出节点数</translation>
    </message>
    <message>
        <source>may stand in {0}, which is not known from this file alone</source>
        <translation>可能写在 {0} 里，仅凭本文件无法得知其内容</translation>
    </message>
    <message>
        <source>torchrun without --nnodes is one node each, and the job has several</source>
        <translation>不带 --nnodes 的 torchrun 各自只算一个节点，而作业有多个节点</translation>
    </message>
    <message>
        <source>as Slurm sets it in a job with {0}</source>
        <translation>按 Slurm 在带有 {0} 的作业中所设的值</translation>
    </message>
    <message>
        <source>without --recompute-granularity full it has no effect</source>
        <translation>没有 --recompute-granularity full 时不起作用</translation>
    </message>
    <message>
        <source>a script has no parts: it has no effect</source>
        <translation>脚本没有可选的部分：该选项不起作用</translation>
    </message>
    <message>
        <source>taken as the program: flags of Megatron-LM stand behind it</source>
        <translation>视为程序：其后是 Megatron-LM 的参数</translation>
    </message>
    <message>
        <source>no program *.py is started by the text alone: the flags that this variable holds count</source>
        <translation>仅从文本看没有启动 *.py 程序：以该变量中的参数为准</translation>
    </message>
    <message>
        <source>the first configuration of {0} counts: {1}</source>
        <translation>以 {0} 个配置中的第一个为准：{1}</translation>
    </message>
    <message>
        <source>zero_optimization.stage is none of 0 to 3</source>
        <translation>zero_optimization.stage 不是 0 到 3</translation>
    </message>
    <message>
        <source>Experts with biases cannot be split over {0} tensor ranks</source>
        <translation>带偏置的专家无法切分到 {0} 个张量 rank</translation>
    </message>
    <message>
        <source>zero {0} runs on Megatron&apos;s FSDP, which trains with adamw or sgd only</source>
        <translation>zero {0} 由 Megatron 的 FSDP 运行，它只支持 adamw 或 sgd</translation>
    </message>
    <message>
        <source>Megatron 0.12 cannot shard gradients or parameters over a part of the ranks</source>
        <translation>Megatron 0.12 无法只在部分 rank 上分片梯度或参数</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens is longer than the {1} learned positions</source>
        <translation>{0} 个 token 的序列超过了 {1} 个学习的位置</translation>
    </message>
    <message>
        <source>Megatron&apos;s {0} MTP layers do not go with learned positions</source>
        <translation>Megatron 的 {0} 个 MTP 层不能与学习的位置一起使用</translation>
    </message>
    <message>
        <source>Megatron offloads activations only without a pipeline and without recomputation: they stay on the GPU</source>
        <translation>Megatron 只在没有流水线和重计算时卸载激活：激活会留在 GPU 上</translation>
    </message>
    <message>
        <source>Megatron keeps optimizer states in 16 bits or on the host only with adamw and zero 1 or more: they stay as they are</source>
        <translation>Megatron 只在 adamw 且 zero 至少为 1 时才把优化器状态存为 16 位或放到主机：状态将保持原样</translation>
    </message>
    <message>
        <source>DeepSpeed shards over a part of the ranks with zero 3 only, not {0}</source>
        <translation>DeepSpeed 只在 zero 3 时按部分 rank 分片，不能是 {0}</translation>
    </message>
    <message>
        <source>Expert parallelism with zero 3 excludes tensor parallelism, Ulysses and hybrid sharding</source>
        <translation>zero 3 的专家并行不能与张量并行、Ulysses 和混合分片同用</translation>
    </message>
    <message>
        <source>ColossalAI refuses zero {0} with {1} pipeline ranks</source>
        <translation>ColossalAI 拒绝在 {1} 个流水线 rank 上使用 zero {0}</translation>
    </message>
    <message>
        <source>ColossalAI&apos;s zero {0} trains in bf16 or fp16 only</source>
        <translation>ColossalAI 的 zero {0} 只支持 bf16 或 fp16 训练</translation>
    </message>
    <message>
        <source>ColossalAI&apos;s interleaved schedule needs a multiple of {0} micro-batches, as many as stages, not {1}</source>
        <translation>ColossalAI 的交错调度需要微批次数是阶段数 {0} 的倍数，不能是 {1}</translation>
    </message>
    <message>
        <source>ColossalAI runs a model with experts with zero 0 or 1</source>
        <translation>ColossalAI 只用 zero 0 或 1 运行带专家的模型</translation>
    </message>
    <message>
        <source>ColossalAI places experts on data ranks: expert {0} must divide data {1}</source>
        <translation>ColossalAI 把专家放在数据 rank 上：expert {0} 必须整除 data {1}</translation>
    </message>
    <message>
        <source>ColossalAI&apos;s plugin for experts has no ring attention</source>
        <translation>ColossalAI 的专家插件没有环形注意力</translation>
    </message>
    <message>
        <source>SageMaker&apos;s sharded data parallelism excludes {0} pipeline ranks</source>
        <translation>SageMaker 的分片数据并行不能与 {0} 个流水线 rank 同用</translation>
    </message>
    <message>
        <source>SageMaker&apos;s context ranks lie within a shard group: context {0} must divide the {1} ranks that states are sharded over</source>
        <translation>SageMaker 的上下文 rank 位于分片组之内：context {0} 必须整除状态分片所在的 {1} 个 rank</translation>
    </message>
    <message>
        <source>BMTrain&apos;s {0} pipeline ranks must bring equal parts of the {1} samples of a step</source>
        <translation>BMTrain 的 {0} 个流水线 rank 必须平分每步的 {1} 个样本</translation>
    </message>
    <message>
        <source>zero {0} has one rank to shard over: tensor {1} takes all of them</source>
        <translation>zero {0} 只有一个 rank 可分片：tensor {1} 占用了全部</translation>
    </message>
    <message>
        <source>name a recipe of this architecture (RECIPE of run.sh): norms, activation, biases and positions are the recipe&apos;s</source>
        <translation>请指定此架构的配方（run.sh 的 RECIPE）：归一化、激活、偏置和位置由配方决定</translation>
    </message>
    <message>
        <source>gradients are kept in fp32: set grad_reduce_in_fp32 of the mixed precision in your recipe</source>
        <translation>梯度保持 fp32：请在配方中设置混合精度的 grad_reduce_in_fp32</translation>
    </message>
    <message>
        <source>fp32 moments: set exp_avg_dtype and exp_avg_sq_dtype in your recipe</source>
        <translation>动量为 fp32：请在配方中设置 exp_avg_dtype 和 exp_avg_sq_dtype</translation>
    </message>
    <message>
        <source>the recipe&apos;s attention backend</source>
        <translation>由配方决定注意力后端</translation>
    </message>
    <message>
        <source>fp8: ColossalAI has no block-scaled formats</source>
        <translation>fp8：ColossalAI 没有分块缩放的格式</translation>
    </message>
    <message>
        <source>gradients have the training precision</source>
        <translation>梯度使用训练精度</translation>
    </message>
    <message>
        <source>the moments have the dtype that your optimizer keeps</source>
        <translation>动量使用您的优化器所保存的类型</translation>
    </message>
    <message>
        <source>give an optimizer ({0}) to booster.boost in your program</source>
        <translation>请在程序中把优化器（{0}）交给 booster.boost</translation>
    </message>
    <message>
        <source>norms and dropout work on whole sequences: one kind of sequence parallelism at a time</source>
        <translation>归一化和 dropout 处理整条序列：一次只能用一种序列并行</translation>
    </message>
    <message>
        <source>1f1b; for zb-v give pp_style zbv, num_model_chunks 2 and scheduler_nodes in your program</source>
        <translation>1f1b；要用 zb-v，请在程序中给出 pp_style zbv、num_model_chunks 2 和 scheduler_nodes</translation>
    </message>
    <message>
        <source>ColossalAI runs {0} instead of {1}</source>
        <translation>ColossalAI 运行 {0} 而不是 {1}</translation>
    </message>
    <message>
        <source>groups of as many micro-batches as stages</source>
        <translation>每组微批次数等于阶段数</translation>
    </message>
    <message>
        <source>ColossalAI splits the layers over the chunks by itself</source>
        <translation>ColossalAI 自行把层分到各块</translation>
    </message>
    <message>
        <source>ranks land in ColossalAI&apos;s order: sequence and tensor neighbours first, then pipeline, then data</source>
        <translation>rank 按 ColossalAI 的顺序排列：先序列和张量邻居，再流水线，再数据</translation>
    </message>
    <message>
        <source>optimizer states stay on the GPU: offload needs parallel.zero &gt;= 1</source>
        <translation>优化器状态留在 GPU 上：卸载需要 parallel.zero &gt;= 1</translation>
    </message>
    <message>
        <source>to host memory: this plugin cannot write to NVMe</source>
        <translation>写到主机内存：此插件不能写入 NVMe</translation>
    </message>
    <message>
        <source>activations stay on the GPU</source>
        <translation>激活留在 GPU 上</translation>
    </message>
    <message>
        <source>call model.gradient_checkpointing_enable() in your program</source>
        <translation>请在程序中调用 model.gradient_checkpointing_enable()</translation>
    </message>
    <message>
        <source>call model.gradient_checkpointing_enable() and give a GradientCheckpointConfig that recomputes {0} layers of each rank in your program</source>
        <translation>请在程序中调用 model.gradient_checkpointing_enable()，并给出每个 rank 重计算 {0} 层的 GradientCheckpointConfig</translation>
    </message>
    <message>
        <source>nothing is recomputed: ColossalAI recomputes whole layers</source>
        <translation>不重计算：ColossalAI 只重计算整层</translation>
    </message>
    <message>
        <source>feed {0} samples per data rank and step in your program; the pipeline cuts them into micro-batches</source>
        <translation>请在程序中每步为每个数据 rank 提供 {0} 个样本；流水线会切成微批次</translation>
    </message>
    <message>
        <source>feed {0} samples at a time and accumulate {1} times in your program</source>
        <translation>请在程序中每次提供 {0} 个样本并累积 {1} 次</translation>
    </message>
    <message>
        <source>wrap the layers in activation checkpointing in your script</source>
        <translation>请在脚本中用激活检查点包住各层</translation>
    </message>
    <message>
        <source>optimizer states stay on the GPU</source>
        <translation>优化器状态留在 GPU 上</translation>
    </message>
    <message>
        <source>to host memory: SageMaker cannot write to NVMe</source>
        <translation>写到主机内存：SageMaker 不能写入 NVMe</translation>
    </message>
    <message>
        <source>only checkpointed activations (memory.recompute) leave the GPU</source>
        <translation>只有检查点激活（memory.recompute）离开 GPU</translation>
    </message>
    <message>
        <source>train in {0} in your script</source>
        <translation>请在脚本中用 {0} 训练</translation>
    </message>
    <message>
        <source>build the optimizer ({0}) in your script</source>
        <translation>请在脚本中构建优化器（{0}）</translation>
    </message>
    <message>
        <source>feed {0} samples per data rank and step in your script; the library cuts them into micro-batches</source>
        <translation>请在脚本中每步为每个数据 rank 提供 {0} 个样本；库会切成微批次</translation>
    </message>
    <message>
        <source>SageMaker runs 1f1b instead of {0}</source>
        <translation>SageMaker 运行 1f1b 而不是 {0}</translation>
    </message>
    <message>
        <source>ranks land in SageMaker&apos;s order cluster: tensor neighbours first, then pipeline, then data</source>
        <translation>rank 按 SageMaker 的 cluster 顺序排列：先张量邻居，再流水线，再数据</translation>
    </message>
    <message>
        <source>optimizer states are sharded over all data ranks</source>
        <translation>优化器状态在全部数据 rank 上分片</translation>
    </message>
    <message>
        <source>place the layers with smp.partition in your script</source>
        <translation>请在脚本中用 smp.partition 放置各层</translation>
    </message>
    <message>
        <source>the library splits the layers by its own cost estimate</source>
        <translation>库按自己的开销估计切分各层</translation>
    </message>
    <message>
        <source>wrap the model in DistributedDataParallel or FSDP NO_SHARD in your script</source>
        <translation>请在脚本中用 DistributedDataParallel 或 FSDP NO_SHARD 包住模型</translation>
    </message>
    <message>
        <source>ranks land in SageMaker&apos;s order: tensor and sharding neighbours first, then replicas</source>
        <translation>rank 按 SageMaker 的顺序排列：先张量和分片邻居，再副本</translation>
    </message>
    <message>
        <source>build every block with zero_level=2 in your program</source>
        <translation>请在程序中用 zero_level=2 构建每个块</translation>
    </message>
    <message>
        <source>BMTrain runs gpipe instead of {0}</source>
        <translation>BMTrain 运行 gpipe 而不是 {0}</translation>
    </message>
    <message>
        <source>BMTrain splits the blocks evenly, extra ones first</source>
        <translation>BMTrain 均匀切分各块，多出的放在前面</translation>
    </message>
    <message>
        <source>build column- and row-parallel layers for the tensor ranks in your program</source>
        <translation>请在程序中为张量 rank 构建按列和按行并行的层</translation>
    </message>
    <message>
        <source>build every block with use_checkpoint=False in your program</source>
        <translation>请在程序中用 use_checkpoint=False 构建每个块</translation>
    </message>
    <message>
        <source>every block is recomputed as a whole</source>
        <translation>每个块整体重计算</translation>
    </message>
    <message>
        <source>build all but the first {0} blocks of each rank with use_checkpoint=False in your program</source>
        <translation>除每个 rank 的前 {0} 个块外，请在程序中用 use_checkpoint=False 构建</translation>
    </message>
    <message>
        <source>use bmtrain.optim.AdamOffloadOptimizer in your program</source>
        <translation>请在程序中使用 bmtrain.optim.AdamOffloadOptimizer</translation>
    </message>
    <message>
        <source>build the parameters in {0} in your program</source>
        <translation>请在程序中用 {0} 构建参数</translation>
    </message>
    <message>
        <source>give an optimizer ({0}) to bmtrain&apos;s OptimManager in your program</source>
        <translation>请在程序中把优化器（{0}）交给 bmtrain 的 OptimManager</translation>
    </message>
    <message>
        <source>feed {0} samples per process and step in your program; the pipeline gathers them and cuts them into micro-batches</source>
        <translation>请在程序中每步为每个进程提供 {0} 个样本；流水线会汇集并切成微批次</translation>
    </message>
    <message>
        <source>ranks land in BMTrain&apos;s order: tensor neighbours first, then data, then pipeline</source>
        <translation>rank 按 BMTrain 的顺序排列：先张量邻居，再数据，再流水线</translation>
    </message>
    <message>
        <source>hidden behind computation: with two stages it cannot be turned off</source>
        <translation>隐藏在计算之后：两个阶段时无法关闭</translation>
    </message>
    <message>
        <source>gradients are reduced after the backward: dualpipev excludes overlap</source>
        <translation>梯度在反向之后归约：dualpipev 不支持重叠</translation>
    </message>
    <message>
        <source>&apos;{0}&apos; is not a host name</source>
        <translation>“{0}”不是主机名</translation>
    </message>
    <message>
        <source>Ulysses stands beside data parallelism only: context {0} cannot be combined with tensor {1} and pipeline {2}</source>
        <translation>Ulysses 只能与数据并行同用：上下文 {0} 不能与张量 {1}、流水线 {2} 组合</translation>
    </message>
    <message>
        <source>{0} ranks of a stage do not split into groups of {1} experts&apos; ranks</source>
        <translation>一个阶段的 {0} 个 rank 无法分成每组 {1} 个的专家组</translation>
    </message>
    <message>
        <source>gradients have the model&apos;s dtype: another one needs parallel.zero &gt;= 1</source>
        <translation>梯度用模型的数据类型：换用其他类型需 parallel.zero &gt;= 1</translation>
    </message>
    <message>
        <source>fp32 moments: DeepSpeed keeps 16-bit ones only without fp32 master weights</source>
        <translation>fp32 动量：DeepSpeed 仅在没有 fp32 主权重时保留 16 位动量</translation>
    </message>
    <message>
        <source>nvme_path is /local_nvme: name the folder of your own drives</source>
        <translation>nvme_path 为 /local_nvme：请改为自己磁盘的目录</translation>
    </message>
    <message>
        <source>states stay on the GPU: offload needs ZeRO, to NVMe ZeRO 3</source>
        <translation>状态留在 GPU 上：卸载需要 ZeRO，卸载到 NVMe 需要 ZeRO 3</translation>
    </message>
    <message>
        <source>parameters stay on the GPU: offload needs ZeRO 3</source>
        <translation>参数留在 GPU 上：卸载需要 ZeRO 3</translation>
    </message>
    <message>
        <source>build the model inside deepspeed.zero.MiCS_Init in your program</source>
        <translation>请在程序中于 deepspeed.zero.MiCS_Init 内构建模型</translation>
    </message>
    <message>
        <source>norms and dropout work on whole sequences on every tensor rank</source>
        <translation>归一化和 dropout 在每个张量 rank 上处理整条序列</translation>
    </message>
    <message>
        <source>ranks land in DeepSpeed&apos;s order: tensor or sequence neighbours first, then data, then pipeline</source>
        <translation>rank 按 DeepSpeed 的顺序排列：先张量或序列，再数据，再流水线</translation>
    </message>
    <message>
        <source>to host memory: DeepSpeed keeps checkpoints on the GPU or the host</source>
        <translation>卸载到主机内存：DeepSpeed 的检查点只放在 GPU 或主机上</translation>
    </message>
    <message>
        <source>activations stay on the GPU: only checkpoints (memory.recompute) can leave it</source>
        <translation>激活留在 GPU 上：只有检查点（memory.recompute）可以移出</translation>
    </message>
    <message>
        <source>gradients are reduced after the backward: muon of 0.16 cannot overlap it</source>
        <translation>梯度在反向之后归约：0.16 的 muon 不能与之重叠</translation>
    </message>
    <message>
        <source>parameters are gathered before the forward: it needs overlap.grad_reduce</source>
        <translation>参数在前向之前收集：重叠需要 overlap.grad_reduce</translation>
    </message>
    <message>
        <source>tensor-parallel communication is not hidden: it needs parallel.sequence</source>
        <translation>张量并行通信未被掩盖：需要 parallel.sequence</translation>
    </message>
    <message>
        <source>the experts&apos; all-to-all is not hidden: it needs release 0.16, 16-bit training, no full recomputation, and interleaving with a pipeline</source>
        <translation>专家的 all-to-all 未被掩盖：需要 0.16 版、16 位训练、不做全部重计算，以及交错流水线</translation>
    </message>
    <message>
        <source>ranks land in Megatron&apos;s order tp-cp-ep-dp-pp</source>
        <translation>rank 按 Megatron 的顺序 tp-cp-ep-dp-pp 排列</translation>
    </message>
    <message>
        <source>RMSNorm has no bias</source>
        <translation>RMSNorm 没有偏置</translation>
    </message>
    <message>
        <source>LayerNorm always has a bias</source>
        <translation>LayerNorm 总有偏置</translation>
    </message>
    <message>
        <source>two norms per layer</source>
        <translation>每层两个归一化</translation>
    </message>
    <message>
        <source>a final norm is there</source>
        <translation>有末端归一化</translation>
    </message>
    <message>
        <source>no norm behind the embedding</source>
        <translation>嵌入之后没有归一化</translation>
    </message>
    <message>
        <source>queries and keys are normalised per head</source>
        <translation>查询和键按头归一化</translation>
    </message>
    <message>
        <source>only query, key and value carry a bias</source>
        <translation>只有查询、键和值带偏置</translation>
    </message>
    <message>
        <source>no linear layer carries a bias</source>
        <translation>线性层都不带偏置</translation>
    </message>
    <message>
        <source>head and router carry none, experts like the other linear layers</source>
        <translation>输出头和路由没有偏置，专家与其他线性层相同</translation>
    </message>
    <message>
        <source>every layer attends over the whole sequence</source>
        <translation>每层都对整条序列做注意力</translation>
    </message>
    <message>
        <source>no attention sinks</source>
        <translation>没有注意力汇</translation>
    </message>
    <message>
        <source>the embedding is as wide as the model</source>
        <translation>嵌入与模型同宽</translation>
    </message>
    <message>
        <source>attention and MLP run one after the other</source>
        <translation>注意力与 MLP 依次执行</translation>
    </message>
    <message>
        <source>the total follows from the shape</source>
        <translation>总数由形状得出</translation>
    </message>
    <message>
        <source>mxfp8: release 0.12 has no 4-bit training</source>
        <translation>mxfp8：0.12 版没有 4 位训练</translation>
    </message>
    <message>
        <source>gradients are kept in the training precision</source>
        <translation>梯度按训练精度保存</translation>
    </message>
    <message>
        <source>gradients are kept in fp32: fp16 ones need fp16 training</source>
        <translation>梯度以 fp32 保存：fp16 梯度需要 fp16 训练</translation>
    </message>
    <message>
        <source>adam: release 0.12 has no muon</source>
        <translation>改用 adam：0.12 版没有 muon</translation>
    </message>
    <message>
        <source>adam: Megatron-LM has no adafactor</source>
        <translation>改用 adam：Megatron-LM 没有 adafactor</translation>
    </message>
    <message>
        <source>adam: Megatron-LM has no 8-bit adamw</source>
        <translation>改用 adam：Megatron-LM 没有 8 位 adamw</translation>
    </message>
    <message>
        <source>optimizer states stay on the GPU: offload needs adamw and parallel.zero &gt;= 1</source>
        <translation>优化器状态留在 GPU 上：卸载需要 adamw 和 parallel.zero &gt;= 1</translation>
    </message>
    <message>
        <source>fp32 moments: 16-bit ones need adamw and parallel.zero &gt;= 1</source>
        <translation>fp32 动量：16 位动量需要 adamw 和 parallel.zero &gt;= 1</translation>
    </message>
    <message>
        <source>fp16 moments: release 0.12 has no bf16 ones</source>
        <translation>fp16 动量：0.12 版没有 bf16 动量</translation>
    </message>
    <message>
        <source>to host memory: Megatron-LM cannot write to NVMe</source>
        <translation>卸载到主机内存：Megatron-LM 不能写入 NVMe</translation>
    </message>
    <message>
        <source>the modules are recomputed in every layer</source>
        <translation>这些模块在每一层都重计算</translation>
    </message>
    <message>
        <source>block: uniform cannot leave layers out</source>
        <translation>改用 block：uniform 不能跳过部分层</translation>
    </message>
    <message>
        <source>parameters stay on the GPU</source>
        <translation>参数留在 GPU 上</translation>
    </message>
    <message>
        <source>the last layer&apos;s activations stay on the GPU</source>
        <translation>最后一层的激活留在 GPU 上</translation>
    </message>
    <message>
        <source>activations stay on the GPU: offload needs release 0.16, no pipeline and no recomputation</source>
        <translation>激活留在 GPU 上：卸载需要 0.16 版、无流水线、无重计算</translation>
    </message>
    <message>
        <source>the plan names {0} of {1} nodes: complete the file hosts, in the order of the node ranks</source>
        <translation>方案只写了 {1} 个节点中的 {0} 个：请按节点 rank 的顺序补全 hosts 文件</translation>
    </message>
    <message>
        <source>train_batch_size is left out, because DeepSpeed compares it with all GPUs when autotp_size is set; micro batch and accumulation make the true {0}</source>
        <translation>不写 train_batch_size，因为设了 autotp_size 后 DeepSpeed 会用全部 GPU 核对它；微批次与累积得到真正的 {0}</translation>
    </message>
    <message>
        <source>bf16: replace the linear layers by Transformer Engine&apos;s {0} ones in your program</source>
        <translation>bf16：请在程序中把线性层换成 Transformer Engine 的 {0} 线性层</translation>
    </message>
    <message>
        <source>give {0} to deepspeed.initialize in your program</source>
        <translation>请在程序中把 {0} 交给 deepspeed.initialize</translation>
    </message>
    <message>
        <source>build a PipelineModule with num_stages={0} in your program; the step&apos;s {1} micro-batches are gradient_accumulation_steps</source>
        <translation>请在程序中构建 num_stages={0} 的 PipelineModule；每步的 {1} 个微批次即 gradient_accumulation_steps</translation>
    </message>
    <message>
        <source>DeepSpeed runs 1f1b instead of {0}</source>
        <translation>DeepSpeed 执行 1f1b，而不是 {0}</translation>
    </message>
    <message>
        <source>Megatron-LM runs {0} instead of {1}</source>
        <translation>Megatron-LM 执行 {0}，而不是 {1}</translation>
    </message>
    <message>
        <source>choose partition_method so that the stages hold {0} layers</source>
        <translation>请选择 partition_method，使各阶段的层数为 {0}</translation>
    </message>
    <message>
        <source>hand PipeModelDataParallelTopology(num_pp={0}, num_mp={1}, num_dp={2}) to PipelineModule and build tensor-parallel layers in your program</source>
        <translation>请在程序中把 PipeModelDataParallelTopology(num_pp={0}, num_mp={1}, num_dp={2}) 交给 PipelineModule，并构建张量并行层</translation>
    </message>
    <message>
        <source>build the MoE layers with ep_size={0} in your program</source>
        <translation>请在程序中以 ep_size={0} 构建 MoE 层</translation>
    </message>
    <message>
        <source>wrap {0} ({1}) in deepspeed.checkpointing.checkpoint in your program</source>
        <translation>请在程序中用 deepspeed.checkpointing.checkpoint 包住 {0}（{1}）</translation>
    </message>
    <message>
        <source>build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, FFN {5} of dense layers, {6} experts of width {7}, {8} for each token, vocabulary {9}</source>
        <translation>请在程序中构建模型：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，稠密层 FFN {5}，{6} 个宽度为 {7} 的专家，每个 token 使用 {8} 个，词表 {9}</translation>
    </message>
    <message>
        <source>build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, {5} experts of width {6}, {7} for each token, vocabulary {8}</source>
        <translation>请在程序中构建模型：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，{5} 个宽度为 {6} 的专家，每个 token 使用 {7} 个，词表 {8}</translation>
    </message>
    <message>
        <source>build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, FFN {5}, vocabulary {6}</source>
        <translation>请在程序中构建模型：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，FFN {5}，词表 {6}</translation>
    </message>
    <message>
        <source>inside a layer wrap {0} and nothing else in your program</source>
        <translation>请在程序中只包住每层内的 {0}</translation>
    </message>
    <message>
        <source>bf16: accelerate&apos;s Megatron-LM plugin has no {0}</source>
        <translation>bf16：accelerate 的 Megatron-LM 插件没有 {0}</translation>
    </message>
    <message>
        <source>set comm_overlap.overlap_p2p_comm=false as well where the recipe has comm_overlap: that one would turn it on again</source>
        <translation>若 recipe 含 comm_overlap，还须设置 comm_overlap.overlap_p2p_comm=false：否则它会重新打开</translation>
    </message>
    <message>
        <source>feed sequences of {0} tokens in your program</source>
        <translation>请在程序中输入 {0} 个 token 的序列</translation>
    </message>
    <message>
        <source>gated SiLU (--swiglu) instead of gated {0}</source>
        <translation>用门控 SiLU（--swiglu）代替门控 {0}</translation>
    </message>
    <message>
        <source>GELU instead of {0}</source>
        <translation>用 GELU 代替 {0}</translation>
    </message>
    <message>
        <source>the vocabulary is padded to {0} rows</source>
        <translation>词表补齐到 {0} 行</translation>
    </message>
    <message>
        <source>not recomputed: {0} (no such module in this release or model)</source>
        <translation>不重计算：{0}（该版本或模型没有这些模块）</translation>
    </message>
    <message>
        <source>the first {0} layers of each of the {1} chunks of a rank</source>
        <translation>一个 rank 的 {1} 块中每块的前 {0} 层</translation>
    </message>
    <message>
        <source>{0} chunks on {1} pipeline ranks are more than the {2} layers with embedding and head</source>
        <translation>{1} 个流水线 rank 上的 {0} 个块多于 {2} 层加上嵌入和输出头</translation>
    </message>
    <message>
        <source>{0} chunks with {1} micro-batches are too many operations to simulate</source>
        <translation>{0} 个块、{1} 个微批次的操作数过多，无法模拟</translation>
    </message>
    <message>
        <source>The step is timed as plain 1F1B over whole stages: {0}</source>
        <translation>单步时间按整段 1F1B 估计：{0}</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Cuts every matrix over this many GPUs; belongs inside the fast domain.</source>
        <translation>把每个矩阵切到这么多 GPU 上；应放在纵向扩展域之内。</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>With tensor parallelism, cuts norms and dropout along the sequence too.</source>
        <translation>与张量并行同用，沿序列切分归一化和 dropout。</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Cuts the layers into this many stages.</source>
        <translation>把各层切成这么多阶段。</translation>
    </message>
    <message>
        <source>Virtual stages</source>
        <translation>虚拟阶段</translation>
    </message>
    <message>
        <source>Model chunks that each pipeline rank holds; more shorten the bubble and talk more.</source>
        <translation>每个流水线 rank 持有的模型块数；越多气泡越短，通信越多。</translation>
    </message>
    <message>
        <source>Micro-batches per chunk visit</source>
        <translation>每块连续微批次</translation>
    </message>
    <message>
        <source>Micro-batches that pass a chunk before the next one; 0 is the schedule&apos;s default.</source>
        <translation>换到下一块之前经过一个块的微批次数；0 为调度默认值。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Cuts the sequence itself over this many GPUs.</source>
        <translation>把序列本身切到这么多 GPU 上。</translation>
    </message>
    <message>
        <source>Context method</source>
        <translation>上下文方法</translation>
    </message>
    <message>
        <source>How attention sees the other parts of the sequence; left out, what the software can do.</source>
        <translation>注意力如何看到序列的其他部分；不填则按软件能力。</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Spreads the experts over this many GPUs.</source>
        <translation>把专家分布到这么多 GPU 上。</translation>
    </message>
    <message>
        <source>Expert tensor</source>
        <translation>专家张量</translation>
    </message>
    <message>
        <source>Cuts each expert&apos;s matrices over this many GPUs.</source>
        <translation>把每个专家的矩阵切到这么多 GPU 上。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Replicas that share the batch; left out, all GPUs that the other degrees leave.</source>
        <translation>分担批次的副本数；不填则为其他并行度余下的全部 GPU。</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>Shards over the replicas: 1 optimizer states, 2 gradients too, 3 parameters too.</source>
        <translation>在副本间分片：1 优化器状态，2 加梯度，3 再加参数。</translation>
    </message>
    <message>
        <source>Shard group</source>
        <translation>分片组</translation>
    </message>
    <message>
        <source>Shards inside groups of this many ranks and replicates across them; 0 is one group.</source>
        <translation>在这么多 rank 的组内分片、组间复制；0 为单组。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Order in which a stage works on forward and backward of its micro-batches.</source>
        <translation>阶段处理各微批次前向和反向的次序。</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>每阶段层数</translation>
    </message>
    <message>
        <source>Layers of each stage or chunk in model order; empty is the software&apos;s own split.</source>
        <translation>按模型次序给出各阶段或各块的层数；空则按软件自己的切分。</translation>
    </message>
    <message>
        <source>Rank order</source>
        <translation>rank 次序</translation>
    </message>
    <message>
        <source>Which degree runs over neighbouring ranks first, from left to right.</source>
        <translation>从左到右，哪个并行度先占相邻的 rank。</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Tokens in one training sample.</source>
        <translation>一个训练样本的 token 数。</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Samples that one replica computes at a time.</source>
        <translation>一个副本一次计算的样本数。</translation>
    </message>
    <message>
        <source>Global batch size</source>
        <translation>全局批次大小</translation>
    </message>
    <message>
        <source>Samples in one optimizer step over all replicas.</source>
        <translation>一个优化器步中所有副本的样本总数。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度格式</translation>
    </message>
    <message>
        <source>Number format of the matrix multiplications.</source>
        <translation>矩阵乘法的数值格式。</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>What turns gradients into updates and keeps state.</source>
        <translation>把梯度变为更新并保存状态的算法。</translation>
    </message>
    <message>
        <source>Attention kernel</source>
        <translation>注意力内核</translation>
    </message>
    <message>
        <source>Flash attention never stores the score matrix; the standard one does.</source>
        <translation>Flash 注意力从不存储分数矩阵；标准实现会存储。</translation>
    </message>
    <message>
        <source>Gradient format</source>
        <translation>梯度格式</translation>
    </message>
    <message>
        <source>Number format that gradients are kept in; left out, the training software&apos;s usual.</source>
        <translation>保存梯度所用的数值格式；不填则按训练软件惯例。</translation>
    </message>
    <message>
        <source>Optimizer state format</source>
        <translation>优化器状态格式</translation>
    </message>
    <message>
        <source>Number format of the optimizer&apos;s moments; left out, the training software&apos;s usual.</source>
        <translation>优化器动量的数值格式；不填则按训练软件惯例。</translation>
    </message>
    <message>
        <source>Training tokens</source>
        <translation>训练 token 数</translation>
    </message>
    <message>
        <source>Tokens of the whole run; left out, no time to train and no cost are computed.</source>
        <translation>整个训练的 token 数；不填则不计算训练时长和费用。</translation>
    </message>
    <message>
        <source>Expert imbalance</source>
        <translation>专家不均衡度</translation>
    </message>
    <message>
        <source>Load of the busiest expert over the mean; 1 is balanced.</source>
        <translation>最忙专家的负载与平均之比；1 为均衡。</translation>
    </message>
    <message>
        <source>Assumed MFU</source>
        <translation>假定 MFU</translation>
    </message>
    <message>
        <source>Share of the peak that the textbook fidelity assumes to be reached.</source>
        <translation>教科书模型假定能达到的峰值比例。</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Preset of the machine that the cluster is made of.</source>
        <translation>组成集群的机器预设。</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>How many GPUs train this model.</source>
        <translation>用多少 GPU 训练此模型。</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>Another accelerator in place of the node&apos;s own.</source>
        <translation>用另一种加速器代替节点自带的。</translation>
    </message>
    <message>
        <source>GPUs per node</source>
        <translation>每节点 GPU 数</translation>
    </message>
    <message>
        <source>How many GPUs sit in one machine.</source>
        <translation>一台机器中的 GPU 数。</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 显存</translation>
    </message>
    <message>
        <source>Memory of one GPU.</source>
        <translation>单个 GPU 的显存。</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>显存带宽</translation>
    </message>
    <message>
        <source>How fast one GPU reads its own memory.</source>
        <translation>单个 GPU 读取自身显存的速度。</translation>
    </message>
    <message>
        <source>Scale-up bandwidth</source>
        <translation>纵向扩展带宽</translation>
    </message>
    <message>
        <source>What one GPU sends to its neighbours inside the fast domain, in one direction.</source>
        <translation>单个 GPU 在纵向扩展域内向邻居发送的单向带宽。</translation>
    </message>
    <message>
        <source>Scale-out bandwidth</source>
        <translation>横向扩展带宽</translation>
    </message>
    <message>
        <source>What one GPU sends over the network between machines, in one direction.</source>
        <translation>单个 GPU 经机器间网络发送的单向带宽。</translation>
    </message>
    <message>
        <source>Scale-up domain</source>
        <translation>纵向扩展域大小</translation>
    </message>
    <message>
        <source>How many GPUs share the fast fabric, such as 8 in a server or 72 in a rack.</source>
        <translation>共享高速互连的 GPU 数，如一台服务器 8 个或一个机柜 72 个。</translation>
    </message>
    <message>
        <source>Nodes per pod</source>
        <translation>每 pod 节点数</translation>
    </message>
    <message>
        <source>How many machines share one network pod; 0 puts all of them into one.</source>
        <translation>共享一个网络 pod 的机器数；0 表示全部同属一个。</translation>
    </message>
    <message>
        <source>Oversubscription</source>
        <translation>收敛比</translation>
    </message>
    <message>
        <source>Bandwidth into a pod over the bandwidth out of it; 1 means none is lost.</source>
        <translation>pod 内带宽与出口带宽之比；1 表示无收敛。</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>CPU memory of one machine, for offloading.</source>
        <translation>一台机器的 CPU 内存，用于卸载。</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Electric power that one GPU draws while training.</source>
        <translation>训练时单个 GPU 的功率。</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>What one GPU costs per hour.</source>
        <translation>单个 GPU 每小时的价格。</translation>
    </message>
    <message>
        <source>Time between failures</source>
        <translation>故障间隔</translation>
    </message>
    <message>
        <source>Mean hours until one GPU interrupts the run.</source>
        <translation>单个 GPU 导致中断的平均小时数。</translation>
    </message>
    <message>
        <source>Checkpoint bandwidth</source>
        <translation>检查点带宽</translation>
    </message>
    <message>
        <source>How fast the whole job writes a checkpoint.</source>
        <translation>整个任务写检查点的速度。</translation>
    </message>
    <message>
        <source>PUE</source>
        <translation>PUE</translation>
    </message>
    <message>
        <source>Energy of the whole data centre over the energy of its computers.</source>
        <translation>数据中心总能耗与计算设备能耗之比。</translation>
    </message>
    <message>
        <source>Carbon intensity</source>
        <translation>碳强度</translation>
    </message>
    <message>
        <source>Carbon dioxide emitted per kilowatt-hour.</source>
        <translation>每千瓦时排放的二氧化碳。</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Names of the machines in launch order.</source>
        <translation>按启动次序列出的机器名。</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Which activations are dropped and computed again in the backward pass.</source>
        <translation>丢弃哪些激活并在反向时重新计算。</translation>
    </message>
    <message>
        <source>Recomputed modules</source>
        <translation>重计算模块</translation>
    </message>
    <message>
        <source>With selective recomputation, what is recomputed; empty is the software&apos;s usual.</source>
        <translation>选择性重计算时重计算什么；空则按软件惯例。</translation>
    </message>
    <message>
        <source>Recompute method</source>
        <translation>重计算方式</translation>
    </message>
    <message>
        <source>Checkpoints at even distances, or whole blocks from the first layer on.</source>
        <translation>等距设置检查点，或从首层起整块重计算。</translation>
    </message>
    <message>
        <source>Recomputed layers</source>
        <translation>重计算层数</translation>
    </message>
    <message>
        <source>Recomputes the first n layers of each pipeline rank; 0 means all of them.</source>
        <translation>重计算每个流水线 rank 的前 n 层；0 为全部。</translation>
    </message>
    <message>
        <source>Offload optimizer</source>
        <translation>卸载优化器</translation>
    </message>
    <message>
        <source>Where the optimizer states are kept instead.</source>
        <translation>优化器状态改放何处。</translation>
    </message>
    <message>
        <source>Offload parameters</source>
        <translation>卸载参数</translation>
    </message>
    <message>
        <source>Where the parameters are kept instead.</source>
        <translation>参数改放何处。</translation>
    </message>
    <message>
        <source>Offload activations</source>
        <translation>卸载激活</translation>
    </message>
    <message>
        <source>Where the activations are kept instead.</source>
        <translation>激活改放何处。</translation>
    </message>
    <message>
        <source>Offloaded layers</source>
        <translation>卸载层数</translation>
    </message>
    <message>
        <source>Offloads the activations of n layers of each rank; 0 means all of them.</source>
        <translation>卸载每个 rank 中 n 层的激活；0 为全部。</translation>
    </message>
    <message>
        <source>Usable share</source>
        <translation>可用比例</translation>
    </message>
    <message>
        <source>Share of the GPU memory that the plan may use.</source>
        <translation>方案可使用的显存比例。</translation>
    </message>
    <message>
        <source>Overlap tensor</source>
        <translation>重叠张量通信</translation>
    </message>
    <message>
        <source>Tensor-parallel communication hides behind the matrices; left out, as the software does.</source>
        <translation>张量并行通信隐藏在矩阵计算之后；不填则按软件惯例。</translation>
    </message>
    <message>
        <source>Overlap gradient reduction</source>
        <translation>重叠梯度归约</translation>
    </message>
    <message>
        <source>Gradients are reduced while the backward pass runs; left out, as the software does.</source>
        <translation>反向计算时归约梯度；不填则按软件惯例。</translation>
    </message>
    <message>
        <source>Overlap parameter gather</source>
        <translation>重叠参数收集</translation>
    </message>
    <message>
        <source>Parameters are gathered while the forward pass runs; left out, as the software does.</source>
        <translation>前向计算时收集参数；不填则按软件惯例。</translation>
    </message>
    <message>
        <source>Overlap pipeline</source>
        <translation>重叠流水线</translation>
    </message>
    <message>
        <source>Stages send and receive while they compute; left out, as the software does.</source>
        <translation>阶段边计算边收发；不填则按软件惯例。</translation>
    </message>
    <message>
        <source>Overlap experts</source>
        <translation>重叠专家通信</translation>
    </message>
    <message>
        <source>Tokens travel to their experts while others compute; left out, as the software does.</source>
        <translation>一部分 token 传往专家时其他的在计算；不填则按软件惯例。</translation>
    </message>
    <message>
        <source>Fidelity</source>
        <translation>模型细致度</translation>
    </message>
    <message>
        <source>Textbook reproduces the formulas of the literature; detailed models the real run.</source>
        <translation>教科书重现文献公式；详细则模拟真实训练。</translation>
    </message>
    <message>
        <source>Model name</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>What this model is called in titles and exports.</source>
        <translation>此模型在标题和导出中的名称。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Transformer blocks, one behind the other.</source>
        <translation>依次相接的 Transformer 块。</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>Width of the vector that every token carries from layer to layer.</source>
        <translation>每个 token 在层间携带的向量宽度。</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Query heads of each attention; tensor parallelism splits them.</source>
        <translation>每个注意力的查询头；由张量并行切分。</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头数</translation>
    </message>
    <message>
        <source>Key and value heads; fewer than the attention heads means grouped queries.</source>
        <translation>键值头；少于注意力头即分组查询。</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Width of one attention head; left out, the hidden size divided by the heads.</source>
        <translation>一个注意力头的宽度；不填则为隐藏维度除以头数。</translation>
    </message>
    <message>
        <source>MLP width</source>
        <translation>MLP 宽度</translation>
    </message>
    <message>
        <source>Inner width of the dense MLP; may be left out when every layer has experts.</source>
        <translation>稠密 MLP 的内部宽度；各层都有专家时可不填。</translation>
    </message>
    <message>
        <source>Gated MLP</source>
        <translation>门控 MLP</translation>
    </message>
    <message>
        <source>A third matrix gates the MLP, as in SwiGLU.</source>
        <translation>由第三个矩阵对 MLP 门控，如 SwiGLU。</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Activation function of the MLP, such as gelu or silu.</source>
        <translation>MLP 的激活函数，如 gelu 或 silu。</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Rows of the embedding and columns of the output head.</source>
        <translation>嵌入的行数和输出头的列数。</translation>
    </message>
    <message>
        <source>Tied embeddings</source>
        <translation>共享嵌入</translation>
    </message>
    <message>
        <source>The output head uses the embedding&apos;s weights instead of its own.</source>
        <translation>输出头使用嵌入的权重而非自己的。</translation>
    </message>
    <message>
        <source>Learned positions</source>
        <translation>可学习位置</translation>
    </message>
    <message>
        <source>Rows of a learned position table; 0 when positions are computed.</source>
        <translation>可学习位置表的行数；位置为计算所得时为 0。</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Kind of the norms before attention and MLP.</source>
        <translation>注意力和 MLP 之前的归一化类型。</translation>
    </message>
    <message>
        <source>Norm bias</source>
        <translation>归一化偏置</translation>
    </message>
    <message>
        <source>Each norm has a bias beside its weight.</source>
        <translation>每个归一化除权重外还有偏置。</translation>
    </message>
    <message>
        <source>Norms per layer</source>
        <translation>每层归一化数</translation>
    </message>
    <message>
        <source>Norms in a block: usually 2, 4 when outputs are normalised too.</source>
        <translation>一个块中的归一化数：通常 2，输出也归一化时为 4。</translation>
    </message>
    <message>
        <source>Final norm</source>
        <translation>末尾归一化</translation>
    </message>
    <message>
        <source>One more norm stands before the output head.</source>
        <translation>输出头之前再加一个归一化。</translation>
    </message>
    <message>
        <source>Query and key norm</source>
        <translation>查询与键归一化</translation>
    </message>
    <message>
        <source>Queries and keys are normalised per head, over the full width, or not at all.</source>
        <translation>查询和键按头归一化、按整宽归一化或不归一化。</translation>
    </message>
    <message>
        <source>Biases</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Which linear layers carry a bias.</source>
        <translation>哪些线性层带偏置。</translation>
    </message>
    <message>
        <source>Attention window</source>
        <translation>注意力窗口</translation>
    </message>
    <message>
        <source>How many earlier tokens a token sees; 0 means all of them.</source>
        <translation>一个 token 能看到多少之前的 token；0 为全部。</translation>
    </message>
    <message>
        <source>Global attention every</source>
        <translation>全局注意力间隔</translation>
    </message>
    <message>
        <source>With a window, every n-th layer still sees the whole sequence; 0 means none does.</source>
        <translation>有窗口时，每 n 层仍有一层看到整个序列；0 为没有。</translation>
    </message>
    <message>
        <source>Attention sinks</source>
        <translation>注意力汇点</translation>
    </message>
    <message>
        <source>Each head learns one scalar that takes part in the softmax.</source>
        <translation>每个头学习一个参与 softmax 的标量。</translation>
    </message>
    <message>
        <source>Embedding width</source>
        <translation>嵌入宽度</translation>
    </message>
    <message>
        <source>Width of the embedding where it differs from the hidden size; 0 means it does not.</source>
        <translation>嵌入宽度与隐藏维度不同时的值；0 为相同。</translation>
    </message>
    <message>
        <source>Embedding norm</source>
        <translation>嵌入归一化</translation>
    </message>
    <message>
        <source>A norm stands behind the embedding.</source>
        <translation>嵌入之后有一个归一化。</translation>
    </message>
    <message>
        <source>Parallel block</source>
        <translation>并行块</translation>
    </message>
    <message>
        <source>Attention and MLP read the same input and run side by side.</source>
        <translation>注意力和 MLP 读取同一输入并列计算。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家数</translation>
    </message>
    <message>
        <source>Routed experts in each mixture-of-experts layer.</source>
        <translation>每个混合专家层的路由专家数。</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>每 token 专家数</translation>
    </message>
    <message>
        <source>How many routed experts each token visits.</source>
        <translation>每个 token 访问的路由专家数。</translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation>专家宽度</translation>
    </message>
    <message>
        <source>Inner width of one routed expert&apos;s MLP.</source>
        <translation>单个路由专家 MLP 的内部宽度。</translation>
    </message>
    <message>
        <source>Shared expert width</source>
        <translation>共享专家宽度</translation>
    </message>
    <message>
        <source>Inner width of the MLP that every token visits beside its experts; 0 for none.</source>
        <translation>每个 token 在专家之外都访问的 MLP 的内部宽度；0 为没有。</translation>
    </message>
    <message>
        <source>Dense layers first</source>
        <translation>起始稠密层数</translation>
    </message>
    <message>
        <source>How many of the first layers have a dense MLP instead of experts.</source>
        <translation>最前面多少层用稠密 MLP 而非专家。</translation>
    </message>
    <message>
        <source>Expert layer step</source>
        <translation>专家层间隔</translation>
    </message>
    <message>
        <source>Behind the dense ones, every n-th layer has experts.</source>
        <translation>稠密层之后，每 n 层有一层带专家。</translation>
    </message>
    <message>
        <source>Capacity factor</source>
        <translation>容量因子</translation>
    </message>
    <message>
        <source>Tokens an expert accepts against its fair share; 0 drops none.</source>
        <translation>专家接收的 token 与均分量之比；0 表示不丢弃。</translation>
    </message>
    <message>
        <source>Router score bias</source>
        <translation>路由偏置</translation>
    </message>
    <message>
        <source>The router adds a bias per expert to balance the load.</source>
        <translation>路由器为每个专家加偏置以均衡负载。</translation>
    </message>
    <message>
        <source>Query rank</source>
        <translation>查询秩</translation>
    </message>
    <message>
        <source>Width of the compressed query of latent attention; 0 leaves queries whole.</source>
        <translation>潜在注意力压缩查询的宽度；0 表示不压缩。</translation>
    </message>
    <message>
        <source>KV rank</source>
        <translation>KV 秩</translation>
    </message>
    <message>
        <source>Width of the compressed keys and values of latent attention.</source>
        <translation>潜在注意力压缩键值的宽度。</translation>
    </message>
    <message>
        <source>Head part without position</source>
        <translation>头的无位置部分</translation>
    </message>
    <message>
        <source>Width of the part of each query and key head that carries no position.</source>
        <translation>每个查询和键头中不带位置的部分的宽度。</translation>
    </message>
    <message>
        <source>Head part with position</source>
        <translation>头的带位置部分</translation>
    </message>
    <message>
        <source>Width of the part of each query and key head that carries the rotary position.</source>
        <translation>每个查询和键头中带旋转位置的部分的宽度。</translation>
    </message>
    <message>
        <source>Value head size</source>
        <translation>值头维度</translation>
    </message>
    <message>
        <source>Width of each value head of latent attention.</source>
        <translation>潜在注意力每个值头的宽度。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Title of the plan, for people only.</source>
        <translation>方案的标题，仅供人看。</translation>
    </message>
    <message>
        <source>Training software</source>
        <translation>训练软件</translation>
    </message>
    <message>
        <source>The training framework whose fusion, overlap and overhead are assumed.</source>
        <translation>假定采用其融合、重叠和开销的训练框架。</translation>
    </message>
    <message>
        <source>Software release</source>
        <translation>软件版本</translation>
    </message>
    <message>
        <source>Release of the training framework; left out, the newest one known.</source>
        <translation>训练框架的版本；不填则为已知最新版。</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Launcher and version whose own rules the plan must keep, such as megatron-lm@0.19.</source>
        <translation>方案须满足其自身规则的启动器和版本，如 megatron-lm@0.19。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Preset of the model to train.</source>
        <translation>要训练的模型预设。</translation>
    </message>
    <message>
        <source>Prediction layers</source>
        <translation>预测层</translation>
    </message>
    <message>
        <source>Extra layers that predict further tokens while training.</source>
        <translation>训练时预测更后 token 的附加层。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>A total given instead of counted from the shape; used by the textbook fidelity only.</source>
        <translation>直接给出而非由结构计数的总量；仅用于教科书模型。</translation>
    </message>
    <message>
        <source>A node needs {0} GiB of host memory for what is offloaded and has {1} GiB</source>
        <translation>卸载内容需要每节点 {0} GiB 主机内存，而节点有 {1} GiB</translation>
    </message>
    <message>
        <source>A global batch of {0} cannot be divided over {1} data ranks</source>
        <translation>全局批次 {0} 不能被 {1} 个数据 rank 整除</translation>
    </message>
    <message>
        <source>A global batch of {0} cannot be divided into micro-batches of {1} on {2} data ranks ({1} · {2} = {3})</source>
        <translation>全局批次 {0} 不能在 {2} 个数据 rank 上分成大小为 {1} 的微批次（{1} · {2} = {3}）</translation>
    </message>
    <message>
        <source>{0} samples per data rank are not a multiple of the micro-batch {1}: the last micro-batch has {2}</source>
        <translation>每个数据 rank 的 {0} 个样本不是微批次 {1} 的整数倍：最后一个微批次只有 {2} 个</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens cannot be split over tensor {1} · context {2} ranks, as sequence parallelism does</source>
        <translation>{0} 个 token 的序列不能按序列并行切到张量 {1} · 上下文 {2} 个 rank 上</translation>
    </message>
    <message>
        <source>Sequence parallelism has no effect with tensor 1</source>
        <translation>张量并行为 1 时序列并行不起作用</translation>
    </message>
    <message>
        <source>The model has learned positions for {0} tokens only, the sequence has {1}</source>
        <translation>模型只有 {0} 个 token 的可学习位置，而序列有 {1} 个</translation>
    </message>
    <message>
        <source>{0} tokens are less than one step of {1} · {2} tokens</source>
        <translation>{0} 个 token 不足一步所需的 {1} · {2} 个</translation>
    </message>
    <message>
        <source>{0} has no units for {1}</source>
        <translation>{0} 没有 {1} 计算单元</translation>
    </message>
    <message>
        <source>State shards over {0} ranks do not divide the {1} ranks of data {2} · context {3}</source>
        <translation>{0} 个 rank 的状态分片不能整除数据 {2} · 上下文 {3} 的 {1} 个 rank</translation>
    </message>
    <message>
        <source>shard_group {0} has no effect with zero 0: no state is sharded</source>
        <translation>zero 为 0 时 shard_group {0} 不起作用：没有状态被分片</translation>
    </message>
    <message>
        <source>zero {0} with {1} pipeline ranks: gradients must stay whole between micro-batches or be reduced after each; several launchers refuse it</source>
        <translation>zero {0} 配 {1} 个流水线 rank：梯度须在微批次之间保持完整，或每次都归约；若干启动器拒绝这样做</translation>
    </message>
    <message>
        <source>DeepSpeed refuses zero {0} with {1} pipeline ranks</source>
        <translation>DeepSpeed 拒绝 zero {0} 配 {1} 个流水线 rank</translation>
    </message>
    <message>
        <source>{0} layers to recompute, but no pipeline rank has more than {1}</source>
        <translation>要重计算 {0} 层，但没有流水线 rank 超过 {1} 层</translation>
    </message>
    <message>
        <source>{0} has no effect with recompute none</source>
        <translation>不重计算时 {0} 不起作用</translation>
    </message>
    <message>
        <source>Parameters can be offloaded with zero 3 only, zero is {0}</source>
        <translation>只有 zero 3 才能卸载参数，现为 {0}</translation>
    </message>
    <message>
        <source>Activations of {0} layers to offload, but no pipeline rank has more than {1}</source>
        <translation>要卸载 {0} 层的激活，但没有流水线 rank 超过 {1} 层</translation>
    </message>
    <message>
        <source>offload_layers has no effect with offload_activations none</source>
        <translation>不卸载激活时 offload_layers 不起作用</translation>
    </message>
    <message>
        <source>{0} attention heads cannot be split over {1} tensor ranks</source>
        <translation>{0} 个注意力头不能切到 {1} 个张量 rank 上</translation>
    </message>
    <message>
        <source>{0} KV heads can be neither split over nor copied to {1} tensor ranks (one must be a multiple of the other)</source>
        <translation>{0} 个 KV 头既不能切分也不能复制到 {1} 个张量 rank（其一须为另一个的整数倍）</translation>
    </message>
    <message>
        <source>The experts&apos; width {0} cannot be split over {1} expert tensor ranks</source>
        <translation>专家宽度 {0} 不能切到 {1} 个专家张量 rank 上</translation>
    </message>
    <message>
        <source>{0} attention heads cannot be split over context {1} · tensor {2} = {3} ranks, as ulysses does</source>
        <translation>{0} 个注意力头不能按 ulysses 切到上下文 {1} · 张量 {2} = {3} 个 rank 上</translation>
    </message>
    <message>
        <source>{0} KV heads can be neither split over nor copied to context {1} · tensor {2} = {3} ranks, as ulysses does</source>
        <translation>{0} 个 KV 头既不能切分也不能复制到上下文 {1} · 张量 {2} = {3} 个 rank（ulysses 的做法）</translation>
    </message>
    <message>
        <source>{0} attention heads cannot share {1} KV heads evenly</source>
        <translation>{0} 个注意力头不能均分 {1} 个 KV 头</translation>
    </message>
    <message>
        <source>Hidden size {0} cannot be divided by {1} heads, and no head_dim is given</source>
        <translation>隐藏维度 {0} 不能被 {1} 个头整除，且未给出 head_dim</translation>
    </message>
    <message>
        <source>A token cannot visit {0} of {1} experts</source>
        <translation>一个 token 不能访问 {1} 个专家中的 {0} 个</translation>
    </message>
    <message>
        <source>The {0} experts have no width</source>
        <translation>{0} 个专家没有宽度</translation>
    </message>
    <message>
        <source>The dense layers have no FFN width</source>
        <translation>稠密层没有 FFN 宽度</translation>
    </message>
    <message>
        <source>Latent attention needs kv_rank, qk_nope or qk_rope, and v_dim; they are {0}, {1}, {2} and {3}</source>
        <translation>潜在注意力需要 kv_rank、qk_nope 或 qk_rope，以及 v_dim；现为 {0}、{1}、{2} 和 {3}</translation>
    </message>
    <message>
        <source>A given total of {0} parameters works with textbook fidelity only: the detailed model counts the shape</source>
        <translation>直接给出 {0} 个参数仅适用于教科书模型：详细模型由结构计数</translation>
    </message>
    <message>
        <source>A vocabulary of {0} is padded to split over {1} tensor ranks (remainder {2}; {3} with blocks of 128)</source>
        <translation>词表 {0} 需填充才能切到 {1} 个张量 rank（余 {2}；按 128 分块为 {3}）</translation>
    </message>
    <message>
        <source>{0} pipeline stages for {1} layers leave {2} stages empty</source>
        <translation>{1} 层分给 {0} 个流水线阶段，有 {2} 个阶段为空</translation>
    </message>
    <message>
        <source>layers_per_stage has {0} numbers; {1} (one per pipeline rank) or {2} (one per chunk) are needed</source>
        <translation>layers_per_stage 有 {0} 个数；需要 {1} 个（每流水线 rank 一个）或 {2} 个（每块一个）</translation>
    </message>
    <message>
        <source>layers_per_stage has {0} numbers; one for each of the {1} pipeline ranks is needed</source>
        <translation>layers_per_stage 有 {0} 个数；{1} 个流水线 rank 各需一个</translation>
    </message>
    <message>
        <source>layers_per_stage adds up to {0} layers, the model has {1}</source>
        <translation>layers_per_stage 合计 {0} 层，模型有 {1} 层</translation>
    </message>
    <message>
        <source>{0} of {1} pipeline ranks have no transformer layer</source>
        <translation>{1} 个流水线 rank 中有 {0} 个没有 Transformer 层</translation>
    </message>
    <message>
        <source>{0} layers do not divide evenly over {1} chunks: pipeline ranks have {2} to {3}, the fullest sets the pace</source>
        <translation>{0} 层不能均分到 {1} 个块：流水线 rank 有 {2} 到 {3} 层，最满的决定速度</translation>
    </message>
    <message>
        <source>{0} virtual stages per rank need more than one pipeline rank</source>
        <translation>每 rank {0} 个虚拟阶段需要不止一个流水线 rank</translation>
    </message>
    <message>
        <source>Schedule {0} runs one chunk per pipeline rank, virtual_pipeline is {1}</source>
        <translation>调度 {0} 每个流水线 rank 运行一个块，而 virtual_pipeline 为 {1}</translation>
    </message>
    <message>
        <source>Schedule {0} needs at least 2 chunks per pipeline rank, virtual_pipeline is {1}</source>
        <translation>调度 {0} 每个流水线 rank 至少需要 2 个块，而 virtual_pipeline 为 {1}</translation>
    </message>
    <message>
        <source>Schedule {0} runs 2 chunks per pipeline rank, virtual_pipeline is {1}</source>
        <translation>调度 {0} 每个流水线 rank 运行 2 个块，而 virtual_pipeline 为 {1}</translation>
    </message>
    <message>
        <source>Schedule {0} runs 2 chunks per wave, virtual_pipeline is {1}</source>
        <translation>调度 {0} 每个波运行 2 个块，而 virtual_pipeline 为 {1}</translation>
    </message>
    <message>
        <source>Schedule pipedream is asynchronous: a synchronous training step cannot use it</source>
        <translation>调度 pipedream 是异步的：同步训练不能使用</translation>
    </message>
    <message>
        <source>Schedule {0} runs in both directions and needs an even number of pipeline ranks, not {1}</source>
        <translation>调度 {0} 双向运行，需要偶数个流水线 rank，而非 {1}</translation>
    </message>
    <message>
        <source>Schedule dualpipe needs an even number of micro-batches, not {0}</source>
        <translation>调度 dualpipe 需要偶数个微批次，而非 {0}</translation>
    </message>
    <message>
        <source>Schedule {0} needs at least 2 · {1} micro-batches, not {2}</source>
        <translation>调度 {0} 至少需要 2 · {1} 个微批次，而非 {2}</translation>
    </message>
    <message>
        <source>Schedule hanayo needs a multiple of {0} micro-batches, not {1}</source>
        <translation>调度 hanayo 需要 {0} 的整数倍个微批次，而非 {1}</translation>
    </message>
    <message>
        <source>Schedule interleaved-ep overlaps a forward with a backward, which full recomputation excludes</source>
        <translation>调度 interleaved-ep 重叠前向与反向，与完全重计算不相容</translation>
    </message>
    <message>
        <source>An interleaved schedule needs at least as many micro-batches as pipeline ranks: {0} for {1} (global batch {2} / (micro-batch {3} · data {4}))</source>
        <translation>交错调度的微批次数不得少于流水线 rank 数：现有 {0} 个，需 {1} 个（全局批次 {2} / (微批次 {3} · 数据 {4})）</translation>
    </message>
    <message>
        <source>virtual_pipeline_group {0} must lie between the {1} pipeline ranks and the {2} micro-batches</source>
        <translation>virtual_pipeline_group {0} 必须介于 {1} 个流水线 rank 与 {2} 个微批次之间</translation>
    </message>
    <message>
        <source>{0} micro-batches in groups of {1} leave a last group of {2}, fewer than the {3} pipeline ranks: an interleaved schedule stalls</source>
        <translation>{0} 个微批次按 {1} 个一组，最后一组剩 {2} 个，少于 {3} 个流水线 rank：交错调度会停滞</translation>
    </message>
    <message>
        <source>virtual_pipeline_group has no effect with schedule {0} on {1} pipeline ranks</source>
        <translation>调度 {0} 在 {1} 个流水线 rank 上时 virtual_pipeline_group 不起作用</translation>
    </message>
    <message>
        <source>Fewer micro-batches ({0}) than pipeline ranks ({1}): more than half of the pipeline idles (bubble {2} of {3} slots)</source>
        <translation>{1} 个流水线 rank 只有 {0} 个微批次：流水线一半以上空闲（{3} 格中气泡占 {2}）</translation>
    </message>
    <message>
        <source>Schedule zb-h2 needs 2 · {0} − 1 micro-batches to be itself, the plan has {1}: it runs as zb-h1</source>
        <translation>调度 zb-h2 至少需要 2 · {0} − 1 个微批次，方案只有 {1} 个：按 zb-h1 运行</translation>
    </message>
    <message>
        <source>Schedule {0} reaches its small bubble from 2 · {1} − 1 micro-batches on, the plan has {2}</source>
        <translation>调度 {0} 从 2 · {1} − 1 个微批次起才有小气泡，方案有 {2} 个</translation>
    </message>
    <message>
        <source>tensor {0} · pipeline {1} · context {2} · data {3} = {4} ranks, but the cluster has {5} GPUs</source>
        <translation>张量 {0} · 流水线 {1} · 上下文 {2} · 数据 {3} = {4} 个 rank，而集群有 {5} 个 GPU</translation>
    </message>
    <message>
        <source>{0} GPUs cannot be divided by tensor {1} · pipeline {2} · context {3} = {4} ranks per replica</source>
        <translation>{0} 个 GPU 不能被每副本的张量 {1} · 流水线 {2} · 上下文 {3} = {4} 个 rank 整除</translation>
    </message>
    <message>
        <source>With rank order {0}, stages are {1} ranks apart for attention (tensor · context) and {2} for experts (expert_tensor · expert): both must have the same pipeline groups</source>
        <translation>在 rank 次序 {0} 下，注意力（张量 · 上下文）的阶段相隔 {1} 个 rank，专家（expert_tensor · expert）相隔 {2} 个：两者的流水线组必须相同</translation>
    </message>
    <message>
        <source>expert_tensor {0} · expert {1} = {2} does not divide the {3} ranks of a pipeline stage (tensor · context · data)</source>
        <translation>expert_tensor {0} · expert {1} = {2} 不能整除流水线阶段的 {3} 个 rank（张量 · 上下文 · 数据）</translation>
    </message>
    <message>
        <source>{0} experts cannot be split over {1} expert ranks</source>
        <translation>{0} 个专家不能分到 {1} 个专家 rank 上</translation>
    </message>
    <message>
        <source>The model has no experts that {0} expert ranks could share</source>
        <translation>模型没有可供 {0} 个专家 rank 分担的专家</translation>
    </message>
    <message>
        <source>expert_tensor {0} has no effect: the model has no experts</source>
        <translation>expert_tensor {0} 不起作用：模型没有专家</translation>
    </message>
    <message>
        <source>Tensor groups of {0} ranks cross nodes ({1} GPUs share the fast fabric): two all-reduces per layer and pass go over the network</source>
        <translation>{0} 个 rank 的张量组跨节点（{1} 个 GPU 共享高速互连）：每层每遍两次 all-reduce 要走网络</translation>
    </message>
    <message>
        <source>Context groups of {0} ranks reach over {1} or more nodes: keys and values cross the network in every layer</source>
        <translation>{0} 个 rank 的上下文组跨 {1} 个以上节点：每层的键值都要走网络</translation>
    </message>
    <message>
        <source>The {0} ranks of an expert group sit on {0} nodes: every all-to-all crosses the network whole; pipeline stages fit such nodes better, as they send far less</source>
        <translation>专家组的 {0} 个 rank 分布在 {0} 个节点上：每次 all-to-all 全部经过网络；流水线发送的数据少得多，更适合这样的节点</translation>
    </message>
    <message>
        <source>Expert groups of {0} ranks reach over {1} or more nodes: the all-to-all crosses the network</source>
        <translation>{0} 个 rank 的专家组跨 {1} 个以上节点：all-to-all 要走网络</translation>
    </message>
    <message>
        <source>Neighbouring stages are {0} ranks apart and sit in different pods of {1} GPUs: their messages pass uplinks with 1/{2} of the bandwidth</source>
        <translation>相邻流水线阶段相距 {0} 个 rank，位于不同的 {1} GPU pod：其消息经过只有 1/{2} 带宽的上行链路</translation>
    </message>
    <message>
        <source>Each data-parallel group stands on one rail and reaches over pods of {0} GPUs: all its gradients leave a node as one stream through one of {1} ports, and few large streams share the paths between pods unevenly</source>
        <translation>每个数据并行组都在同一条 rail 上，并跨越 {0} 个 GPU 的 pod：其全部梯度作为单一数据流从节点 {1} 个网口中的一个发出，少数大数据流难以均匀分摊 pod 间的路径</translation>
    </message>
    <message>
        <source>{0} GPUs share a network port and belong to {1} data-parallel groups, which reduce at the same time: each gets 1/{1} of the port</source>
        <translation>{0} 个 GPU 共用一个网口，分属 {1} 个同时归约的数据并行组：每组只得网口的 1/{1}</translation>
    </message>
    <message>
        <source>{0} is launched before {1}, as torchrun sorts names as text: neighbouring ranks then sit on nodes that are no neighbours; start with static rendezvous and node ranks</source>
        <translation>{0} 先于 {1} 启动（torchrun 按文本给主机名排序）：相邻 rank 落在不相邻的节点上；请用 static rendezvous 并指定节点序号</translation>
    </message>
    <message>
        <source>{0} is launched before {1}: neighbouring ranks then sit on nodes that are no neighbours</source>
        <translation>{0} 先于 {1} 启动：相邻 rank 落在不相邻的节点上</translation>
    </message>
    <message>
        <source>The last node is partly filled: {0} of its {1} GPUs stay unused</source>
        <translation>最后一个节点未占满：{1} 个 GPU 中有 {0} 个闲置</translation>
    </message>
    <message>
        <source>{0} host names are given for {1} nodes</source>
        <translation>给出了 {0} 个主机名，而节点有 {1} 个</translation>
    </message>
    <message>
        <source>{0}</source>
        <translation>{0}</translation>
    </message>
    <message>
        <source>Stage {0} needs {1} GiB, more than the {2} GiB set as usable but less than the card&apos;s {3} GiB</source>
        <translation>阶段 {0} 需要 {1} GiB，超过设定可用的 {2} GiB，但未超过显卡的 {3} GiB</translation>
    </message>
    <message>
        <source>Stage {0} needs {1} GiB; {2} of {3} GiB are usable</source>
        <translation>阶段 {0} 需要 {1} GiB；{3} GiB 中可用 {2} GiB</translation>
    </message>
    <message>
        <source>Step time: {2} published runs of dense models with {0} on {1}</source>
        <translation>步时间：{0} 在 {1} 上训练稠密模型的 {2} 次公开运行</translation>
    </message>
    <message>
        <source>Step time: {2} published runs of models with experts with {0} on {1}</source>
        <translation>步时间：{0} 在 {1} 上训练专家模型的 {2} 次公开运行</translation>
    </message>
    <message>
        <source>Step time: {2} published runs with {0}, all GPUs and models</source>
        <translation>步时间：{0} 的 {2} 次公开运行，不分 GPU 与模型</translation>
    </message>
    <message>
        <source>Step time: {2} published runs of dense models with {0}, all GPUs</source>
        <translation>步时间：{0} 训练稠密模型的 {2} 次公开运行，不分 GPU</translation>
    </message>
    <message>
        <source>Step time: {2} published runs of models with experts with {0}, all GPUs</source>
        <translation>步时间：{0} 训练专家模型的 {2} 次公开运行，不分 GPU</translation>
    </message>
    <message>
        <source>Step time: the one run that {0} was calibrated on, not a prediction</source>
        <translation>步时间：仅 {0} 校准所用的那次运行，并非预测</translation>
    </message>
    <message>
        <source>Step time: {0} was never compared with published runs; its nearest relative is {1}</source>
        <translation>步时间：{0} 从未与公开运行比较；最接近的是 {1}</translation>
    </message>
    <message>
        <source>Step time: {0} was never compared with published runs</source>
        <translation>步时间：{0} 从未与公开运行比较</translation>
    </message>
    <message>
        <source>Memory: published runs of dense models with {0} on {1}</source>
        <translation>显存：{0} 在 {1} 上训练稠密模型的公开运行</translation>
    </message>
    <message>
        <source>Memory: published runs of models with experts with {0} on {1}</source>
        <translation>显存：{0} 在 {1} 上训练专家模型的公开运行</translation>
    </message>
    <message>
        <source>Memory: published runs with {0}, all GPUs and models</source>
        <translation>显存：{0} 的公开运行，不分 GPU 与模型</translation>
    </message>
    <message>
        <source>Memory: published runs of dense models with {0}, all GPUs</source>
        <translation>显存：{0} 训练稠密模型的公开运行，不分 GPU</translation>
    </message>
    <message>
        <source>Memory: published runs of models with experts with {0}, all GPUs</source>
        <translation>显存：{0} 训练专家模型的公开运行，不分 GPU</translation>
    </message>
    <message>
        <source>Memory: the one run that {0} was calibrated on, not a prediction</source>
        <translation>显存：仅 {0} 校准所用的那次运行，并非预测</translation>
    </message>
    <message>
        <source>Memory: {0} was never compared with published runs; its nearest relative is {1}</source>
        <translation>显存：{0} 从未与公开运行比较；最接近的是 {1}</translation>
    </message>
    <message>
        <source>Memory: {0} was never compared with published runs</source>
        <translation>显存：{0} 从未与公开运行比较</translation>
    </message>
    <message>
        <source>The plan names no release of {0}: taken as {1}; for an older one, down to {2}, set stack_version</source>
        <translation>方案未指明 {0} 的版本：按 {1} 计算；若为更早版本（最早 {2}），请设置 stack_version</translation>
    </message>
    <message>
        <source>No release {3} of {0} is known: taken as {1}; those known begin with {2}</source>
        <translation>{0} 没有已知版本 {3}：按 {1} 计算；已知版本从 {2} 起</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>host memory per GPU, saving</source>
        <translation>保存时每 GPU 的主机内存</translation>
    </message>
    <message>
        <source>GPU memory, saving</source>
        <translation>保存时的显存</translation>
    </message>
    <message>
        <source>host memory of rank 0, whole weights</source>
        <translation>汇集完整权重时 0 号进程的主机内存</translation>
    </message>
    <message>
        <source>host memory of a node, loading whole weights</source>
        <translation>加载完整权重时节点的主机内存</translation>
    </message>
    <message>
        <source>GPU memory, loading</source>
        <translation>加载时的显存</translation>
    </message>
    <message>
        <source>Resuming needs {0} of {1} GiB where a checkpoint is read straight onto the GPU beside the states; read it to the host (map_location=&quot;cpu&quot;) or in place</source>
        <translation>若恢复训练时把检查点直接读入显存、与现有状态并存，需要 {0} GiB（共 {1} GiB）；请读到主机（map_location=&quot;cpu&quot;）或就地加载</translation>
    </message>
    <message>
        <source>A checkpoint copied to the host before it is written takes {0} GiB of a node&apos;s {1} GiB; write it tensor by tensor instead of asynchronously</source>
        <translation>检查点先复制到主机再写入时，节点需要 {0} GiB（共 {1} GiB）；请逐个张量写入而不要异步保存</translation>
    </message>
    <message>
        <source>Whole weights gathered on rank 0 take {0} GiB of its node&apos;s {1} GiB; save a sharded checkpoint</source>
        <translation>在 0 号进程汇集完整权重需要其节点的 {0} GiB（共 {1} GiB）；请保存分片检查点</translation>
    </message>
    <message>
        <source>Whole weights read by every rank take {0} GiB of a node&apos;s {1} GiB; read them on one rank and broadcast, or from a sharded checkpoint</source>
        <translation>每个进程都读取完整权重时，节点需要 {0} GiB（共 {1} GiB）；请由一个进程读取并广播，或使用分片检查点</translation>
    </message>
    <message>
        <source>The textbook&apos;s formulas were never compared with published runs</source>
        <translation>教科书公式从未与公开运行比较</translation>
    </message>
    <message>
        <source>no step times, only memory ({0})</source>
        <translation>没有步时间，只有显存（{0}）</translation>
    </message>
    <message>
        <source>{0} s: median of {1} of {2} steps in a log of {3}</source>
        <translation>{0} 秒：{3} 日志中 {2} 步里 {1} 步的中位数</translation>
    </message>
    <message>
        <source>lines {0} to {1}</source>
        <translation>第 {0} 至 {1} 行</translation>
    </message>
    <message>
        <source>{0} of another global batch left out</source>
        <translation>{0} 步因全局批次不同而略去</translation>
    </message>
    <message>
        <source>{0} of the warm-up left out</source>
        <translation>{0} 步属于预热而略去</translation>
    </message>
    <message>
        <source>{0} too far from the others left out</source>
        <translation>{0} 步偏离过大而略去</translation>
    </message>
    <message>
        <source>stack</source>
        <translation>软件栈</translation>
    </message>
    <message>
        <source>GPU generation</source>
        <translation>GPU 代际</translation>
    </message>
    <message>
        <source>accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>dense or experts</source>
        <translation>稠密或专家</translation>
    </message>
    <message>
        <source>model size</source>
        <translation>模型规模</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度格式</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>must consist of letters, digits, &apos;.&apos;, &apos;-&apos; and &apos;_&apos;</source>
        <translation>只能由字母、数字、“.”、“-”和“_”组成</translation>
    </message>
    <message>
        <source>nothing was measured: give a step time, allocated or reserved memory</source>
        <translation>没有实测值：请给出步时间、已分配或已保留显存</translation>
    </message>
    <message>
        <source>reserved memory must not be less than allocated memory</source>
        <translation>已保留显存不得小于已分配显存</translation>
    </message>
    <message>
        <source>step time must be a positive number</source>
        <translation>步时间必须为正数</translation>
    </message>
    <message>
        <source>allocated memory must be a positive number</source>
        <translation>已分配显存必须为正数</translation>
    </message>
    <message>
        <source>reserved memory must be a positive number</source>
        <translation>已保留显存必须为正数</translation>
    </message>
    <message>
        <source>step time is a hundred times or more from the prediction; what a run of this plan printed, in the right unit, is expected</source>
        <translation>步时间与预测相差一百倍或更多；应填本方案的运行所打印的数值，单位须正确</translation>
    </message>
    <message>
        <source>allocated memory is a hundred times or more from the prediction; what a run of this plan printed, in the right unit, is expected</source>
        <translation>已分配显存与预测相差一百倍或更多；应填本方案的运行所打印的数值，单位须正确</translation>
    </message>
    <message>
        <source>reserved memory is a hundred times or more from the prediction; what a run of this plan printed, in the right unit, is expected</source>
        <translation>已保留显存与预测相差一百倍或更多；应填本方案的运行所打印的数值，单位须正确</translation>
    </message>
    <message>
        <source>cannot be read; choose a log file</source>
        <translation>无法读取；请选择日志文件</translation>
    </message>
    <message>
        <source>figures typed in</source>
        <translation>键入的数值</translation>
    </message>
    <message>
        <source>there is no folder for user presets: set XDG_DATA_HOME or HOME</source>
        <translation>没有存放用户预设的文件夹：请设置 XDG_DATA_HOME 或 HOME</translation>
    </message>
    <message>
        <source>torchtitan cannot shard optimizer states alone, as ZeRO 1 does: FSDP shards gradients too</source>
        <translation>torchtitan 不能像 ZeRO 1 那样只分片优化器状态：FSDP 也分片梯度</translation>
    </message>
    <message>
        <source>torchtitan keeps whole replicas with plain data parallelism only; other degrees need ZeRO 2 or 3</source>
        <translation>torchtitan 只在纯数据并行时保留完整副本；其他并行度需要 ZeRO 2 或 3</translation>
    </message>
    <message>
        <source>torchtitan shards over a multiple of the {0} context ranks and more than one rank, not over {1}</source>
        <translation>torchtitan 的分片数须是 {0} 个上下文 rank 的倍数且多于一个 rank，不能是 {1}</translation>
    </message>
    <message>
        <source>torchtitan splits sequences by passing or gathering keys and values, not by Ulysses</source>
        <translation>torchtitan 通过传递或收集键和值来切分序列，不用 Ulysses</translation>
    </message>
    <message>
        <source>torchtitan cuts a sequence into 2 · tensor · context = {0} parts; {1} tokens do not divide</source>
        <translation>torchtitan 把序列切成 2 · 张量 · 上下文 = {0} 份；{1} 个 token 不能整除</translation>
    </message>
    <message>
        <source>torchtitan takes expert ranks from shard · tensor = {0} ranks; {1} do not divide them</source>
        <translation>torchtitan 从 分片 · 张量 = {0} 个 rank 中取专家 rank；{1} 不能整除</translation>
    </message>
    <message>
        <source>torchtitan splits an expert over all {0} tensor ranks or over none, not over {1}</source>
        <translation>torchtitan 把专家切到全部 {0} 个张量 rank 或不切，不能切到 {1} 个</translation>
    </message>
    <message>
        <source>this release of torchtitan no longer splits experts over tensor ranks: {0} must be 1</source>
        <translation>此版本的 torchtitan 不再把专家切到张量 rank：{0} 必须为 1</translation>
    </message>
    <message>
        <source>torchtitan does not repeat key and value heads: {0} heads cannot be split over {1} tensor ranks</source>
        <translation>torchtitan 不复制键值头：{0} 个头无法分给 {1} 个张量 rank</translation>
    </message>
    <message>
        <source>torchtitan cannot share the embedding&apos;s weights with the head across pipeline stages</source>
        <translation>torchtitan 不能跨流水线阶段让输出头共享嵌入权重</translation>
    </message>
    <message>
        <source>torchtitan needs a module in every stage: a chunk between the first and the last has no layer</source>
        <translation>torchtitan 的每个阶段都须有模块：首尾之间有一块没有层</translation>
    </message>
    <message>
        <source>{0} micro-batches do not make equal rounds over {1} stages, as PyTorch&apos;s schedules walk them</source>
        <translation>{0} 个微批次在 {1} 个阶段上不能组成 PyTorch 调度所走的等长轮次</translation>
    </message>
    <message>
        <source>PyTorch&apos;s DualPipeV needs {1} micro-batches for its {1} stages, not {0}</source>
        <translation>PyTorch 的 DualPipeV 的 {1} 个阶段需要 {1} 个微批次，不能是 {0} 个</translation>
    </message>
    <message>
        <source>accelerate&apos;s configuration has no virtual stages: {0} chunks per rank must be 1</source>
        <translation>accelerate 的配置没有虚拟阶段：每个 rank 的 {0} 块必须为 1</translation>
    </message>
    <message>
        <source>accelerate runs pipelines and expert parallelism on Megatron, which it shards by ZeRO 1 only, not {0}</source>
        <translation>accelerate 用 Megatron 执行流水线和专家并行，只能按 ZeRO 1 分片，不能是 {0}</translation>
    </message>
    <message>
        <source>accelerate&apos;s Megatron plugin shards over all {0} ranks of the replicas, not over {1}</source>
        <translation>accelerate 的 Megatron 插件在副本的全部 {0} 个 rank 间分片，不能是 {1} 个</translation>
    </message>
    <message>
        <source>accelerate runs Ulysses on DeepSpeed, beside data parallelism only</source>
        <translation>accelerate 用 DeepSpeed 执行 Ulysses，只能与数据并行同用</translation>
    </message>
    <message>
        <source>accelerate&apos;s DeepSpeed section shards over all {0} ranks of the replicas, not over {1}</source>
        <translation>accelerate 的 DeepSpeed 部分在副本的全部 {0} 个 rank 间分片，不能是 {1} 个</translation>
    </message>
    <message>
        <source>accelerate&apos;s mesh cannot shard over {0} ranks with context {1} and tensor {2}: a multiple of the context ranks is needed, and more than one of them</source>
        <translation>accelerate 的网格在上下文 {1}、张量 {2} 时不能在 {0} 个 rank 间分片：须是上下文 rank 的倍数且多于一倍</translation>
    </message>
    <message>
        <source>accelerate starts as many processes on every node: {0} do not divide over {1} nodes</source>
        <translation>accelerate 在每个节点启动同样多的进程：{0} 个不能均分到 {1} 个节点</translation>
    </message>
    <message>
        <source>nanotron&apos;s pipeline has one chunk per rank, not {0}</source>
        <translation>nanotron 的流水线每个 rank 只有一块，不能是 {0} 块</translation>
    </message>
    <message>
        <source>nanotron 0.4 cannot start with expert parallelism: its grid of ranks leaves the degree {0} out</source>
        <translation>nanotron 0.4 无法以专家并行启动：它的 rank 网格漏掉了并行度 {0}</translation>
    </message>
    <message>
        <source>nanotron does not split an expert over tensor ranks: {0} must be 1</source>
        <translation>nanotron 不把一个专家切到多个张量 rank：{0} 必须为 1</translation>
    </message>
    <message>
        <source>nanotron shards optimizer states only: ZeRO {0} would run as ZeRO 1</source>
        <translation>nanotron 只分片优化器状态：ZeRO {0} 会按 ZeRO 1 运行</translation>
    </message>
    <message>
        <source>nanotron shards optimizer states over all {0} data ranks, not over {1}</source>
        <translation>nanotron 在全部 {0} 个数据 rank 间分片优化器状态，不能是 {1} 个</translation>
    </message>
    <message>
        <source>nanotron splits sequences by ring attention or by gathering keys and values, not by Ulysses</source>
        <translation>nanotron 用环形注意力或收集键和值来切分序列，不用 Ulysses</translation>
    </message>
    <message>
        <source>nanotron does not repeat key and value heads: {0} heads cannot be split over {1} tensor ranks</source>
        <translation>nanotron 不复制键值头：{0} 个头无法分给 {1} 个张量 rank</translation>
    </message>
    <message>
        <source>nanotron&apos;s 1f1b needs at least {0} micro-batches for {1} stages, not {2}</source>
        <translation>nanotron 的 1f1b 在 {1} 个阶段上至少需要 {0} 个微批次，不能是 {2} 个</translation>
    </message>
    <message>
        <source>llm-foundry has no pipeline: {0} stages cannot be run</source>
        <translation>llm-foundry 没有流水线：无法运行 {0} 个阶段</translation>
    </message>
    <message>
        <source>llm-foundry cannot split a sequence over {0} context ranks</source>
        <translation>llm-foundry 不能把序列切到 {0} 个上下文 rank</translation>
    </message>
    <message>
        <source>llm-foundry shards experts by FSDP only: expert {0} and expert_tensor {1} must be 1</source>
        <translation>llm-foundry 只用 FSDP 分片专家：专家并行 {0} 与专家张量并行 {1} 必须为 1</translation>
    </message>
    <message>
        <source>llm-foundry cannot shard optimizer states alone, as ZeRO 1 does: FSDP shards gradients too</source>
        <translation>llm-foundry 不能像 ZeRO 1 那样只分片优化器状态：FSDP 也分片梯度</translation>
    </message>
    <message>
        <source>llm-foundry runs its experts without tensor parallelism: tensor {0} must be 1</source>
        <translation>llm-foundry 的专家不配张量并行：张量 {0} 必须为 1</translation>
    </message>
    <message>
        <source>llm-foundry&apos;s tensor parallelism needs parameters or gradients sharded over at least 2 data ranks</source>
        <translation>llm-foundry 的张量并行要求参数或梯度至少在 2 个数据 rank 间分片</translation>
    </message>
    <message>
        <source>nothing is recomputed: only whole layers can be</source>
        <translation>不做重计算：只能重计算整层</translation>
    </message>
    <message>
        <source>every layer is recomputed</source>
        <translation>每一层都重计算</translation>
    </message>
    <message>
        <source>AdamW: {0} has no {1}</source>
        <translation>改用 AdamW：{0} 没有 {1}</translation>
    </message>
    <message>
        <source>not in the model that this file describes: {0}</source>
        <translation>此文件描述的模型不含：{0}</translation>
    </message>
    <message>
        <source>one replica: there is nothing to shard</source>
        <translation>只有一个副本：没有可分片的</translation>
    </message>
    <message>
        <source>torchtitan runs {0} instead of {1}</source>
        <translation>torchtitan 以 {0} 代替 {1}</translation>
    </message>
    <message>
        <source>micro-batches walk in PyTorch&apos;s own rounds</source>
        <translation>微批次按 PyTorch 自己的轮次行进</translation>
    </message>
    <message>
        <source>torchtitan chooses operators, not modules: every second matrix product and what is cheap to compute again</source>
        <translation>torchtitan 选择算子而非模块：每隔一个矩阵乘以及重计算便宜的算子</translation>
    </message>
    <message>
        <source>parameters, gradients and optimizer states leave the GPU together</source>
        <translation>参数、梯度和优化器状态一起离开 GPU</translation>
    </message>
    <message>
        <source>to host memory: FSDP cannot write to NVMe</source>
        <translation>改存主机内存：FSDP 不能写入 NVMe</translation>
    </message>
    <message>
        <source>bf16: torchtitan has no fp16</source>
        <translation>改用 bf16：torchtitan 没有 fp16</translation>
    </message>
    <message>
        <source>gradients are reduced in fp32</source>
        <translation>梯度以 fp32 归约</translation>
    </message>
    <message>
        <source>moments are kept in fp32</source>
        <translation>动量以 fp32 保存</translation>
    </message>
    <message>
        <source>no token is dropped</source>
        <translation>不丢弃 token</translation>
    </message>
    <message>
        <source>ranks land in torchtitan&apos;s order: tensor neighbours first, then context, data, pipeline</source>
        <translation>rank 按 torchtitan 的次序排列：先张量，再上下文、数据、流水线</translation>
    </message>
    <message>
        <source>register a flavor &quot;plan&quot; in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, FFN {5}, vocabulary {6}</source>
        <translation>在你的程序中注册名为 “plan” 的 flavor：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，FFN {5}，词表 {6}</translation>
    </message>
    <message>
        <source>give qwen3&apos;s train spec a pipelining_fn in your program: 0.2.2 ships none</source>
        <translation>在你的程序中给 qwen3 的 train spec 加上 pipelining_fn：0.2.2 没有自带</translation>
    </message>
    <message>
        <source>register a flavor with attn_type=&quot;sdpa&quot; in your program: context parallelism of 0.2.2 needs it</source>
        <translation>在你的程序中注册 attn_type=&quot;sdpa&quot; 的 flavor：0.2.2 的上下文并行需要它</translation>
    </message>
    <message>
        <source>0.2.2 trains no layers for multi-token prediction</source>
        <translation>0.2.2 不训练多 token 预测层</translation>
    </message>
    <message>
        <source>bf16: torchtitan 0.2.2 has no nvfp4</source>
        <translation>改用 bf16：torchtitan 0.2.2 没有 nvfp4</translation>
    </message>
    <message>
        <source>experts are split over the tensor ranks: only expert ranks can keep them whole</source>
        <translation>专家被切到张量 rank：只有专家 rank 能保持其完整</translation>
    </message>
    <message>
        <source>norms split the sequence over the tensor ranks: always on with tensor parallelism</source>
        <translation>归一化层沿序列切到张量 rank：张量并行时总是开启</translation>
    </message>
    <message>
        <source>queries and keys are normalized per head, as in Qwen3</source>
        <translation>查询和键按头归一化，与 Qwen3 相同</translation>
    </message>
    <message>
        <source>trained without the layers for multi-token prediction: they take no pipeline and no context parallelism</source>
        <translation>不训练多 token 预测层：它不支持流水线和上下文并行</translation>
    </message>
    <message>
        <source>keys and values are gathered: FlexAttention passes none around</source>
        <translation>收集键和值：FlexAttention 不逐环传递</translation>
    </message>
    <message>
        <source>FlexAttention: torchtitan has no other for language models</source>
        <translation>改用 FlexAttention：torchtitan 对语言模型没有别的实现</translation>
    </message>
    <message>
        <source>the tensor-parallel plan of your model decides whether norms split the sequence</source>
        <translation>归一化层是否沿序列切分由你的模型的张量并行方案决定</translation>
    </message>
    <message>
        <source>the wrapped layers are those that the model names itself (_no_split_modules); set fsdp_transformer_layer_cls_to_wrap otherwise</source>
        <translation>被包装的层由模型自己指定（_no_split_modules）；否则请设置 fsdp_transformer_layer_cls_to_wrap</translation>
    </message>
    <message>
        <source>turn gradient checkpointing on in your program</source>
        <translation>在你的程序中打开梯度检查点</translation>
    </message>
    <message>
        <source>the attention core is recomputed and nothing else</source>
        <translation>只重计算注意力核心</translation>
    </message>
    <message>
        <source>Megatron-LM runs 1f1b instead of {0}</source>
        <translation>Megatron-LM 以 1f1b 代替 {0}</translation>
    </message>
    <message>
        <source>fp8: accelerate&apos;s configuration has no {0}</source>
        <translation>改用 fp8：accelerate 的配置没有 {0}</translation>
    </message>
    <message>
        <source>give your loader batches of {0} samples per GPU</source>
        <translation>让你的加载器每个 GPU 给出 {0} 个样本的批次</translation>
    </message>
    <message>
        <source>give Accelerator gradient_accumulation_steps={0} in your program: {1} samples per step</source>
        <translation>在你的程序中给 Accelerator 设 gradient_accumulation_steps={0}：每步 {1} 个样本</translation>
    </message>
    <message>
        <source>make the optimizer ({0}) in your program</source>
        <translation>在你的程序中创建优化器（{0}）</translation>
    </message>
    <message>
        <source>{0} processes on each of the {1} nodes</source>
        <translation>{1} 个节点各 {0} 个进程</translation>
    </message>
    <message>
        <source>ranks land in accelerate&apos;s order: tensor neighbours first, then context, shards, replicas</source>
        <translation>rank 按 accelerate 的次序排列：先张量，再上下文、分片、副本</translation>
    </message>
    <message>
        <source>set moe_config=MoEConfig(num_experts={0}, top_k={1}, moe_intermediate_size={2}) in your program: 0.4 cannot load one from YAML</source>
        <translation>在你的程序中设 moe_config=MoEConfig(num_experts={0}, top_k={1}, moe_intermediate_size={2})：0.4 不能从 YAML 读取</translation>
    </message>
    <message>
        <source>nanotron runs 1f1b instead of {0}</source>
        <translation>nanotron 以 1f1b 代替 {0}</translation>
    </message>
    <message>
        <source>nanotron splits layers by their cost, the head counted with the last ones</source>
        <translation>nanotron 按代价切分层，输出头与最后几层一起计算</translation>
    </message>
    <message>
        <source>optimizer states are sharded over the data ranks, not over the context ranks as well</source>
        <translation>优化器状态只在数据 rank 间分片，不含上下文 rank</translation>
    </message>
    <message>
        <source>bf16: nanotron 0.4 has no {0}</source>
        <translation>改用 bf16：nanotron 0.4 没有 {0}</translation>
    </message>
    <message>
        <source>ranks land in nanotron&apos;s order: tensor neighbours first, then context, data, pipeline</source>
        <translation>rank 按 nanotron 的次序排列：先张量，再上下文、数据、流水线</translation>
    </message>
    <message>
        <source>nothing is recomputed: llm-foundry has no such modules</source>
        <translation>不做重计算：llm-foundry 没有这些模块</translation>
    </message>
    <message>
        <source>whole attention or MLP modules are recomputed</source>
        <translation>重计算整个注意力或 MLP 模块</translation>
    </message>
    <message>
        <source>to host memory: llm-foundry cannot write to NVMe</source>
        <translation>改存主机内存：llm-foundry 不能写入 NVMe</translation>
    </message>
    <message>
        <source>the activations of every layer leave the GPU</source>
        <translation>每一层的激活都离开 GPU</translation>
    </message>
    <message>
        <source>only the MLP is split over the tensor ranks: register a strategy of your own for attention</source>
        <translation>只有 MLP 被切到张量 rank：注意力请注册你自己的策略</translation>
    </message>
    <message>
        <source>global_train_batch_size is {0}: llm-foundry divides it by all GPUs, and {1} tensor ranks read the same samples</source>
        <translation>global_train_batch_size 为 {0}：llm-foundry 用全部 GPU 去除它，而 {1} 个张量 rank 读相同的样本</translation>
    </message>
    <message>
        <source>amp_fp8: llm-foundry has no {0}</source>
        <translation>改用 amp_fp8：llm-foundry 没有 {0}</translation>
    </message>
    <message>
        <source>ranks land in composer&apos;s order: tensor neighbours first, then shards, then replicas</source>
        <translation>rank 按 composer 的次序排列：先张量，再分片，再副本</translation>
    </message>
    <message>
        <source>--nnodes · --nproc_per_node</source>
        <translation>--nnodes · --nproc_per_node 之积</translation>
    </message>
    <message>
        <source>--qk-head-dim + --qk-pos-emb-head-dim</source>
        <translation>--qk-head-dim + --qk-pos-emb-head-dim 之和</translation>
    </message>
    <message>
        <source>0 is no pipeline</source>
        <translation>0 表示没有流水线</translation>
    </message>
    <message>
        <source>1 switches sharding off</source>
        <translation>1 表示关闭分片</translation>
    </message>
    <message>
        <source>2/3 · 4 · hidden · factor, up to a multiple</source>
        <translation>2/3 · 4 · 隐藏维度 · 系数，向上取整到倍数</translation>
    </message>
    <message>
        <source>4 · hidden where {0} gives no width</source>
        <translation>{0} 未给出宽度时为 4 · 隐藏维度</translation>
    </message>
    <message>
        <source>4 · hidden without intermediate_size</source>
        <translation>没有 intermediate_size 时为 4 · 隐藏维度</translation>
    </message>
    <message>
        <source>ColossalAI cuts experts over the tensor ranks</source>
        <translation>ColossalAI 把专家切分到张量 rank 上</translation>
    </message>
    <message>
        <source>ColossalAI is handed a model by the program</source>
        <translation>ColossalAI 的模型由程序给出</translation>
    </message>
    <message>
        <source>ColossalAI takes it from the data loader of the program</source>
        <translation>ColossalAI 从程序的数据加载器取得</translation>
    </message>
    <message>
        <source>ColossalAI&apos;s default</source>
        <translation>ColossalAI 的默认值</translation>
    </message>
    <message>
        <source>DeepSpeed splits sequences by Ulysses only</source>
        <translation>DeepSpeed 只用 Ulysses 切分序列</translation>
    </message>
    <message>
        <source>FSDP2 reshards after the forward by default</source>
        <translation>FSDP2 默认在前向之后重新分片</translation>
    </message>
    <message>
        <source>FlexAttention gathers keys and values</source>
        <translation>FlexAttention 收集键和值</translation>
    </message>
    <message>
        <source>LayerNorm has a bias</source>
        <translation>LayerNorm 带偏置</translation>
    </message>
    <message>
        <source>MPT has biases unless no_bias is set</source>
        <translation>除非设了 no_bias，MPT 带偏置</translation>
    </message>
    <message>
        <source>MPT learns positions</source>
        <translation>MPT 学习位置嵌入</translation>
    </message>
    <message>
        <source>MPT ties them unless told otherwise</source>
        <translation>除非另有说明，MPT 共享两者</translation>
    </message>
    <message>
        <source>MPT&apos;s default low_precision_layernorm</source>
        <translation>MPT 的默认值 low_precision_layernorm</translation>
    </message>
    <message>
        <source>Mamba layers have no form in a plan: only {0} of {1} layers attend</source>
        <translation>方案无法表示 Mamba 层：{1} 层中只有 {0} 层做注意力</translation>
    </message>
    <message>
        <source>Megatron-LM knows flags with hyphens only and refuses this spelling</source>
        <translation>Megatron-LM 只认带连字符的参数，会拒绝这种写法</translation>
    </message>
    <message>
        <source>Megatron-LM switches it off without a word where tensor is 1</source>
        <translation>tensor 为 1 时 Megatron-LM 会不声不响地关闭它</translation>
    </message>
    <message>
        <source>SageMaker leaves it to the training script</source>
        <translation>SageMaker 交给训练脚本决定</translation>
    </message>
    <message>
        <source>SageMaker shards over as many ranks as it can</source>
        <translation>SageMaker 在尽可能多的 rank 上分片</translation>
    </message>
    <message>
        <source>SageMaker&apos;s default</source>
        <translation>SageMaker 的默认值</translation>
    </message>
    <message>
        <source>a deprecated key; {0}.device is the one of today</source>
        <translation>已弃用的键；如今用 {0}.device</translation>
    </message>
    <message>
        <source>a key that is a list or a map; a word is right</source>
        <translation>键是列表或映射；应为一个词</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>a mixed precision recipe of its own</source>
        <translation>自带的混合精度配方</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>a number of micro-batches: the global batch is this times micro batch and data ranks</source>
        <translation>微批次的个数：全局批次等于它乘以微批次和数据 rank 数</translation>
    </message>
    <message>
        <source>a plan has both moments in fp32 or in bf16</source>
        <translation>方案中两个动量同为 fp32 或同为 bf16</translation>
    </message>
    <message>
        <source>a plan has dense layers first, then experts in every n-th</source>
        <translation>方案中先是稠密层，然后每 n 层一个专家层</translation>
    </message>
    <message>
        <source>a plan has every n-th layer attend over the whole sequence</source>
        <translation>方案中每 n 层有一层关注整条序列</translation>
    </message>
    <message>
        <source>a plan has master weights and their gradients in fp32</source>
        <translation>方案中主权重及其梯度为 fp32</translation>
    </message>
    <message>
        <source>a plan has one batch</source>
        <translation>方案只有一个批次大小</translation>
    </message>
    <message>
        <source>a plan has one transport: p2p, a2a or all_gather</source>
        <translation>方案只有一种传输方式：p2p、a2a 或 all_gather</translation>
    </message>
    <message>
        <source>a plan has the batch behind the ramp; releases from 0.18 ignore the flag</source>
        <translation>方案用爬升之后的批次；0.18 起的版本忽略此参数</translation>
    </message>
    <message>
        <source>a plan keeps the input of every layer, not of every n-th</source>
        <translation>方案保留每一层的输入，而不是每 n 层的</translation>
    </message>
    <message>
        <source>a plan knows adamw, sgd and muon of Megatron-LM&apos;s optimizers</source>
        <translation>Megatron-LM 的优化器中，方案只有 adamw、sgd 和 muon</translation>
    </message>
    <message>
        <source>a plan offloads all optimizer states or none</source>
        <translation>方案要么卸载全部优化器状态，要么都不卸载</translation>
    </message>
    <message>
        <source>a plan offloads all states or none</source>
        <translation>方案要么卸载全部状态，要么都不卸载</translation>
    </message>
    <message>
        <source>a preset with the GPUs of one of the {0} machines</source>
        <translation>请选一个 GPU 与这 {0} 台机器之一相同的预设</translation>
    </message>
    <message>
        <source>a second copy of the parameters in a group of ranks has no form in a plan</source>
        <translation>方案无法表示一组 rank 中的第二份参数</translation>
    </message>
    <message>
        <source>a sign where no value can begin; a key or a value is right</source>
        <translation>此处的符号不能作为值的开头；应为键或值</translation>
    </message>
    <message>
        <source>a tag, not acted upon</source>
        <translation>标签，不予执行</translation>
    </message>
    <message>
        <source>a total instead of a shape works with textbook fidelity only</source>
        <translation>以总数代替形状只适用于教科书模型</translation>
    </message>
    <message>
        <source>a value or true is right</source>
        <translation>应为一个值或 true</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>一个整数</translation>
    </message>
    <message>
        <source>accelerate leaves it to the training program</source>
        <translation>accelerate 交给训练程序决定</translation>
    </message>
    <message>
        <source>accelerate&apos;s default FULL_SHARD</source>
        <translation>accelerate 的默认值 FULL_SHARD</translation>
    </message>
    <message>
        <source>accelerate&apos;s default mixed_precision no</source>
        <translation>accelerate 的默认值 mixed_precision no</translation>
    </message>
    <message>
        <source>accelerate&apos;s default stage</source>
        <translation>accelerate 的默认 stage</translation>
    </message>
    <message>
        <source>activation_checkpointing says how, not which layers: the program wraps them; none unless it is set</source>
        <translation>activation_checkpointing 只说明方式，不说明哪些层：由程序包装；不设则为无</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>all query heads share one key and value</source>
        <translation>所有查询头共用一组键和值</translation>
    </message>
    <message>
        <source>always on with tensor parallelism in torchtitan</source>
        <translation>torchtitan 中随张量并行始终开启</translation>
    </message>
    <message>
        <source>an alias inside its own anchor; a finished value is right</source>
        <translation>别名位于自己的锚之内；应引用已写完的值</translation>
    </message>
    <message>
        <source>an encoder-decoder model: a plan describes a decoder-only transformer</source>
        <translation>编码器-解码器模型：方案只描述仅解码器的 Transformer</translation>
    </message>
    <message>
        <source>an encoder: a plan describes a decoder-only transformer</source>
        <translation>编码器：方案只描述仅解码器的 Transformer</translation>
    </message>
    <message>
        <source>and two rows in front</source>
        <translation>并在前面加两行</translation>
    </message>
    <message>
        <source>and {0} more such lines</source>
        <translation>另有 {0} 行同类说明</translation>
    </message>
    <message>
        <source>another such object: the first in the file counts</source>
        <translation>又一个同类对象：以文件中的第一个为准</translation>
    </message>
    <message>
        <source>another version of the format; read as {0}</source>
        <translation>格式的另一版本；按 {0} 读取</translation>
    </message>
    <message>
        <source>as many expert layers; a plan has the last of each {0} one, the launcher the first</source>
        <translation>专家层数相同；方案中是每 {0} 层的最后一层，启动器是第一层</translation>
    </message>
    <message>
        <source>as many experts wide</source>
        <translation>宽度为专家数倍</translation>
    </message>
    <message>
        <source>as torchtitan deals layers out, embedding and head counted</source>
        <translation>按 torchtitan 分配层的方式，计入嵌入和输出头</translation>
    </message>
    <message>
        <source>attention in chunks has no form in a plan: full attention counted</source>
        <translation>方案无法表示分块注意力：按完整注意力计算</translation>
    </message>
    <message>
        <source>base64 text, as the launcher hands it on</source>
        <translation>base64 文本，启动器就是这样传递的</translation>
    </message>
    <message>
        <source>both are left open: only one may end up on</source>
        <translation>两者都未定：最后只能开启一个</translation>
    </message>
    <message>
        <source>both enabled</source>
        <translation>两者都已启用</translation>
    </message>
    <message>
        <source>cannot be {0}: {1}</source>
        <translation>不能作为 {0}：{1}</translation>
    </message>
    <message>
        <source>checkpoints split over tensor ranks have no form in a plan</source>
        <translation>方案无法表示切分到张量 rank 上的检查点</translation>
    </message>
    <message>
        <source>cluster, spread, or an order of D, P and T</source>
        <translation>应为 cluster、spread，或 D、P、T 的次序</translation>
    </message>
    <message>
        <source>comes from the tokenizer, which is not read</source>
        <translation>来自分词器，未读取分词器</translation>
    </message>
    <message>
        <source>compilation belongs to the stack of a plan</source>
        <translation>编译属于方案的软件栈</translation>
    </message>
    <message>
        <source>composer&apos;s default FULL_SHARD</source>
        <translation>composer 的默认值 FULL_SHARD</translation>
    </message>
    <message>
        <source>d_model · expansion_ratio (4 when left out)</source>
        <translation>d_model · expansion_ratio（未写时为 4）</translation>
    </message>
    <message>
        <source>data · context over the instances: the world must be known and divide</source>
        <translation>数据 · 上下文除以实例数：总 rank 数必须已知且能整除</translation>
    </message>
    <message>
        <source>data · context ranks over {0} instances</source>
        <translation>数据 · 上下文 rank 数除以 {0} 个实例</translation>
    </message>
    <message>
        <source>default of --cp-comm-type: p2p</source>
        <translation>--cp-comm-type 的默认值：p2p</translation>
    </message>
    <message>
        <source>default of --data-parallel-sharding-strategy in this release: {0}</source>
        <translation>此版本中 --data-parallel-sharding-strategy 的默认值：{0}</translation>
    </message>
    <message>
        <source>default of --expert-tensor-parallel-size: the tensor degree</source>
        <translation>--expert-tensor-parallel-size 的默认值：张量并行度</translation>
    </message>
    <message>
        <source>default of --ffn-hidden-size with --swiglu: 8/3 of hidden, down to a multiple of 64</source>
        <translation>有 --swiglu 时 --ffn-hidden-size 的默认值：隐藏维度的 8/3，向下取整到 64 的倍数</translation>
    </message>
    <message>
        <source>default of --ffn-hidden-size: 4 · hidden</source>
        <translation>--ffn-hidden-size 的默认值：4 · 隐藏维度</translation>
    </message>
    <message>
        <source>default of --global-batch-size: micro batch · data-parallel ranks</source>
        <translation>--global-batch-size 的默认值：微批次 · 数据并行 rank 数</translation>
    </message>
    <message>
        <source>default of --moe-ffn-hidden-size: --ffn-hidden-size</source>
        <translation>--moe-ffn-hidden-size 的默认值：--ffn-hidden-size</translation>
    </message>
    <message>
        <source>default of --optimizer: adam</source>
        <translation>--optimizer 的默认值：adam</translation>
    </message>
    <message>
        <source>default of --recompute-modules: core_attn</source>
        <translation>--recompute-modules 的默认值：core_attn</translation>
    </message>
    <message>
        <source>default of no_weight_tying</source>
        <translation>no_weight_tying 的默认值</translation>
    </message>
    <message>
        <source>default of num_key_value_heads in the class of {0}</source>
        <translation>{0} 类中 num_key_value_heads 的默认值</translation>
    </message>
    <message>
        <source>default of overlap_comm: on for stage 3 only</source>
        <translation>overlap_comm 的默认值：仅 stage 3 开启</translation>
    </message>
    <message>
        <source>default of zero_optimization.stage</source>
        <translation>zero_optimization.stage 的默认值</translation>
    </message>
    <message>
        <source>default of {0}</source>
        <translation>{0} 的默认值</translation>
    </message>
    <message>
        <source>default of {0} in the class of {1}</source>
        <translation>{1} 类中 {0} 的默认值</translation>
    </message>
    <message>
        <source>distributed_type is DEEPSPEED</source>
        <translation>distributed_type 为 DEEPSPEED</translation>
    </message>
    <message>
        <source>distributed_type is FSDP</source>
        <translation>distributed_type 为 FSDP</translation>
    </message>
    <message>
        <source>distributed_type is MEGATRON_LM</source>
        <translation>distributed_type 为 MEGATRON_LM</translation>
    </message>
    <message>
        <source>dp_replicate_size · dp_shard_size</source>
        <translation>dp_replicate_size · dp_shard_size 之积</translation>
    </message>
    <message>
        <source>every GPU has a whole replica</source>
        <translation>每块 GPU 有一份完整副本</translation>
    </message>
    <message>
        <source>every linear layer has one unless switched off</source>
        <translation>除非关闭，每个线性层都有</translation>
    </message>
    <message>
        <source>every stage above 0 runs as stage 1 in nanotron</source>
        <translation>nanotron 中 0 以上的 stage 都按 stage 1 运行</translation>
    </message>
    <message>
        <source>exclude each other: DeepSpeed refuses the file</source>
        <translation>互相排斥：DeepSpeed 会拒绝此文件</translation>
    </message>
    <message>
        <source>exclude each other: Megatron-LM refuses them together</source>
        <translation>互相排斥：Megatron-LM 拒绝同时使用</translation>
    </message>
    <message>
        <source>filled in elsewhere</source>
        <translation>在别处填写</translation>
    </message>
    <message>
        <source>flavor {0} of {1} is not known; name a preset or give a shape</source>
        <translation>不认识 {1} 的规格 {0}；请指定预设或给出形状</translation>
    </message>
    <message>
        <source>fp16 and bf16 are both on; one of them is right</source>
        <translation>fp16 和 bf16 同时开启；应只开一个</translation>
    </message>
    <message>
        <source>full or selective is right</source>
        <translation>应为 full 或 selective</translation>
    </message>
    <message>
        <source>further models in the file, not counted: {0}</source>
        <translation>文件中的其他模型，未计入：{0}</translation>
    </message>
    <message>
        <source>given in several documents, the last one counts</source>
        <translation>在多个文档中给出，以最后一个为准</translation>
    </message>
    <message>
        <source>given twice, the last one counts</source>
        <translation>给出了两次，以最后一次为准</translation>
    </message>
    <message>
        <source>grad_accum_dtype is left out: the training precision</source>
        <translation>未写 grad_accum_dtype：取训练精度</translation>
    </message>
    <message>
        <source>gradients travel in the plan&apos;s gradient dtype</source>
        <translation>梯度以方案的梯度类型传输</translation>
    </message>
    <message>
        <source>greatest common divisor of the layers&apos;</source>
        <translation>各层的最大公约数</translation>
    </message>
    <message>
        <source>greatest common divisor of the layers&apos;: what tensor parallelism can split</source>
        <translation>各层的最大公约数：张量并行可切分的数目</translation>
    </message>
    <message>
        <source>groups that states are sharded over: needs cluster.gpus</source>
        <translation>状态分片所在的组：需要 cluster.gpus</translation>
    </message>
    <message>
        <source>holds both matrices of the gated MLP</source>
        <translation>包含门控 MLP 的两个矩阵</translation>
    </message>
    <message>
        <source>how many micro-batches are alive at once</source>
        <translation>同时存活的微批次数</translation>
    </message>
    <message>
        <source>how models of type {0} are built</source>
        <translation>{0} 类模型就是这样构建的</translation>
    </message>
    <message>
        <source>how the layers are split: set parallel.layers_per_stage</source>
        <translation>层的划分方式：请设置 parallel.layers_per_stage</translation>
    </message>
    <message>
        <source>interleaved means that forwards and backwards alternate: 1F1B</source>
        <translation>interleaved 指前向与反向交替：1F1B</translation>
    </message>
    <message>
        <source>is filled in by the program that starts the training: unknown here</source>
        <translation>由启动训练的程序填写：此处未知</translation>
    </message>
    <message>
        <source>is no field</source>
        <translation>不是字段</translation>
    </message>
    <message>
        <source>is no multiple of micro batch · accumulation = {0}: DeepSpeed refuses it</source>
        <translation>不是微批次 · 累积 = {0} 的倍数：DeepSpeed 会拒绝</translation>
    </message>
    <message>
        <source>is no multiple of {0} heads: Megatron-LM wants --kv-channels then</source>
        <translation>不是 {0} 个头的倍数：此时 Megatron-LM 需要 --kv-channels</translation>
    </message>
    <message>
        <source>is text; read as the number {0}</source>
        <translation>是文本；按数字 {0} 读取</translation>
    </message>
    <message>
        <source>is text; read as {0}</source>
        <translation>是文本；按 {0} 读取</translation>
    </message>
    <message>
        <source>it stands in {0}: import that file as well</source>
        <translation>写在 {0} 中：请一并导入该文件</translation>
    </message>
    <message>
        <source>kinds of attention by layer have no form in a plan</source>
        <translation>方案无法表示逐层不同的注意力</translation>
    </message>
    <message>
        <source>learned positions are the default of --position-embedding-type</source>
        <translation>--position-embedding-type 的默认值是学习的位置嵌入</translation>
    </message>
    <message>
        <source>leaves {0} layers that do not divide over {1} stages: Megatron-LM refuses it</source>
        <translation>剩下 {0} 层无法均分到 {1} 个阶段：Megatron-LM 会拒绝</translation>
    </message>
    <message>
        <source>left to the program; bf16 unless it is set</source>
        <translation>由程序决定；不设则为 bf16</translation>
    </message>
    <message>
        <source>line {0}: a word without a flag</source>
        <translation>第 {0} 行：没有参数名的词</translation>
    </message>
    <message>
        <source>line {0}: not known from the script alone: what it holds is not read</source>
        <translation>第 {0} 行：仅凭脚本无法得知：未读取其内容</translation>
    </message>
    <message>
        <source>llm-foundry&apos;s default amp_bf16</source>
        <translation>llm-foundry 的默认值 amp_bf16</translation>
    </message>
    <message>
        <source>local batch over its micro-batches</source>
        <translation>本地批次除以其微批次数</translation>
    </message>
    <message>
        <source>micro batch {0} · accumulation {1} · replicas: give cluster.gpus and it follows</source>
        <translation>微批次 {0} · 累积 {1} · 副本数：给出 cluster.gpus 即可得到</translation>
    </message>
    <message>
        <source>micro-batch · accumulation · data ranks</source>
        <translation>微批次 · 累积 · 数据 rank 数</translation>
    </message>
    <message>
        <source>more than one document; the first counts</source>
        <translation>不止一个文档；以第一个为准</translation>
    </message>
    <message>
        <source>multi_query is on where {0} does not say otherwise</source>
        <translation>除非 {0} 另有说明，multi_query 为开</translation>
    </message>
    <message>
        <source>nanotron 0.4 cannot start with expert parallelism</source>
        <translation>nanotron 0.4 无法以专家并行启动</translation>
    </message>
    <message>
        <source>nanotron&apos;s Llama and Qwen2 models have it</source>
        <translation>nanotron 的 Llama 和 Qwen2 模型就是如此</translation>
    </message>
    <message>
        <source>nanotron&apos;s default dtype</source>
        <translation>nanotron 的默认 dtype</translation>
    </message>
    <message>
        <source>nanotron&apos;s default engine is afab</source>
        <translation>nanotron 的默认引擎是 afab</translation>
    </message>
    <message>
        <source>nanotron&apos;s default in models_config.py</source>
        <translation>nanotron 在 models_config.py 中的默认值</translation>
    </message>
    <message>
        <source>neither --bf16 nor --fp16</source>
        <translation>既无 --bf16 也无 --fp16</translation>
    </message>
    <message>
        <source>neither fp16 nor bf16 is enabled</source>
        <translation>fp16 和 bf16 都未启用</translation>
    </message>
    <message>
        <source>no key of DeepSpeed, which ignores it</source>
        <translation>不是 DeepSpeed 的键，会被忽略</translation>
    </message>
    <message>
        <source>no key of DeepSpeed, which ignores it; did you mean {0}?</source>
        <translation>不是 DeepSpeed 的键，会被忽略；是否指 {0}？</translation>
    </message>
    <message>
        <source>no key says how wide an expert is</source>
        <translation>没有键说明专家的宽度</translation>
    </message>
    <message>
        <source>no layout whose stages divide by the pipeline degree</source>
        <translation>布局的阶段数不能被流水线并行度整除</translation>
    </message>
    <message>
        <source>no number of nodes and processes that can be read in the script</source>
        <translation>脚本中读不出节点数和进程数</translation>
    </message>
    <message>
        <source>no number of words that can be padded</source>
        <translation>没有可以填充的词数</translation>
    </message>
    <message>
        <source>no place in a plan</source>
        <translation>方案中没有对应项</translation>
    </message>
    <message>
        <source>no program fills this one in; a value is right</source>
        <translation>没有程序会填写此项；应为一个值</translation>
    </message>
    <message>
        <source>no such engine is known; read as plain replicas</source>
        <translation>没有这种引擎；按普通副本读取</translation>
    </message>
    <message>
        <source>no such module in a plan</source>
        <translation>方案中没有这种模块</translation>
    </message>
    <message>
        <source>no such optimizer in a plan: adamw, sgd, adafactor, muon and adamw-8bit are</source>
        <translation>方案中没有这种优化器：有 adamw、sgd、adafactor、muon 和 adamw-8bit</translation>
    </message>
    <message>
        <source>no such schedule is known; read as 1f1b</source>
        <translation>没有这种调度；按 1f1b 读取</translation>
    </message>
    <message>
        <source>no such strategy is known; read as FULL_SHARD</source>
        <translation>没有这种策略；按 FULL_SHARD 读取</translation>
    </message>
    <message>
        <source>no such value is known for {0}</source>
        <translation>{0} 没有这种取值</translation>
    </message>
    <message>
        <source>no whole number of sequences of max_context_length</source>
        <translation>不是 max_context_length 长序列的整数倍</translation>
    </message>
    <message>
        <source>no, fp16, bf16 or fp8 is right</source>
        <translation>应为 no、fp16、bf16 或 fp8</translation>
    </message>
    <message>
        <source>norm, layernorm unless given</source>
        <translation>norm，未写则为 layernorm</translation>
    </message>
    <message>
        <source>not a whole number of stages for every rank</source>
        <translation>每个 rank 的阶段数不是整数</translation>
    </message>
    <message>
        <source>not in this file; {0} is right</source>
        <translation>此文件中没有；应为 {0}</translation>
    </message>
    <message>
        <source>not known from this file alone: a variable that is not set in it, or the output of a command</source>
        <translation>仅凭此文件无法得知：其中未设置的变量，或命令的输出</translation>
    </message>
    <message>
        <source>not known here; read by its keys, the rest as a model of type llama</source>
        <translation>此类型未知；按其键读取，其余按 llama 类模型</translation>
    </message>
    <message>
        <source>nothing is sharded: shard and context degree are 1</source>
        <translation>没有分片：分片度和上下文并行度都是 1</translation>
    </message>
    <message>
        <source>one value</source>
        <translation>一个值</translation>
    </message>
    <message>
        <source>only HybridParallelPlugin and MoeHybridParallelPlugin are read</source>
        <translation>只读取 HybridParallelPlugin 和 MoeHybridParallelPlugin</translation>
    </message>
    <message>
        <source>only Llama and Qwen2 models are read</source>
        <translation>只读取 Llama 和 Qwen2 模型</translation>
    </message>
    <message>
        <source>only a block of dense layers in front has a place in a plan</source>
        <translation>方案只能表示排在前面的一段稠密层</translation>
    </message>
    <message>
        <source>only literal values are read</source>
        <translation>只读取字面值</translation>
    </message>
    <message>
        <source>only mpt_causal_lm has its shape in this file; name a preset or give a shape</source>
        <translation>只有 mpt_causal_lm 的形状写在此文件中；请指定预设或给出形状</translation>
    </message>
    <message>
        <source>only the first n layers have a place</source>
        <translation>只能表示前 n 层</translation>
    </message>
    <message>
        <source>over accumulation and replicas</source>
        <translation>除以累积和副本数</translation>
    </message>
    <message>
        <source>over train_micro_batch_size_per_gpu · gradient_accumulation_steps</source>
        <translation>除以 train_micro_batch_size_per_gpu · gradient_accumulation_steps</translation>
    </message>
    <message>
        <source>processes over tensor · pipeline · context</source>
        <translation>进程数除以张量 · 流水线 · 上下文</translation>
    </message>
    <message>
        <source>qk_nope_head_dim + qk_rope_head_dim</source>
        <translation>qk_nope_head_dim + qk_rope_head_dim 之和</translation>
    </message>
    <message>
        <source>quantised communication has no form in a plan</source>
        <translation>方案无法表示量化通信</translation>
    </message>
    <message>
        <source>read as adamw</source>
        <translation>按 adamw 读取</translation>
    </message>
    <message>
        <source>refers to a value outside this file</source>
        <translation>引用了此文件之外的值</translation>
    </message>
    <message>
        <source>replicate · shard degree</source>
        <translation>副本度 · 分片度</translation>
    </message>
    <message>
        <source>shard ranks · context ranks</source>
        <translation>分片 rank 数 · 上下文 rank 数</translation>
    </message>
    <message>
        <source>shard · context degree</source>
        <translation>分片度 · 上下文并行度</translation>
    </message>
    <message>
        <source>shards inside a node</source>
        <translation>在节点内分片</translation>
    </message>
    <message>
        <source>shards inside a node: the GPUs of a node are right</source>
        <translation>在节点内分片：应为一个节点的 GPU 数</translation>
    </message>
    <message>
        <source>shards its states by itself</source>
        <translation>自行分片其状态</translation>
    </message>
    <message>
        <source>single activations on the host have no form in a plan</source>
        <translation>方案无法表示只把个别激活放到主机</translation>
    </message>
    <message>
        <source>single dense layers: a plan has the first ones dense, or every n-th</source>
        <translation>零散的稠密层：方案只能表示前若干层稠密，或每 n 层一个</translation>
    </message>
    <message>
        <source>steps · batch · sequence</source>
        <translation>步数 · 批次 · 序列</translation>
    </message>
    <message>
        <source>summed by kind of layer: {0} of attention, {1} of Mamba</source>
        <translation>按层的种类求和：注意力 {0} 层，Mamba {1} 层</translation>
    </message>
    <message>
        <source>summed layer by layer: heads and widths differ, pipeline stages are unequal</source>
        <translation>逐层求和：头数和宽度不同，流水线各阶段不等</translation>
    </message>
    <message>
        <source>tensor parallelism of an mpu is built in the program; 1 unless it is set</source>
        <translation>mpu 的张量并行在程序中构建；不设则为 1</translation>
    </message>
    <message>
        <source>the Hugging Face trainer fills it in from its arguments; without that trainer a value must stand here</source>
        <translation>由 Hugging Face Trainer 按其参数填写；没有它时此处必须有值</translation>
    </message>
    <message>
        <source>the activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>the file is a Python configuration</source>
        <translation>文件是 Python 配置</translation>
    </message>
    <message>
        <source>the file is accelerate&apos;s</source>
        <translation>文件属于 accelerate</translation>
    </message>
    <message>
        <source>the file is laid over a recipe, and this stands there</source>
        <translation>文件叠加在配方之上，此项写在配方中</translation>
    </message>
    <message>
        <source>the file is llm-foundry&apos;s</source>
        <translation>文件属于 llm-foundry</translation>
    </message>
    <message>
        <source>the file is nanotron&apos;s</source>
        <translation>文件属于 nanotron</translation>
    </message>
    <message>
        <source>the file is torchtitan&apos;s</source>
        <translation>文件属于 torchtitan</translation>
    </message>
    <message>
        <source>the file names no machines</source>
        <translation>文件未指明机器</translation>
    </message>
    <message>
        <source>the first {0} layers of each of {1} chunks</source>
        <translation>{1} 个块各自的前 {0} 层</translation>
    </message>
    <message>
        <source>the gate of the shared expert (hidden size weights a layer) is not counted</source>
        <translation>未计入共享专家的门控（每层隐藏维度个权重）</translation>
    </message>
    <message>
        <source>the instance type is the estimator&apos;s</source>
        <translation>实例类型由 estimator 决定</translation>
    </message>
    <message>
        <source>the last release with TOML</source>
        <translation>最后一个使用 TOML 的版本</translation>
    </message>
    <message>
        <source>the layers do not divide by pipeline · layers per chunk</source>
        <translation>层数不能被流水线 · 每块层数整除</translation>
    </message>
    <message>
        <source>the layers of the other stages follow from the model&apos;s, which are not known</source>
        <translation>其他阶段的层数取决于模型层数，而模型层数未知</translation>
    </message>
    <message>
        <source>the norms follow each part</source>
        <translation>归一化在每个部分之后</translation>
    </message>
    <message>
        <source>the number of instances is the estimator&apos;s</source>
        <translation>实例数由 estimator 决定</translation>
    </message>
    <message>
        <source>the number of nodes is ${0}, which the script does not set</source>
        <translation>节点数是 ${0}，脚本没有设置它</translation>
    </message>
    <message>
        <source>the number of processes is torchrun&apos;s</source>
        <translation>进程数由 torchrun 决定</translation>
    </message>
    <message>
        <source>the old form: true</source>
        <translation>旧写法：true</translation>
    </message>
    <message>
        <source>the pipeline is built in the program; 1 unless it is set</source>
        <translation>流水线在程序中构建；不设则为 1</translation>
    </message>
    <message>
        <source>the preset of the same shape</source>
        <translation>形状相同的预设</translation>
    </message>
    <message>
        <source>the processes per node are ${0}, which the script does not set</source>
        <translation>每节点进程数是 ${0}，脚本没有设置它</translation>
    </message>
    <message>
        <source>the product of the degrees</source>
        <translation>各并行度之积</translation>
    </message>
    <message>
        <source>the program that reads this file</source>
        <translation>读取此文件的程序</translation>
    </message>
    <message>
        <source>the program that takes these flags</source>
        <translation>接受这些参数的程序</translation>
    </message>
    <message>
        <source>the program with the most of Megatron-LM&apos;s flags, out of {0}</source>
        <translation>{0} 个程序中 Megatron-LM 参数最多的一个</translation>
    </message>
    <message>
        <source>the same in all layers</source>
        <translation>各层相同</translation>
    </message>
    <message>
        <source>the shard degree takes the rest of the ranks: how many are there?</source>
        <translation>分片度占用其余的 rank：共有多少个？</translation>
    </message>
    <message>
        <source>the stages follow from the model&apos;s layers, which are not known</source>
        <translation>阶段取决于模型层数，而模型层数未知</translation>
    </message>
    <message>
        <source>the token itself and those before it</source>
        <translation>该 token 及其之前的 token</translation>
    </message>
    <message>
        <source>the version asked for</source>
        <translation>所选的版本</translation>
    </message>
    <message>
        <source>the widest layer</source>
        <translation>最宽的层</translation>
    </message>
    <message>
        <source>the widest of layers that differ: {0} to {1}</source>
        <translation>各层不同，取最宽的：{0} 到 {1}</translation>
    </message>
    <message>
        <source>the world is not in this file</source>
        <translation>此文件中没有总 rank 数</translation>
    </message>
    <message>
        <source>the world is not in this file: replicas · tensor · context · pipeline</source>
        <translation>此文件中没有总 rank 数：副本 · 张量 · 上下文 · 流水线</translation>
    </message>
    <message>
        <source>tie_word_embeddings is left out: the class of {0} has it so; a separate head is vocab · hidden more</source>
        <translation>未写 tie_word_embeddings：{0} 类如此；独立的输出头会多出 词表 · 隐藏维度 个参数</translation>
    </message>
    <message>
        <source>times micro batch times {0} replicas</source>
        <translation>乘以微批次再乘以 {0} 个副本</translation>
    </message>
    <message>
        <source>times sequence_parallel_size</source>
        <translation>乘以 sequence_parallel_size</translation>
    </message>
    <message>
        <source>times the hidden size</source>
        <translation>乘以隐藏维度</translation>
    </message>
    <message>
        <source>to be filled in</source>
        <translation>待填写</translation>
    </message>
    <message>
        <source>tokens over max_context_length</source>
        <translation>token 数除以 max_context_length</translation>
    </message>
    <message>
        <source>torchtitan keeps parameters after the forward where there is a pipeline</source>
        <translation>有流水线时 torchtitan 在前向之后保留参数</translation>
    </message>
    <message>
        <source>torchtitan reshards parameters after the forward</source>
        <translation>torchtitan 在前向之后重新分片参数</translation>
    </message>
    <message>
        <source>torchtitan&apos;s Qwen3 builder makes it so</source>
        <translation>torchtitan 的 Qwen3 构建器如此</translation>
    </message>
    <message>
        <source>torchtitan&apos;s builders make it so</source>
        <translation>torchtitan 的构建器如此</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default enable_sequence_parallel</source>
        <translation>torchtitan 的默认值 enable_sequence_parallel</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default for schedules of several stages</source>
        <translation>torchtitan 对多阶段调度的默认值</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default mixed_precision_param</source>
        <translation>torchtitan 的默认值 mixed_precision_param</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default mode</source>
        <translation>torchtitan 的默认 mode</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default rotate method</source>
        <translation>torchtitan 的默认 rotate method</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default schedule</source>
        <translation>torchtitan 的默认调度</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default: local batch · data ranks</source>
        <translation>torchtitan 的默认值：本地批次 · 数据 rank 数</translation>
    </message>
    <message>
        <source>torchtitan&apos;s default: one round of micro-batches on every data rank</source>
        <translation>torchtitan 的默认值：每个数据 rank 一轮微批次</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>version 1 needs pipeline_parallel_degree (in old files: partitions)</source>
        <translation>版本 1 需要 pipeline_parallel_degree（旧文件中为 partitions）</translation>
    </message>
    <message>
        <source>weight shards have no form in a plan</source>
        <translation>方案无法表示权重分片</translation>
    </message>
    <message>
        <source>what --bf16 does, and full precision</source>
        <translation>--bf16 的作用，以及全精度</translation>
    </message>
    <message>
        <source>which layers are recomputed: set memory.recompute</source>
        <translation>哪些层重计算：请设置 memory.recompute</translation>
    </message>
    <message>
        <source>who splits the layers over the stages</source>
        <translation>由谁把层划分到各阶段</translation>
    </message>
    <message>
        <source>with autotp_size DeepSpeed compares it with micro batch · accumulation · all GPUs, unless an mpu is handed over: the true batch may be {0} times smaller</source>
        <translation>设了 autotp_size 时，除非传入 mpu，DeepSpeed 会用 微批次 · 累积 · 全部 GPU 核对它：真正的批次可能小 {0} 倍</translation>
    </message>
    <message>
        <source>with {0} in embeddings of every layer, which are looked up and not multiplied: the time is an upper bound</source>
        <translation>其中 {0} 在各层的嵌入中，只查表不相乘：时间是上界</translation>
    </message>
    <message>
        <source>without --accumulate-allreduce-grads-in-fp32</source>
        <translation>没有 --accumulate-allreduce-grads-in-fp32</translation>
    </message>
    <message>
        <source>without --disable-bias-linear every linear layer has one</source>
        <translation>没有 --disable-bias-linear 时每个线性层都有</translation>
    </message>
    <message>
        <source>without --group-query-attention it has no effect</source>
        <translation>没有 --group-query-attention 时不起作用</translation>
    </message>
    <message>
        <source>without --recompute-granularity</source>
        <translation>没有 --recompute-granularity</translation>
    </message>
    <message>
        <source>without --untie-embeddings-and-output-weights</source>
        <translation>没有 --untie-embeddings-and-output-weights</translation>
    </message>
    <message>
        <source>without --use-distributed-optimizer</source>
        <translation>没有 --use-distributed-optimizer</translation>
    </message>
    <message>
        <source>without a mesh every process is a data rank</source>
        <translation>没有网格时每个进程是一个数据 rank</translation>
    </message>
    <message>
        <source>without a pipeline it is the data loader&apos;s batch</source>
        <translation>没有流水线时是数据加载器的批次</translation>
    </message>
    <message>
        <source>without fsdp_config every GPU has a whole replica</source>
        <translation>没有 fsdp_config 时每块 GPU 有一份完整副本</translation>
    </message>
    <message>
        <source>without {0}</source>
        <translation>没有 {0}</translation>
    </message>
    <message>
        <source>{0} is right</source>
        <translation>应为 {0}</translation>
    </message>
    <message>
        <source>{0} layers over {1} stages of {2} layers a chunk</source>
        <translation>{0} 层，{1} 个阶段，每块 {2} 层</translation>
    </message>
    <message>
        <source>{0} ranks read the same samples</source>
        <translation>{0} 个 rank 读取相同样本</translation>
    </message>
    <message>
        <source>{0} words padded to a multiple of {1} · tensor = {2}; a checkpoint with other rows does not fit</source>
        <translation>{0} 个词填充到 {1} · 张量的倍数 = {2}；行数不同的检查点无法载入</translation>
    </message>
    <message>
        <source>{0} words; how far they are padded is open with tensor</source>
        <translation>{0} 个词；填充到多少取决于张量并行度</translation>
    </message>
    <message>
        <source>{0}: not JSON, other programs may refuse the file</source>
        <translation>{0}：不是 JSON，其他程序可能拒绝此文件</translation>
    </message>
    <message>
        <source>is JSON, but no object; an object {…} is right</source>
        <translation>是 JSON，但不是对象；应为对象 {…}</translation>
    </message>
    <message>
        <source>is larger than 64 MiB; a smaller file is right</source>
        <translation>大于 64 MiB；应为更小的文件</translation>
    </message>
    <message>
        <source>is larger than 8 MiB; a smaller file is right</source>
        <translation>大于 8 MiB；应为更小的文件</translation>
    </message>
    <message>
        <source>is not UTF-8 text; UTF-8 is right</source>
        <translation>不是 UTF-8 文本；应为 UTF-8</translation>
    </message>
    <message>
        <source>has neither hidden_size nor num_hidden_layers, nor a part that has: a config.json of a transformer is right</source>
        <translation>既没有 hidden_size 也没有 num_hidden_layers，也没有包含它们的部分：应为 Transformer 的 config.json</translation>
    </message>
    <message>
        <source>has no attention fields (num_attention_heads, n_head …); a transformer&apos;s config.json is right</source>
        <translation>没有注意力字段（num_attention_heads、n_head …）；应为 Transformer 的 config.json</translation>
    </message>
    <message>
        <source>has no attention fields: a state space or recurrent model is no plan, which describes a transformer</source>
        <translation>没有注意力字段：方案描述 Transformer，不能表示状态空间或循环模型</translation>
    </message>
    <message>
        <source>has no keys; a nanotron configuration starts with sections such as parallelism:</source>
        <translation>没有键；nanotron 配置以 parallelism: 等节开头</translation>
    </message>
    <message>
        <source>has no keys; a training configuration of llm-foundry starts with such as model:</source>
        <translation>没有键；llm-foundry 训练配置以 model: 等开头</translation>
    </message>
    <message>
        <source>has no keys; an accelerate configuration has distributed_type:</source>
        <translation>没有键；accelerate 配置有 distributed_type:</translation>
    </message>
    <message>
        <source>has no map MODEL_ARGS; MODEL_ARGS: {--num-layers: 32, …} is right</source>
        <translation>没有映射 MODEL_ARGS；应为 MODEL_ARGS: {--num-layers: 32, …}</translation>
    </message>
    <message>
        <source>is no map of keys; &quot;num_layers&quot;: 32, … is right</source>
        <translation>不是键的映射；应为 "num_layers": 32, …</translation>
    </message>
    <message>
        <source>is no map of model, train, ddp and the like</source>
        <translation>不是 model、train、ddp 等的映射</translation>
    </message>
    <message>
        <source>starts no program *.py; a script that starts Megatron-LM is right</source>
        <translation>没有启动 *.py 程序；应为启动 Megatron-LM 的脚本</translation>
    </message>
    <message>
        <source>a whole number from {0} to {1}</source>
        <translation>{0} 到 {1} 的整数</translation>
    </message>
    <message>
        <source>a number from {0} to {1}</source>
        <translation>{0} 到 {1} 的数</translation>
    </message>
    <message>
        <source>the id of a model preset, or a model object,</source>
        <translation>模型预设的 id，或模型对象</translation>
    </message>
    <message>
        <source>text in one line</source>
        <translation>一行文本</translation>
    </message>
    <message>
        <source>one of {0}</source>
        <translation>{0} 之一</translation>
    </message>
    <message>
        <source>a list of whole numbers from {0} to {1}</source>
        <translation>{0} 到 {1} 的整数列表</translation>
    </message>
    <message>
        <source>a list out of {0}</source>
        <translation>从 {0} 中选取的列表</translation>
    </message>
    <message>
        <source>a list of texts in one line each</source>
        <translation>每项一行的文本列表</translation>
    </message>
    <message>
        <source>begins a command: the backslash at the end of the line before is missing, so this and the following flags do not reach the program</source>
        <translation>成了一条命令的开头：上一行末尾缺少反斜杠，因此它和后面的参数都到不了程序</translation>
    </message>
    <message>
        <source>a name where a value belongs: to be filled in</source>
        <translation>该写值的地方是一个名称：待填写</translation>
    </message>
    <message>
        <source>not set in the script: its default {0} counts</source>
        <translation>脚本中未设置：以默认值 {0} 为准</translation>
    </message>
    <message>
        <source>not set in the script: taken as empty</source>
        <translation>脚本中未设置：按空值处理</translation>
    </message>
    <message>
        <source>added to under a condition only: left out</source>
        <translation>只在某个条件下追加：未计入</translation>
    </message>
    <message>
        <source>set under a condition: not followed</source>
        <translation>在某个条件下设置：未跟随</translation>
    </message>
    <message>
        <source>set by {0}: not known from the script alone</source>
        <translation>由 {0} 设置：仅凭脚本无法得知其值</translation>
    </message>
    <message>
        <source>an element of it is set whose place is not known: not followed</source>
        <translation>设置了其中一个位置不明的元素：未跟随</translation>
    </message>
    <message>
        <source>sourced, not read: variables set before it are not known behind it</source>
        <translation>以 source 引入的文件未读取：在它之前设置的变量，其后的值无从得知</translation>
    </message>
    <message>
        <source>evaluates text that is not known: variables set before it are not known behind it</source>
        <translation>执行的文本未知：在它之前设置的变量，其后的值无从得知</translation>
    </message>
    <message>
        <source>a test ends the script as it stands: read on as if it did not</source>
        <translation>按脚本现状，此处的判断会结束脚本：仍继续读取，视为未结束</translation>
    </message>
    <message>
        <source>calls itself: not followed</source>
        <translation>调用自身：未跟随</translation>
    </message>
    <message>
        <source>a function that the script does not call: its commands count</source>
        <translation>脚本未调用的函数：计入其中的命令</translation>
    </message>
    <message>
        <source>a blank behind the backslash: the command ends on this line</source>
        <translation>反斜杠后面有空格：命令在此行结束</translation>
    </message>
    <message>
        <source>a byte order mark in front</source>
        <translation>开头有字节序标记</translation>
    </message>
    <message>
        <source>a comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>single quotes</source>
        <translation>单引号</translation>
    </message>
    <message>
        <source>a number not in JSON&apos;s form</source>
        <translation>不符合 JSON 写法的数</translation>
    </message>
    <message>
        <source>no finite number</source>
        <translation>不是有限的数</translation>
    </message>
    <message>
        <source>a comma before the end</source>
        <translation>结尾之前有逗号</translation>
    </message>
    <message>
        <source>a key without quotes</source>
        <translation>键没有引号</translation>
    </message>
    <message>
        <source>a control character inside a string</source>
        <translation>字符串内有控制字符</translation>
    </message>
    <message>
        <source>keep gradients in {0} in your script</source>
        <translation>在你的脚本中用 {0} 保存梯度</translation>
    </message>
    <message>
        <source>SageMaker chooses how keys and values are exchanged</source>
        <translation>key 与 value 如何交换由 SageMaker 决定</translation>
    </message>
    <message>
        <source>the program splits the layers: set parallel.layers_per_stage</source>
        <translation>层由程序划分：请设置 parallel.layers_per_stage</translation>
    </message>
    <message>
        <source>it is the number of micro-batches times micro batch and data ranks</source>
        <translation>等于微批次数 × 微批次大小 × 数据并行 rank 数</translation>
    </message>
    <message>
        <source>the recipe decides it and this file does not say; a preset as model gives all of them</source>
        <translation>由配方决定，此文件中没有；把预设作为 model 可一次给出全部</translation>
    </message>
    <message>
        <source>no stack is measured with ColossalAI</source>
        <translation>没有用 ColossalAI 实测过的软件栈</translation>
    </message>
    <message>
        <source>no stack is measured with SageMaker</source>
        <translation>没有用 SageMaker 实测过的软件栈</translation>
    </message>
    <message>
        <source>the version by its keys</source>
        <translation>由其键判断的版本</translation>
    </message>
    <message>
        <source>micro batch {0} · accumulation {1} · {2} data ranks = {3}, not {4}: DeepSpeed refuses it</source>
        <translation>微批次大小 {0} · 累积 {1} · {2} 个数据并行 rank = {3}，而不是 {4}：DeepSpeed 会拒绝</translation>
    </message>
    <message>
        <source>is no multiple of micro batch {0} · {1} data ranks: DeepSpeed refuses it</source>
        <translation>不是微批次大小 {0} · {1} 个数据并行 rank 的倍数：DeepSpeed 会拒绝</translation>
    </message>
    <message>
        <source>the newest release</source>
        <translation>最新版本</translation>
    </message>
    <message>
        <source>the version that its first lines name</source>
        <translation>其开头几行所写的版本</translation>
    </message>
    <message>
        <source>a plan has one transport: ring, ulysses or allgather</source>
        <translation>方案只有一种传输方式：ring、ulysses 或 allgather</translation>
    </message>
    <message>
        <source>the latents are normalised, and nothing else</source>
        <translation>只对潜向量做归一化</translation>
    </message>
    <message>
        <source>without --qk-layernorm Megatron-LM builds no norms of the latents; a plan counts them</source>
        <translation>没有 --qk-layernorm 时 Megatron-LM 不会构建潜向量的归一化；方案会计入它们</translation>
    </message>
    <message>
        <source>register a flavor &quot;plan&quot; in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, FFN {5} of dense layers, {6} experts of width {7}, {8} for each token, vocabulary {9}</source>
        <translation>在你的程序中注册名为 “plan” 的 flavor：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，稠密层 FFN {5}，{6} 个宽度为 {7} 的专家，每个 token 使用 {8} 个，词表 {9}</translation>
    </message>
    <message>
        <source>register a flavor &quot;plan&quot; in your program: {0} layers, hidden {1}, {2} heads of size {3}, {4} KV heads, {5} experts of width {6}, {7} for each token, vocabulary {8}</source>
        <translation>在你的程序中注册名为 “plan” 的 flavor：{0} 层，隐藏维 {1}，{2} 个大小为 {3} 的头，{4} 个 KV 头，{5} 个宽度为 {6} 的专家，每个 token 使用 {7} 个，词表 {8}</translation>
    </message>
    <message>
        <source>over {0} micro-batches: as many as pipeline ranks were its default then</source>
        <translation>除以 {0} 个微批次：当时默认与流水线 rank 一样多</translation>
    </message>
    <message>
        <source>times {0} data ranks</source>
        <translation>乘以 {0} 个数据并行 rank</translation>
    </message>
    <message>
        <source>every layer of that number is recomputed whole, which has no form in a plan; read as its choice of operators</source>
        <translation>每隔该数的一层整层重计算，方案中无法表达；按其对算子的选择读取</translation>
    </message>
    <message>
        <source>stage, precision, batch and offload stand in that file, which is not read</source>
        <translation>ZeRO 阶段、精度、批次大小和卸载都在该文件中，而它未被读取</translation>
    </message>
    <message>
        <source>--attention-backend auto: flash attention where it can run</source>
        <translation>--attention-backend auto：能运行时使用 flash attention</translation>
    </message>
    <message>
        <source>its value is not understood</source>
        <translation>无法理解其值</translation>
    </message>
    <message>
        <source>no place in a plan; did you mean {0}?</source>
        <translation>方案中没有对应项；你是指 {0} 吗？</translation>
    </message>
    <message>
        <source>a number too large</source>
        <translation>过大的数</translation>
    </message>
    <message>
        <source>there is no {0} with {1} pipeline stages; memory.stages.0 is right</source>
        <translation>{1} 个流水线阶段时没有 {0}；应为 memory.stages.0</translation>
    </message>
    <message>
        <source>this plan has no {0}; one with training.tokens (and a price, a power) is right</source>
        <translation>此方案没有 {0}；应给出 training.tokens（以及价格、功率）</translation>
    </message>
    <message>
        <source>a report has no number {0}; {1} is right</source>
        <translation>报告中没有数字 {0}；应为 {1}</translation>
    </message>
    <message>
        <source>the plan leaves {0} out; a plan that gives it is right</source>
        <translation>方案没有给出 {0}；应使用给出它的方案</translation>
    </message>
    <message>
        <source>a plan has no field {0}; {1} is right</source>
        <translation>方案没有字段 {0}；应为 {1}</translation>
    </message>
    <message>
        <source>preset {0} has no {1}; {2} is right</source>
        <translation>预设 {0} 没有 {1}；应为 {2}</translation>
    </message>
    <message>
        <source>{0} of preset {1} is no number</source>
        <translation>预设 {1} 的 {0} 不是数字</translation>
    </message>
    <message>
        <source>there is no plan file {0} beside the lesson; a preset&apos;s id or a file there is right</source>
        <translation>课程旁没有方案文件 {0}；应为预设的 id 或该处的文件</translation>
    </message>
    <message>
        <source>there is no plan &apos;{0}&apos; in the front matter; {1} is right</source>
        <translation>文件头中没有方案“{0}”；应为 {1}</translation>
    </message>
    <message>
        <source>the name {0} stands for nothing; report.PATH, plan.PATH, PLAN.report.PATH, PLAN.plan.PATH or preset.ID.PATH is right</source>
        <translation>名称 {0} 没有所指；应为 report.PATH、plan.PATH、PLAN.report.PATH、PLAN.plan.PATH 或 preset.ID.PATH</translation>
    </message>
    <message>
        <source>there is no preset {0}; {1} is right</source>
        <translation>没有预设 {0}；应为 {1}</translation>
    </message>
    <message>
        <source>{0} is a text; the unit text is right</source>
        <translation>{0} 是文字；单位应为 text</translation>
    </message>
    <message>
        <source>{0} is a text; a number is right</source>
        <translation>{0} 是文字；应为数字</translation>
    </message>
    <message>
        <source>{0} is a number; a unit such as 1 or s is right</source>
        <translation>{0} 是数字；单位应为 1 或 s 等</translation>
    </message>
    <message>
        <source>&apos;{0}&apos; is no number; one such as {1} or 4.2e23 is right</source>
        <translation>“{0}”不是数字；应如 {1} 或 4.2e23</translation>
    </message>
    <message>
        <source>unit &apos;{0}&apos;; one of {1} is right</source>
        <translation>单位“{0}”；应为 {1} 之一</translation>
    </message>
    <message>
        <source>has no finite value</source>
        <translation>没有有限的值</translation>
    </message>
    <message>
        <source>several values; one is right</source>
        <translation>有多个值；应只有一个</translation>
    </message>
    <message>
        <source>an empty expression; one such as report.time.step_s is right</source>
        <translation>表达式为空；应如 report.time.step_s</translation>
    </message>
    <message>
        <source>longer than 2000 characters</source>
        <translation>超过 2000 个字符</translation>
    </message>
    <message>
        <source>a text has no place in arithmetic; a number is right</source>
        <translation>文字不能参与运算；应为数字</translation>
    </message>
    <message>
        <source>there is no function {0}; {1} is right</source>
        <translation>没有函数 {0}；应为 {1}</translation>
    </message>
    <message>
        <source>&apos;{0}&apos; is no part of an expression</source>
        <translation>“{0}”不能出现在表达式中</translation>
    </message>
    <message>
        <source>= stands alone; == compares</source>
        <translation>单个 = 无意义；比较用 ==</translation>
    </message>
    <message>
        <source>harmonic takes a whole number from 0 to 1e15</source>
        <translation>harmonic 应为 0 到 1e15 的整数</translation>
    </message>
    <message>
        <source>sgd_time: the {0} is none; k_sync and exponential are right</source>
        <translation>sgd_time：没有这样的 {0}；应如 k_sync 和 exponential</translation>
    </message>
    <message>
        <source>sgd_error: the {0} is none; k_sync and exponential are right</source>
        <translation>sgd_error：没有这样的 {0}；应如 k_sync 和 exponential</translation>
    </message>
    <message>
        <source>sgd_error: the time is from 0 to {0}</source>
        <translation>sgd_error：时间应在 0 到 {0} 之间</translation>
    </message>
    <message>
        <source>sgd_error takes a variant, P, K, a delay, its mean and a time</source>
        <translation>sgd_error 应有：变体、P、K、时延、其均值和时间</translation>
    </message>
    <message>
        <source>sgd_time takes a variant, P, K, a delay, its mean and, if wanted, the shape (pareto) or the shift (shifted_exponential)</source>
        <translation>sgd_time 应有：变体、P、K、时延、其均值，以及可选的形状（pareto）或平移（shifted_exponential）</translation>
    </message>
    <message>
        <source>one such as parallel.tensor</source>
        <translation>parallel.tensor 等</translation>
    </message>
    <message>
        <source>one such as time.step_s</source>
        <translation>time.step_s 等</translation>
    </message>
    <message>
        <source>what presets show {0} prints</source>
        <translation>presets show {0} 所列之一</translation>
    </message>
    <message>
        <source>one of `plans`</source>
        <translation>`plans` 之一</translation>
    </message>
    <message>
        <source>an id that presets list prints</source>
        <translation>presets list 所列的 id</translation>
    </message>
    <message>
        <source>min, max, ceil, floor, sqrt …</source>
        <translation>min、max、ceil、floor、sqrt 等</translation>
    </message>
    <message>
        <source>no step; a line such as &quot;## First step&quot; begins one</source>
        <translation>没有步骤；应以“## 第一步”这样的一行开始</translation>
    </message>
    <message>
        <source>no front matter; a first line --- with id, order, title … and another --- below are right</source>
        <translation>没有文件头；第一行应为 ---，其下为 id、order、title 等，再以 --- 结束</translation>
    </message>
    <message>
        <source>the front matter has no end; a line --- is right</source>
        <translation>文件头没有结束；应有一行 ---</translation>
    </message>
    <message>
        <source>the block has no end; a line {0} is right</source>
        <translation>代码块没有结束；应有一行 {0}</translation>
    </message>
    <message>
        <source>a block of kind &apos;{0}&apos;; {1} is right</source>
        <translation>代码块类型“{0}”；应为 {1}</translation>
    </message>
    <message>
        <source>not UTF-8 text; UTF-8 is right</source>
        <translation>不是 UTF-8 文本；应为 UTF-8</translation>
    </message>
    <message>
        <source>the field {{{0} has no end on its line; }} is right</source>
        <translation>字段 {{{0} 在本行没有结束；应有 }}</translation>
    </message>
    <message>
        <source>the field {{{0}}} is not of the form {{ expression | unit | digits }}; {{ report.time.step_s | s }} is right</source>
        <translation>字段 {{{0}}} 的形式不对；应为 {{ 表达式 | 单位 | 小数位数 }}，如 {{ report.time.step_s | s }}</translation>
    </message>
    <message>
        <source>&apos;{0}&apos; digits behind the point; a whole number from 0 to 9 is right</source>
        <translation>小数位数“{0}”；应为 0 到 9 的整数</translation>
    </message>
    <message>
        <source>no lesson in this folder; files NAME.md, or en/NAME.md and zh_CN/NAME.md, are right</source>
        <translation>此文件夹中没有课程；应有 NAME.md，或 en/NAME.md 和 zh_CN/NAME.md</translation>
    </message>
    <message>
        <source>no such file or folder; a lesson or a folder of lessons is right</source>
        <translation>没有这个文件或文件夹；应为课程或课程文件夹</translation>
    </message>
    <message>
        <source>id &apos;{0}&apos;; small letters, digits and - are right</source>
        <translation>id“{0}”；应由小写字母、数字和 - 组成</translation>
    </message>
    <message>
        <source>view &apos;{0}&apos;; overview, memory, time, pipeline, topology, compare, matrix, sgd or collective is right</source>
        <translation>视图“{0}”；应为 overview、memory、time、pipeline、topology、compare、matrix、sgd 或 collective</translation>
    </message>
    <message>
        <source>{0} of {1} options are right; at least one right and one wrong are right</source>
        <translation>{1} 个选项中有 {0} 个正确；应至少一对一错</translation>
    </message>
    <message>
        <source>a plan cannot be called &apos;{0}&apos;; a name such as zero3 is right</source>
        <translation>方案不能叫“{0}”；应如 zero3</translation>
    </message>
    <message>
        <source>tolerance takes a number from 0 (exact) to less than 1</source>
        <translation>tolerance 应为 0（精确）到小于 1 的数</translation>
    </message>
    <message>
        <source>right is true or false</source>
        <translation>right 应为 true 或 false</translation>
    </message>
    <message>
        <source>a wrong option says why it is wrong</source>
        <translation>错误选项应说明为什么错（why）</translation>
    </message>
    <message>
        <source>solution is missing; {set: {PATH: VALUE}} is right</source>
        <translation>缺少 solution；应为 {set: {PATH: VALUE}}</translation>
    </message>
    <message>
        <source>wrong is missing; {set: {PATH: VALUE}} of an attempt that does not do is right</source>
        <translation>缺少 wrong；应为一次不成功的尝试 {set: {PATH: VALUE}}</translation>
    </message>
    <message>
        <source>allow is a list of plan paths</source>
        <translation>allow 应为方案路径的列表</translation>
    </message>
    <message>
        <source>views is missing; a list such as [memory] is right</source>
        <translation>缺少 views；应为 [memory] 这样的列表</translation>
    </message>
    <message>
        <source>matrix takes {tensor: 8}</source>
        <translation>matrix 应为 {tensor: 8}</translation>
    </message>
    <message>
        <source>the button does nothing; set, plan, pin, view, highlight, play, sgd or matrix is right</source>
        <translation>按钮什么也不做；应有 set、plan、pin、view、highlight、play、sgd 或 matrix</translation>
    </message>
    <message>
        <source>kind is missing; number, choice or goal is right</source>
        <translation>缺少 kind；应为 number、choice 或 goal</translation>
    </message>
    <message>
        <source>not YAML: {0}; a text with &quot;: &quot; or that begins with { or [ is quoted</source>
        <translation>不是 YAML：{0}；含“: ”或以 { 或 [ 开头的文字要加引号</translation>
    </message>
    <message>
        <source>lines of the form &quot;key: value&quot; are right</source>
        <translation>应为“键: 值”形式的行</translation>
    </message>
    <message>
        <source>{0} takes a value or a list of values</source>
        <translation>{0} 应为一个值或值的列表</translation>
    </message>
    <message>
        <source>{0} is no mapping; {key: value} is right</source>
        <translation>{0} 不是映射；应为 {key: value}</translation>
    </message>
    <message>
        <source>{0} is empty; a text is right</source>
        <translation>{0} 为空；应为文字</translation>
    </message>
    <message>
        <source>{0} is no text; one that begins with { or [ is quoted</source>
        <translation>{0} 不是文字；以 { 或 [ 开头的要加引号</translation>
    </message>
    <message>
        <source>{0} takes a whole number from {1} to {2}</source>
        <translation>{0} 应为 {1} 到 {2} 的整数</translation>
    </message>
    <message>
        <source>{0} is &apos;{1}&apos;; one of {2} is right</source>
        <translation>{0} 是“{1}”；应为 {2} 之一</translation>
    </message>
    <message>
        <source>unknown key {0}; {1} is right</source>
        <translation>未知的键 {0}；应为 {1}</translation>
    </message>
    <message>
        <source>{0} has a key that is no text</source>
        <translation>{0} 有不是文字的键</translation>
    </message>
    <message>
        <source>{0} stands twice; once is right</source>
        <translation>{0} 出现两次；应只有一次</translation>
    </message>
    <message>
        <source>{0} stands twice</source>
        <translation>{0} 出现两次</translation>
    </message>
    <message>
        <source>{0} takes a number</source>
        <translation>{0} 应为数字</translation>
    </message>
    <message>
        <source>is not TOML: {0}</source>
        <translation>不是 TOML：“{0}”</translation>
    </message>
    <message>
        <source>is not YAML: {0}</source>
        <translation>不是 YAML：“{0}”</translation>
    </message>
    <message>
        <source>cannot be opened ({0}); a readable file is right</source>
        <translation>无法打开（{0}）；应为可读的文件</translation>
    </message>
    <message>
        <source>cannot be read ({0}); a readable file is right</source>
        <translation>无法读取（{0}）；应为可读的文件</translation>
    </message>
    <message>
        <source>cannot be read ({0})</source>
        <translation>无法读取（{0}）</translation>
    </message>
    <message>
        <source>cannot be written ({0}); a writable file is right</source>
        <translation>无法写入（{0}）；应为可写的文件</translation>
    </message>
    <message>
        <source>cannot be written ({0}); a writable folder is right</source>
        <translation>无法写入（{0}）；应为可写的文件夹</translation>
    </message>
    <message>
        <source>cannot be written ({0}); nothing was changed</source>
        <translation>无法写入（{0}）；没有改动任何内容</translation>
    </message>
    <message>
        <source>cannot be written: {0}</source>
        <translation>无法写入：{0}</translation>
    </message>
    <message>
        <source>has {0} bytes; at most {1} ({2} MiB) are right</source>
        <translation>有 {0} 字节；最多 {1} 字节（{2} MiB）</translation>
    </message>
    <message>
        <source>has more than {0} bytes ({1} MiB); fewer are right</source>
        <translation>超过 {0} 字节（{1} MiB）；应更小</translation>
    </message>
    <message>
        <source>more than {0} values with aliases written out; fewer are right</source>
        <translation>展开别名后超过 {0} 个值；应更少</translation>
    </message>
    <message>
        <source>more than {0} values; fewer are right</source>
        <translation>超过 {0} 个值；应更少</translation>
    </message>
    <message>
        <source>nested deeper than {0} levels; fewer are right</source>
        <translation>嵌套超过 {0} 层；应更少</translation>
    </message>
    <message>
        <source>unknown key &quot;{0}&quot;; did you mean &quot;{1}&quot;?</source>
        <translation>未知的键 “{0}”；是否指 “{1}”？</translation>
    </message>
    <message>
        <source>unknown key &quot;{0}&quot;; known here: {1}</source>
        <translation>未知的键 “{0}”；此处可用：{1}</translation>
    </message>
    <message>
        <source>unknown key &quot;{0}&quot;; {1} is right</source>
        <translation>未知的键 “{0}”；应为 {1}</translation>
    </message>
    <message>
        <source>unknown version &apos;{0}&apos;; known: {1}</source>
        <translation>未知版本 “{0}”；可用：{1}</translation>
    </message>
    <message>
        <source>unknown escape {0}; \\ is right for a backslash</source>
        <translation>未知的转义 {0}；反斜杠应写作 \\</translation>
    </message>
    <message>
        <source>duplicate key &quot;{0}&quot; ({1}); each key once is right</source>
        <translation>重复的键 “{0}”（{1}）；每个键只能出现一次</translation>
    </message>
    <message>
        <source>the model is the preset &quot;{0}&quot;; a model object can be changed in its parts</source>
        <translation>模型是预设 “{0}”；只有模型对象可以逐项修改</translation>
    </message>
    <message>
        <source>is no field; {0} is</source>
        <translation>不是字段；{0} 才是</translation>
    </message>
    <message>
        <source>{0} are missing; they must be given</source>
        <translation>缺少 {0}；必须给出</translation>
    </message>
    <message>
        <source>{0} after the end of the document; nothing may follow it</source>
        <translation>文档结束之后出现 {0}；其后不能有内容</translation>
    </message>
    <message>
        <source>a single quote at {0}; text stands in double quotes</source>
        <translation>{0} 处有单引号；文本应放在双引号中</translation>
    </message>
    <message>
        <source>{0}; {1} is right; did you mean &quot;{2}&quot;?</source>
        <translation>{0}；应为 {1}；是否指 “{2}”？</translation>
    </message>
    <message>
        <source>{0}; {1} is right, or the key left out</source>
        <translation>{0}；应为 {1}，或去掉此键</translation>
    </message>
    <message>
        <source>{0}; {1} is right</source>
        <translation>{0}；应为 {1}</translation>
    </message>
    <message>
        <source>{0}; {1} are right</source>
        <translation>{0}；应为 {1}</translation>
    </message>
    <message>
        <source>{0} where a value is expected at {1}</source>
        <translation>{1} 处应有值，却是 {0}</translation>
    </message>
    <message>
        <source>{0} where a value is expected</source>
        <translation>此处应有值，却是 {0}</translation>
    </message>
    <message>
        <source>{0} where a key is expected</source>
        <translation>此处应有键，却是 {0}</translation>
    </message>
    <message>
        <source>{0} is not a JSON number at {1}</source>
        <translation>{1} 处的 {0} 不是 JSON 数字</translation>
    </message>
    <message>
        <source>{0} is not a JSON number</source>
        <translation>{0} 不是 JSON 数字</translation>
    </message>
    <message>
        <source>{0} is outside the range of a double at {1}</source>
        <translation>{1} 处的 {0} 超出双精度数的范围</translation>
    </message>
    <message>
        <source>{0} is outside the range of a double</source>
        <translation>{0} 超出双精度数的范围</translation>
    </message>
    <message>
        <source>control character {0} inside a string at {1}</source>
        <translation>{1} 处的字符串中有控制字符 {0}</translation>
    </message>
    <message>
        <source>control character {0} inside a string</source>
        <translation>字符串中有控制字符 {0}</translation>
    </message>
    <message>
        <source>byte {0} is not UTF-8 at {1}</source>
        <translation>{1} 处的字节 {0} 不是 UTF-8</translation>
    </message>
    <message>
        <source>byte {0} is not UTF-8</source>
        <translation>字节 {0} 不是 UTF-8</translation>
    </message>
    <message>
        <source>a string that never ends at {0}</source>
        <translation>{0} 处的字符串没有结束</translation>
    </message>
    <message>
        <source>{0} behind the key {1}</source>
        <translation>键 {1} 之后出现 {0}</translation>
    </message>
    <message>
        <source>{0} behind {1}</source>
        <translation>{1} 之后出现 {0}</translation>
    </message>
    <message>
        <source>{0} is out of bounds (position {1})</source>
        <translation>{0} 超出范围（位置 {1}）</translation>
    </message>
    <message>
        <source>{0} is out of bounds</source>
        <translation>{0} 超出范围</translation>
    </message>
    <message>
        <source>{0} (position {1})</source>
        <translation>{0}（位置 {1}）</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is text</source>
        <translation>“{0}” 是文本</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is unknown</source>
        <translation>“{0}” 未知</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not known</source>
        <translation>“{0}” 未知</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; stands twice in the list</source>
        <translation>“{0}” 在列表中出现两次</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; has a control character</source>
        <translation>“{0}” 含有控制字符</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not UTF-8 text</source>
        <translation>“{0}” 不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is asynchronous and cannot be planned with</source>
        <translation>“{0}” 是异步的，不能用于方案</translation>
    </message>
    <message>
        <source>{0} is a number</source>
        <translation>{0} 是数字</translation>
    </message>
    <message>
        <source>{0} is no such number</source>
        <translation>{0} 不是这样的数字</translation>
    </message>
    <message>
        <source>{0} is not such a value</source>
        <translation>{0} 不是这样的值</translation>
    </message>
    <message>
        <source>{0} is not whole</source>
        <translation>{0} 不是整数</translation>
    </message>
    <message>
        <source>{0} is missing</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>play.bytes is {0}; a number above 0 is right</source>
        <translation>play.bytes 是 {0}；应大于 0</translation>
    </message>
    <message>
        <source>the id {0} stands twice; another is right</source>
        <translation>id {0} 出现两次；应换一个</translation>
    </message>
    <message>
        <source>the right answer is refused</source>
        <translation>正确答案被判错</translation>
    </message>
    <message>
        <source>{0} {1} passes although the answer is {2}</source>
        <translation>答案是 {2}，{0} {1} 却判对</translation>
    </message>
    <message>
        <source>nobody types {0} {1} to the last digit; a tolerance such as 0.02 is right</source>
        <translation>没有人会把 {0} {1} 输入到最后一位；应有 0.02 这样的容差</translation>
    </message>
    <message>
        <source>goal at the {0}: {1}</source>
        <translation>目标在 {0} 处：{1}</translation>
    </message>
    <message>
        <source>the {0} moves {1}, which allow does not name</source>
        <translation>{0} 改动了 {1}，而 allow 中没有它</translation>
    </message>
    <message>
        <source>the {0} does not meet the goal {1}</source>
        <translation>{0} 达不到目标 {1}</translation>
    </message>
    <message>
        <source>the {0} meets the goal {1} already</source>
        <translation>{0} 已达到目标 {1}</translation>
    </message>
    <message>
        <source>start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>解</translation>
    </message>
    <message>
        <source>wrong attempt</source>
        <translation>错误的尝试</translation>
    </message>
    <message>
        <source>allow: a plan has no field {0}</source>
        <translation>allow：方案没有字段 {0}</translation>
    </message>
    <message>
        <source>{0} takes no live fields</source>
        <translation>{0} 中不能有活动字段</translation>
    </message>
    <message>
        <source>the figure {0} is typed; a live field that computes it is right</source>
        <translation>数字 {0} 是手写的；应使用计算它的活动字段</translation>
    </message>
    <message>
        <source>an image; the views show pictures, text alone is right</source>
        <translation>有图片；图由视图显示，这里只应有文字</translation>
    </message>
    <message>
        <source>HTML; Markdown alone is right</source>
        <translation>有 HTML；只应有 Markdown</translation>
    </message>
    <message>
        <source>{0} differs from {1}; the same is right</source>
        <translation>{0} 与 {1} 不同；应相同</translation>
    </message>
    <message>
        <source>{0} steps, {1} in {2}; the same is right</source>
        <translation>{0} 个步骤，{2} 中有 {1} 个；应相同</translation>
    </message>
    <message>
        <source>{0} buttons, questions and notes in this step, {1} in {2}; the same is right</source>
        <translation>此步骤有 {0} 个按钮、问题和备注，{2} 中有 {1} 个；应相同</translation>
    </message>
    <message>
        <source>this block differs from the one at {0} in more than its words</source>
        <translation>此块与 {0} 处的块不只是文字不同</translation>
    </message>
    <message>
        <source>the field {0} of {1} is missing in this step</source>
        <translation>此步骤缺少 {1} 中的字段 {0}</translation>
    </message>
    <message>
        <source>the field {0} does not stand in this step of {1}</source>
        <translation>{1} 的这一步没有字段 {0}</translation>
    </message>
    <message>
        <source>the id {0} is that of {1}; another is right</source>
        <translation>id {0} 与 {1} 的相同；应换一个</translation>
    </message>
    <message>
        <source>order {0} is that of {1}; another is right</source>
        <translation>order {0} 与 {1} 的相同；应换一个</translation>
    </message>
    <message>
        <source>the lesson stands in {0} alone; its translation of the same name is missing</source>
        <translation>课程只有 {0} 版本；缺少同名的译文</translation>
    </message>
    <message>
        <source>ring: the Megatron-LM plugin has no other</source>
        <translation>ring：Megatron-LM 插件没有其他方式</translation>
    </message>
    <message>
        <source>the Megatron-LM plugin has no other</source>
        <translation>Megatron-LM 插件没有其他方式</translation>
    </message>
    <message>
        <source>without expert ranks torchtitan splits experts over the tensor ranks</source>
        <translation>没有专家 rank 时，torchtitan 把专家切分到张量 rank 上</translation>
    </message>
    <message>
        <source>optimizer states are sharded over the data ranks alone</source>
        <translation>优化器状态只在数据 rank 上分片</translation>
    </message>
    <message>
        <source>the training precision</source>
        <translation>即训练精度</translation>
    </message>
    <message>
        <source>ZeRO 2: the pipeline of BMTrain keeps the parameters after the forward</source>
        <translation>ZeRO 2：BMTrain 的流水线在前向之后保留参数</translation>
    </message>
    <message>
        <source>no stack is measured with BMTrain</source>
        <translation>没有用 BMTrain 实测过的软件栈</translation>
    </message>
    <message>
        <source>without tp_size there are no tensor ranks</source>
        <translation>没有 tp_size 就没有张量 rank</translation>
    </message>
    <message>
        <source>without pipe_size there is no pipeline</source>
        <translation>没有 pipe_size 就没有流水线</translation>
    </message>
    <message>
        <source>the program computes it</source>
        <translation>由程序计算得出</translation>
    </message>
    <message>
        <source>without a pipeline it is not read</source>
        <translation>没有流水线时不读取它</translation>
    </message>
    <message>
        <source>a block of BMTrain runs ZeRO 3 unless told otherwise</source>
        <translation>BMTrain 的块默认使用 ZeRO 3</translation>
    </message>
    <message>
        <source>the pipeline of BMTrain runs ZeRO 2</source>
        <translation>BMTrain 的流水线使用 ZeRO 2</translation>
    </message>
    <message>
        <source>the pipeline of BMTrain runs all forwards first</source>
        <translation>BMTrain 的流水线先执行全部前向</translation>
    </message>
    <message>
        <source>a block of BMTrain is recomputed unless told otherwise</source>
        <translation>BMTrain 的块默认重计算</translation>
    </message>
    <message>
        <source>another such call: the first in the file counts</source>
        <translation>又一个这样的调用：以文件中第一个为准</translation>
    </message>
    <message>
        <source>init_distributed has no such argument and refuses it</source>
        <translation>init_distributed 没有这个参数，会拒绝它</translation>
    </message>
    <message>
        <source>BMTrain leaves it to the rest of the program</source>
        <translation>BMTrain 把它留给程序的其余部分</translation>
    </message>
    <message>
        <source>the program builds the parameters in it</source>
        <translation>程序以它构建参数</translation>
    </message>
    <message>
        <source>no plan preset is called &quot;{0}&quot;; &quot;{1}&quot; is one of the {2} there are</source>
        <translation>没有名为“{0}”的方案预设；现有 {2} 个，如“{1}”</translation>
    </message>
    <message>
        <source>the text ends</source>
        <translation>文本到此为止</translation>
    </message>
    <message>
        <source>a key in double quotes or &apos;}&apos;</source>
        <translation>双引号中的键或 &apos;}&apos;</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;}&apos;</source>
        <translation>&apos;,&apos; 或 &apos;}&apos;</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;]&apos;</source>
        <translation>&apos;,&apos; 或 &apos;]&apos;</translation>
    </message>
    <message>
        <source>&apos;:&apos;</source>
        <translation>&apos;:&apos;</translation>
    </message>
    <message>
        <source>a number, &quot;text&quot;, true, false, null, {…} or […]</source>
        <translation>数字、&quot;文本&quot;、true、false、null、{…} 或 […]</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限的数</translation>
    </message>
    <message>
        <source>a plain decimal number</source>
        <translation>普通的十进制数</translation>
    </message>
    <message>
        <source>a number without leading zeros</source>
        <translation>没有前导零的数</translation>
    </message>
    <message>
        <source>a digit behind &apos;-&apos;</source>
        <translation>&apos;-&apos; 之后的数字</translation>
    </message>
    <message>
        <source>a digit behind &apos;.&apos;</source>
        <translation>&apos;.&apos; 之后的数字</translation>
    </message>
    <message>
        <source>a digit in the exponent</source>
        <translation>指数中的数字</translation>
    </message>
    <message>
        <source>a number between 1e-307 and 1e308</source>
        <translation>1e-307 与 1e308 之间的数</translation>
    </message>
    <message>
        <source>a closing &apos;&quot;&apos; or \n</source>
        <translation>结束的 &apos;&quot;&apos; 或 \n</translation>
    </message>
    <message>
        <source>a closing &apos;&quot;&apos;</source>
        <translation>结束的 &apos;&quot;&apos;</translation>
    </message>
    <message>
        <source>an escape</source>
        <translation>转义</translation>
    </message>
    <message>
        <source>UTF-8 text</source>
        <translation>UTF-8 文本</translation>
    </message>
    <message>
        <source>a string that never ends</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>a single quote; text stands in double quotes</source>
        <translation>有单引号；文本应放在双引号中</translation>
    </message>
    <message>
        <source>a comment; JSON has none, a value is right</source>
        <translation>有注释；JSON 没有注释，应为值</translation>
    </message>
    <message>
        <source>a comment; JSON has none, a key is right</source>
        <translation>有注释；JSON 没有注释，应为键</translation>
    </message>
    <message>
        <source>a key in single quotes; double quotes are right</source>
        <translation>键在单引号中；应为双引号</translation>
    </message>
    <message>
        <source>a comma before &apos;]&apos;; a further value or no comma is right</source>
        <translation>&apos;]&apos; 之前有逗号；应再有一个值，或去掉逗号</translation>
    </message>
    <message>
        <source>a comma before &apos;}&apos;; a further key or no comma is right</source>
        <translation>&apos;}&apos; 之前有逗号；应再有一个键，或去掉逗号</translation>
    </message>
    <message>
        <source>the text ends inside \u; four hexadecimal digits are right</source>
        <translation>文本在 \u 中结束；应为四位十六进制数</translation>
    </message>
    <message>
        <source>\u without four hexadecimal digits; for example \u00e9 is right</source>
        <translation>\u 之后没有四位十六进制数；例如 \u00e9</translation>
    </message>
    <message>
        <source>the text ends inside a string; &apos;&quot;&apos; is right</source>
        <translation>文本在字符串中结束；应为 &apos;&quot;&apos;</translation>
    </message>
    <message>
        <source>half of a surrogate pair; both halves are right</source>
        <translation>代理对只有一半；应有两半</translation>
    </message>
    <message>
        <source>is empty; one JSON document is right</source>
        <translation>是空的；应有一个 JSON 文档</translation>
    </message>
    <message>
        <source>starts with zero bytes as UTF-16 text or a binary file does; UTF-8 text is right</source>
        <translation>开头像 UTF-16 文本或二进制文件那样有零字节；应为 UTF-8 文本</translation>
    </message>
    <message>
        <source>is UTF-16 text; UTF-8 is right</source>
        <translation>是 UTF-16 文本；应为 UTF-8</translation>
    </message>
    <message>
        <source>starts with a byte order mark; UTF-8 without one is right</source>
        <translation>以字节序标记开头；应为没有标记的 UTF-8</translation>
    </message>
    <message>
        <source>is not UTF-8; a text file in UTF-8 is right</source>
        <translation>不是 UTF-8；应为 UTF-8 文本文件</translation>
    </message>
    <message>
        <source>is a directory; a file is right</source>
        <translation>是文件夹；应为文件</translation>
    </message>
    <message>
        <source>is a socket; a file is right</source>
        <translation>是套接字；应为文件</translation>
    </message>
    <message>
        <source>is a device; a file is right</source>
        <translation>是设备；应为文件</translation>
    </message>
    <message>
        <source>is a pipe that nothing comes out of; a file is right</source>
        <translation>是没有内容的管道；应为文件</translation>
    </message>
    <message>
        <source>is not a regular file; a file is right</source>
        <translation>不是普通文件；应为文件</translation>
    </message>
    <message>
        <source>no file name; a file or - for standard input is right</source>
        <translation>没有文件名；应为文件，或用 - 表示标准输入</translation>
    </message>
    <message>
        <source>a file name with a zero byte; one without is right</source>
        <translation>文件名含有零字节；应为不含零字节的文件名</translation>
    </message>
    <message>
        <source>names no file; a file name is right</source>
        <translation>没有指明文件；应为文件名</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>数字列表</translation>
    </message>
    <message>
        <source>empty text</source>
        <translation>空文本</translation>
    </message>
    <message>
        <source>NaN is no number</source>
        <translation>NaN 不是数字</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>a model object</source>
        <translation>模型对象</translation>
    </message>
    <message>
        <source>the document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>an object {&quot;schema&quot;: &quot;shardlens/plan/1&quot;, …}</source>
        <translation>对象 {&quot;schema&quot;: &quot;shardlens/plan/1&quot;, …}</translation>
    </message>
    <message>
        <source>schema is missing; &quot;schema&quot;: &quot;shardlens/plan/1&quot; is right</source>
        <translation>缺少 schema；应为 &quot;schema&quot;: &quot;shardlens/plan/1&quot;</translation>
    </message>
    <message>
        <source>tp, cp, dp and pp once each and ep at will, joined by &apos;-&apos; (such as tp-cp-ep-dp-pp), or a launcher&apos;s name (such as megatron)</source>
        <translation>tp、cp、dp、pp 各一次，ep 可有可无，以 &apos;-&apos; 连接（如 tp-cp-ep-dp-pp），或启动器的名称（如 megatron）</translation>
    </message>
    <message>
        <source>is no field of a plan</source>
        <translation>不是方案的字段</translation>
    </message>
    <message>
        <source>delay is &apos;{0}&apos;; {1}, {2}, {3} or {4} is right</source>
        <translation>delay 是“{0}”；应为 {1}、{2}、{3} 或 {4}</translation>
    </message>
    <message>
        <source>only a shifted_exponential delay has a shift</source>
        <translation>只有 shifted_exponential 时延有 shift</translation>
    </message>
    <message>
        <source>only a pareto delay has a shape and a scale</source>
        <translation>只有 pareto 时延有 shape 和 scale</translation>
    </message>
    <message>
        <source>mean and scale of a pareto delay fix each other; one of them is right</source>
        <translation>pareto 时延的 mean 和 scale 互相决定；只应给出一个</translation>
    </message>
    <message>
        <source>shift is {0}; a number from 0 to less than the mean, {1}, is right</source>
        <translation>shift 是 {0}；应为 0 到小于均值 {1} 的数</translation>
    </message>
    <message>
        <source>shape is {0}; a number above 1 (a mean exists) and at most 1000 is right</source>
        <translation>shape 是 {0}；应大于 1（才有均值）且不超过 1000</translation>
    </message>
    <message>
        <source>workers is {0}; a whole number from 1 to {1} is right</source>
        <translation>workers 是 {0}；应为 1 到 {1} 的整数</translation>
    </message>
    <message>
        <source>wait_for is {0}; a whole number from 1 to workers, {1}, is right</source>
        <translation>wait_for 是 {0}；应为 1 到 workers（{1}）的整数</translation>
    </message>
    <message>
        <source>{0} is {1}; a number from {2} to {3} is right</source>
        <translation>{0} 是 {1}；应为 {2} 到 {3} 的数</translation>
    </message>
    <message>
        <source>no plan preset is called &quot;{0}&quot;; did you mean &quot;{1}&quot;?</source>
        <translation>没有名为“{0}”的方案预设；你是指“{1}”吗？</translation>
    </message>
    <message>
        <source>two levels need as many members on every node; node {0} has {1}, node {2} has {3}</source>
        <translation>两级需要每个节点的成员数相同；节点 {0} 有 {1} 个，节点 {2} 有 {3} 个</translation>
    </message>
    <message>
        <source>has no versions; the id alone is right</source>
        <translation>没有版本；只写 id 即可</translation>
    </message>
    <message>
        <source>is larger than 1 MiB; a launch script is smaller</source>
        <translation>大于 1 MiB；启动脚本应更小</translation>
    </message>
    <message>
        <source>is larger than 1 MiB; a configuration of torchtitan is smaller</source>
        <translation>大于 1 MiB；torchtitan 的配置应更小</translation>
    </message>
    <message>
        <source>ShardLens plan</source>
        <translation>ShardLens 方案</translation>
    </message>
    <message>
        <source>Hugging Face config.json</source>
        <translation>Hugging Face 的 config.json</translation>
    </message>
    <message>
        <source>DeepSpeed configuration</source>
        <translation>DeepSpeed 配置</translation>
    </message>
    <message>
        <source>Megatron-LM launch script</source>
        <translation>Megatron-LM 启动脚本</translation>
    </message>
    <message>
        <source>MindSpeed launch script</source>
        <translation>MindSpeed 启动脚本</translation>
    </message>
    <message>
        <source>Megatron-LM MODEL_ARGS</source>
        <translation>Megatron-LM 的 MODEL_ARGS 参数表</translation>
    </message>
    <message>
        <source>torchtitan configuration (TOML)</source>
        <translation>torchtitan 配置（TOML）</translation>
    </message>
    <message>
        <source>torchtitan configuration (Python)</source>
        <translation>torchtitan 配置（Python）</translation>
    </message>
    <message>
        <source>accelerate configuration</source>
        <translation>accelerate 配置</translation>
    </message>
    <message>
        <source>nanotron configuration</source>
        <translation>nanotron 配置</translation>
    </message>
    <message>
        <source>llm-foundry training configuration</source>
        <translation>llm-foundry 训练配置</translation>
    </message>
    <message>
        <source>GPT-NeoX configuration</source>
        <translation>GPT-NeoX 配置</translation>
    </message>
    <message>
        <source>Megatron-Bridge overrides</source>
        <translation>Megatron-Bridge 覆盖项</translation>
    </message>
    <message>
        <source>ColossalAI plugin</source>
        <translation>ColossalAI 插件</translation>
    </message>
    <message>
        <source>BMTrain initialization</source>
        <translation>BMTrain 初始化程序</translation>
    </message>
    <message>
        <source>SageMaker parameters</source>
        <translation>SageMaker 参数</translation>
    </message>
    <message>
        <source>line {0}</source>
        <translation>第 {0} 行</translation>
    </message>
    <message>
        <source>{0} (line {1})</source>
        <translation>{0}（第 {1} 行）</translation>
    </message>
    <message>
        <source>line {0}: {1}</source>
        <translation>第 {0} 行：{1}</translation>
    </message>
    <message>
        <source>nothing is recomputed</source>
        <translation>不重计算</translation>
    </message>
    <message>
        <source>the text ends where a value is expected at {0}</source>
        <translation>文本在 {0} 处应有值的地方结束</translation>
    </message>
    <message>
        <source>the text ends where a value is expected</source>
        <translation>文本在应有值的地方结束</translation>
    </message>
    <message>
        <source>the text ends where a key is expected</source>
        <translation>文本在应有键的地方结束</translation>
    </message>
    <message>
        <source>the text ends behind the key {0}</source>
        <translation>文本在键 {0} 之后结束</translation>
    </message>
    <message>
        <source>the text ends behind {0}</source>
        <translation>文本在 {0} 之后结束</translation>
    </message>
    <message>
        <source>ring attention is flash attention</source>
        <translation>环形注意力就是 flash 注意力</translation>
    </message>
    <message>
        <source>PyTorch&apos;s SDPA chooses the kernel by itself</source>
        <translation>PyTorch 的 SDPA 自行选择内核</translation>
    </message>
    <message>
        <source>build attention without a flash kernel in your program</source>
        <translation>在程序中构建不用 flash 内核的注意力</translation>
    </message>
    <message>
        <source>it follows from the degrees, which are not all known</source>
        <translation>由各并行度得出，而其中有未知的</translation>
    </message>
    <message>
        <source>it is the product of the degrees, which are not all known</source>
        <translation>等于各并行度之积，而其中有未知的</translation>
    </message>
    <message>
        <source>{0} may be set to a value that is not read</source>
        <translation>{0} 可能被设为无法读取的值</translation>
    </message>
    <message>
        <source>a step is {0} passes through the pipeline, one after the other: a plan has all its micro-batches in one</source>
        <translation>一步包含依次进行的 {0} 趟流水线：方案把所有微批次放在一趟里</translation>
    </message>
    <message>
        <source>out of the {0} samples of {1}</source>
        <translation>取自 {1} 的 {0} 个样本</translation>
    </message>
    <message>
        <source>{0} samples of a pass in torchtitan&apos;s default micro-batches of a pipeline</source>
        <translation>一趟的 {0} 个样本按 torchtitan 流水线的默认微批次切分</translation>
    </message>
    <message>
        <source>{0} has no default in nanotron</source>
        <translation>nanotron 中 {0} 没有默认值</translation>
    </message>
    <message>
        <source>times {0} replicas; gradient_accumulation_steps is 1 where it is left out</source>
        <translation>乘以 {0} 个副本；未写 gradient_accumulation_steps 时为 1</translation>
    </message>
    <message>
        <source>over {0} replicas; gradient_accumulation_steps is 1 where it is left out</source>
        <translation>除以 {0} 个副本；未写 gradient_accumulation_steps 时为 1</translation>
    </message>
    <message>
        <source>is no multiple of accumulation {0} · {1} data ranks: DeepSpeed refuses it</source>
        <translation>不是累积步数 {0} · {1} 个数据 rank 的整数倍：DeepSpeed 会拒绝</translation>
    </message>
    <message>
        <source>train_batch_size over accumulation {0} and replicas: give cluster.gpus and it follows</source>
        <translation>train_batch_size 除以累积步数 {0} 和副本数：给出 cluster.gpus 即可得出</translation>
    </message>
    <message>
        <source>{0} is null: every query head has its own key and value</source>
        <translation>{0} 为 null：每个查询头都有自己的键和值</translation>
    </message>
    <message>
        <source>every query head has its own key and value</source>
        <translation>每个查询头都有自己的键和值</translation>
    </message>
</context>
<context>
    <name>choice</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>selective</source>
        <translation>选择性</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>nvme</source>
        <translation>NVMe</translation>
    </message>
    <message>
        <source>detailed</source>
        <translation>详细</translation>
    </message>
    <message>
        <source>textbook</source>
        <translation>教科书</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>block</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>per_head</source>
        <translation>按头</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>交错</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>allgather</source>
        <translation>全收集</translation>
    </message>
</context>
</TS>
