import { type FindingMaker, findingMaker } from '../finding.ts';
import { type ProjectionSentences, projectionSentences } from './projection-sentences.ts';

export const projectionFinding: FindingMaker<ProjectionSentences> = findingMaker(
  'ExecutionTraceJoined',
  projectionSentences,
);
