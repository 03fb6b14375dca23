import { firstRequest } from './first-request.ts';
import { type PairClaim, pairClaim } from './pair-claim.ts';
import type { RequestGuard } from './preflight.ts';
import { type Core227Subject, type RunTrialOptions, runCore227Trial, type TrialOutcome227 } from './run-trial.ts';
import type { ValueTools } from './value-tools.ts';

/** What a host must expose, so that two routes can be compared: a result with its final answer, and a flush. */
export interface PairHost {
  run(signal: AbortSignal): Promise<{ readonly finalAnswer: string | null }>;
  /** Ends when what runs in the background has ended. */
  drain(): Promise<void>;
}

export interface PairSubject<Model> extends Pick<Core227Subject<Model>, 'route' | 'controls'> {
  createModel(guard: RequestGuard): Model;
  construct(model: Model, tools: ValueTools): PairHost;
}

/** One route of a pair, over all its trials. */
export interface PairedRoute {
  readonly route: string;
  readonly outcomes: readonly TrialOutcome227[];
  readonly passed: number;
  readonly judged: number;
  /** Entries into the body of this route, by trial and by spans: an entry that leaves no span was not observed. */
  readonly entries: readonly number[];
  /** Trials whose result has another final answer than their trace. */
  readonly contradicted: number;
}

export interface PairReport {
  readonly routes: readonly [PairedRoute, PairedRoute];
  /** Which trial ran when: the routes take turns, and each is as often first. */
  readonly order: readonly string[];
  readonly claim: PairClaim;
}

/**
 * Runs two routes on the same task, in turns, and says what the pair may be said to show. Same prompts are told by the first
 * requests in the traces, not by what the routes claim.
 *
 * @param options - `trials`: of each route
 */
export async function runCore227Pair<First, Second>(
  [first, second]: readonly [PairSubject<First>, PairSubject<Second>],
  { trials, ...options }: RunTrialOptions & { readonly trials: number },
): Promise<PairReport> {
  const runs = [new RouteTrials(first, options), new RouteTrials(second, options)] as const;
  const order: string[] = [];
  for (let trial = 0; trial < trials; trial += 1) {
    const turns = trial % 2 === 0 ? runs : ([runs[1], runs[0]] as const);
    for (const turn of turns) {
      order.push(turn.route);
      await turn.next();
    }
  }
  const requests = [...runs[0].requests, ...runs[1].requests];
  const samePrompts = requests.length > 0 && !requests.includes(null) && new Set(requests).size === 1;
  const trialsPerRoute = Math.min(...runs.map(({ judged }) => judged));
  return { routes: [runs[0].told(), runs[1].told()], order, claim: pairClaim({ samePrompts, trialsPerRoute }) };
}

class RouteTrials<Model> {
  readonly route: string;
  readonly requests: (string | null)[] = [];
  readonly #subject: PairSubject<Model>;
  readonly #options: RunTrialOptions;
  readonly #outcomes: TrialOutcome227[] = [];
  #contradicted = 0;

  constructor(subject: PairSubject<Model>, options: RunTrialOptions) {
    this.route = subject.route;
    this.#subject = subject;
    this.#options = options;
  }

  get judged(): number {
    return this.#outcomes.filter(({ status }) => status === 'judged').length;
  }

  async next(): Promise<void> {
    const answers: (string | null)[] = [];
    const outcome = await runCore227Trial(this.#hosted(answers), {
      ...this.#options,
      record: async (work) => {
        const recorded = await this.#options.record(work);
        this.requests.push(firstRequest(recorded.view.run));
        return recorded;
      },
    });
    this.#outcomes.push(outcome);
    const [answer] = answers;
    if (outcome.status === 'judged' && answer !== undefined && answer !== outcome.report.finalAnswer) {
      this.#contradicted += 1;
    }
  }

  told(): PairedRoute {
    const reports = this.#outcomes.flatMap((outcome) => (outcome.status === 'judged' ? [outcome.report] : []));
    return {
      route: this.route,
      outcomes: this.#outcomes,
      passed: reports.filter(({ passed }) => passed).length,
      judged: this.judged,
      entries: reports.map(({ routeEntries }) => routeEntries),
      contradicted: this.#contradicted,
    };
  }

  /** The host as a trial knows it; what it returns is kept as it is. */
  #hosted(answers: (string | null)[]): Core227Subject<Model> {
    const subject = this.#subject;
    let host: PairHost | undefined;
    return {
      route: subject.route,
      controls: subject.controls,
      createModel: (guard) => subject.createModel(guard),
      construct(model, tools) {
        const made = subject.construct(model, tools);
        host = made;
        return async (signal) => {
          const result = await made.run(signal);
          answers.push(result.finalAnswer);
          return result;
        };
      },
      drain: async () => host?.drain(),
    };
  }
}
