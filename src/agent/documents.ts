import { ownAttributes } from '../trace/own-attributes.ts';
import { isObject } from './content.ts';
import { eventContent } from './dialects/span-events.ts';
import { content, firstOf, type Reader, through } from './reading.ts';
import type { Json } from './run.ts';

/** Ids of retrieved documents in order of rank: a list of ids, or of objects that hold one. */
const listed: Reader<readonly string[]> = through(content('gen_ai.retrieval.documents'), idsOf);

function idsOf(value: Json): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = value.map((item: Json) => (isObject(item) ? item['id'] : item));
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

const key = /^retrieval\.documents\.(\d+)\.document\.id$/;

/** OpenInference flattens the list into keys. */
const flattened: Reader<readonly string[]> = ({ attributes }) => {
  const ids = [...attributes.entries()].flatMap(([name, id]) => {
    const place = key.exec(name)?.[1];
    return place === undefined || typeof id !== 'string' ? [] : [{ place: Number(place), id }];
  });
  if (ids.length === 0) return undefined;
  return { value: ids.sort((a, b) => a.place - b.place).map(({ id }) => id), from: 'retrieval.documents' };
};

/** Evidence that our own helpers leave in any mode: ids alone. */
const evidence: Reader<readonly string[]> = through(
  eventContent(`${ownAttributes.evidencePrefix}retrieval`, 'document.ids'),
  idsOf,
);

export const documents: Reader<readonly string[]> = firstOf(listed, flattened, evidence);
