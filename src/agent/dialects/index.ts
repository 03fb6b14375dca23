import type { Dialect } from '../dialect.ts';
import { agentFramework } from './agent-framework.ts';
import { agno } from './agno.ts';
import { aiSdk, aiSdk7 } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { autogen } from './autogen.ts';
import { beeai } from './beeai.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { crewai } from './crewai.ts';
import { dspy } from './dspy.ts';
import { genkit } from './genkit.ts';
import { googleAdk } from './google-adk.ts';
import { haystack } from './haystack.ts';
import { koog } from './koog.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { livekit } from './livekit.ts';
import { llamaIndexOverOpenInference, llamaIndexOverTraceloop } from './llama-index.ts';
import { mastra } from './mastra.ts';
import { mcp } from './mcp.ts';
import { agentsOverOpenInference, agentsOverOtel } from './openai-agents.ts';
import { openclaw } from './openclaw.ts';
import { openInference } from './openinference.ts';
import { otelGenAi } from './otel-genai.ts';
import { pydanticAi } from './pydantic-ai.ts';
import { sentry } from './sentry.ts';
import { strands } from './strands.ts';
import { traceloop } from './traceloop.ts';
import { voltagent } from './voltagent.ts';

/** In order of recognition: the first whose scope or key a span carries reads it. */
export const dialects: readonly Dialect[] = [
  langfuse,
  beeai,
  agentsOverOpenInference,
  agentsOverOtel,
  agno,
  crewai,
  dspy,
  llamaIndexOverOpenInference,
  llamaIndexOverTraceloop,
  openInference,
  langsmith,
  traceloop,
  aiSdk,
  aiSdk7,
  mastra,
  googleAdk,
  genkit,
  anthropic,
  claudeCode,
  codex,
  strands,
  voltagent,
  openclaw,
  koog,
  haystack,
  pydanticAi,
  agentFramework,
  autogen,
  livekit,
  sentry,
  mcp,
  otelGenAi,
];
