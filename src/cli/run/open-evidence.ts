import { channelEvidence } from '../../suite/evidence/channel-evidence.ts';
import { collectorEvidence } from '../../suite/evidence/collector-evidence.ts';
import type { EvidenceSource } from '../../suite/evidence/evidence-source.ts';
import { memoryEvidence, type TrialMemory } from '../../suite/evidence/memory-evidence.ts';
import { sharedReceiverEvidence } from '../../suite/evidence/shared-receiver-evidence.ts';
import type { Target } from '../../suite/target/target.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Context } from '../context.ts';
import { openCollector } from '../open-collector.ts';
import type { SourceSettings } from '../source-settings.ts';
import { openReceiver } from './open-receiver.ts';

export interface EvidenceGivens {
  readonly settings: SourceSettings;
  readonly target: Target;
  /** `HOST:PORT` for the receiver of a target that runs on. */
  readonly listen: string | undefined;
}

const receiverDeadlineMs = 30_000;

/** Where the traces of a run come from: as the suite or a flag says, else where such a target sends them by itself. */
export async function openEvidence(givens: EvidenceGivens, context: Context): Promise<EvidenceSource> {
  const { settings, target, listen } = givens;
  if (settings.kind === 'memory') return fromMemory(settings);
  if (settings.kind !== 'otlp') {
    return collectorEvidence({
      kind: settings.kind,
      address: addressOf(settings),
      open: (traceId) =>
        openCollector({ ...settings, selection: {}, traceIds: [traceId] }, context, {
          expectations: { remoteRoot: true },
        }),
    });
  }
  if (target.kind === 'command' && listen === undefined)
    return channelEvidence(() => openReceiver(undefined, settings.settleMs));
  const receiver = await openReceiver(listen, settings.settleMs);
  context.note(`receiving spans on ${receiver.url}`);
  return sharedReceiverEvidence(receiver, { deadlineMs: settings.deadlineMs ?? receiverDeadlineMs });
}

/** Without credentials and query. */
function addressOf({ remote, inputs }: SourceSettings): string {
  if (remote === undefined) return inputs.join(', ');
  const { origin, pathname } = new URL(remote.url);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}

/** Spans of this process: a memory collector, or whatever else a suite may bring, of which only the trial's are read. */
async function fromMemory(settings: SourceSettings): Promise<EvidenceSource> {
  const given = typeof settings.spans === 'function' ? await (settings.spans as () => unknown)() : settings.spans;
  if (isTrialMemory(given)) return memoryEvidence(given);
  if (given === undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected spans for source memory, got none', {
      hint: 'a suite in TypeScript or JavaScript brings them: traces: { source: "memory", spans: exporter }',
    });
  }
  const { collectorOfSpans, spansOfTrace } = await import('../../suite/collector-of-spans.ts');
  return collectorEvidence({
    kind: 'memory',
    address: 'this process',
    open: async (traceId) => collectorOfSpans(await spansOfTrace(settings.spans, traceId)),
  });
}

function isTrialMemory(value: unknown): value is TrialMemory {
  const memory = value as Partial<TrialMemory> | null | undefined;
  return typeof memory?.collect === 'function' && typeof memory.reset === 'function';
}
