<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>core</name>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>active parameters</source>
        <translation>激活参数</translation>
    </message>
    <message>
        <source>parameters without embeddings</source>
        <translation>不含嵌入的参数</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>usable memory</source>
        <translation>可用显存</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>needed memory</source>
        <translation>所需显存</translation>
    </message>
    <message>
        <source>stage of the peak</source>
        <translation>峰值所在阶段</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>micro-batches in flight</source>
        <translation>在途微批次</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>logits and loss</source>
        <translation>logits 与损失</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>device context</source>
        <translation>框架与通信库</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>单步时间</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>tensor communication</source>
        <translation>张量并行通信</translation>
    </message>
    <message>
        <source>context communication</source>
        <translation>上下文并行通信</translation>
    </message>
    <message>
        <source>expert communication</source>
        <translation>专家并行通信</translation>
    </message>
    <message>
        <source>pipeline communication</source>
        <translation>流水线通信</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>data communication</source>
        <translation>数据并行通信</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器更新</translation>
    </message>
    <message>
        <source>offload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>hidden data communication</source>
        <translation>被掩盖的数据并行通信</translation>
    </message>
    <message>
        <source>bubble fraction</source>
        <translation>气泡占比</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>tokens per second and GPU</source>
        <translation>每 GPU 每秒 token 数</translation>
    </message>
    <message>
        <source>model FLOP/s per GPU</source>
        <translation>每 GPU 模型 FLOP/s</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>HFU</source>
        <translation>HFU</translation>
    </message>
    <message>
        <source>time to train</source>
        <translation>训练时长</translation>
    </message>
    <message>
        <source>step error, median</source>
        <translation>单步误差，中位数</translation>
    </message>
    <message>
        <source>step error, 90 %</source>
        <translation>单步误差，90 %</translation>
    </message>
    <message>
        <source>memory error, median</source>
        <translation>显存误差，中位数</translation>
    </message>
    <message>
        <source>memory error, 90 %</source>
        <translation>显存误差，90 %</translation>
    </message>
    <message>
        <source>published runs compared</source>
        <translation>对比过的公开训练</translation>
    </message>
    <message>
        <source>GPU hours</source>
        <translation>GPU 小时</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1 names sorted by number</source>
        <translation>%1 个名称，按编号排序</translation>
    </message>
    <message>
        <source>%1, stage %2</source>
        <translation>%1，阶段 %2</translation>
    </message>
    <message>
        <source>matrix multiplication, efficiency</source>
        <translation>矩阵乘法效率</translation>
    </message>
    <message>
        <source>attention, efficiency</source>
        <translation>注意力效率</translation>
    </message>
    <message>
        <source>elementwise kernels, traffic</source>
        <translation>逐元素核函数的访存量</translation>
    </message>
    <message>
        <source>tensor communication, visible share</source>
        <translation>张量通信未隐藏的比例</translation>
    </message>
    <message>
        <source>gradient reduction, visible share</source>
        <translation>梯度归约未隐藏的比例</translation>
    </message>
    <message>
        <source>pipeline transfers, visible share</source>
        <translation>流水线传输未隐藏的比例</translation>
    </message>
    <message>
        <source>context exchange, visible share</source>
        <translation>上下文交换未隐藏的比例</translation>
    </message>
    <message>
        <source>expert exchange, visible share</source>
        <translation>专家交换未隐藏的比例</translation>
    </message>
    <message>
        <source>host time of an expert layer</source>
        <translation>专家层的主机时间</translation>
    </message>
    <message>
        <source>host time of a layer</source>
        <translation>一层的主机时间</translation>
    </message>
    <message>
        <source>overhead of a micro-batch</source>
        <translation>每个微批次的开销</translation>
    </message>
    <message>
        <source>overhead of a step</source>
        <translation>每步的开销</translation>
    </message>
    <message>
        <source>network cards, usable share</source>
        <translation>网卡可用比例</translation>
    </message>
    <message>
        <source>memory beside the ledger</source>
        <translation>显存账本之外</translation>
    </message>
    <message>
        <source>fragmentation, share</source>
        <translation>碎片比例</translation>
    </message>
</context>
<context>
    <name>shardlens::BatchPanel</name>
    <message>
        <source>samples</source>
        <translation>个样本</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>个微批次</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>个 rank</translation>
    </message>
    <message>
        <source>accumulation steps</source>
        <translation>个累积步</translation>
    </message>
    <message>
        <source>samples per rank and pass</source>
        <translation>每 rank 每次的样本数</translation>
    </message>
    <message>
        <source>Batch %1 = %2 × %3 × %4</source>
        <translation>批次 %1 = %2 × %3 × %4</translation>
    </message>
    <message>
        <source> + %1 left over</source>
        <translation> + 余 %1</translation>
    </message>
    <message>
        <source>in the plan</source>
        <translation>方案中给定</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>累积</translation>
    </message>
    <message>
        <source>%1 samples of the global batch are left over: micro-batch × data ranks must divide it</source>
        <translation>全局批次余下 %1 个样本：微批次 × 数据 rank 数必须能整除它</translation>
    </message>
    <message>
        <source>not the %1 GPUs of the plan</source>
        <translation>不等于方案的 %1 块 GPU</translation>
    </message>
    <message>
        <source>World</source>
        <translation>总 rank 数</translation>
    </message>
    <message>
        <source>Expert grid</source>
        <translation>专家网格</translation>
    </message>
    <message>
        <source>What %1 makes of it</source>
        <translation>%1 的算法</translation>
    </message>
    <message>
        <source>in its files</source>
        <translation>写在其文件中</translation>
    </message>
    <message>
        <source>Its files do not say the global batch; the program&apos;s data loader and accumulation do.</source>
        <translation>其文件不含全局批次；由程序的数据加载器和累积决定。</translation>
    </message>
    <message>
        <source>It takes %1 as the global batch, not %2.</source>
        <translation>它认为全局批次是 %1，而不是 %2。</translation>
    </message>
    <message>
        <source>Batch and ranks</source>
        <translation>批次与 rank</translation>
    </message>
    <message>
        <source>Global batch = micro-batch × accumulation × data ranks; opens where each comes from</source>
        <translation>全局批次 = 微批次 × 累积 × 数据 rank 数；展开可见各数的来源</translation>
    </message>
</context>
<context>
    <name>shardlens::CalibrateDialog</name>
    <message>
        <source>not a positive number, for example %1</source>
        <translation>不是正数，正确写法例如 %1</translation>
    </message>
    <message>
        <source>Log of a run</source>
        <translation>运行日志</translation>
    </message>
    <message>
        <source>Calibrated stack %1</source>
        <translation>校准后的软件栈 %1</translation>
    </message>
    <message>
        <source>allocated peak in line %1</source>
        <translation>已分配峰值见第 %1 行</translation>
    </message>
    <message>
        <source>reserved peak in line %1</source>
        <translation>已保留峰值见第 %1 行</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>Lines of Megatron-LM, NeMo, torchtitan, DeepSpeed, nanotron, InternEvo and LLM Foundry are known.</source>
        <translation>可识别 Megatron-LM、NeMo、torchtitan、DeepSpeed、nanotron、InternEvo 和 LLM Foundry 的日志行。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>校准前</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>After</source>
        <translation>校准后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>Allocated memory</source>
        <translation>已分配显存</translation>
    </message>
    <message>
        <source>Reserved memory</source>
        <translation>已保留显存</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>One measured run of this plan sharpens its stack %1: the few constants that matter here move, none further than it is uncertain.</source>
        <translation>用本方案的一次实测运行来校准软件栈 %1：只调整在此起作用的少数常数，且不超出各自的不确定范围。</translation>
    </message>
    <message>
        <source>&amp;Log file</source>
        <translation>日志文件(&amp;L)</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Step time</source>
        <translation>步时间(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Allocated memory</source>
        <translation>已分配显存(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Reserved memory</source>
        <translation>已保留显存(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Name of the profile</source>
        <translation>配置名称(&amp;N)</translation>
    </message>
    <message>
        <source>for example %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>peak of the allocator, worst rank, for example %1</source>
        <translation>分配器峰值，取最大的 rank，例如 %1</translation>
    </message>
    <message>
        <source>peak reserved by the framework, for example %1</source>
        <translation>框架保留的峰值，例如 %1</translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation>预测与实测</translation>
    </message>
    <message>
        <source>Even with every constant as far as is plausible the prediction stays more than 10 % off: is this the plan that was measured (model, GPUs, batch, layout, recomputation)?</source>
        <translation>即使各常数都已调到合理范围的尽头，预测仍偏差 10% 以上：实测的确实是这个方案吗（模型、GPU、批次大小、并行布局、重计算）？</translation>
    </message>
    <message>
        <source>Constants that moved</source>
        <translation>变动的常数</translation>
    </message>
    <message>
        <source>Save and use</source>
        <translation>保存并使用</translation>
    </message>
    <message>
        <source>Stores the profile among your own presets and lets the plan use it; Undo takes the plan back</source>
        <translation>将配置存入您自己的预设并用于本方案；撤销可恢复方案</translation>
    </message>
</context>
<context>
    <name>shardlens::CollectivePlayer</name>
    <message>
        <source>%1 group</source>
        <translation>%1组</translation>
    </message>
    <message>
        <source>No group of this plan reduces anything.</source>
        <translation>该方案没有需要归约的组。</translation>
    </message>
    <message>
        <source>One GPU alone has nothing to exchange.</source>
        <translation>单个 GPU 无需交换。</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>reduce-scatter</translation>
    </message>
    <message>
        <source>all-gather</source>
        <translation>all-gather</translation>
    </message>
    <message>
        <source>reduce towards the root</source>
        <translation>向根归约</translation>
    </message>
    <message>
        <source>broadcast from the root</source>
        <translation>从根广播</translation>
    </message>
    <message>
        <source>%1 between nodes</source>
        <translation>节点间%1</translation>
    </message>
    <message>
        <source>%1 inside each node</source>
        <translation>节点内%1</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3.</source>
        <translation>第 %1 步，共 %2 步：%3。</translation>
    </message>
    <message>
        <source>%1 of %2 members send %3 each, %4 of %5 parts; GPU %6 sends to GPU %7.</source>
        <translation>%2 个成员中有 %1 个各发送 %3，即 %5 份中的 %4 份；GPU %6 发往 GPU %7。</translation>
    </message>
    <message>
        <source>%1 move in this step. The busiest member sends %2 in all, for a vector of %3: what this group reduces in one training step.</source>
        <translation>这一步共传输 %1。最忙的成员总共发送 %2，向量大小为 %3：该组在一个训练步中归约的数据。</translation>
    </message>
    <message>
        <source>Take the steps off the map</source>
        <translation>从图上移去这些步骤</translation>
    </message>
    <message>
        <source>Group to play</source>
        <translation>要演示的组</translation>
    </message>
    <message>
        <source>Group to play: of the pinned GPU, else of GPU 0</source>
        <translation>要演示的组：所固定的 GPU 的组，否则是 GPU 0 的组</translation>
    </message>
    <message>
        <source>Neighbouring stages pass activations and their gradients on, %1 a step from one GPU. Nothing is summed: there is no all-reduce to play.</source>
        <translation>相邻流水线阶段之间传递激活及其梯度，每个 GPU 每步 %1。没有求和，因此没有 all-reduce 可演示。</translation>
    </message>
    <message>
        <source>Every member sends tokens to every other and takes them back, %1 a step from one GPU. Nothing is summed: there is no all-reduce to play.</source>
        <translation>每个成员向其他所有成员发送 token 再收回，每个 GPU 每步 %1。没有求和，因此没有 all-reduce 可演示。</translation>
    </message>
    <message>
        <source>Members pass keys and values of their part of the sequence on, %1 a step from one GPU. Nothing is summed: there is no all-reduce to play.</source>
        <translation>成员之间传递各自序列段的键和值，每个 GPU 每步 %1。没有求和，因此没有 all-reduce 可演示。</translation>
    </message>
    <message>
        <source>Algorithm of the all-reduce</source>
        <translation>all-reduce 的算法</translation>
    </message>
    <message>
        <source>What happens in this step</source>
        <translation>这一步发生什么</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>环</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>two levels</source>
        <translation>两级</translation>
    </message>
    <message>
        <source>parameter server</source>
        <translation>参数服务器</translation>
    </message>
</context>
<context>
    <name>shardlens::CollectiveView</name>
    <message>
        <source>Plays: %1, %2 ranks, %3 on each.</source>
        <translation>播放：%1，%2 个 rank，各有 %3。</translation>
    </message>
    <message>
        <source>Rank 0 is the server.</source>
        <translation>rank 0 是服务器。</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>All-reduce: %1</source>
        <translation>all-reduce：%1</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3, %4 move.</source>
        <translation>第 %1 步，共 %2 步：%3，传输 %4。</translation>
    </message>
    <message>
        <source>Through the server&apos;s port so far: %1 of %2.</source>
        <translation>至今经过服务器端口：%1，共 %2。</translation>
    </message>
    <message>
        <source>The busiest rank has sent %1 of %2.</source>
        <translation>最忙的 rank 已发送 %1，共 %2。</translation>
    </message>
    <message>
        <source>2N(P − 1)/P is %1, 2N(P − 1) is %2 for N = %3 and P = %4.</source>
        <translation>N = %3、P = %4 时，2N(P − 1)/P 为 %1，2N(P − 1) 为 %2。</translation>
    </message>
    <message>
        <source>Algorithm of the all-reduce</source>
        <translation>all-reduce 的算法</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>per node</source>
        <translation>每节点</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Ranks of the all-reduce</source>
        <translation>all-reduce 的 rank 数</translation>
    </message>
    <message>
        <source>Ranks on each node</source>
        <translation>每个节点的 rank 数</translation>
    </message>
    <message>
        <source>Gigabytes of the vector</source>
        <translation>向量的大小（GB）</translation>
    </message>
    <message>
        <source>Gigabytes of the vector that every rank has</source>
        <translation>每个 rank 持有的向量大小（GB）</translation>
    </message>
    <message>
        <source>What happens in this step</source>
        <translation>这一步发生什么</translation>
    </message>
    <message>
        <source>Ranks and what they send</source>
        <translation>各 rank 及其发送的内容</translation>
    </message>
    <message>
        <source>summed over some ranks, as wide as their share</source>
        <translation>部分 rank 的和，宽度为其占比</translation>
    </message>
    <message>
        <source>summed over all ranks</source>
        <translation>所有 rank 的和</translation>
    </message>
    <message>
        <source>Between the nodes: %1 of %2.</source>
        <translation>跨节点：%1，共 %2。</translation>
    </message>
</context>
<context>
    <name>shardlens::ComparePage</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Pinned: %1. Current: &lt;b&gt;%2&lt;/b&gt;.</source>
        <translation>已固定：%1。当前：&lt;b&gt;%2&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Pinned %1</source>
        <translation>已固定 %1</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>The pinned plan that every view shows as a ghost</source>
        <translation>在每个视图中显示为虚影的已固定方案</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>The plans are equal</source>
        <translation>方案相同</translation>
    </message>
    <message numerus="yes">
        <source>%n field(s) differ</source>
        <translation>
            <numerusform>%n 个字段不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Change from %1</source>
        <translation>相对 %1 的变化</translation>
    </message>
    <message>
        <source>Change from %1, %</source>
        <translation>相对 %1 的变化，%</translation>
    </message>
    <message numerus="yes">
        <source>%n number(s) differ</source>
        <translation>
            <numerusform>%n 个数值不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Pin the plan as it is now, then change something: the differences appear here and as ghosts in every view.</source>
        <translation>先固定当前方案，再作改动：差异会显示在这里，并以虚影显示在每个视图中。</translation>
    </message>
    <message>
        <source>Pin this plan</source>
        <translation>固定此方案</translation>
    </message>
    <message>
        <source>Fields that differ</source>
        <translation>不同的字段</translation>
    </message>
    <message>
        <source>Numbers that differ</source>
        <translation>不同的数值</translation>
    </message>
</context>
<context>
    <name>shardlens::Document</name>
    <message numerus="yes">
        <source>%1 on %n GPU(s)</source>
        <translation>
            <numerusform>%1，%n 个 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>a model</source>
        <translation>某模型</translation>
    </message>
    <message>
        <source>there is no such field</source>
        <translation>没有这个字段</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修正：%1</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>Paste plan</source>
        <translation>粘贴方案</translation>
    </message>
</context>
<context>
    <name>shardlens::ExplainPanel</name>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>模型估算</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Point at a figure, a bar or a block to see its formula, the values put in and the source; click to keep it here.</source>
        <translation>指向一个数值、柱条或色块，即可看到公式、代入的数值和出处；单击可保留在此。</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>出处：%1</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>解释</translation>
    </message>
</context>
<context>
    <name>shardlens::ExportPage</name>
    <message>
        <source>The plan breaks rules; mend them first, or the run will not start.</source>
        <translation>方案违反规则；请先修正，否则无法启动训练。</translation>
    </message>
    <message>
        <source>The plan does not fit into memory; the files are written all the same.</source>
        <translation>方案超出显存；文件仍会写出。</translation>
    </message>
    <message>
        <source>Everything in the plan is expressed.</source>
        <translation>方案的全部内容都已表达。</translation>
    </message>
    <message>
        <source>Nothing to write for this launcher.</source>
        <translation>此启动器没有可写的文件。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) written into %1</source>
        <translation>
            <numerusform>已将 %n 个文件写入 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Launcher</source>
        <translation>启动器(&amp;L)</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>What is not expressed</source>
        <translation>未能表达的内容</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Instead</source>
        <translation>替代做法</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n line(s)</source>
        <translation>
            <numerusform>%1：%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Last edit changed %1</source>
        <translation>上次编辑改动了 %1</translation>
    </message>
    <message>
        <source>Nothing is written.</source>
        <translation>没有写出任何内容。</translation>
    </message>
    <message>
        <source>Not expressed in these files (%1):</source>
        <translation>这些文件未能表达（%1 项）：</translation>
    </message>
    <message>
        <source>%1 cannot run this plan:</source>
        <translation>%1 无法运行此方案：</translation>
    </message>
    <message>
        <source>Target %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>No target</source>
        <translation>无目标</translation>
    </message>
    <message>
        <source>Copied %1</source>
        <translation>已复制 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Check this plan against its &amp;rules</source>
        <translation>按其规则检查此方案(&amp;R)</translation>
    </message>
    <message>
        <source>Makes this launcher the plan&apos;s target: its own rules are among the messages</source>
        <translation>把此启动器设为方案的目标：其自身规则会出现在消息中</translation>
    </message>
    <message>
        <source>Batch and ranks</source>
        <translation>批次与 rank</translation>
    </message>
    <message>
        <source>Cop&amp;y file</source>
        <translation>复制文件(&amp;Y)</translation>
    </message>
    <message>
        <source>Save &amp;file…</source>
        <translation>保存文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Save all into a fol&amp;der…</source>
        <translation>全部存入文件夹(&amp;D)…</translation>
    </message>
</context>
<context>
    <name>shardlens::FieldControl</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>default (%1)</source>
        <translation>默认（%1）</translation>
    </message>
    <message>
        <source>“%1” is not a number; write 8192, 8k, 2^13 or 1e6.</source>
        <translation>“%1”不是数字；可写 8192、8k、2^13 或 1e6。</translation>
    </message>
    <message>
        <source>“%1” is not a whole number; write a list such as 20, 20, 20, 20.</source>
        <translation>“%1”不是整数；请写成列表，例如 20, 20, 20, 20。</translation>
    </message>
    <message>
        <source>%1, slider</source>
        <translation>%1，滑块</translation>
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
        <source>%1 is locked: a search leaves it alone</source>
        <translation>%1 已锁定：搜索不会改动它</translation>
    </message>
    <message>
        <source>Lock %1 for a search</source>
        <translation>为搜索锁定 %1</translation>
    </message>
</context>
<context>
    <name>shardlens::GanttView</name>
    <message>
        <source>%1: one stage, one micro-batch, no bubble</source>
        <translation>%1：一个阶段，一个微批次，无气泡</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n 个阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n 个微批次</numerusform>
        </translation>
    </message>
    <message>
        <source>Pipeline of %1 with %2: %3, of which %4 idle.</source>
        <translation>流水线有%1、%2：%3，其中 %4 空闲。</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2</source>
        <translation>微批次 %2 的%1</translation>
    </message>
    <message>
        <source>, direction %1</source>
        <translation>，方向 %1</translation>
    </message>
    <message>
        <source>, chunk %1</source>
        <translation>，模型块 %1</translation>
    </message>
    <message>
        <source>Stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>, together with %1</source>
        <translation>，与 %1 重叠</translation>
    </message>
    <message>
        <source>starts at %1, takes %2</source>
        <translation>开始于 %1，耗时 %2</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Pick a model and a cluster, or open a plan, to see when each stage works on which micro-batch.</source>
        <translation>选择模型和集群，或打开方案，即可看到各阶段何时处理哪个微批次。</translation>
    </message>
    <message>
        <source>Textbook fidelity has no timeline: its bubble is the closed form (p − 1) / (m + p − 1). Switch the plan to detailed fidelity to see the schedule.</source>
        <translation>教科书模型没有时间线：其气泡为闭式 (p − 1) / (m + p − 1)。请将方案切换到详细模型以查看调度。</translation>
    </message>
    <message>
        <source>Only the summary of the timeline was computed.</source>
        <translation>只计算了时间线的汇总。</translation>
    </message>
    <message>
        <source>There is no timeline: this schedule cannot be built with these sizes; see the messages.</source>
        <translation>没有时间线：在这些规模下无法构成此调度；请看消息。</translation>
    </message>
    <message>
        <source>Pipeline timeline</source>
        <translation>流水线时间线</translation>
    </message>
    <message>
        <source>%1: one stage, %2 micro-batches one after another, no bubble</source>
        <translation>%1：单阶段，%2 个微批次依次执行，无气泡</translation>
    </message>
    <message>
        <source>wheel zooms, drag moves</source>
        <translation>滚轮缩放，拖动平移</translation>
    </message>
    <message>
        <source>%1 of %2 shown, F shows all</source>
        <translation>显示 %1 / %2，按 F 显示全部</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>time, s</source>
        <translation>时间，s</translation>
    </message>
    <message>
        <source>time, ms</source>
        <translation>时间，ms</translation>
    </message>
    <message>
        <source>time, µs</source>
        <translation>时间，µs</translation>
    </message>
    <message>
        <source>S%1</source>
        <translation>S%1</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>input gradient</source>
        <translation>输入梯度</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>权重梯度</translation>
    </message>
    <message>
        <source>capacity %1</source>
        <translation>容量 %1</translation>
    </message>
    <message>
        <source>S%1 memory: peak %2 at %3, %4</source>
        <translation>S%1 显存：峰值 %2，位于 %3，%4</translation>
    </message>
    <message>
        <source>stays in memory</source>
        <translation>常驻显存</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>reduce gradients</source>
        <translation>归约梯度</translation>
    </message>
    <message>
        <source>gather parameters</source>
        <translation>聚集参数</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>offload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>micro-batch %1 of direction %2</source>
        <translation>方向 %2 的微批次 %1</translation>
    </message>
    <message>
        <source>%1 %2: %3 × %4, bubble %5</source>
        <translation>%1 %2：%3 × %4，气泡 %5</translation>
    </message>
    <message>
        <source>%1 lit</source>
        <translation>已点亮%1</translation>
    </message>
    <message>
        <source>the first %1 of %2 micro-batches are drawn</source>
        <translation>画出 %2 个微批次中的前 %1 个</translation>
    </message>
    <message>
        <source>Below it: %1</source>
        <translation>下方：%1</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>本方案</translation>
    </message>
    <message>
        <source>pinned plan</source>
        <translation>固定的方案</translation>
    </message>
    <message>
        <source>%1: %2, step %3, bubble %4, peak %5</source>
        <translation>%1：%2，单步 %3，气泡 %4，峰值 %5</translation>
    </message>
    <message>
        <source>at %1 stage %2 holds no activations</source>
        <translation>%1 时阶段 %2 没有激活</translation>
    </message>
    <message>
        <source>at %1 stage %2 holds no activations: %3</source>
        <translation>%1 时阶段 %2 没有激活：%3</translation>
    </message>
    <message>
        <source>at %1 stage %2 holds %3</source>
        <translation>%1 时阶段 %2 持有 %3</translation>
    </message>
    <message>
        <source>at %1 stage %2 holds %3: %4</source>
        <translation>%1 时阶段 %2 持有 %3：%4</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>forward and backward together</source>
        <translation>前向与反向同时</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>stages %1 to %2</source>
        <translation>阶段 %1 至 %2</translation>
    </message>
    <message>
        <source>%1, %2 to %3: %4</source>
        <translation>%1，%2 至 %3：%4</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Point at a row: what the stage holds. Shift and drag: shares of an area.</source>
        <translation>指向一行：该阶段持有什么。按住 Shift 拖动：区域内各项占比。</translation>
    </message>
    <message>
        <source>%1 stay for the whole step; peak %2 at %3 (%4)</source>
        <translation>整步常驻 %1；峰值 %2，位于 %3（%4）</translation>
    </message>
    <message>
        <source>Stage %1: %2, %3 to %4</source>
        <translation>阶段 %1：%2，%3 至 %4</translation>
    </message>
    <message>
        <source>Stage %1: %2, %3 to %4, hidden</source>
        <translation>阶段 %1：%2，%3 至 %4，被计算掩盖</translation>
    </message>
    <message>
        <source>Stage %1 waits</source>
        <translation>阶段 %1 等待</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>显示 %2 中的 %1</translation>
    </message>
    <message>
        <source>not a kind of picture; the name ends in .svg, .pdf or .png</source>
        <translation>不是图片类型；文件名应以 .svg、.pdf 或 .png 结尾</translation>
    </message>
    <message>
        <source>not written: %1</source>
        <translation>未写入：%1</translation>
    </message>
</context>
<context>
    <name>shardlens::Handout</name>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Question %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>Answer:</source>
        <translation>答案：</translation>
    </message>
    <message>
        <source>Done at the screen: ☐</source>
        <translation>在屏幕上完成：☐</translation>
    </message>
</context>
<context>
    <name>shardlens::ImportDialog</name>
    <message>
        <source>File to import</source>
        <translation>要导入的文件</translation>
    </message>
    <message>
        <source>The clipboard holds no text.</source>
        <translation>剪贴板中没有文本。</translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>%1 is no kind of file that is known by its look; choose its kind above.</source>
        <translation>无法从内容认出 %1 的类型；请在上方选择类型。</translation>
    </message>
    <message>
        <source>The file holds several models; choose the one that is trained.</source>
        <translation>文件包含多个模型；请选择要训练的那个。</translation>
    </message>
    <message>
        <source>as the file has it</source>
        <translation>按文件所写</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>Still needed: %1.</source>
        <translation>还需要：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>(chosen)</source>
        <translation>（已选）</translation>
    </message>
    <message>
        <source>(detected)</source>
        <translation>（已识别）</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>A launcher&apos;s configuration, a launch script, a model&apos;s config.json or a plan becomes the plan. Choose a file, drop it here, or take its text from the clipboard. Nothing in it is executed.</source>
        <translation>启动器配置、启动脚本、模型的 config.json 或方案文件都可以导入为方案。请选择文件、拖放到此处，或从剪贴板取文本。其中的内容不会被执行。</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>From the clip&amp;board</source>
        <translation>从剪贴板(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>类型(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Version</source>
        <translation>版本(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Model in it</source>
        <translation>其中的模型(&amp;M)</translation>
    </message>
    <message>
        <source>detected from the text</source>
        <translation>从文本识别</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>文件类型</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Model in the file</source>
        <translation>文件中的模型</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>What the file does not say (⚠ must be given):</source>
        <translation>文件没有说明的内容（⚠ 必须给出）：</translation>
    </message>
    <message>
        <source>&amp;Take these from the present plan</source>
        <translation>从当前方案取用(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
</context>
<context>
    <name>shardlens::ImportNotesDialog</name>
    <message>
        <source>Notes of the last import</source>
        <translation>上次导入的说明</translation>
    </message>
    <message>
        <source>%1, read as %2. Enter on a row shows its field in the plan.</source>
        <translation>%1，按%2读取。在某行按回车可在方案中显示其字段。</translation>
    </message>
</context>
<context>
    <name>shardlens::ImportNotesView</name>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>推定</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>不理解</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Notes of the import</source>
        <translation>导入说明</translation>
    </message>
    <message>
        <source>Show or hide these notes</source>
        <translation>显示或隐藏这些说明</translation>
    </message>
</context>
<context>
    <name>shardlens::LessonKit</name>
    <message>
        <source>Plans compared</source>
        <translation>方案比较</translation>
    </message>
    <message>
        <source>Make this plan fit.</source>
        <translation>让这个方案放得下。</translation>
    </message>
    <message>
        <source>Compare it with the plan that fits: which fields differ?</source>
        <translation>与放得下的方案比较：哪些字段不同？</translation>
    </message>
    <message>
        <source>The plan of step %1 needs {{ %2.report.memory.need_bytes | GiB }} of {{ %2.report.memory.usable_bytes | GiB }}.</source>
        <translation>第 %1 步的方案需要 {{ %2.report.memory.need_bytes | GiB }}，可用 {{ %2.report.memory.usable_bytes | GiB }}。</translation>
    </message>
    <message>
        <source>Make the step of this plan as short as {{ %1.report.time.step_s | s }}.</source>
        <translation>把这个方案的单步时间缩短到 {{ %1.report.time.step_s | s }}。</translation>
    </message>
    <message>
        <source>Compare it with the fastest plan: which fields differ?</source>
        <translation>与最快的方案比较：哪些字段不同？</translation>
    </message>
    <message>
        <source>From {{ %1.report.time.step_s | s }} to {{ %2.report.time.step_s | s }}.</source>
        <translation>从 {{ %1.report.time.step_s | s }} 到 {{ %2.report.time.step_s | s }}。</translation>
    </message>
    <message>
        <source>Make the step of this plan as short as {{ a.report.time.step_s | s }}.</source>
        <translation>把这个方案的单步时间缩短到 {{ a.report.time.step_s | s }}。</translation>
    </message>
    <message>
        <source>Is something computed twice?</source>
        <translation>有什么被计算了两次？</translation>
    </message>
    <message>
        <source>Recomputation saves memory and costs time: without it a step takes {{ a.report.time.step_s | s }}.</source>
        <translation>重计算省显存但费时间：不用它，一步需要 {{ a.report.time.step_s | s }}。</translation>
    </message>
    <message>
        <source>Bring the memory of this plan down to {{ a.report.memory.peak_bytes | GiB }}.</source>
        <translation>把这个方案的显存降到 {{ a.report.memory.peak_bytes | GiB }}。</translation>
    </message>
    <message>
        <source>Which memory could be computed again instead of kept?</source>
        <translation>哪些内容可以重新计算而不必保存？</translation>
    </message>
    <message>
        <source>Recomputation brings the peak down to {{ a.report.memory.peak_bytes | GiB }}.</source>
        <translation>重计算把峰值降到 {{ a.report.memory.peak_bytes | GiB }}。</translation>
    </message>
    <message>
        <source>a lesson is made of one to eight plans</source>
        <translation>一课由一到八个方案组成</translation>
    </message>
    <message>
        <source>The same task, planned in different ways.</source>
        <translation>同一个任务，不同的方案。</translation>
    </message>
    <message>
        <source>Look at every plan: does it fit, how long is a step, and why?</source>
        <translation>看看每个方案：放得下吗？一步要多久？为什么？</translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation>方案 %1</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>memory needed</source>
        <translation>所需显存</translation>
    </message>
    <message>
        <source>memory usable</source>
        <translation>可用显存</translation>
    </message>
    <message>
        <source>step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>model FLOPs utilization</source>
        <translation>模型 FLOPs 利用率</translation>
    </message>
    <message>
        <source>Load plan %1</source>
        <translation>载入方案 %1</translation>
    </message>
    <message>
        <source>Say here what to point at.</source>
        <translation>在这里写下要讲的要点。</translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation>轮到你了</translation>
    </message>
    <message>
        <source>is there already; an empty folder is right</source>
        <translation>已经存在；请选择空文件夹</translation>
    </message>
    <message>
        <source>the folder cannot be made</source>
        <translation>无法创建文件夹</translation>
    </message>
</context>
<context>
    <name>shardlens::LessonList</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 questions answered</source>
        <translation>已答 %1 题，共 %2 题</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>open: step %1</source>
        <translation>未答：第 %1 步</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>shardlens::LessonPanel</name>
    <message>
        <source>Introduction</source>
        <translation>导言</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>No lesson was found beside the program. Learn › Open lesson folder opens one.</source>
        <translation>程序旁没有找到课程。可用“学习 › 打开课程文件夹”打开。</translation>
    </message>
    <message>
        <source>☰ Lessons</source>
        <translation>☰ 课程</translation>
    </message>
    <message>
        <source>Back to the list of lessons; the plan stays as it is</source>
        <translation>回到课程列表；方案保持不变</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>从头学</translation>
    </message>
    <message>
        <source>Forgets the answers of this lesson and loads its plan again</source>
        <translation>清除本课的答案并重新载入其方案</translation>
    </message>
    <message>
        <source>Back to my plan</source>
        <translation>回到我的方案</translation>
    </message>
    <message>
        <source>Brings back the plan from before the lesson</source>
        <translation>恢复上课之前的方案</translation>
    </message>
    <message>
        <source>◀ Previous</source>
        <translation>◀ 上一步</translation>
    </message>
    <message>
        <source>Next ▶</source>
        <translation>下一步 ▶</translation>
    </message>
    <message>
        <source>Text of the lesson</source>
        <translation>课文</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>第 %1 步“%2”</translation>
    </message>
</context>
<context>
    <name>shardlens::LessonsPage</name>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>all-reduce</translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <translation>课程：%1</translation>
    </message>
    <message>
        <source>Back to my plan</source>
        <translation>回到我的方案</translation>
    </message>
    <message>
        <source>%1 needed of %2 usable, %3 a step</source>
        <translation>需要 %1，可用 %2，每步 %3</translation>
    </message>
    <message>
        <source>✗ Breaks rules: %1</source>
        <translation>✗ 违反规则：%1</translation>
    </message>
    <message>
        <source>✓ Fits: %1</source>
        <translation>✓ 放得下：%1</translation>
    </message>
    <message>
        <source>⚠ Marginal: %1</source>
        <translation>⚠ 勉强：%1</translation>
    </message>
    <message>
        <source>✗ Does not fit: %1</source>
        <translation>✗ 放不下：%1</translation>
    </message>
    <message>
        <source>Views of the lesson</source>
        <translation>课程的视图</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>shardlens::LossChart</name>
    <message>
        <source>Loss over time</source>
        <translation>损失随时间</translation>
    </message>
    <message>
        <source>Loss over updates</source>
        <translation>损失随更新次数</translation>
    </message>
    <message>
        <source>F(w) = |w|²/2, mean of many runs</source>
        <translation>F(w) = |w|²/2，多次运行的平均</translation>
    </message>
    <message>
        <source>Waiting for fewer workers falls faster, with a higher floor.</source>
        <translation>等待的工作者越少，下降越快，底线越高。</translation>
    </message>
    <message>
        <source>An update with more and fresher gradients is worth more.</source>
        <translation>梯度越多、越新，一次更新越有价值。</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新次数</translation>
    </message>
</context>
<context>
    <name>shardlens::MainWindow</name>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Model size %1</source>
        <translation>模型规模 %1</translation>
    </message>
    <message>
        <source>ShardLens – %1[*]</source>
        <translation>ShardLens – %1[*]</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Hide this line</source>
        <translation>隐藏此行</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;New from preset</source>
        <translation>从预设新建(&amp;N)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>P&amp;resets</source>
        <translation>预设(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Picture of the view…</source>
        <translation>视图截图(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy plan as JSON</source>
        <translation>复制方案 JSON(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Pin this plan</source>
        <translation>固定此方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Unpin</source>
        <translation>取消固定(&amp;U)</translation>
    </message>
    <message>
        <source>Compare &amp;with</source>
        <translation>比较对象(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘操作(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About ShardLens</source>
        <translation>关于 ShardLens(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>总览(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>显存(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>P&amp;ipeline</source>
        <translation>流水线(&amp;I)</translation>
    </message>
    <message>
        <source>Topo&amp;logy</source>
        <translation>拓扑(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>No presets found</source>
        <translation>没有找到预设</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘操作</translation>
    </message>
    <message>
        <source>Tab, Shift+Tab</source>
        <translation>Tab、Shift+Tab</translation>
    </message>
    <message>
        <source>next and previous field</source>
        <translation>下一个、上一个字段</translation>
    </message>
    <message>
        <source>← → on a slider</source>
        <translation>滑块上的 ← →</translation>
    </message>
    <message>
        <source>previous and next legal value</source>
        <translation>上一个、下一个合法值</translation>
    </message>
    <message>
        <source>↑ ↓ in a number field</source>
        <translation>数字框中的 ↑ ↓</translation>
    </message>
    <message>
        <source>next and previous legal value</source>
        <translation>下一个、上一个合法值</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>take the typed value: 8192, 8k, 2^13, 1e6</source>
        <translation>采用键入的值：8192、8k、2^13、1e6</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>drop the typed value</source>
        <translation>放弃键入的值</translation>
    </message>
    <message>
        <source>Arrow keys in a view</source>
        <translation>视图中的方向键</translation>
    </message>
    <message>
        <source>walk over its parts; the explanation follows</source>
        <translation>在各部分间移动，解释随之更新</translation>
    </message>
    <message>
        <source>About ShardLens</source>
        <translation>关于 ShardLens</translation>
    </message>
    <message>
        <source>&lt;h3&gt;ShardLens %1&lt;/h3&gt;&lt;p&gt;Explore how a large model is trained on many GPUs: memory, step time, pipeline and placement follow the hand.&lt;/p&gt;&lt;p&gt;README.md beside the source is the guide: a tour of five minutes, the architecture, how to add a preset.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;ShardLens %1&lt;/h3&gt;&lt;p&gt;探索大模型如何在大量 GPU 上训练：显存、单步时间、流水线和放置随手而动。&lt;/p&gt;&lt;p&gt;源代码旁的 README.md 是使用指南：五分钟导览、架构、如何添加预设。&lt;/p&gt;&lt;p&gt;自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>打开方案</translation>
    </message>
    <message>
        <source>Plans (*.json);;All files (*)</source>
        <translation>方案 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>方案 (*.json)</translation>
    </message>
    <message>
        <source>Folder for the files</source>
        <translation>存放文件的文件夹</translation>
    </message>
    <message>
        <source>Picture of the view</source>
        <translation>视图截图</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的改动</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的改动。</translation>
    </message>
    <message>
        <source>No plan opened yet</source>
        <translation>尚未打开过方案</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>公开运行</translation>
    </message>
    <message>
        <source>Published run %1</source>
        <translation>公开运行 %1</translation>
    </message>
    <message>
        <source>&amp;Calibrate…</source>
        <translation>校准(&amp;C)…</translation>
    </message>
    <message>
        <source>Pu&amp;blished runs</source>
        <translation>公开运行(&amp;B)</translation>
    </message>
    <message>
        <source>Saved %1 as %2; the plan uses it now</source>
        <translation>已将 %1 保存为 %2；方案现已使用它</translation>
    </message>
    <message>
        <source>Pipeline &amp;trace for Perfetto…</source>
        <translation>用于 Perfetto 的流水线轨迹(&amp;T)…</translation>
    </message>
    <message>
        <source>W S A D F in the pipeline</source>
        <translation>流水线中的 W S A D F</translation>
    </message>
    <message>
        <source>zoom in and out, move left and right, show all</source>
        <translation>放大、缩小、左移、右移、显示全部</translation>
    </message>
    <message>
        <source>C, M in the pipeline</source>
        <translation>流水线中的 C、M</translation>
    </message>
    <message>
        <source>colour by micro-batch, memory over time</source>
        <translation>按微批次着色、显存随时间变化</translation>
    </message>
    <message>
        <source>Shift+arrow keys, Shift and drag in the pipeline</source>
        <translation>流水线中的 Shift+方向键、按住 Shift 拖动</translation>
    </message>
    <message>
        <source>mark an area: shares of work and waiting</source>
        <translation>标出一个区域：工作与等待的占比</translation>
    </message>
    <message>
        <source>Pictures (*.svg *.pdf *.png)</source>
        <translation>图片 (*.svg *.pdf *.png)</translation>
    </message>
    <message>
        <source>Saved %1; open it at ui.perfetto.dev or chrome://tracing</source>
        <translation>已保存 %1；可在 ui.perfetto.dev 或 chrome://tracing 打开</translation>
    </message>
    <message>
        <source>Chrome trace of the step</source>
        <translation>本步的 Chrome 轨迹</translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation>Chrome 轨迹 (*.json)</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>Notes of the last i&amp;mport…</source>
        <translation>上次导入的说明(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Paste plan or configuration</source>
        <translation>粘贴方案或配置(&amp;P)</translation>
    </message>
    <message>
        <source>Imported %1: %2 fields read, %3 assumed, %4 keys not understood. File › Notes of the last import lists them.</source>
        <translation>已导入 %1：读取 %2 个字段，推定 %3 个，%4 个键不理解。详见“文件 › 上次导入的说明”。</translation>
    </message>
    <message>
        <source>Save the file</source>
        <translation>保存文件</translation>
    </message>
    <message>
        <source>%1 is neither a plan nor a launcher&apos;s file that is known by its look; in File › Import… its kind can be chosen</source>
        <translation>%1 既不是方案，也不是能从内容认出的启动器文件；可在“文件 › 导入…”中选择其类型</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>学习(&amp;L)</translation>
    </message>
    <message>
        <source>Export &amp;lesson…</source>
        <translation>导出课程(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Open lesson folder…</source>
        <translation>打开课程文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;New lesson from pinned plans…</source>
        <translation>由固定的方案新建课程(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Matrices of a layer</source>
        <translation>一层的矩阵(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;SGD with stragglers</source>
        <translation>有掉队者的 SGD(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;All-reduce step by step</source>
        <translation>逐步 all-reduce(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>Lesso&amp;ns</source>
        <translation>课程(&amp;N)</translation>
    </message>
    <message>
        <source>Page Up, Page Down, ← → in a presentation</source>
        <translation>演示中的 Page Up、Page Down、← →</translation>
    </message>
    <message>
        <source>steps of the lesson</source>
        <translation>课程的步骤</translation>
    </message>
    <message>
        <source>N, P, Esc in a presentation</source>
        <translation>演示中的 N、P、Esc</translation>
    </message>
    <message>
        <source>notes, sliders of the plan, leave</source>
        <translation>讲稿、方案滑块、退出</translation>
    </message>
    <message>
        <source>there is no such lesson</source>
        <translation>没有这一课</translation>
    </message>
    <message>
        <source>there is no such lesson; did you mean %1?</source>
        <translation>没有这一课；是指 %1 吗？</translation>
    </message>
    <message>
        <source>Folder of lessons</source>
        <translation>课程文件夹</translation>
    </message>
    <message>
        <source>Open a lesson first; it is the one that is exported</source>
        <translation>请先打开一课；导出的就是它</translation>
    </message>
    <message>
        <source>Lesson as a handout</source>
        <translation>课程讲义</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Saved %1; the lesson is open now</source>
        <translation>已保存 %1；课程已打开</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新建课程</translation>
    </message>
    <message>
        <source>Title of the lesson</source>
        <translation>课程标题</translation>
    </message>
    <message>
        <source>Empty folder for the lesson</source>
        <translation>课程的空文件夹</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>shardlens::MarkdownView</name>
    <message>
        <source>A dash stands for a figure that the plan does not have</source>
        <translation>横线表示当前方案没有的数字</translation>
    </message>
</context>
<context>
    <name>shardlens::MatrixPage</name>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>as the plan</source>
        <translation>同方案</translation>
    </message>
    <message>
        <source>Tensor parallel degree of the drawing</source>
        <translation>图中的张量并行度</translation>
    </message>
    <message>
        <source>Only the drawing follows; the plan stays</source>
        <translation>只改变图；方案不变</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Layer of experts</source>
        <translation>专家层</translation>
    </message>
</context>
<context>
    <name>shardlens::MatrixView</name>
    <message>
        <source>expert up (and gate)</source>
        <translation>专家升维（含门控）</translation>
    </message>
    <message>
        <source>expert down</source>
        <translation>专家降维</translation>
    </message>
    <message>
        <source>dispatch, all-to-all</source>
        <translation>分发，all-to-all</translation>
    </message>
    <message>
        <source>combine, all-to-all</source>
        <translation>合并，all-to-all</translation>
    </message>
    <message>
        <source>%1 of them</source>
        <translation>共 %1 个</translation>
    </message>
    <message>
        <source>%1 experts cannot be shared evenly by %2 ranks.</source>
        <translation>%1 个专家无法平均分给 %2 个 rank。</translation>
    </message>
    <message>
        <source>Routed experts: %1 of %2 on a rank, expert parallel %3</source>
        <translation>路由专家：每个 rank %1 个，共 %2 个，专家并行 %3</translation>
    </message>
    <message>
        <source>, each cut over %1 ranks</source>
        <translation>，每个切分到 %1 个 rank</translation>
    </message>
    <message>
        <source>Shared expert, beside the routed ones</source>
        <translation>共享专家，与路由专家并列</translation>
    </message>
    <message>
        <source>All-to-all takes tokens to their experts and back, in backward once more.</source>
        <translation>all-to-all 把 token 送到各自的专家再送回，反向时再来一次。</translation>
    </message>
    <message>
        <source>Q, K, V</source>
        <translation>Q、K、V</translation>
    </message>
    <message>
        <source>attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>MLP up (and gate)</source>
        <translation>MLP 升维（含门控）</translation>
    </message>
    <message>
        <source>MLP down</source>
        <translation>MLP 降维</translation>
    </message>
    <message>
        <source>shared expert up</source>
        <translation>共享专家升维</translation>
    </message>
    <message>
        <source>shared expert down</source>
        <translation>共享专家降维</translation>
    </message>
    <message>
        <source>router</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Q down</source>
        <translation>Q 降维</translation>
    </message>
    <message>
        <source>Q up</source>
        <translation>Q 升维</translation>
    </message>
    <message>
        <source>KV down</source>
        <translation>KV 降维</translation>
    </message>
    <message>
        <source>KV up</source>
        <translation>KV 升维</translation>
    </message>
    <message>
        <source>all-gather</source>
        <translation>all-gather</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>reduce-scatter</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>all-reduce</translation>
    </message>
    <message>
        <source>%1 heads cannot be shared evenly by %2 ranks.</source>
        <translation>%1 个头无法平均分给 %2 个 rank。</translation>
    </message>
    <message>
        <source>%1 key heads cannot be shared evenly by %2 ranks.</source>
        <translation>%1 个键头无法平均分给 %2 个 rank。</translation>
    </message>
    <message>
        <source>%1 columns of the MLP cannot be shared evenly by %2 ranks.</source>
        <translation>MLP 的 %1 列无法平均分给 %2 个 rank。</translation>
    </message>
    <message>
        <source>Open a plan to see how its layers are cut.</source>
        <translation>打开一个方案，看它的层如何切分。</translation>
    </message>
    <message>
        <source>Tensor parallelism over %1 ranks; rank %2 is filled.</source>
        <translation>%1 个 rank 的张量并行；填色的是 rank %2。</translation>
    </message>
    <message>
        <source>Matrices of a layer</source>
        <translation>一层的矩阵</translation>
    </message>
    <message>
        <source>by columns</source>
        <translation>按列</translation>
    </message>
    <message>
        <source>by rows</source>
        <translation>按行</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>%1 query heads, %2 each</source>
        <translation>%1 个查询头，各 %2</translation>
    </message>
    <message>
        <source>%1 key heads, copied</source>
        <translation>%1 个键头，复制</translation>
    </message>
    <message>
        <source>%1 key heads, %2 each</source>
        <translation>%1 个键头，各 %2</translation>
    </message>
    <message>
        <source>t = %1, %2</source>
        <translation>t = %1，%2</translation>
    </message>
    <message>
        <source>sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>no sequence parallelism</source>
        <translation>无序列并行</translation>
    </message>
    <message>
        <source>One layer on rank %1 of a tensor group</source>
        <translation>张量组中 rank %1 上的一层</translation>
    </message>
    <message>
        <source>click or arrow keys: another rank</source>
        <translation>点击或方向键：换一个 rank</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>Below a matrix: what one rank holds. On an edge: tokens × columns that this rank has.</source>
        <translation>矩阵下方：一个 rank 持有的部分。箭头上：这个 rank 的 token 数 × 列数。</translation>
    </message>
    <message>
        <source>One rank alone talks to nobody.</source>
        <translation>单独一个 rank 不需要通信。</translation>
    </message>
    <message>
        <source>Forward as drawn; backward runs the same places the other way, gather and scatter exchanged.</source>
        <translation>图为前向；反向在同样的位置反着走，收集与散播互换。</translation>
    </message>
    <message>
        <source>Forward as drawn; backward has an all-reduce where the region begins.</source>
        <translation>图为前向；反向在区域的起点有一次 all-reduce。</translation>
    </message>
</context>
<context>
    <name>shardlens::MemoryChart</name>
    <message>
        <source>Memory per stage</source>
        <translation>各阶段显存</translation>
    </message>
    <message>
        <source>GiB per GPU</source>
        <translation>每卡显存（GiB）</translation>
    </message>
    <message>
        <source>%1 capacity</source>
        <translation>容量 %1</translation>
    </message>
    <message>
        <source>%1 usable</source>
        <translation>可用 %1</translation>
    </message>
    <message>
        <source>dashed: pinned plan</source>
        <translation>虚线：已固定方案</translation>
    </message>
    <message>
        <source>Pick a model and a cluster, or open a plan, to see the memory of every pipeline stage.</source>
        <translation>选择模型和集群，或打开方案，即可看到各流水线阶段的显存。</translation>
    </message>
    <message>
        <source>Stage %1 of %2 needs most: %3 of %4 usable and %5 capacity.</source>
        <translation>共 %2 个阶段，阶段 %1 占用最多：%3，可用 %4，容量 %5。</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>pipeline stage</source>
        <translation>流水线阶段</translation>
    </message>
    <message>
        <source>Stage %1, %2: %3 (%4 of %5)</source>
        <translation>阶段 %1，%2：%3（占 %5 的 %4）</translation>
    </message>
    <message>
        <source>as pinned</source>
        <translation>与固定方案相同</translation>
    </message>
    <message>
        <source>%1 against the pinned plan</source>
        <translation>与固定方案相比 %1</translation>
    </message>
</context>
<context>
    <name>shardlens::MessagesPanel</name>
    <message>
        <source>Nothing to mend: the plan breaks no rule.</source>
        <translation>无需修正：方案没有违反规则。</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… 还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>应用：%1</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>shardlens::PipelinePage</name>
    <message>
        <source>Balance layers</source>
        <translation>均衡各层</translation>
    </message>
    <message>
        <source>Looks for the split of layers with the fastest slowest stage</source>
        <translation>寻找使最慢阶段最快的层划分</translation>
    </message>
    <message>
        <source>Layers are balanced</source>
        <translation>各层已均衡</translation>
    </message>
    <message>
        <source>No split of the layers makes the slowest stage faster within the memory</source>
        <translation>在显存范围内，没有别的层划分能让最慢阶段更快</translation>
    </message>
    <message>
        <source>Balance: %1</source>
        <translation>均衡：%1</translation>
    </message>
    <message>
        <source>Layers by chunk: %1
instead of %2
slowest stage %3 instead of %4, step %5 instead of %6, peak %7 instead of %8</source>
        <translation>各模型块的层数：%1
原为 %2
最慢阶段 %3（原 %4），单步 %5（原 %6），峰值 %7（原 %8）</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>放大 (W)</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>缩小 (S)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show the whole step (F)</source>
        <translation>显示整步 (F)</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Colour tells the micro-batch, the pattern its work (C)</source>
        <translation>颜色表示微批次，图案表示工作类型 (C)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Memory over time below the rows (M)</source>
        <translation>行下方显示显存随时间的变化 (M)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the timeline as a picture or a trace</source>
        <translation>把时间线保存为图片或轨迹</translation>
    </message>
    <message>
        <source>Picture (SVG, PDF, PNG)…</source>
        <translation>图片（SVG、PDF、PNG）…</translation>
    </message>
    <message>
        <source>Chrome trace for Perfetto…</source>
        <translation>用于 Perfetto 的 Chrome 轨迹…</translation>
    </message>
</context>
<context>
    <name>shardlens::PlanPanel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Plan and software</source>
        <translation>方案与软件</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More fields: %1</source>
        <translation>更多字段：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n more field(s)</source>
        <translation>
            <numerusform>还有 %n 个字段</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::PresentationBar</name>
    <message>
        <source>No notes for this step.</source>
        <translation>这一步没有讲稿。</translation>
    </message>
    <message>
        <source>Page keys: steps · N: notes · P: plan · Esc: leave</source>
        <translation>翻页键：步骤 · N：讲稿 · P：方案 · Esc：退出</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>开始以来的时间</translation>
    </message>
    <message>
        <source>Presenter&apos;s notes</source>
        <translation>讲稿</translation>
    </message>
</context>
<context>
    <name>shardlens::PresetBar</name>
    <message>
        <source>own shape</source>
        <translation>自定义结构</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>The architecture that is trained</source>
        <translation>要训练的模型结构</translation>
    </message>
    <message>
        <source>&amp;Cluster</source>
        <translation>集群(&amp;C)</translation>
    </message>
    <message>
        <source>The kind of node; the number of GPUs is in the plan</source>
        <translation>节点类型；GPU 数量在方案中</translation>
    </message>
    <message>
        <source>&amp;Stack</source>
        <translation>软件栈(&amp;S)</translation>
    </message>
    <message>
        <source>The training software assumed: what it fuses, overlaps and keeps</source>
        <translation>假定的训练软件：融合什么、重叠什么、保留什么</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>目标(&amp;T)</translation>
    </message>
    <message>
        <source>The launcher whose own rules apply on top</source>
        <translation>还须满足其自身规则的启动器</translation>
    </message>
    <message>
        <source>F&amp;idelity</source>
        <translation>模型细致度(&amp;I)</translation>
    </message>
    <message>
        <source>Detailed: every tensor and kernel. Textbook: the formulas of the papers.</source>
        <translation>详细：逐个张量和算子。教科书：论文中的公式。</translation>
    </message>
    <message>
        <source>any launcher</source>
        <translation>任意启动器</translation>
    </message>
    <message>
        <source>detailed</source>
        <translation>详细</translation>
    </message>
    <message>
        <source>textbook</source>
        <translation>教科书</translation>
    </message>
</context>
<context>
    <name>shardlens::PublishedPage</name>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>all of the device</source>
        <translation>整个设备</translation>
    </message>
    <message>
        <source>as this plan in all that is compared</source>
        <translation>所比较的各方面均与本方案相同</translation>
    </message>
    <message>
        <source>differs in %1</source>
        <translation>不同之处：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Peak memory, %1</source>
        <translation>显存峰值，%1</translation>
    </message>
    <message>
        <source>Published run</source>
        <translation>公开运行</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>软件栈</translation>
    </message>
    <message>
        <source>Step
measured</source>
        <translation>步时间
实测</translation>
    </message>
    <message>
        <source>Step
predicted</source>
        <translation>步时间
预测</translation>
    </message>
    <message>
        <source>Step
error</source>
        <translation>步时间
误差</translation>
    </message>
    <message>
        <source>Memory
measured</source>
        <translation>显存
实测</translation>
    </message>
    <message>
        <source>Memory
predicted</source>
        <translation>显存
预测</translation>
    </message>
    <message>
        <source>Memory
error</source>
        <translation>显存
误差</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>peak memory, %1</source>
        <translation>显存峰值为%1</translation>
    </message>
    <message>
        <source>the source contradicts itself</source>
        <translation>来源自相矛盾</translation>
    </message>
    <message>
        <source>part of the layout was inferred</source>
        <translation>部分布局为推断</translation>
    </message>
    <message>
        <source>Published runs near this plan</source>
        <translation>与本方案相近的公开运行</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此方案</translation>
    </message>
    <message>
        <source>Makes the run&apos;s plan the current one; Undo brings yours back</source>
        <translation>将该运行的方案设为当前方案；撤销可恢复您的方案</translation>
    </message>
    <message>
        <source>No published runs were found.</source>
        <translation>没有找到公开运行。</translation>
    </message>
    <message>
        <source>Reading the published runs…</source>
        <translation>正在读取公开运行…</translation>
    </message>
    <message numerus="yes">
        <source>The %n published run(s) nearest to this plan, nearest first; predicted with each run&apos;s own plan. Double-click a run to use its plan.</source>
        <translation>
            <numerusform>与本方案最相近的 %n 次公开运行，最近的在前；预测按各运行自己的方案计算。双击可采用其方案。</numerusform>
        </translation>
    </message>
    <message>
        <source>t tensor, p pipeline, v virtual stages, c context, e expert, d data, s sequence length, b micro-batch</source>
        <translation>t 张量，p 流水线，v 虚拟阶段，c 上下文，e 专家，d 数据，s 序列长度，b 微批次</translation>
    </message>
</context>
<context>
    <name>shardlens::QuestionCard</name>
    <message>
        <source>Choose one of the answers first.</source>
        <translation>请先选一个答案。</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Not this one.</source>
        <translation>不是这个。</translation>
    </message>
    <message>
        <source>Not this one. %1</source>
        <translation>不是这个。%1</translation>
    </message>
    <message>
        <source>That is not a number in this unit; 12.5 or 1e9 is read.</source>
        <translation>这不是该单位下的数；可写 12.5 或 1e9。</translation>
    </message>
    <message>
        <source>Not yet: it is more.</source>
        <translation>还不对：应更大。</translation>
    </message>
    <message>
        <source>Not yet: it is less.</source>
        <translation>还不对：应更小。</translation>
    </message>
    <message>
        <source>The answer is %1.</source>
        <translation>答案是 %1。</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>The answer and the way to it; what is shown does not count as answered</source>
        <translation>答案及其解法；看过的答案不算答对</translation>
    </message>
    <message>
        <source>This task is about a figure that the plan at hand does not have. Start again, or undo the last change.</source>
        <translation>这道任务要看的一个数字，当前方案没有。请重做，或撤销上一步更改。</translation>
    </message>
    <message>
        <source>This question is about a figure that the plan at hand does not have. Undo the last change, or load the lesson&apos;s plan again.</source>
        <translation>这道题要看的一个数字，当前方案没有。请撤销上一步更改，或重新载入本课方案。</translation>
    </message>
    <message>
        <source>This is one way. Start again to find your own.</source>
        <translation>这是一种做法。点“重做”，找出你自己的做法。</translation>
    </message>
    <message>
        <source>Reached.</source>
        <translation>已达成。</translation>
    </message>
    <message>
        <source>Not reached, the plan breaks a rule: %1</source>
        <translation>尚未达成，方案违反了规则：%1</translation>
    </message>
    <message>
        <source>Not reached yet: move the plan.</source>
        <translation>尚未达成：请调整方案。</translation>
    </message>
    <message>
        <source>Only %1 may move here; %2 moved as well.</source>
        <translation>这里只能调整 %1；%2 也变了。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Start of a task</source>
        <translation>任务的起点</translation>
    </message>
    <message>
        <source>Solution of a task</source>
        <translation>任务的解</translation>
    </message>
    <message>
        <source>✓ answered before</source>
        <translation>✓ 以前答对过</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Hide hint</source>
        <translation>隐藏提示</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>给我看</translation>
    </message>
    <message>
        <source>Sets the plan that this task begins with; undo brings yours back</source>
        <translation>载入任务的起始方案；撤销可恢复你的方案</translation>
    </message>
    <message>
        <source>Sets a plan that meets the goal; undo brings yours back</source>
        <translation>载入一个达成目标的方案；撤销可恢复你的方案</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>你的答案</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>尚未检查。</translation>
    </message>
    <message>
        <source>The right answer is marked.</source>
        <translation>已标出正确答案。</translation>
    </message>
</context>
<context>
    <name>shardlens::ReportTable</name>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>micro-batches in flight</source>
        <translation>在途微批次</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>total, against pinned</source>
        <translation>合计，相对固定方案</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Memory by stage, table</source>
        <translation>各阶段显存，表格</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Parts of the step, table</source>
        <translation>单步组成，表格</translation>
    </message>
</context>
<context>
    <name>shardlens::SchedulePicker</name>
    <message>
        <source>More than a card may use: this schedule does not fit</source>
        <translation>超过单卡可用的显存：此调度放不下</translation>
    </message>
    <message>
        <source>Share of the pipeline&apos;s time in which its ranks wait</source>
        <translation>流水线各阶段等待时间的占比</translation>
    </message>
    <message>
        <source>Peak of the fullest stage</source>
        <translation>占用最多的阶段的峰值</translation>
    </message>
    <message>
        <source>Most micro-batches whose activations one stage holds</source>
        <translation>单个阶段最多同时持有激活的微批次数</translation>
    </message>
    <message>
        <source>Most parameters that one GPU holds</source>
        <translation>单块 GPU 最多持有的参数数</translation>
    </message>
    <message>
        <source>Bytes between the stages of one pipeline in a step, one GPU of each stage</source>
        <translation>一步中一条流水线各阶段之间的字节数，每阶段取一块 GPU</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Schedule %1</source>
        <translation>调度 %1</translation>
    </message>
    <message>
        <source>compared</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Use with changes</source>
        <translation>连同修改一起采用</translation>
    </message>
    <message>
        <source>Use this schedule</source>
        <translation>采用此调度</translation>
    </message>
    <message>
        <source>Comparing the schedules…</source>
        <translation>正在比较各调度…</translation>
    </message>
    <message>
        <source>%1 is not possible here: %2</source>
        <translation>此处不能用 %1：%2</translation>
    </message>
    <message>
        <source>Nearest that works: %1</source>
        <translation>最接近的可行修改：%1</translation>
    </message>
    <message>
        <source>%1 is the plan&apos;s schedule. Choose another to compare, Enter uses it.</source>
        <translation>%1 是方案的调度。选另一行可比较，按 Enter 采用。</translation>
    </message>
    <message>
        <source>%1 against %2: step %3, memory %4</source>
        <translation>%1 相对 %2：单步 %3，显存 %4</translation>
    </message>
    <message>
        <source>as now</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>Schedules for this plan</source>
        <translation>本方案的各种调度</translation>
    </message>
    <message>
        <source>About the schedule</source>
        <translation>关于此调度</translation>
    </message>
    <message>
        <source>Show below</source>
        <translation>在下方显示</translation>
    </message>
    <message>
        <source>Shows the chosen schedule below the plan&apos;s, on the same time scale</source>
        <translation>把所选调度画在方案下方，时间刻度相同</translation>
    </message>
    <message>
        <source>Makes the schedule the plan&apos;s; Undo brings yours back</source>
        <translation>方案改用此调度；撤销可恢复</translation>
    </message>
</context>
<context>
    <name>shardlens::SgdPage</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Workers P</source>
        <translation>工作者 P</translation>
    </message>
    <message>
        <source>Wait for K</source>
        <translation>等待 K</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Mean, s</source>
        <translation>均值，秒</translation>
    </message>
    <message>
        <source>Tail index</source>
        <translation>尾指数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Gradients that an update waits for</source>
        <translation>一次更新等待的梯度数</translation>
    </message>
    <message>
        <source>Law of the time that a mini-batch takes</source>
        <translation>一个小批量用时的分布</translation>
    </message>
    <message>
        <source>Smaller: heavier tail, more stragglers</source>
        <translation>越小：尾越重，掉队者越多</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>shifted exponential</source>
        <translation>平移指数</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>帕累托</translation>
    </message>
</context>
<context>
    <name>shardlens::SizeControl</name>
    <message>
        <source>Model size</source>
        <translation>模型规模</translation>
    </message>
    <message>
        <source>Model size, slider</source>
        <translation>模型规模，滑块</translation>
    </message>
    <message>
        <source>Parameters. The slider steps through the presets of the model&apos;s family and through shapes scaled between them; 13B or 1.5e9 can be typed.</source>
        <translation>参数量。滑块依次经过该模型系列的预设以及其间缩放出的结构；也可键入 13B 或 1.5e9。</translation>
    </message>
    <message>
        <source>This model belongs to no family of presets; pick one that does to scale it.</source>
        <translation>此模型不属于任何预设系列；请选择属于某系列的模型来缩放。</translation>
    </message>
</context>
<context>
    <name>shardlens::StalenessChart</name>
    <message>
        <source>mean %1 updates</source>
        <translation>平均 %1 次更新</translation>
    </message>
    <message>
        <source>Staleness of the gradients</source>
        <translation>梯度的陈旧度</translation>
    </message>
    <message>
        <source>Updates between reading the weights and using the gradient: %1</source>
        <translation>从读取权重到使用梯度之间的更新次数：%1</translation>
    </message>
    <message>
        <source>updates late</source>
        <translation>迟到的更新次数</translation>
    </message>
</context>
<context>
    <name>shardlens::StepBar</name>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>The time of a step appears here as soon as the plan can be evaluated.</source>
        <translation>方案可以评估后，这里会显示单步时间。</translation>
    </message>
    <message>
        <source>Step time by part</source>
        <translation>单步时间组成</translation>
    </message>
    <message>
        <source>pinned below: %1</source>
        <translation>下方为固定方案：%1</translation>
    </message>
    <message>
        <source>%1 against the pinned plan below: %2</source>
        <translation>与下方固定方案 %2 相比 %1</translation>
    </message>
    <message>
        <source>One step takes %1; the largest part is %2 with %3.</source>
        <translation>一步用时 %1；最大部分是 %2，%3。</translation>
    </message>
    <message>
        <source>%1: %2 (%3 of %4)</source>
        <translation>%1：%2（占 %4 的 %3）</translation>
    </message>
    <message>
        <source>Pinned plan</source>
        <translation>固定方案</translation>
    </message>
    <message>
        <source>as pinned</source>
        <translation>与固定方案相同</translation>
    </message>
    <message>
        <source>%1 against the pinned plan</source>
        <translation>与固定方案相比 %1</translation>
    </message>
</context>
<context>
    <name>shardlens::StepControls</name>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>One step on</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>Step of the all-reduce</source>
        <translation>all-reduce 的步骤</translation>
    </message>
</context>
<context>
    <name>shardlens::TopologyPage</name>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>racks</source>
        <translation>机柜</translation>
    </message>
    <message>
        <source>pods</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1 of %2 %3 groups touch more than one place of this tier, up to %4.
Its slowest link (%5) carries %6 a step, which takes %7; %8 of the step wait for it.</source>
        <translation>%2 个%3组中有 %1 个跨越这一层，最多跨 %4 处。
其中最慢的链路（%5）每步传输 %6，需要 %7；每步中有 %8 在等待它。</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>0 of %1</source>
        <translation>%1 中的 0</translation>
    </message>
    <message>
        <source>All %1 groups stay inside; a GPU sends %2 a step.</source>
        <translation>所有%1组都在内部；每个 GPU 每步发送 %2。</translation>
    </message>
    <message>
        <source>fast fabric</source>
        <translation>高速互连</translation>
    </message>
    <message>
        <source>inside a package</source>
        <translation>封装内</translation>
    </message>
    <message>
        <source>link of the torus</source>
        <translation>环面链路</translation>
    </message>
    <message>
        <source>network port</source>
        <translation>网络端口</translation>
    </message>
    <message>
        <source>pod uplink</source>
        <translation>Pod 上行</translation>
    </message>
    <message>
        <source>One link carries %1 in one direction.</source>
        <translation>一条链路单向传输 %1。</translation>
    </message>
    <message>
        <source>Collectives at the same time ask for %1: they slow each other down.</source>
        <translation>同时进行的集合通信需要 %1：它们会互相拖慢。</translation>
    </message>
    <message>
        <source>Point at a GPU to see its groups; a click keeps them.</source>
        <translation>指向一个 GPU 可看到它的组；单击可固定。</translation>
    </message>
    <message>
        <source>GPU %1 (pinned)</source>
        <translation>GPU %1（已固定）</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Number of a GPU, or &quot;node&quot; and a number (/)</source>
        <translation>GPU 编号，或“节点”加编号（/）</translation>
    </message>
    <message>
        <source>No such GPU or node; GPUs go from 0 to %1</source>
        <translation>没有这样的 GPU 或节点；GPU 编号从 0 到 %1</translation>
    </message>
    <message>
        <source>Rank order is best</source>
        <translation>rank 顺序已是最优</translation>
    </message>
    <message>
        <source>Best rank order</source>
        <translation>最佳 rank 顺序</translation>
    </message>
    <message>
        <source>Tries every rank order for the fastest step</source>
        <translation>尝试所有 rank 顺序，寻找最快的一步</translation>
    </message>
    <message>
        <source>No other rank order makes the step faster</source>
        <translation>没有其他 rank 顺序能让一步更快</translation>
    </message>
    <message>
        <source>Best rank order: step %1</source>
        <translation>最佳 rank 顺序：每步 %1</translation>
    </message>
    <message>
        <source>%1 instead of %2:
step %3 instead of %4, exposed communication %5 instead of %6,
busiest network port %7 instead of %8</source>
        <translation>用 %1 代替 %2：
每步 %3，原为 %4；外露通信 %5，原为 %6；
最忙的网络端口 %7，原为 %8</translation>
    </message>
    <message>
        <source>Take out a node or a network port to see which groups, replicas and how much throughput go with it.</source>
        <translation>去掉一个节点或网络端口，看看哪些组、副本和多少吞吐量随之失去。</translation>
    </message>
    <message>
        <source>%1 of %2 %3 groups</source>
        <translation>%2 个%3组中的 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s)</source>
        <translation>
            <numerusform>%Ln 个 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 gone.</source>
        <translation>%1 失效。</translation>
    </message>
    <message>
        <source>%1 gone; groups that lose members: %2.</source>
        <translation>%1 失效；失去成员的组：%2。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s) send through the neighbouring port.</source>
        <translation>
            <numerusform>%Ln 个 GPU 改走相邻端口。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s) send through the neighbouring port; groups that wait for it: %1.</source>
        <translation>
            <numerusform>%Ln 个 GPU 改走相邻端口；等待它的组：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The global batch shrinks from %1 to %2: each replica keeps its share.</source>
        <translation>全局批次从 %1 减到 %2：每个副本的份额不变。</translation>
    </message>
    <message>
        <source>Replicas lost: %1 of %2.</source>
        <translation>失去的副本：%2 个中的 %1 个。</translation>
    </message>
    <message>
        <source>No whole replica is left: the run stops until it is repaired.</source>
        <translation>没有完整的副本：训练停止，直到修复。</translation>
    </message>
    <message>
        <source>Going on with data degree %1: %2 instead of %3, %4 less; step %5 instead of %6.</source>
        <translation>以数据并行度 %1 继续：%2，原为 %3，减少 %4；每步 %5，原为 %6。</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>放大（W）</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>缩小（S）</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>Show the whole cluster (F)</source>
        <translation>显示整个集群（F）</translation>
    </message>
    <message>
        <source>GPU or node number</source>
        <translation>GPU 或节点编号</translation>
    </message>
    <message>
        <source>Search a GPU or node</source>
        <translation>搜索 GPU 或节点</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Failure</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>About the cluster</source>
        <translation>关于集群</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>跨越</translation>
    </message>
    <message>
        <source>Crossing</source>
        <translation>跨越的组</translation>
    </message>
    <message>
        <source>Busiest link</source>
        <translation>最忙链路</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Groups, those that cross nodes or pods first</source>
        <translation>组，跨节点或 Pod 的在前</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>All links, a step</source>
        <translation>每步所有链路</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Load of every class of links</source>
        <translation>各类链路的负载</translation>
    </message>
    <message>
        <source>Groups of the GPU</source>
        <translation>该 GPU 的组</translation>
    </message>
    <message>
        <source>Nothing fails</source>
        <translation>无故障</translation>
    </message>
    <message>
        <source>A node fails</source>
        <translation>节点故障</translation>
    </message>
    <message>
        <source>A network port fails</source>
        <translation>网络端口故障</translation>
    </message>
    <message>
        <source>What fails</source>
        <translation>什么发生故障</translation>
    </message>
    <message>
        <source>port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Node that fails</source>
        <translation>故障节点</translation>
    </message>
    <message>
        <source>Network port that fails</source>
        <translation>故障网络端口</translation>
    </message>
    <message>
        <source>What the failure takes</source>
        <translation>故障带走什么</translation>
    </message>
</context>
<context>
    <name>shardlens::TopologyView</name>
    <message>
        <source>sends through another port</source>
        <translation>改走其他端口</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>stops with it</source>
        <translation>随之停止</translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s)</source>
        <translation>
            <numerusform>%Ln 个 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln node(s)</source>
        <translation>
            <numerusform>%Ln 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 in %2.</source>
        <translation>%1，共 %2。</translation>
    </message>
    <message>
        <source>GPU %1: node %2, slot %3</source>
        <translation>GPU %1：节点 %2，插槽 %3</translation>
    </message>
    <message>
        <source>, pod %1</source>
        <translation>,pod %1</translation>
    </message>
    <message>
        <source>coordinates: tensor %1, context %2, data %3, pipeline %4</source>
        <translation>坐标：张量 %1，上下文 %2，数据 %3，流水线 %4</translation>
    </message>
    <message>
        <source>%1 group: %2</source>
        <translation>%1组：%2</translation>
    </message>
    <message>
        <source>memory: %1 of %2</source>
        <translation>显存：%1 / %2</translation>
    </message>
    <message>
        <source>pod %1</source>
        <translation>pod %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Pick a model and a cluster, or open a plan, to see which GPU holds what.</source>
        <translation>选择模型和集群，或打开方案，即可看到每个 GPU 放了什么。</translation>
    </message>
    <message>
        <source>The degrees of parallelism do not multiply to the number of GPUs; see the messages.</source>
        <translation>各并行度之积不等于 GPU 数；请看消息。</translation>
    </message>
    <message>
        <source>pipeline stage</source>
        <translation>流水线阶段</translation>
    </message>
    <message>
        <source>tensor group</source>
        <translation>张量组</translation>
    </message>
    <message>
        <source>context group</source>
        <translation>上下文组</translation>
    </message>
    <message>
        <source>expert group</source>
        <translation>专家组</translation>
    </message>
    <message>
        <source>data group</source>
        <translation>数据组</translation>
    </message>
    <message>
        <source>pipeline group</source>
        <translation>流水线组</translation>
    </message>
    <message>
        <source>memory used</source>
        <translation>显存占用</translation>
    </message>
    <message>
        <source>Colour GPUs by</source>
        <translation>GPU 着色依据</translation>
    </message>
    <message>
        <source>What the colour of a GPU stands for</source>
        <translation>GPU 颜色的含义</translation>
    </message>
    <message>
        <source>Cluster map</source>
        <translation>集群图</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: inside one node</source>
        <translation>%1：在一个节点内</translation>
    </message>
    <message>
        <source>%1: over %2 nodes</source>
        <translation>%1：跨 %2 个节点</translation>
    </message>
    <message>
        <source>%1: %2 nodes in %3 pods</source>
        <translation>%1：跨 %3 个 pod 的 %2 个节点</translation>
    </message>
    <message>
        <source>%1: %2 nodes in %3 racks</source>
        <translation>%1：跨 %3 个机柜的 %2 个节点</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>over usable</source>
        <translation>超过可用</translation>
    </message>
    <message>
        <source>over capacity</source>
        <translation>超过容量</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>, then the colours repeat</source>
        <translation>，之后颜色重复</translation>
    </message>
    <message>
        <source>expert tensor</source>
        <translation>专家张量</translation>
    </message>
    <message>
        <source>expert data</source>
        <translation>专家数据</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>shards</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>one %1 group</source>
        <translation>一个%1组</translation>
    </message>
    <message>
        <source>%1 groups 0 to %2; colours repeat after %3</source>
        <translation>%1组 0 到 %2；颜色每 %3 个重复</translation>
    </message>
    <message>
        <source>nothing leaves the node</source>
        <translation>没有数据离开节点</translation>
    </message>
    <message>
        <source>port sends up to %1</source>
        <translation>端口最多发送 %1</translation>
    </message>
    <message>
        <source>%1 a step, %2 of its time</source>
        <translation>每步 %1，占其时间的 %2</translation>
    </message>
    <message>
        <source>%1 group %2</source>
        <translation>%1组 %2</translation>
    </message>
    <message>
        <source>%1; sends %2 a step, links busy %3</source>
        <translation>%1；每步发送 %2，链路占用 %3</translation>
    </message>
    <message>
        <source>network load</source>
        <translation>网络负载</translation>
    </message>
    <message>
        <source>%1: over %2 nodes of one fast fabric</source>
        <translation>%1：跨同一高速互连的 %2 个节点</translation>
    </message>
    <message>
        <source>fast fabric %1</source>
        <translation>高速互连 %1</translation>
    </message>
    <message>
        <source>rack %1</source>
        <translation>机柜 %1</translation>
    </message>
</context>
<context>
    <name>shardlens::VerdictPanel</name>
    <message>
        <source>No plan</source>
        <translation>没有方案</translation>
    </message>
    <message>
        <source>Not valid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Barely fits</source>
        <translation>勉强放下</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Peak, stage %1</source>
        <translation>峰值，阶段 %1</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>never compared</source>
        <translation>未曾对比</translation>
    </message>
    <message>
        <source>MFU / HFU</source>
        <translation>MFU / HFU</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Tokens/s/GPU</source>
        <translation>Token/s/GPU</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 token</translation>
    </message>
    <message>
        <source>Time to train</source>
        <translation>训练时长</translation>
    </message>
    <message>
        <source>set training tokens</source>
        <translation>请设置训练 token 数</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>GPU hours</source>
        <translation>GPU 小时</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Open a plan, or pick a model and a cluster in the toolbar.</source>
        <translation>打开方案，或在工具栏选择模型和集群。</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Click a figure to see where it comes from; the arrow keys move between them.</source>
        <translation>单击数值可查看来历；方向键在数值间移动。</translation>
    </message>
    <message>
        <source>± ?</source>
        <translation>± ?</translation>
    </message>
    <message>
        <source>± %1 (p90 %2)</source>
        <translation>± %1（p90 %2）</translation>
    </message>
    <message>
        <source>± %1</source>
        <translation>± %1</translation>
    </message>
    <message>
        <source>half of them are off by less than %1, nine in ten by less than %2</source>
        <translation>半数误差小于 %1，九成误差小于 %2</translation>
    </message>
    <message>
        <source>Error taken from</source>
        <translation>误差来源</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), this GPU</source>
        <translation>
            <numerusform>%n 次运行，此类 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), this stack</source>
        <translation>
            <numerusform>%n 次运行，此软件栈</numerusform>
        </translation>
    </message>
    <message>
        <source>its own run</source>
        <translation>其自身的运行</translation>
    </message>
</context>
<context>
    <name>shardlens::WorkerTimeline</name>
    <message>
        <source>computing, applied fresh</source>
        <translation>计算，新鲜时使用</translation>
    </message>
    <message>
        <source>computing, applied stale</source>
        <translation>计算，陈旧时使用</translation>
    </message>
    <message>
        <source>computing, cancelled</source>
        <translation>计算，被取消</translation>
    </message>
    <message>
        <source>computing still</source>
        <translation>仍在计算</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Workers and parameter server</source>
        <translation>工作者与参数服务器</translation>
    </message>
    <message>
        <source>%1 an update</source>
        <translation>每次更新 %1</translation>
    </message>
    <message>
        <source>, %1 expected</source>
        <translation>，期望 %1</translation>
    </message>
    <message>
        <source>, %1 cancelled</source>
        <translation>，取消 %1</translation>
    </message>
    <message>
        <source>%1: workers and server</source>
        <translation>%1：工作者与服务器</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>update of the weights</source>
        <translation>权重更新</translation>
    </message>
</context>
<context>
    <name>shardlens::format</name>
    <message>
        <source>years</source>
        <translation>年</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>trillion</source>
        <translation>万亿</translation>
    </message>
    <message>
        <source>billion</source>
        <translation>十亿</translation>
    </message>
    <message>
        <source>hundred million</source>
        <translation>亿</translation>
    </message>
    <message>
        <source>ten thousand</source>
        <translation>万</translation>
    </message>
    <message>
        <source>million</source>
        <translation>百万</translation>
    </message>
</context>
<context>
    <name>shardlens::terms</name>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>context</source>
        <translation>框架与通信库</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>fwd</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>bwd</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>tensor communication</source>
        <translation>张量并行通信</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>context communication</source>
        <translation>上下文并行通信</translation>
    </message>
    <message>
        <source>CP</source>
        <translation>CP</translation>
    </message>
    <message>
        <source>expert communication</source>
        <translation>专家并行通信</translation>
    </message>
    <message>
        <source>EP</source>
        <translation>EP</translation>
    </message>
    <message>
        <source>pipeline communication</source>
        <translation>流水线通信</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>pipeline bubble</source>
        <translation>流水线气泡</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>data-parallel communication</source>
        <translation>数据并行通信</translation>
    </message>
    <message>
        <source>DP</source>
        <translation>DP</translation>
    </message>
    <message>
        <source>offload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
</context>
<context>
    <name>shardlens::LessonEnd</name>
    <message>
        <source>✓ All questions of this lesson are answered.</source>
        <translation>✓ 本课的题目都答完了。</translation>
    </message>
    <message>
        <source>Questions not answered yet: %1</source>
        <translation>还没答的题：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Next lesson: %1 ▶</source>
        <translation>下一课：%1 ▶</translation>
    </message>
</context>
</TS>
