import { createHash } from 'node:crypto';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { mostProblems } from '../../src/trace/otlp-reading.ts';
import type { InputProblem } from '../../src/trace/trace-set.ts';
import type { Journal } from './journal.ts';
import { type Answer, accepted, type BodyType, type Rejected, refused } from './otlp-answer.ts';
import { readRequest, type Signal } from './otlp-request.ts';

/** What came in, in numbers. */
export interface Received {
  /** Requests that were acknowledged, repeats not among them. */
  readonly requests: number;
  /** Requests sent again after they had been acknowledged. */
  readonly repeats: number;
  readonly spans: number;
  readonly logs: number;
  /** Requests with metrics: acknowledged, and not kept. */
  readonly metrics: number;
  /** Rows without readable ids. */
  readonly rejected: number;
}

/** Bodies remembered to know a repeat by. A client repeats within seconds. */
const mostRemembered = 10_000;

/** Takes bodies, keeps what is in them, and says what to answer. */
export class Intake {
  readonly #journal: Journal;
  /** By digest of the body: what it was, or will be, answered with. */
  readonly #known = new Map<string, Promise<Rejected | undefined>>();
  readonly problems: InputProblem[] = [];
  /** Requests that were answered with an error, and the status of the newest. */
  readonly refused = { requests: 0, status: 0 };
  readonly received: { -readonly [Name in keyof Received]: number } = {
    requests: 0,
    repeats: 0,
    spans: 0,
    logs: 0,
    metrics: 0,
    rejected: 0,
  };

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  metrics(type: BodyType): Answer {
    this.received.metrics += 1;
    return accepted(type, undefined);
  }

  async take(body: Buffer, type: BodyType, signal: Signal): Promise<Answer> {
    const digest = createHash('sha256').update(`${signal} ${type} `).update(body).digest('base64');
    let taking = body.length === 0 ? undefined : this.#known.get(digest);
    if (taking === undefined) {
      taking = this.#keep(body, type, signal);
      this.#remember(digest, taking);
    } else this.received.repeats += 1;
    try {
      return accepted(type, await taking);
    } catch (error) {
      // The client may send it again, and then it is looked at again.
      this.#known.delete(digest);
      if (OtelEvalError.is(error)) return refused(400, type, error.message);
      return refused(503, type, 'what was received could not be written to the disk');
    }
  }

  #remember(digest: string, taking: Promise<Rejected | undefined>): void {
    this.#known.set(digest, taking);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
  }

  async #keep(body: Buffer, type: BodyType, signal: Signal): Promise<Rejected | undefined> {
    const { batch, line, rejected } = readRequest(body, type, signal);
    if (line !== undefined) await this.#journal.append(line);
    this.received.requests += 1;
    this.received.spans += batch.spans.length;
    this.received.logs += batch.logs.length;
    this.received.rejected += rejected?.rows ?? 0;
    this.problems.push(...batch.problems.slice(0, Math.max(0, mostProblems - this.problems.length)));
    return rejected;
  }
}
