import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';

export interface ScriptedSpan {
  readonly name?: string;
  readonly parent?: string;
  readonly attributes?: Record<string, AttributeValue>;
  readonly startMs?: number;
  readonly endMs?: number;
}

interface SegmentState {
  readonly id: string;
  readonly rootId: string;
  readonly ended: string[];
  readonly open: Set<string>;
  started: number;
  rootEnded: boolean;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';

/**
 * One process with a stamper that follows attributes.md to the letter, written apart from the real one: segments by
 * local root, event index in order of start, a receipt on the local root and on every span that ends after it.
 */
export class StampedProcess {
  readonly exported: Span[] = [];
  readonly #open = new Map<string, { segment: SegmentState | undefined; scripted: ScriptedSpan; index: number }>();
  readonly #segmentOfSpan = new Map<string, SegmentState>();
  readonly #options: { service: string; stamps: boolean; processor: string };
  #segments = 0;

  constructor(options: { service?: string; stamps?: boolean; processor?: string } = {}) {
    this.#options = { service: 'agent', stamps: true, processor: 'a0b1c2d3', ...options };
  }

  start(spanId: string, scripted: ScriptedSpan = {}): this {
    if (!this.#options.stamps) {
      this.#open.set(spanId, { segment: undefined, scripted, index: 0 });
      return this;
    }
    let segment = scripted.parent === undefined ? undefined : this.#segmentOfSpan.get(scripted.parent);
    if (segment === undefined) {
      const id = this.#options.processor + (this.#segments++).toString(16).padStart(8, '0');
      segment = { id, rootId: spanId, ended: [], open: new Set(), started: 0, rootEnded: false };
    }
    this.#segmentOfSpan.set(spanId, segment);
    segment.open.add(spanId);
    this.#open.set(spanId, { segment, scripted, index: segment.started++ });
    return this;
  }

  end(spanId: string): this {
    const started = this.#open.get(spanId);
    if (started === undefined) throw new Error(`span ${spanId} was not started`);
    this.#open.delete(spanId);
    const { segment, scripted, index } = started;
    const attributes = new Map<string, AttributeValue>(Object.entries(scripted.attributes ?? {}));
    if (segment !== undefined) {
      segment.open.delete(spanId);
      segment.ended.push(spanId);
      segment.rootEnded ||= segment.rootId === spanId;
      attributes.set('otel_eval.segment', segment.id);
      attributes.set('otel_eval.event.index', index);
      if (segment.rootEnded) {
        attributes.set('otel_eval.receipt.spans', segment.ended.length);
        attributes.set('otel_eval.receipt.open', segment.open.size);
        attributes.set('otel_eval.receipt.digest', digestOf(segment.ended));
      }
    }
    this.exported.push(this.#span(spanId, scripted, attributes));
    return this;
  }

  run(spanId: string, scripted: ScriptedSpan = {}): this {
    return this.start(spanId, scripted).end(spanId);
  }

  #span(spanId: string, scripted: ScriptedSpan, attributes: ReadonlyMap<string, AttributeValue>): Span {
    const { name = `span ${spanId}`, parent, startMs = 0, endMs = 1 } = scripted;
    return {
      traceId,
      spanId,
      parentSpanId: parent,
      name,
      kind: 'internal',
      startUnixNano: 1_760_000_000_000_000_000n + BigInt(startMs) * 1_000_000n,
      endUnixNano: 1_760_000_000_000_000_000n + BigInt(endMs) * 1_000_000n,
      status: { code: 'unset', message: '' },
      attributes,
      events: [],
      links: [],
      resource: { attributes: new Map([['service.name', this.#options.service]]), droppedAttributesCount: 0 },
      scope: { name: 'test', version: '', attributes: new Map(), droppedAttributesCount: 0 },
      traceState: '',
      flags: 0,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

/** The digest of attributes.md, the slow way. */
export function digestOf(spanIds: readonly string[]): string {
  const ids = spanIds.map((id) => BigInt(`0x${id}`));
  const xor = ids.reduce((all, id) => all ^ id, 0n);
  const sum = ids.reduce((all, id) => BigInt.asUintN(64, all + id), 0n);
  return xor.toString(16).padStart(16, '0') + sum.toString(16).padStart(16, '0');
}

/** `id(1)` is `d0d0d0d0d0d00001`. */
export function id(number: number): string {
  return `d0d0d0d0d0d0${number.toString(16).padStart(4, '0')}`;
}
