import type { PackRequirements } from '../pack/pack.ts';
import type { SemanticJudge } from '../semantic-judge.ts';
import type { AgentFactory } from '../target/function-target.ts';

/** What the trials of a scenario must show together: `all`, k of n, a rate with its bound, or pass^k. */
export type PolicyDocument =
  | 'all'
  | { readonly passes: number }
  | { readonly rate: number; readonly confidence?: number | undefined }
  | { readonly passHatK: number; readonly minimum: number };

export interface CommandTargetDocument {
  /** Program and arguments; `{input}` in an argument stands for the text of the step. */
  readonly command: readonly string[];
  /** One process a step (default), or one a trial that reads and writes lines. */
  readonly per?: 'step' | 'trial' | undefined;
  /** Relative to the suite; default: its folder. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A request that a target is told to make around a trial; anything but 2xx is an error. */
export interface HookDocument {
  readonly url: string;
  readonly method?: string | undefined;
}

export interface HttpTargetDocument {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Variable that holds a bearer token. */
  readonly tokenEnv?: string | undefined;
  /** JSON in which `{{input}}` and `{{conversation}}` are filled in. */
  readonly body?: unknown;
  /** Makes the target fresh before a trial. */
  readonly open?: HookDocument | undefined;
  /** Answers when background work and export are done. */
  readonly drain?: HookDocument | undefined;
  readonly close?: HookDocument | undefined;
}

/** Nothing is driven: the runs that `traces` of the suite (or profile) names are judged, each one a trial. */
export type ExistingTraces = 'traces';

export type TargetDocument = DrivenTargetDocument | ExistingTraces;

export type DrivenTargetDocument =
  | CommandTargetDocument
  | HttpTargetDocument
  /** `./agent.ts#createAgent`: a factory in a file. */
  | { readonly module: string }
  /** In TypeScript: the factory itself. */
  | { readonly create: AgentFactory };

export interface StepDocument {
  readonly name?: string | undefined;
  readonly input: unknown;
  /** Default `main`. */
  readonly conversation?: string | undefined;
  /** What this step alone must have done. */
  readonly assertions?: readonly (string | { readonly [name: string]: unknown })[] | undefined;
}

/** How scenarios are run; on a scenario, on the suite or on a profile. The nearest one counts. */
export interface TrialsDocument {
  readonly trials?: number | undefined;
  readonly policy?: PolicyDocument | undefined;
  /** Stop a scenario as soon as its policy is decided. */
  readonly stopEarly?: boolean | undefined;
  /** `scripted`: the model answers by a script, so that its answers repeat; no trial then says anything of a real one. */
  readonly model?: 'scripted' | 'live' | undefined;
  /** Of all steps of one trial together, as `60s` (the default). */
  readonly timeout?: string | undefined;
}

/** A pack by the name of a known one, or with what it requires. */
export type PackDocument = string | { readonly name: string; readonly requires: PackRequirements };

/** A semantic judge: a function, or a function that may also fail a trial whose deterministic evidence passed. */
export type JudgeDocument = SemanticJudge | { readonly judge: SemanticJudge; readonly decides: boolean };
