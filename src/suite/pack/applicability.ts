import { isMet, type Manifest, type ManifestKind, manifestKinds, parseEntry } from './manifest.ts';
import type { Pack } from './pack.ts';

/**
 * `applicable`: the manifest has all that the pack requires. `notApplicable`: it says that something is absent. `unknown`:
 * it says nothing of something, so the pack is tried and must prove itself.
 */
export interface Applicability {
  readonly state: 'applicable' | 'notApplicable' | 'unknown';
  /** `operation approval.resume`, `tool issue_refund@mcp:orders`. */
  readonly missing: readonly string[];
}

/** Only explicit absence makes a pack not applicable. */
export function applicabilityOf({ requires }: Pack, manifest: Manifest): Applicability {
  const absent: string[] = [];
  const untold: string[] = [];
  for (const kind of manifestKinds) {
    const entries = manifest.get(kind);
    for (const required of requires[kind] ?? []) {
      if (entries === undefined) untold.push(`${singular[kind]} ${required}`);
      else if (!isMet(parseEntry(required), entries)) absent.push(`${singular[kind]} ${required}`);
    }
  }
  if (absent.length > 0) return { state: 'notApplicable', missing: absent };
  return untold.length > 0 ? { state: 'unknown', missing: untold } : { state: 'applicable', missing: [] };
}

const singular: Readonly<Record<ManifestKind, string>> = {
  tools: 'tool',
  capabilities: 'capability',
  traits: 'trait',
  operations: 'operation',
  inputs: 'input',
};
