import type { Dialect } from '../dialect.ts';
import { otelGenAi } from './otel-genai.ts';

/** In order of recognition: the first whose scope or key a span carries reads it. */
export const dialects: readonly Dialect[] = [otelGenAi];
