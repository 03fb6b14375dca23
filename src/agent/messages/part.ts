import type { Json } from '../run.ts';

export type JsonObject = { readonly [key: string]: Json };

export interface ToolCallPart {
  readonly kind: 'call';
  readonly id: string | null;
  readonly name: string;
  readonly arguments: Json | undefined;
}

export interface ToolResultPart {
  readonly kind: 'result';
  readonly id: string | null;
  readonly name: string | null;
  readonly result: Json | undefined;
  readonly failed: boolean | undefined;
}

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface DecisionPart {
  readonly kind: 'decision';
  readonly id: string | null;
  readonly granted: boolean | undefined;
}

export type Part = ToolCallPart | ToolResultPart | TextPart | DecisionPart;
