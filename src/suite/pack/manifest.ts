import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Resource } from '../../trace/span.ts';

/** What a manifest can list. `traits` are what the name of a stage cannot prove, as `source.exact-bytes`. */
export const manifestKinds = ['tools', 'capabilities', 'traits', 'operations', 'inputs'] as const;
export type ManifestKind = (typeof manifestKinds)[number];

/** One thing that a target has: `issue_refund`, or, told more exactly, `issue_refund@mcp:orders#approved`. */
export interface ManifestEntry {
  readonly name: string;
  /** Where it comes from, after `@`. */
  readonly source: string | null;
  /** Under which condition, after `#`. */
  readonly precondition: string | null;
}

/**
 * What a target says that it was built with, on its resource (`otel_eval.manifest.tools` …). A list that is there is
 * whole: what it does not name is absent. A list that is not there says nothing.
 */
export type Manifest = ReadonlyMap<ManifestKind, readonly ManifestEntry[]>;

/** The manifest of all services together. */
export function manifestOf(resources: Iterable<Resource>): Manifest {
  const lists = new Map<ManifestKind, Map<string, ManifestEntry>>();
  for (const { attributes } of new Set(resources)) {
    for (const kind of manifestKinds) {
      const value = attributes.get(`${ownAttributes.manifestPrefix}${kind}`);
      if (!Array.isArray(value)) continue;
      const list = lists.get(kind) ?? new Map<string, ManifestEntry>();
      lists.set(kind, list);
      for (const text of value) if (typeof text === 'string') list.set(text, parseEntry(text));
    }
  }
  return new Map([...lists].map(([kind, list]) => [kind, [...list.values()]]));
}

/** `name@source#precondition`, the last two optional. */
export function parseEntry(text: string): ManifestEntry {
  const [, name = text, source, precondition] = /^([^@#]*)(?:@([^#]*))?(?:#(.*))?$/.exec(text) ?? [];
  return { name, source: source ?? null, precondition: precondition ?? null };
}

/** What is required names a source or a precondition: then only that very one will do. */
export function isMet(required: ManifestEntry, entries: readonly ManifestEntry[]): boolean {
  return entries.some(
    ({ name, source, precondition }) =>
      name === required.name &&
      (required.source === null || source === required.source) &&
      (required.precondition === null || precondition === required.precondition),
  );
}
