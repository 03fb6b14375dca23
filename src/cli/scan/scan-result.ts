import { withoutIndexes } from '../../trace/privacy/metadata-keys.ts';
import type { PrivacyCode, PrivacyViolation } from '../../trace/privacy/privacy-violations.ts';
import type { SpanReference } from '../../trace/span.ts';
import type { AllowFile } from './allow-file.ts';

/** One kind of violation at one kind of place, however many spans show it. No content. */
export interface ScanFinding {
  readonly code: PrivacyCode;
  readonly place: string;
  readonly rule: string;
  spans: number;
  readonly first: SpanReference;
}

const order: readonly PrivacyCode[] = ['credential', 'canary', 'forbidden', 'payload', 'reasoning', 'over-ceiling'];

/** Gathers violations by place; what is kept does not grow with the number of spans. */
export class ScanResult {
  traces = 0;
  spans = 0;
  logs = 0;
  allowed = 0;
  readonly #byPlace = new Map<string, ScanFinding>();
  readonly #allow: AllowFile;

  constructor(allow: AllowFile) {
    this.#allow = allow;
  }

  add(violations: readonly PrivacyViolation[], { traceId, spanId }: SpanReference): void {
    const here = new Set<string>();
    for (const violation of violations) {
      if (this.#allow.allows(violation)) {
        this.allowed++;
        continue;
      }
      const place = withoutIndexes(violation.place).replace(/\b(event|link) \d+\b/g, '$1');
      const key = `${violation.code}\n${violation.rule}\n${place}`;
      const known = this.#byPlace.get(key);
      if (known === undefined) {
        this.#byPlace.set(key, {
          code: violation.code,
          place,
          rule: violation.rule,
          spans: 1,
          first: { traceId, spanId },
        });
      } else if (!here.has(key)) known.spans++;
      here.add(key);
    }
  }

  /** The gravest kinds first, then by place. */
  get findings(): readonly ScanFinding[] {
    return [...this.#byPlace.values()].sort(
      (a, b) => order.indexOf(a.code) - order.indexOf(b.code) || (a.place < b.place ? -1 : a.place > b.place ? 1 : 0),
    );
  }
}
