import type { ManifestKind } from './manifest.ts';

/** What a pack needs of its target; each entry as in a manifest. */
export type PackRequirements = Readonly<Partial<Record<ManifestKind, readonly string[]>>> & {
  /** Stages that every trial must show by a span event `otel_eval.evidence.STAGE`. */
  readonly evidence?: readonly string[];
};

/** Scenarios that need something which not every target has. */
export interface Pack {
  readonly name: string;
  readonly requires: PackRequirements;
}

/** A pack that is known by its name, and the assertion that proves it: a scenario of the pack must ask for it. */
export interface KnownPack extends Pack {
  readonly provenBy?: string;
}

/** Packs that many agents share, each with what its proof rests on. A suite may name one without saying what it requires. */
export const knownPacks: readonly KnownPack[] = [
  {
    name: 'security',
    provenBy: 'InjectionContained',
    requires: { traits: ['prompt.untrusted-wrapper'], evidence: ['effect.blocked'] },
  },
  {
    name: 'procedural-skill',
    provenBy: 'ProcedureGuarded',
    requires: {
      capabilities: ['procedure.draft', 'procedure.approve'],
      traits: ['procedure.precondition-read'],
      evidence: ['procedure.drafted', 'procedure.approved', 'procedure.allowed', 'procedure.blocked'],
    },
  },
  {
    name: 'approval',
    provenBy: 'ApprovalHeld',
    requires: {
      capabilities: ['approval'],
      operations: ['approval.resume'],
      evidence: ['approval.asked', 'approval.granted', 'approval.replay_refused'],
    },
  },
  { name: 'extension-tool', requires: { capabilities: ['tool.extension'], evidence: ['tool.extension'] } },
  {
    name: 'knowledge-grounding',
    requires: { capabilities: ['retrieval'], traits: ['retrieval.revision'], evidence: ['retrieval.admitted'] },
  },
  { name: 'structured-output', requires: { capabilities: ['output.schema'], evidence: ['output.validated'] } },
  {
    name: 'multimodal-attachment',
    requires: { inputs: ['attachment'], traits: ['attachment.exact-bytes'], evidence: ['attachment'] },
  },
  {
    // Stays not applicable by name until a target has a channel that says with authority what is unsupported.
    name: 'unsupported-claims',
    requires: { traits: ['claims.authoritative'], evidence: ['claims.judged'] },
  },
];
