import type { AssertionRegistry } from '../../suite/assertion-registry.ts';
import type { AssertionUse } from '../../suite/assertion-use.ts';
import { loadSuite } from '../../suite/load-suite.ts';
import { parseAssertion } from '../../suite/parse-assertion.ts';
import type { Scenario, Suite } from '../../suite/suite.ts';
import type { AssertionDocument } from '../../suite/suite-document.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

export interface SuiteGivens {
  /** The SUITE argument, or that of the configuration. */
  readonly path: string | undefined;
  /** Each `NAME` or `NAME={json}` behind `--assert`. */
  readonly asserts: readonly string[];
  readonly registry: AssertionRegistry;
  readonly cwd: string;
}

/** The suite that was named; `--assert` adds a scenario of its own to it, or stands alone. */
export async function suiteToCheck({ path, asserts, registry, cwd }: SuiteGivens): Promise<Suite> {
  if (path === undefined && asserts.length === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected something to judge by, got none', {
      hint: 'name a suite, or an assertion as in --assert ExecutionTraceJoined',
    });
  }
  const uses = asserts.map((text) => assertionFromFlag(text, registry));
  const added = uses.length === 0 ? [] : [anonymous(uses)];
  if (path === undefined) return { name: null, path: undefined, traces: {}, scenarios: added };
  const suite = await loadSuite(path, registry, cwd);
  return { ...suite, scenarios: [...suite.scenarios, ...added] };
}

function anonymous(assertions: readonly AssertionUse[]): Scenario {
  return {
    name: 'command line',
    tags: [],
    select: {},
    root: 'local',
    services: [],
    completeness: undefined,
    runBy: undefined,
    oneRun: false,
    assertions,
  };
}

function assertionFromFlag(text: string, registry: AssertionRegistry): AssertionUse {
  const { value, problems } = parseAssertion(documentFromFlag(text), registry, []);
  if (value !== undefined) return value;
  const [first] = problems;
  const at = (first?.path.length ?? 0) > 1 ? ` at ${first?.path.slice(1).join('.')}` : '';
  throw new OtelEvalError('OTEL_EVAL_USAGE', `--assert: ${first?.message ?? 'not an assertion'}${at}`, {
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
  });
}

function documentFromFlag(text: string): AssertionDocument {
  const equals = text.indexOf('=');
  if (equals < 0) return text;
  const name = text.slice(0, equals);
  try {
    return { [name]: JSON.parse(text.slice(equals + 1)) };
  } catch (cause) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `--assert ${name}: expected JSON behind "="`, {
      hint: `as in --assert '${name}={"match": {}}'`,
      cause,
    });
  }
}
