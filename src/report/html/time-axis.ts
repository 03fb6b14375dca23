import { html, type SafeHtml } from '@remix-run/html-template';
import type { TreeRow } from '../tree-row.ts';

/** The stretch of time that a waterfall covers; `undefined` where the report holds no times. */
export interface TimeAxis {
  readonly startMs: number;
  readonly lengthMs: number;
}

export function timeAxisOf(rows: readonly TreeRow[]): TimeAxis | undefined {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { startMs, durationMs = 0 } of rows) {
    if (startMs === undefined) continue;
    start = Math.min(start, startMs);
    end = Math.max(end, startMs + durationMs);
  }
  if (end < start) return undefined;
  return { startMs: start, lengthMs: Math.max(end - start, 1e-6) };
}

const ticks = [0, 0.25, 0.5, 0.75, 1];

export function axisRow({ lengthMs }: TimeAxis): SafeHtml {
  return html`<div class="axis" aria-hidden="true"><span class="n">span</span><span class="ticks">${ticks.map(
    (tick) => html`<span>${tick === 0 ? '0' : tickText(tick, lengthMs)}</span>`,
  )}</span><span class="t">took</span></div>`;
}

/** All of an axis in one unit, three digits each: `12.5 s`, `7.5 ms`. */
function tickText(tick: number, lengthMs: number): string {
  const [unit, factor] = lengthMs >= 1_000 ? ['s', 1e-3] : lengthMs >= 1 ? ['ms', 1] : ['µs', 1e3];
  const value = lengthMs * tick * factor;
  return `${Number(value >= 1_000 ? value.toFixed(0) : value.toPrecision(3))} ${unit}`;
}

/** In percent of the axis; never so narrow that it cannot be seen. */
export function barOf({ startMs, durationMs = 0 }: TreeRow, axis: TimeAxis): SafeHtml | null {
  if (startMs === undefined) return null;
  const width = Math.max((durationMs / axis.lengthMs) * 100, 0.4);
  const left = Math.min(((startMs - axis.startMs) / axis.lengthMs) * 100, 100 - width);
  return html`<svg class="bar" aria-hidden="true"><rect x="${left.toFixed(2)}%" width="${width.toFixed(2)}%" y="5" height="12" rx="2"/></svg>`;
}
