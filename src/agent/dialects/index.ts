import type { Dialect } from '../dialect.ts';
import { aiSdk, aiSdk7 } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { genkit } from './genkit.ts';
import { googleAdk } from './google-adk.ts';
import { langsmith } from './langsmith.ts';
import { mastra } from './mastra.ts';
import { openInference } from './openinference.ts';
import { otelGenAi } from './otel-genai.ts';
import { strands } from './strands.ts';
import { traceloop } from './traceloop.ts';

/** In order of recognition: the first whose scope or key a span carries reads it. */
export const dialects: readonly Dialect[] = [
  openInference,
  langsmith,
  traceloop,
  aiSdk,
  aiSdk7,
  mastra,
  googleAdk,
  genkit,
  anthropic,
  strands,
  otelGenAi,
];
