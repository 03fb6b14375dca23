import { collectors } from '../../collectors/index.ts';
import type { RemoteOptions } from '../../collectors/polling/remote-options.ts';
import type { Collector } from '../trace/trace-set.ts';
import type { Context } from './context.ts';
import { remoteConnection, withoutGaps } from './remote-settings.ts';
import type { SourceSettings } from './source-settings.ts';

/** What a command tells a collector that waits for traces. */
export type Waiting = Pick<RemoteOptions, 'expectations' | 'decided' | 'early' | 'onProgress'>;

/** The collector of Tempo or Jaeger. It keeps the deadline itself, so that what came until then is judged. */
export async function openRemote(settings: SourceSettings, context: Context, waiting: Waiting): Promise<Collector> {
  const { kind, remote, selection, traceIds, deadlineMs, settleMs } = settings;
  if (remote === undefined) throw new TypeError(`the settings of source ${kind} lack the server`);
  const { service, runId, conversationId } = selection;
  const options = {
    ...(await remoteConnection(remote, context)),
    ...waiting,
    traceIds,
    ...withoutGaps({ service, runId, conversationId, deadlineMs, settleMs }),
  };
  if (kind === 'jaeger') return (await collectors.jaeger())(options);
  return (await collectors.tempo())({ ...options, ...withoutGaps({ traceQl: remote.traceQl }) });
}
