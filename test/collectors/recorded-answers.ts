import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { readAll } from './read-all.ts';
import type { Behaviour } from './replay-server.ts';

export const serverForms = [
  'tempo-stock.pb',
  'tempo-quick.pb',
  'tempo-quick.json',
  'jaeger-v1.json',
  'jaeger-v3.json',
] as const;
export type ServerForm = (typeof serverForms)[number];

/** What one server gave back for one trace of a capture. */
export interface RecordedAnswer {
  /** `ai-6.0.325/s2`. */
  readonly story: string;
  readonly form: ServerForm;
  readonly file: string;
  /** The trace as the framework sent it. */
  readonly sent: CollectedTrace;
}

/** All recorded answers beside the traces that were sent, capture by capture. */
export async function recordedAnswers(cases: string): Promise<RecordedAnswer[]> {
  const root = join(cases, 'wire', 'answers');
  const found: RecordedAnswer[] = [];
  for (const capture of readdirSync(root).sort()) {
    const bodies = readdirSync(join(cases, 'captures', capture)).filter((name) => /^[^.]+\.otlp\.jsonl?$/.test(name));
    const answers = readdirSync(join(root, capture)).sort();
    for (const body of bodies) {
      const story = body.replace(/\.otlp\.jsonl?$/, '');
      const ours = answers.filter((name) => name.split('.')[0] === story);
      if (ours.length === 0) continue;
      const { traces } = await readAll({ inputs: [join(cases, 'captures', capture, body)] });
      for (const name of ours) {
        const [, prefix = '', ...form] = name.split('.');
        const sent = traces.find(({ trace }) => trace.traceId.startsWith(prefix));
        if (sent === undefined) throw new Error(`${capture}/${name} belongs to no trace of ${body}`);
        const file = join(root, capture, name);
        found.push({ story: `${capture}/${story}`, form: form.join('.') as ServerForm, file, sent });
      }
    }
  }
  return found;
}

/** A server that gives these answers by id, as the one that gave them did. */
export function serving(answers: readonly RecordedAnswer[]): Behaviour {
  const byId = new Map(answers.map((answer) => [answer.sent.trace.traceId, answer]));
  return ({ path }) => {
    const answer = byId.get(path.split('/').at(-1) ?? '');
    if (answer === undefined) return { status: 404, body: 'trace not found' };
    const oldServer = answer.form === 'jaeger-v1.json' && path.startsWith('/api/v3/');
    if (oldServer) return { headers: { 'content-type': 'text/html' }, body: '<html></html>' };
    return { headers: { 'content-type': contentTypes[answer.form] }, body: readFileSync(answer.file) };
  };
}

const contentTypes: Readonly<Record<ServerForm, string>> = {
  'tempo-stock.pb': 'application/protobuf',
  'tempo-quick.pb': 'application/protobuf',
  'tempo-quick.json': 'application/json',
  'jaeger-v1.json': 'application/json',
  'jaeger-v3.json': 'text/plain; charset=utf-8',
};
