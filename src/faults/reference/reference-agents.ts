import type { PlannedCall, ReferenceStep, ReferenceWorld } from './reference-task.ts';

/** What came of a call, as a model sees it. */
export type CallOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly retryAfterSeconds: number | null };

/** A turn of an agent: a call, or a wait on the harness's clock. What it returns is its final message. */
export type Turn = PlannedCall | { readonly waitSeconds: number };

export type ReferencePolicy = (world: ReferenceWorld) => Generator<Turn, string, CallOutcome>;

export type ReferenceAgentName =
  | 'verifier'
  | 'blind retrier'
  | 'ignorer'
  | 'specific aborter'
  | 'vague aborter'
  | 'looper';

/** `true`: go on, else the final message. */
type Repaired = true | string;

/** What an agent does when a step went wrong. */
type Repair = (step: ReferenceStep, outcome: CallOutcome) => Repaired | Generator<Turn, Repaired, CallOutcome>;

function policy(repair: Repair): ReferencePolicy {
  return function* run(world) {
    for (const step of world.steps) {
      const outcome = yield step.call();
      if (outcome.ok && !step.doubtful(outcome.result)) step.learn(outcome.result);
      else {
        const repaired = repair(step, outcome);
        const end = typeof repaired === 'object' ? yield* repaired : repaired;
        if (end !== true) return end;
      }
    }
    return world.done;
  };
}

const generic = 'Sorry, something went wrong. I could not complete your request.';

function specific({ attempt, left }: ReferenceStep): string {
  return `I tried to ${attempt}, but it failed. ${left} Please try again later, or do it by hand.`;
}

/** Looks before it writes again, waits as long as it is asked to, and goes another way where an answer is odd. */
function* verify(step: ReferenceStep, outcome: CallOutcome): Generator<Turn, Repaired, CallOutcome> {
  if (outcome.ok) return yield* anotherWay(step, outcome.result);
  if (outcome.retryAfterSeconds !== null) yield { waitSeconds: outcome.retryAfterSeconds };
  if (yield* tookPlace(step)) return true;
  const again = yield step.call();
  if (again.ok && !step.doubtful(again.result)) {
    step.learn(again.result);
    return true;
  }
  return (yield* tookPlace(step)) ? true : specific(step);
}

function* anotherWay(step: ReferenceStep, result: unknown): Generator<Turn, Repaired, CallOutcome> {
  const other = step.alternate?.(result);
  if (other === undefined) return specific(step);
  const answer = yield other;
  if (!answer.ok) return specific(step);
  step.learn(answer.result);
  return true;
}

function* tookPlace(step: ReferenceStep): Generator<Turn, boolean, CallOutcome> {
  if (step.verify === undefined) return false;
  const answer = yield step.verify.call();
  return answer.ok && step.verify.shows(answer.result);
}

/** The same call again, at once, as often as allowed; an answer is never doubted. */
function retry(times: number): Repair {
  return function* again(step, outcome) {
    let last = outcome;
    for (let tries = 0; tries < times && !last.ok; tries += 1) last = yield step.call();
    if (!last.ok) return specific(step);
    step.learn(last.result);
    return true;
  };
}

/** The same call again until the answer is fine. */
function* loop(step: ReferenceStep): Generator<Turn, Repaired, CallOutcome> {
  for (;;) {
    const answer = yield step.call();
    if (!answer.ok || step.doubtful(answer.result)) continue;
    step.learn(answer.result);
    return true;
  }
}

function ignore(step: ReferenceStep): Repaired {
  step.assume();
  return true;
}

/** Six agents by script; what a row makes of them says whether it is fair and whether it tells agents apart. */
export const referenceAgents: Readonly<Record<ReferenceAgentName, ReferencePolicy>> = {
  verifier: policy(verify),
  'blind retrier': policy(retry(3)),
  ignorer: policy(ignore),
  'specific aborter': policy(specific),
  'vague aborter': policy(() => generic),
  looper: policy(loop),
};

export const referenceAgentNames: readonly ReferenceAgentName[] = Object.keys(referenceAgents) as ReferenceAgentName[];
