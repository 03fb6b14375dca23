import type { AssertionReport, Diagnosis } from './report.ts';

/** A symptom, and what usually lies behind it. The first that fits is told. */
interface Symptom {
  readonly fits: (facts: Facts) => boolean;
  readonly likely: string;
  readonly next: string;
}

/** What of a trial's assertions symptoms are read from. */
class Facts {
  readonly #assertions: readonly AssertionReport[];

  constructor(assertions: readonly AssertionReport[]) {
    this.#assertions = assertions.filter(({ advisory }) => advisory !== true);
  }

  status(name: string): string | undefined {
    return this.#named(name)?.status;
  }

  lacks(name: string, kind: string): boolean {
    return this.#named(name)?.missing.some((each) => each.kind === kind) ?? false;
  }

  says(name: string, text: string): boolean {
    return this.#named(name)?.missing.some(({ message }) => message.includes(text)) ?? false;
  }

  found(code: string): boolean {
    return this.#assertions.some(({ findings }) => findings.some((finding) => finding.code === code));
  }

  /** Some undecided assertion lacks this kind of evidence. */
  open(kind: string): boolean {
    return this.#assertions.some(({ missing }) => missing.some((each) => each.kind === kind));
  }

  failed(): boolean {
    return this.#assertions.some(({ status }) => status === 'failed');
  }

  /** Also where it stands on a step: `ask › Retrieved`. */
  #named(name: string): AssertionReport | undefined {
    return this.#assertions.find((each) => each.name === name || each.name.endsWith(`› ${name}`));
  }
}

const symptoms: readonly Symptom[] = [
  {
    fits: (trial) => trial.found('target-answered/timeout'),
    likely: 'the agent waits for something, goes round in a loop, or needs longer than its timeout',
    next: 'the last span of the tree and whether it ended; the number of steps',
  },
  {
    fits: (trial) => trial.lacks('TargetAnswered', 'OTEL_EVAL_COMMAND'),
    likely: 'the command itself broke, before its agent could be judged',
    next: 'what it says on stderr, with --debug; the same command by hand',
  },
  {
    fits: (trial) => trial.status('TargetAnswered') === 'unavailable',
    likely: 'a server that the target needs is down or refuses',
    next: 'that server; then go on with --resume. No threshold is lowered for an outage',
  },
  {
    fits: (trial) => trial.status('TargetAnswered') === 'error',
    likely: 'the target or its set-up broke; this says nothing of the agent',
    next: 'the code and the place above; the same trial alone, with --debug',
  },
  {
    fits: (trial) => trial.says('TrialTraced', 'trace context'),
    likely: 'the target starts traces of its own: the trace context is lost on the way in',
    next: 'how it reads `traceparent` (a propagator, a context manager), or TRACEPARENT in a command',
  },
  {
    fits: (trial) => trial.lacks('TrialTraced', 'join'),
    likely: 'no instrumentation, an exporter that sends elsewhere, or no flush before the end',
    next: '"otel-eval doctor" in the project of the target',
  },
  {
    fits: (trial) => trial.lacks('TrialIndependent', 'independence'),
    likely: 'a cache answered, or one run was counted twice',
    next: 'caches of the model client; "model: scripted" where answers repeat by design',
  },
  {
    fits: (trial) => trial.status('ResponseContains') === 'failed' && trial.status('Retrieved') === 'passed',
    likely: 'the right record was retrieved and did not reach the answer: it was dropped from the prompt, or not used',
    next: 'whether the record is in the input of the last model call; size limits of the prompt',
  },
  {
    fits: (trial) =>
      trial.status('ResponseContains') === 'passed' &&
      ['failed', 'inconclusive'].includes(trial.status('Retrieved') ?? ''),
    likely: 'the answer is right without retrieval: luck, or what the model knew before. It is no recall',
    next: 'whether the retriever was called at all, and what it returned',
  },
  {
    fits: (trial) => trial.found('stage-observed/count-too-low'),
    likely: 'the stage ran and changed nothing, or less than asked',
    next: 'the reason and the counts that its event carries',
  },
  {
    fits: (trial) => trial.found('stage-observed/stage-absent') || trial.found('pack-proven/evidence-missing'),
    likely: 'the run took another path, or the stage leaves no evidence of itself',
    next: 'the path in the tree; whether the trace is whole (evidence line)',
  },
  {
    fits: (trial) => trial.found('pack-proven/no-longer-declared'),
    likely: 'the target was built without what the pack needs, or another build answered',
    next: 'the manifest on its resource; the artifact that was tested',
  },
  {
    fits: (trial) => trial.failed(),
    likely: 'the agent did something else than the suite demands',
    next: 'expected and observed above, and the marked spans',
  },
  {
    fits: (trial) => trial.open('completeness'),
    likely: 'spans are missing, or nothing proves that none is',
    next: 'receipts (otel-eval/instrument), or --completeness settled where that is enough',
  },
  {
    fits: (trial) => trial.open('visibility'),
    likely: 'the instrumentation does not show what the assertion asks about',
    next: 'which instrumentation would show it, as named above',
  },
  {
    fits: (trial) => trial.open('content'),
    likely: 'the words are not in the trace: metadata mode withholds them',
    next: 'content mode for this target, or an assertion that needs no words',
  },
  {
    fits: (trial) => trial.open('nothing-examined'),
    likely: 'the assertion selects no span of this run',
    next: 'names in `match`, against the names in the tree',
  },
  {
    fits: (trial) => trial.open('judge'),
    likely: 'the semantic judge threw, hung, or did not answer with true or false',
    next: 'the judge alone; a trial is never passed by it',
  },
];

/** The likely cause of what a trial came to, and where to look next; `undefined` where nothing is known to fit. */
export function diagnosisOf(assertions: readonly AssertionReport[]): Diagnosis | undefined {
  const facts = new Facts(assertions);
  const symptom = symptoms.find(({ fits }) => fits(facts));
  return symptom === undefined ? undefined : { likely: symptom.likely, next: symptom.next };
}

/** Of a whole report: most packs do not apply. */
export function packDiagnosis(packs: readonly { readonly state: string }[]): Diagnosis | undefined {
  const absent = packs.filter(({ state }) => state === 'notApplicable').length;
  if (packs.length < 2 || absent * 2 <= packs.length) return undefined;
  return {
    likely: 'the profile runs a smaller target than the packs need, or its manifest leaves things out',
    next: 'the profile, and the lists on the resource of the target (otel_eval.manifest.*)',
  };
}
