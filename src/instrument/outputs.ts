import { modeOf } from './content-mode.ts';
import { ContentRedactor } from './content-redactor.ts';
import { ContentSieve } from './content-sieve.ts';
import type { Counters } from './counters.ts';
import { KeepList } from './keep-list.ts';
import { MetadataFilter } from './metadata-filter.ts';
import { MetadataSieve } from './metadata-sieve.ts';
import type { AgentSpanProcessorOptions, CommonOptions, OutputOptions } from './options.ts';
import { Output } from './output.ts';
import { redactText } from './redact-text.ts';
import { SecretValues } from './secret-values.ts';
import type { Sieve } from './sieve.ts';
import { SpanCopier } from './span-copier.ts';
import type { ToolFacts } from './tool-facts.ts';

const defaultCeilingBytes = 65_536;

interface Shared {
  readonly toolFacts: ToolFacts;
  readonly counters: Counters;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The ways out that the options ask for, each with what may leave through it. */
export function outputsOf(options: AgentSpanProcessorOptions, environment: Environment, shared: Shared): Output[] {
  const wanted: readonly OutputOptions[] = 'outputs' in options ? options.outputs : [options];
  const secrets = new SecretValues(options.secrets ?? [], environment);
  return wanted.map(({ next, mode }) => {
    const sieve =
      modeOf(mode, environment) === 'content' ? contentSieve(options, secrets) : metadataSieve(options, secrets);
    return new Output(next, new SpanCopier(sieve, shared.toolFacts, shared.counters), shared.counters);
  });
}

function metadataSieve(options: CommonOptions, secrets: SecretValues): Sieve {
  const keep = new KeepList(options.keep ?? [], options.keepNames ?? [], (text) => redactText(text, secrets));
  return new MetadataSieve(new MetadataFilter(keep));
}

function contentSieve(options: CommonOptions, secrets: SecretValues): Sieve {
  const ceiling = options.ceilingBytes ?? defaultCeilingBytes;
  return new ContentSieve(new ContentRedactor(secrets, ceiling, options.redact), ceiling);
}
