import { ContentCopier } from './content-copier.ts';
import { modeOf } from './content-mode.ts';
import { ContentRedactor } from './content-redactor.ts';
import type { Counters } from './counters.ts';
import { KeepList } from './keep-list.ts';
import { MetadataCopier } from './metadata-copier.ts';
import { MetadataFilter } from './metadata-filter.ts';
import type { AgentSpanProcessorOptions, CommonOptions, OutputOptions } from './options.ts';
import { Output } from './output.ts';
import { redactText } from './redact-text.ts';
import { SecretValues } from './secret-values.ts';
import type { Copier } from './span-view.ts';
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
    const copier =
      modeOf(mode, environment) === 'content'
        ? contentCopier(options, secrets, shared)
        : metadataCopier(options, secrets, shared);
    return new Output(next, copier, shared.counters);
  });
}

function metadataCopier(options: CommonOptions, secrets: SecretValues, { toolFacts, counters }: Shared): Copier {
  const redact = (text: string): string => {
    const redacted = redactText(text, secrets);
    counters.redacted += redacted.count;
    return redacted.text;
  };
  const keep = new KeepList(options.keep ?? [], options.keepNames ?? [], redact);
  return new MetadataCopier(new MetadataFilter(keep), toolFacts, counters);
}

function contentCopier(options: CommonOptions, secrets: SecretValues, { toolFacts, counters }: Shared): Copier {
  const ceiling = options.ceilingBytes ?? defaultCeilingBytes;
  return new ContentCopier(new ContentRedactor(secrets, ceiling, options.redact), ceiling, toolFacts, counters);
}
