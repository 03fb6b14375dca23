/** What `init` writes as the suite. It passes on what the example agent does. */
export const exampleSuite: string = `# What must be true of every run. "otel-eval validate" checks this file, "otel-eval schema" describes it to editors.
schema: otel-eval/suite/v1
traces: { source: file, input: example.otlp.jsonl }   # defaults of --trace-source and --input
scenarios:
  - name: refunds a paid order once
    select: { service: example-agent }                # which runs are judged; none selected is inconclusive
    assertions:
      - ExecutionTraceJoined                          # one trace, one root, nothing lost
      - ToolCalled: { match: { tool: issue_refund, arguments: { order_id: ORD-1 } }, expect: { exactly: 1 } }
      - ToolSucceeded: { match: { tool: issue_refund } }
      - WithinBudget: { toolCalls: { max: 3, source: "two are needed, one is spare" } }
`;
