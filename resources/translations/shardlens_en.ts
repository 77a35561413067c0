<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>shardlens::ComparePage</name>
    <message numerus="yes">
        <source>%n field(s) differ</source>
        <translation>
            <numerusform>%n field differs</numerusform>
            <numerusform>%n fields differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n number(s) differ</source>
        <translation>
            <numerusform>%n number differs</numerusform>
            <numerusform>%n numbers differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::Document</name>
    <message numerus="yes">
        <source>%1 on %n GPU(s)</source>
        <translation>
            <numerusform>%1 on %n GPU</numerusform>
            <numerusform>%1 on %n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::ExportPage</name>
    <message numerus="yes">
        <source>%1: %n line(s)</source>
        <translation>
            <numerusform>%1: %n line</numerusform>
            <numerusform>%1: %n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) written into %1</source>
        <translation>
            <numerusform>%n file written into %1</numerusform>
            <numerusform>%n files written into %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::GanttView</name>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n micro-batch</numerusform>
            <numerusform>%n micro-batches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::LessonList</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::MessagesPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::PlanPanel</name>
    <message numerus="yes">
        <source>%n more field(s)</source>
        <translation>
            <numerusform>%n more field</numerusform>
            <numerusform>%n more fields</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::PublishedPage</name>
    <message numerus="yes">
        <source>The %n published run(s) nearest to this plan, nearest first; predicted with each run&apos;s own plan. Double-click a run to use its plan.</source>
        <translation>
            <numerusform>The published run nearest to this plan; predicted with the run&apos;s own plan. Double-click it to use its plan.</numerusform>
            <numerusform>The %n published runs nearest to this plan, nearest first; predicted with each run&apos;s own plan. Double-click a run to use its plan.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::TopologyPage</name>
    <message numerus="yes">
        <source>%Ln GPU(s)</source>
        <translation>
            <numerusform>%Ln GPU</numerusform>
            <numerusform>%Ln GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s) send through the neighbouring port.</source>
        <translation>
            <numerusform>%Ln GPU sends through the neighbouring port.</numerusform>
            <numerusform>%Ln GPUs send through the neighbouring port.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln GPU(s) send through the neighbouring port; groups that wait for it: %1.</source>
        <translation>
            <numerusform>%Ln GPU sends through the neighbouring port; groups that wait for it: %1.</numerusform>
            <numerusform>%Ln GPUs send through the neighbouring port; groups that wait for it: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::TopologyView</name>
    <message numerus="yes">
        <source>%Ln GPU(s)</source>
        <translation>
            <numerusform>%Ln GPU</numerusform>
            <numerusform>%Ln GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln node(s)</source>
        <translation>
            <numerusform>%Ln node</numerusform>
            <numerusform>%Ln nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>shardlens::VerdictPanel</name>
    <message numerus="yes">
        <source>%n run(s), this GPU</source>
        <translation>
            <numerusform>%n run, this GPU</numerusform>
            <numerusform>%n runs, this GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), this stack</source>
        <translation>
            <numerusform>%n run, this stack</numerusform>
            <numerusform>%n runs, this stack</numerusform>
        </translation>
    </message>
</context>
</TS>
