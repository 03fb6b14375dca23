import type { Resource, Scope } from './span.ts';

interface Row {
  readonly resource: Resource;
  readonly scope: Scope;
}

export interface ScopeGroup<T> {
  readonly scope: Scope;
  readonly rows: T[];
}

export interface ResourceGroup<T> {
  readonly resource: Resource;
  readonly scopes: ScopeGroup<T>[];
}

/** Rows as OTLP nests them, in their order: a new group wherever the next row has another resource or scope. */
export function groupRows<T extends Row>(rows: Iterable<T>): ResourceGroup<T>[] {
  const groups: ResourceGroup<T>[] = [];
  for (const row of rows) {
    let group = groups.at(-1);
    if (group === undefined || group.resource !== row.resource) {
      group = { resource: row.resource, scopes: [] };
      groups.push(group);
    }
    const scope = group.scopes.at(-1);
    if (scope === undefined || scope.scope !== row.scope) group.scopes.push({ scope: row.scope, rows: [row] });
    else scope.rows.push(row);
  }
  return groups;
}
