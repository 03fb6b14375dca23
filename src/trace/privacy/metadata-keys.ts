import { findCredentials } from './find-credentials.ts';

/**
 * What may stand under a key that is metadata: `word` a token of a small vocabulary, `label` the name of an agent, tool
 * or model, `labels` several of them, `id` an opaque identifier, `number` a number or boolean, `counts` a JSON object of
 * numbers, `time` a time stamp, `host` an address of which scheme, path and credentials are cut off, `origin` a URL of
 * which only scheme and host stay, `hash` a digest.
 */
export type MetadataClass =
  | 'word'
  | 'label'
  | 'labels'
  | 'id'
  | 'number'
  | 'counts'
  | 'time'
  | 'host'
  | 'origin'
  | 'hash';

const wordKeys = `
gen_ai.operation.name gen_ai.provider.name gen_ai.system gen_ai.output.type gen_ai.tool.type gen_ai.tool.status
gen_ai.agent.version gen_ai.agent.status gen_ai.agent.node_type gen_ai.request.reasoning.level gen_ai.token.type
gen_ai.request.encoding_formats gen_ai.transfer.mode gen_ai.caller.type gen_ai.tool.call.decision.outcome
gen_ai.request.service_tier gen_ai.response.service_tier openai.response.service_tier openai.request.service_tier
openai.api.type openai.response.system_fingerprint gen_ai.openai.response.service_tier
gen_ai.openai.response.system_fingerprint gen_ai.openai.request.service_tier gen_ai.openai.request.response_format
gen_ai.usage.cost.currency gen_ai.usage.cost.source gen_ai.evaluation.score.label
gen_ai.prompt.N.role gen_ai.prompt.N.finish_reason gen_ai.completion.N.role gen_ai.completion.N.finish_reason
gen_ai.request.structured_output_schema.type gen_ai.request.reasoning_effort gen_ai.response.reasoning_effort
llm.request.type llm.vendor llm.provider llm.system llm.finish_reason llm.is_streaming llm.prompt_template.version
openinference.span.kind input.mime_type output.mime_type llm.input_messages.N.message.role
llm.output_messages.N.message.role llm.input_messages.N.message.contents.N.message_content.type
llm.output_messages.N.message.contents.N.message_content.type llm.output_messages.N.message.finish_reason
traceloop.span.kind traceloop.prompt.version
ai.operationId ai.model.provider ai.response.finishReason ai.schema.name ai.settings.output ai.settings.mode
logfire.span_type logfire.level_num pydantic_ai.tool.deferral.name pydantic_ai.tool.failure_stage
pydantic_ai.tool.retry.cause langsmith.span.kind langsmith.traceable langfuse.observation.type langfuse.observation.level
langfuse.environment langfuse.release langfuse.version langfuse.observation.prompt.version
mastra.span.type error.type error.domain error.category error.code exception.type exception.escaped
anthropic.message.stop_reason anthropic.thinking.type anthropic.response.service_tier anthropic.beta
span.type success stop_reason decision source query_source decision_source decision_type
genkit:type genkit:metadata:subtype genkit:state haystack.pipeline.execution_mode haystack.component.type
haystack.component.fully_qualified_type haystack.agent.hook.point haystack.agent.hook.type
haystack.agent.hook.human_in_the_loop.strategy.type haystack.agent.hook.human_in_the_loop.strategy.decision
message.type message.payload_type edge_group.type edge_group.delivery_status executor.type
mcp.method.name mcp.protocol.version jsonrpc.protocol.version mcp.transport
gcp.vertex.agent.state sentry.op sentry.origin sentry.source
role finish_reason type stage
http.request.method http.request.method_original http.method http.scheme http.flavor http.route url.scheme
url.template network.protocol.name network.protocol.version network.transport network.type network.connection.type
net.transport net.protocol.name net.protocol.version
db.system db.system.name db.operation db.operation.name db.collection.name db.sql.table db.namespace db.name
db.response.status_code db.stored_procedure.name db.mongodb.collection db.redis.database_index
rpc.system rpc.system.name rpc.service rpc.method rpc.grpc.status_code rpc.response.status_code rpc.message.type
messaging.system messaging.operation messaging.operation.name messaging.operation.type
messaging.destination.kind messaging.destination.template messaging.consumer.group.name
faas.trigger faas.name graphql.operation.type graphql.operation.name code.function code.function.name code.namespace
thread.name otel.status_code otel.scope.name otel.scope.version
service.name service.version service.namespace service.peer.name peer.service deployment.environment deployment.environment.name
telemetry.sdk.name telemetry.sdk.language telemetry.sdk.version telemetry.distro.name telemetry.distro.version
telemetry.auto.version os.type os.version process.runtime.name process.runtime.version process.executable.name
host.arch host.type cloud.provider cloud.platform cloud.region cloud.availability_zone k8s.namespace.name
k8s.deployment.name k8s.container.name k8s.cluster.name container.runtime faas.version browser.language
otel_eval.content.mode source_type mime_type otel_eval.tool.effect otel_eval.instrumented kind mode point state
`;

const labelKeys = `
gen_ai.agent.name gen_ai.tool.name gen_ai.request.model gen_ai.response.model gen_ai.workflow.name
gen_ai.transfer.target.name gen_ai.caller.name gen_ai.data_source.id gen_ai.prompt.name gen_ai.evaluation.name
gen_ai.handoff.from_agent gen_ai.handoff.to_agent gen_ai.serialized.name gen_ai.pipeline.name
gen_ai.prompt.N.tool_calls.N.name gen_ai.completion.N.tool_calls.N.name llm.request.functions.N.name
llm.model_name llm.request.model_name llm.response.model_name agent.name tool.name graph.node.name
llm.input_messages.N.message.tool_calls.N.tool_call.function.name
llm.output_messages.N.message.tool_calls.N.tool_call.function.name
llm.input_messages.N.message.contents.N.tool_call.function.name
llm.output_messages.N.message.contents.N.tool_call.function.name llm.input_messages.N.message.name
embedding.model_name reranker.model_name
traceloop.entity.name traceloop.workflow.name traceloop.entity.path traceloop.prompt.key
ai.model.id ai.response.model ai.toolCall.name ai.telemetry.functionId operation.name resource.name
model_name agent_name model tool_name subagent_type skill_name agno.agent agno.team
langsmith.trace.name langsmith.trace.session_name langsmith.metadata.ls_model_name langsmith.metadata.ls_provider
langsmith.metadata.ls_model_type langsmith.metadata.langgraph_node langsmith.metadata.lc_agent_name
langsmith.metadata.ls_integration langfuse.observation.model.name langfuse.trace.name langfuse.observation.prompt.name
mastra.metadata.toolName genkit:name genkit:key executor.name workflow.name workflow_builder.name
haystack.component.name haystack.tool.name haystack.agent.hook.name
smolagents.managed_agents.N.name messaging.destination.name
`;

const labelsKeys = `
gen_ai.response.finish_reasons gen_ai.agent.tools agno.tools smolagents.tools_names langsmith.metadata.langgraph_triggers
haystack.agent.exit_conditions
`;

const idKeys = `
gen_ai.conversation.id gen_ai.agent.id gen_ai.response.id gen_ai.tool.call.id gen_ai.agent.call.id
gen_ai.memory.store.id gen_ai.memory.record.id gen_ai.prompt.N.tool_call_id gen_ai.prompt.N.tool_calls.N.id
gen_ai.completion.N.tool_calls.N.id session.id tool.id tool_call.id graph.node.id graph.node.parent_id
retrieval.documents.N.document.id reranker.input_documents.N.document.id reranker.output_documents.N.document.id
llm.input_messages.N.message.tool_call_id llm.input_messages.N.message.tool_calls.N.tool_call.id
llm.output_messages.N.message.tool_calls.N.tool_call.id llm.input_messages.N.message.contents.N.tool_call.id
llm.output_messages.N.message.contents.N.tool_call.id llm.input_messages.N.message.contents.N.message_content.id
llm.output_messages.N.message.contents.N.message_content.id
traceloop.association.properties.session_id traceloop.association.properties.thread_id
traceloop.association.properties.conversation_id
ai.response.id ai.toolCall.id ai.telemetry.metadata.sessionId ai.telemetry.metadata.threadId
ai.telemetry.metadata.conversationId ai.settings.context.sessionId ai.settings.context.threadId
ai.settings.context.conversationId
langsmith.span.id langsmith.span.parent_id langsmith.trace.id langsmith.span.dotted_order
langsmith.traceable_parent_otel_span_id langsmith.metadata.thread_id langsmith.metadata.session_id
langsmith.metadata.conversation_id langsmith.metadata.checkpoint_ns langsmith.metadata.langgraph_checkpoint_ns
langfuse.session.id langfuse.internal.as_root langfuse.internal.is_app_root
mastra.metadata.threadId mastra.metadata.runId mastra.metadata.sessionId mastra.metadata.toolCallId
gcp.vertex.agent.invocation_id gcp.vertex.agent.session_id gcp.vertex.agent.event_id
anthropic.session.id anthropic.session.thread.id anthropic.request.id event_loop.cycle_id
event_loop.parent_cycle_id agent_loop.cycle_id agno.agent.id agno.team.id agno.run.id
workflow.id workflow.run_id executor.id edge_group.id message.source_id message.target_id
message.destination_executor_id crew_id crew_key task_id task_key haystack.tool.call.id
tool_use_id request_id agent_id parent_agent_id turn.id call_id openclaw.session.id
mcp.session.id jsonrpc.request.id rpc.jsonrpc.request_id rpc.request.id messaging.message.id
messaging.message.conversation_id messaging.client.id faas.invocation_id aws.request_id cloud.resource_id
service.instance.id container.id k8s.pod.uid process.pid host.id.hash id
logfire.pending_parent_id otel_eval.run.id otel_eval.segment otel_eval.fault.session otel_eval.receipt.digest otel_eval.tool.arguments_digest
plan row approval_id procedure_id document.ids record.ids
`;

const numberKeys = `
gen_ai.request.max_tokens gen_ai.request.temperature gen_ai.request.top_p gen_ai.request.top_k gen_ai.request.seed
gen_ai.request.frequency_penalty gen_ai.request.presence_penalty gen_ai.request.choice.count gen_ai.request.stream
gen_ai.request.is_stream gen_ai.is_streaming gen_ai.retrieval.top_k gen_ai.memory.record.count
gen_ai.evaluation.score.value gen_ai.response.time_to_first_chunk gen_ai.server.request.duration
gen_ai.server.time_to_first_token gen_ai.agent.execution_time gen_ai.client.operation.duration
gen_ai.client.operation.time_per_output_chunk gen_ai.client.operation.time_to_first_chunk gen_ai.execute_tool.duration
gen_ai.workflow.nested gen_ai.cost llm.is_streaming llm.usage.total_tokens llm.top_k
ai.settings.maxRetries ai.settings.maxOutputTokens ai.settings.maxSteps ai.settings.temperature ai.response.msToFirstChunk
ai.response.msToFinish ai.response.avgOutputTokensPerSecond ai.response.avgCompletionTokensPerSecond
agent_framework.function.invocation.duration pydantic_ai.new_message_index pydantic_ai.cache.established_tokens
pydantic_ai.cache.hit_ratio pydantic_ai.tool.retry.attempt pydantic_ai.tool.retry.max_retries operation.cost
langsmith.is_root langsmith.metadata.langgraph_step
mastra.model_step.is_continued mastra.model_step.step_index genkit:isFailureSource genkit:isRoot
edge_group.delivered smolagents.max_steps haystack.agent.max_steps haystack.agent.step haystack.agent.steps_taken
haystack.component.visits haystack.pipeline.max_runs_per_component haystack.tool.error
tool.description_updated tool.current_usage_count tool.result_as_answer user_prompt_length interaction.sequence
input_tokens output_tokens cache_read_tokens cache_creation_tokens attempt status_code duration_ms ttft_ms
anthropic.thinking.budget_tokens index
http.response.status_code http.status_code http.request.resend_count http.request.body.size http.response.body.size
http.request.size http.response.size http.request_content_length http.response_content_length
server.port net.peer.port net.host.port network.peer.port network.local.port client.port
db.operation.batch.size db.response.returned_rows messaging.batch.message_count messaging.message.body.size
messaging.message.envelope.size messaging.kafka.offset messaging.destination.partition.id
rpc.message.id rpc.message.compressed_size rpc.message.uncompressed_size thread.id code.lineno code.line.number
code.column.number faas.coldstart error
otel_eval.event.index otel_eval.receipt.spans otel_eval.receipt.open otel_eval.withheld.count otel_eval.truncated.count
otel_eval.redacted.count otel_eval.tool.result_failed otel_eval.tool.arguments_bytes otel_eval.tool.result_bytes
otel_eval.attempt.operation otel_eval.attempt.number virtual_time_ms retry_after_ms identity calls retrieval.documents.N.document.score
reranker.input_documents.N.document.score reranker.output_documents.N.document.score reranker.top_k
document.count record.count otel_eval.attachments.count
`;

const countsKeys = `
langsmith.usage_metadata langsmith.metadata.usage_metadata gen_ai.usage.input_token_details
gen_ai.usage.output_token_details langfuse.observation.usage_details langfuse.observation.cost_details
`;

const timeKeys = `
gen_ai.event.start_time gen_ai.event.end_time ai.response.timestamp mastra.completion_start_time
langfuse.observation.completion_start_time
`;

const hashKeys = 'sha256 identity_sha256';
const hostKeys = 'server.address net.peer.name net.host.name network.peer.address peer.address gen_ai.openai.api_base';
const originKeys = 'url.full http.url gen_ai.request.base_url';

/** Whole families of numbers and digests, where a release adds members faster than a list can follow. */
const families: readonly { readonly prefix: string; readonly as: MetadataClass }[] = [
  { prefix: 'gen_ai.usage.', as: 'number' },
  { prefix: 'gen_ai.aggregated_usage.', as: 'number' },
  { prefix: 'llm.token_count.', as: 'number' },
  { prefix: 'llm.usage.', as: 'number' },
  { prefix: 'llm.cost.', as: 'number' },
  { prefix: 'ai.usage.', as: 'number' },
  { prefix: 'codex.turn.token_usage.', as: 'number' },
  { prefix: 'otel_eval.tool.argument_digest.', as: 'hash' },
];

/** Under a namespace of agent telemetry these ends name a size or a digest of what stands before them. */
const measured = /^(?:gen_ai|llm|ai|otel_eval|tool|input|output)\..*[._](?:length|size|bytes|count|chars)$/;
const digested = /^(?:gen_ai|llm|ai|otel_eval|tool|input|output)\..*[._](?:hash|digest|sha256|fingerprint)$/;

const table = new Map<string, MetadataClass>();
/** Every key by name, with what may stand under it; families of keys come on top. */
export const metadataKeys: ReadonlyMap<string, MetadataClass> = table;
for (const [as, keys] of [
  ['word', wordKeys],
  ['label', labelKeys],
  ['labels', labelsKeys],
  ['id', idKeys],
  ['number', numberKeys],
  ['counts', countsKeys],
  ['time', timeKeys],
  ['hash', hashKeys],
  ['host', hostKeys],
  ['origin', originKeys],
] as const) {
  for (const key of keys.trim().split(/\s+/)) table.set(key, as);
}

/**
 * What may stand under this key where only metadata is promised; `undefined` for a key that is not metadata, and for
 * one that nobody has read. Indexes are read as `N`: `gen_ai.prompt.7.role` is `gen_ai.prompt.N.role`.
 *
 * @example
 * metadataClass('gen_ai.request.model'); // 'label'
 * metadataClass('gen_ai.input.messages'); // undefined
 */
export function metadataClass(key: string): MetadataClass | undefined {
  const exact = table.get(key);
  if (exact !== undefined) return exact;
  if (key.length > 128) return undefined;
  const indexed = table.get(withoutIndexes(key));
  if (indexed !== undefined) return indexed;
  for (const { prefix, as } of families) {
    if (!key.startsWith(prefix)) continue;
    const member = key.slice(prefix.length);
    if (/^[a-z][\w.]*$/i.test(member) && isWrittenByCode(member)) return as;
  }
  if (!/^[\w.]+$/.test(key)) return undefined;
  const as = measured.test(key) ? 'number' : digested.test(key) ? 'hash' : undefined;
  return as !== undefined && isWrittenByCode(key) ? as : undefined;
}

/** Neither a credential nor a long number: keys can hold what a user gave. */
function isWrittenByCode(key: string): boolean {
  return !/\d{9}/.test(key) && findCredentials(key).length === 0;
}

/** `a.12.b.3` as `a.N.b.N`. */
export function withoutIndexes(key: string): string {
  return /\.\d/.test(key) ? key.replace(/\.\d+(?=\.|$)/g, '.N') : key;
}
