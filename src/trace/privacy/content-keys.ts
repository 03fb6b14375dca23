import { withoutIndexes } from './metadata-keys.ts';

/** What a key holds where it holds content. */
export type ContentRole =
  | 'instructions'
  | 'definitions'
  | 'input'
  | 'arguments'
  | 'output'
  | 'result'
  | 'reasoning'
  | 'error'
  | 'header';

const byRole: Readonly<Record<Exclude<ContentRole, 'header'>, string>> = {
  instructions: `gen_ai.system_instructions system_prompt gen_ai.agent.description haystack.tool.description
    llm.prompt_template.template ai.settings.instructions gen_ai.system_instructions_ref`,
  definitions: `gen_ai.tool.definitions gen_ai.tool.description gen_ai.tool.json_schema model_request_parameters
    ai.prompt.tools ai.prompt.toolChoice llm.tools.N.tool.json_schema llm.invocation_parameters tool.description
    llm.request.functions.N.description llm.request.functions.N.parameters gen_ai.request.available_tools
    workflow.definition logfire.json_schema haystack.agent.tools crew_agents crew_tasks`,
  input: `gen_ai.input.messages gen_ai.prompt ai.prompt ai.prompt.messages input.value traceloop.entity.input
    gen_ai.agent.input langfuse.observation.input langfuse.trace.input genkit:input gcp.vertex.agent.llm_request
    pydantic_ai.all_messages all_messages_events events user_prompt request_text haystack.agent.input
    haystack.component.input haystack.pipeline.input_data haystack.agent.step.llm.input crew_inputs
    mastra.agent_run.input mastra.model_generation.input mastra.model_step.input copilot_chat.user_request
    gen_ai.retrieval.query.text gen_ai.memory.query.text reranker.query llm.prompts gen_ai.prompt.N.content
    llm.input_messages.N.message.content llm.input_messages.N.message.contents.N.message_content.text
    llm.input_messages.N.message.tool_calls.N.tool_call.function.arguments gen_ai.prompt.N.tool_calls.N.arguments`,
  arguments: `gen_ai.tool.call.arguments gen_ai.tool.input tool_arguments ai.toolCall.args ai.toolCall.input
    gcp.vertex.agent.tool_call_args tool.arguments haystack.agent.step.tool.input`,
  output: `gen_ai.output.messages gen_ai.completion ai.response.text ai.response.toolCalls ai.response.object
    ai.response.files output.value traceloop.entity.output langfuse.observation.output langfuse.trace.output
    genkit:output gcp.vertex.agent.llm_response final_result haystack.agent.output haystack.component.output
    haystack.pipeline.output_data haystack.agent.step.llm.output mastra.agent_run.output
    mastra.model_generation.output mastra.model_step.output mastra.model_chunk.output gen_ai.response.text
    gen_ai.response.tool_calls gen_ai.retrieval.documents gen_ai.memory.records gen_ai.completion.N.content
    llm.output_messages.N.message.content llm.output_messages.N.message.contents.N.message_content.text
    llm.output_messages.N.message.tool_calls.N.tool_call.function.arguments
    gen_ai.completion.N.tool_calls.N.arguments`,
  result: `gen_ai.tool.call.result anthropic.tool_result.content gen_ai.tool.output tool_response ai.toolCall.result
    ai.toolCall.output gcp.vertex.agent.tool_response haystack.agent.step.tool.output tool.result mcp.response.value`,
  reasoning: `ai.response.reasoning ai.response.reasoningText ai.response.providerMetadata gen_ai.completion.N.reasoning
    gen_ai.prompt.N.reasoning gen_ai.response.reasoning copilot_chat.reasoning_content thought
    llm.input_messages.N.message.contents.N.message_content.signature
    llm.output_messages.N.message.contents.N.message_content.signature
    llm.input_messages.N.message.contents.N.message_content.data
    llm.output_messages.N.message.contents.N.message_content.data
    llm.input_messages.N.message.contents.N.message_content.encrypted_content
    llm.output_messages.N.message.contents.N.message_content.encrypted_content
    llm.input_messages.N.message.tool_calls.N.tool_call.reasoning_signature
    llm.output_messages.N.message.tool_calls.N.tool_call.reasoning_signature
    gen_ai.reasoning gen_ai.thinking llm.reasoning reasoning_content reasoning_details`,
  error: 'exception.message exception.stacktrace error.message error.stack error',
};

const table = new Map<string, ContentRole>();
/** Every key that is known to hold content, with its role; headers come on top. */
export const contentKeys: ReadonlyMap<string, ContentRole> = table;
for (const [role, keys] of Object.entries(byRole)) {
  for (const key of keys.trim().split(/\s+/)) table.set(key, role as ContentRole);
}

/**
 * The role of a key that is known to hold content; `undefined` for any other.
 *
 * @example
 * contentRole('gen_ai.tool.call.result'); // 'result'
 * contentRole('gen_ai.request.model'); // undefined
 */
export function contentRole(key: string): ContentRole | undefined {
  if (key.length > 128) return undefined;
  const role = table.get(key) ?? table.get(withoutIndexes(key));
  if (role !== undefined) return role;
  return /(?:^|\.)headers?\./.test(key) ? 'header' : undefined;
}

/** Where in a span's story a role stands: what is older goes first when space is short. */
export const ageOfRole: Readonly<Record<ContentRole, number>> = {
  definitions: 0,
  instructions: 1,
  header: 2,
  input: 3,
  arguments: 4,
  error: 5,
  output: 6,
  result: 7,
  reasoning: 8,
};
