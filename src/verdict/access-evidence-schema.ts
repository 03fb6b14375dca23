import { z } from 'zod';
import type { AccessEvidence } from './access-proof.ts';

const answer = z.strictObject({
  status: z.number().int().min(0).describe('HTTP status; 0 where nothing answered.'),
  traceIds: z.array(z.string()).default([]).describe('Trace ids in the answer.'),
  loginPage: z.boolean().default(false).describe('The answer is a page on which to sign in.'),
});

/** What `otel-eval access --json` gives under `access`. */
export const accessEvidenceSchema: z.ZodType<AccessEvidence> = z.strictObject({
  traceId: z.string().min(1).describe('The trace that was asked for, one of this run.'),
  authorised: answer.describe('The answer to the request with credentials.'),
  anonymous: answer.describe('The answer to the request without them.'),
});
