import { displayName } from '../trace/display-name.ts';

/** A name in quotes, as a report may show it. */
export function quoted(name: string): string {
  return `"${displayName(name)}"`;
}

/** The quoted name of a span, where there is one. */
export function nameOf(span: { readonly name: string } | undefined): string {
  return span === undefined ? 'a span' : quoted(span.name);
}

/** `1 span`, `3 spans`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** `1 span differs`, `3 spans differ`. */
export function countedVerb(count: number, singular: string, verb: readonly [one: string, more: string]): string {
  return `${counted(count, singular)} ${count === 1 ? verb[0] : verb[1]}`;
}

/** Joins at most `limit` items and counts the rest of `total`: `a, b and 3 more`. */
export function listed(items: readonly string[], limit: number = 5, total: number = items.length): string {
  if (total <= limit) {
    const last = items.at(-1) ?? '';
    return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
  }
  return `${items.slice(0, limit).join(', ')} and ${total - limit} more`;
}
