import type { Cause } from './cause.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What in the environment keeps an SDK from making spans. */
export function environmentCauses(env: Environment, installed: ReadonlySet<string>): Cause[] {
  const causes: Cause[] = [];
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') {
    causes.push({
      id: 'sdk-disabled',
      found: 'OTEL_SDK_DISABLED is true, so the SDK makes no spans',
      remedy: 'unset OTEL_SDK_DISABLED',
      rank: 1,
    });
  }
  if (env['NODE_ENV'] === 'test' && installed.has('@openai/agents')) {
    causes.push({
      id: 'off-in-tests',
      found: 'NODE_ENV is test, and the OpenAI Agents SDK switches its tracing off then',
      remedy: 'call setTracingDisabled(false) of @openai/agents in the set-up of your tests',
      rank: 1,
    });
  }
  const sampler = env['OTEL_TRACES_SAMPLER'];
  if (sampler !== undefined && isOff(sampler, env['OTEL_TRACES_SAMPLER_ARG'])) {
    causes.push({
      id: 'sampler-off',
      found: `OTEL_TRACES_SAMPLER is ${sampler.slice(0, 40)}, which samples nothing`,
      remedy: 'set OTEL_TRACES_SAMPLER=parentbased_always_on',
      rank: 2,
    });
  }
  if (env['OTEL_TRACES_EXPORTER'] === 'none') {
    causes.push({
      id: 'exporter-none',
      found: 'OTEL_TRACES_EXPORTER is none, so spans go nowhere',
      remedy: 'set OTEL_TRACES_EXPORTER=otlp',
      rank: 2,
    });
  }
  return causes;
}

function isOff(sampler: string, argument: string | undefined): boolean {
  return /always_off$/.test(sampler) || (/traceidratio$/.test(sampler) && Number(argument ?? 1) === 0);
}
