import type { InputProblem, InputReading } from '../../src/trace/trace-set.ts';
import type { PolledTrace } from './poll-trace.ts';

const mostProblems = 1_000;

/** What was read from one server, summed up by the form of its answers: bounded, however many traces there are. */
export class RemoteReadings {
  readonly #address: string;
  readonly #byFormat = new Map<string, { rows: number; spans: number; problems: InputProblem[] }>();

  constructor(address: string) {
    this.#address = address;
  }

  add({ trace, answer }: PolledTrace): void {
    if (answer === undefined) return;
    const reading = this.#of(answer.format);
    reading.rows += trace.rows;
    reading.spans += trace.spans.length;
    for (const problem of answer.problems) this.#note(reading.problems, problem);
  }

  /** Something to know of the search itself. */
  note(format: string, problem: InputProblem): void {
    this.#note(this.#of(format).problems, problem);
  }

  all(): InputReading[] {
    return [...this.#byFormat].map(([format, reading]) => ({ input: this.#address, format, ...reading }));
  }

  #of(format: string): { rows: number; spans: number; problems: InputProblem[] } {
    const reading = this.#byFormat.get(format) ?? { rows: 0, spans: 0, problems: [] };
    this.#byFormat.set(format, reading);
    return reading;
  }

  #note(problems: InputProblem[], problem: InputProblem): void {
    if (problems.length < mostProblems) problems.push(problem);
  }
}
