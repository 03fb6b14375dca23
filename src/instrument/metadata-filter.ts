import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { type MetadataClass, metadataClass } from '../trace/privacy/metadata-keys.ts';
import { hostOf, isId, isMetadataString, originOf } from '../trace/privacy/metadata-values.ts';
import { isSpanName, operationOf, pathIn } from '../trace/privacy/span-names.ts';
import type { KeepList } from './keep-list.ts';
import type { Tally } from './tally.ts';
import { VerdictCache } from './verdict-cache.ts';

/** What is done with the value under a key. */
interface KeyPlan {
  readonly as: MetadataClass | undefined;
  readonly kept: boolean;
}

/** What is done with a name. */
interface NamePlan {
  readonly passes: boolean;
  /** It passes only where the span says that this is a template. */
  readonly path: string | undefined;
}

const operationKey = 'gen_ai.operation.name';
const routeKeys = ['http.route', 'url.template'] as const;
const longestArray = 128;
/** More numbers than this are an embedding. */
const mostNumbers = 32;

/** Decides, key by key and value by value, what metadata mode lets pass. */
export class MetadataFilter {
  readonly #keep: KeepList;
  readonly #plans: VerdictCache<KeyPlan>;
  readonly #strings: Readonly<Partial<Record<MetadataClass, VerdictCache<boolean>>>> = {
    word: new VerdictCache((text) => isMetadataString('word', text)),
    label: new VerdictCache((text) => isMetadataString('label', text)),
    labels: new VerdictCache((text) => isMetadataString('labels', text)),
  };
  readonly #names: VerdictCache<NamePlan>;

  constructor(keep: KeepList) {
    this.#keep = keep;
    this.#plans = new VerdictCache((key) => {
      return { as: metadataClass(key), kept: keep.keepsKey(key) };
    });
    this.#names = new VerdictCache((name) => {
      const kept = keep.keepsName(name);
      return { passes: kept || isSpanName(name), path: kept ? undefined : pathIn(name) };
    });
  }

  /** Copies what may pass. */
  attributes(from: Attributes, tally: Tally): Attributes {
    const out: Attributes = {};
    for (const key in from) {
      const value = from[key];
      const plan = this.#plans.get(key);
      const passing = plan.kept ? this.#keep.value(value, tally) : this.#passing(plan.as, value);
      if (passing === undefined) {
        tally.withheld++;
      } else {
        if (passing !== value) tally.withheld++;
        out[key] = passing;
      }
    }
    return out;
  }

  /**
   * The name where it is one that code gives; else the operation at its start, else `withheld`. A path in it is code's only
   * where the span calls it a template: instrumentations that do not know the route write what was asked for.
   *
   * @param attributes of the span, as they pass; none for the name of a scope, in which a path is one of modules
   */
  name(name: string, tally: Tally, attributes?: Attributes): string {
    const { passes, path } = this.#names.get(name);
    const isCode = path === undefined || attributes === undefined || routeKeys.some((key) => attributes[key] === path);
    if (passes && isCode) return name;
    tally.withheld++;
    const operation = attributes?.[operationKey];
    return operationOf(name) ?? (typeof operation === 'string' && isSpanName(operation) ? operation : 'withheld');
  }

  #passing(as: MetadataClass | undefined, value: AttributeValue | undefined): AttributeValue | undefined {
    if (as === undefined) return undefined;
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return this.#passingString(as, value);
    if (!Array.isArray(value) || value.length > (typeof value[0] === 'number' ? mostNumbers : longestArray))
      return undefined;
    const ok = value.every((item) => item === null || item === undefined || this.#passing(as, item) === item);
    return ok ? value : undefined;
  }

  #passingString(as: MetadataClass, value: string): string | undefined {
    if (as === 'id' && isId(value)) return value;
    const known = this.#strings[as];
    if (known !== undefined) return known.get(value) ? value : undefined;
    if (isMetadataString(as, value)) return value;
    if (as === 'host') return hostOf(value);
    return as === 'origin' ? originOf(value) : undefined;
  }
}
