import type { Attributes } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { contentBeside } from './content-beside.ts';
import type { Counters } from './counters.ts';
import type { MetadataFilter, SeenContent } from './metadata-filter.ts';
import { MetadataPassing } from './metadata-passing.ts';
import type { Copier, SharedFacts } from './output.ts';
import type { ReadableSpan } from './sdk-shapes.ts';
import { SpanCopy } from './span-copy.ts';
import { stampSegment } from './stamps.ts';
import type { ToolFacts } from './tool-facts.ts';

/** Lets metadata pass and nothing else; looks at a tool's arguments and result before it withholds them. */
export class MetadataCopier implements Copier {
  readonly #filter: MetadataFilter;
  readonly #passing: MetadataPassing;
  readonly #toolFacts: ToolFacts;
  readonly #counters: Counters;

  constructor(filter: MetadataFilter, toolFacts: ToolFacts, counters: Counters) {
    this.#filter = filter;
    this.#passing = new MetadataPassing(filter);
    this.#toolFacts = toolFacts;
    this.#counters = counters;
  }

  copy(span: ReadableSpan, facts: SharedFacts): ReadableSpan {
    const seen: SeenContent = {};
    this.#filter.withheld = 0;
    const passing = this.#passing.of(span, seen);
    const { attributes } = passing;
    const beside = contentBeside(span);
    if (beside !== undefined) this.#filter.attributes(beside, seen);
    facts.tool ??= this.#toolFacts.of(attributes, seen, facts.state?.segment);
    this.#stamp(attributes, facts);
    const { withheld } = this.#filter;
    if (withheld > 0) {
      attributes[ownAttributes.withheldCount] = withheld;
      this.#counters.withheld += withheld;
    }
    return new SpanCopy(span, passing);
  }

  bare(span: ReadableSpan, facts: SharedFacts): ReadableSpan {
    const attributes: Attributes = { [ownAttributes.withheldCount]: 1 };
    this.#stamp(attributes, { ...facts, tool: undefined });
    return new SpanCopy(span, this.#passing.bare(span, attributes));
  }

  #stamp(attributes: Attributes, { state, tool }: SharedFacts): void {
    // What the app or a helper stamped itself stays.
    for (const key in tool) attributes[key] ??= tool[key];
    if (state !== undefined) stampSegment(attributes, state, 'metadata');
  }
}
