/** Attribute names of our own, all of them. Written by the instrumentation and the injector, read by everyone else. */
export const ownAttributes = {
  runId: 'otel_eval.run.id',
  segment: 'otel_eval.segment',
  eventIndex: 'otel_eval.event.index',
  receiptSpans: 'otel_eval.receipt.spans',
  receiptOpen: 'otel_eval.receipt.open',
  receiptDigest: 'otel_eval.receipt.digest',
  /** On an agent's span, `all`: every model and tool call of it is made through the helpers. */
  instrumented: 'otel_eval.instrumented',
  contentMode: 'otel_eval.content.mode',
  withheldCount: 'otel_eval.withheld.count',
  truncatedCount: 'otel_eval.truncated.count',
  redactedCount: 'otel_eval.redacted.count',
  toolEffect: 'otel_eval.tool.effect',
  toolResultFailed: 'otel_eval.tool.result_failed',
  toolArgumentsBytes: 'otel_eval.tool.arguments_bytes',
  toolResultBytes: 'otel_eval.tool.result_bytes',
  attemptOperation: 'otel_eval.attempt.operation',
  attemptNumber: 'otel_eval.attempt.number',
  toolArgumentsDigest: 'otel_eval.tool.arguments_digest',
  /** Followed by the name of a top-level argument. */
  toolArgumentDigestPrefix: 'otel_eval.tool.argument_digest.',
  /** On a model call: how many attachments its messages held; `otel_eval.evidence.attachment` tells of each. */
  attachmentsCount: 'otel_eval.attachments.count',
  /** Span events; each followed by `armed`, `matched`, `applied` or `delivered`. */
  faultPrefix: 'otel_eval.fault.',
  /** On each receipt and piece of evidence of a fault session: which one wrote it. */
  faultSession: 'otel_eval.fault.session',
  /** Resource attributes, lists of strings; each followed by `tools`, `capabilities`, `traits`, `operations` or `inputs`. */
  manifestPrefix: 'otel_eval.manifest.',
  /** Span events with evidence of stages. */
  evidencePrefix: 'otel_eval.evidence.',
  /** One of these: a piece of streamed text on the span of its run, with an event index of its own. */
  textDelta: 'otel_eval.evidence.text_delta',
} as const;
