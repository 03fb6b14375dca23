import type { ChannelReceiver } from '../../suite/evidence/channel-evidence.ts';
export async function openReceiver(_listen: string | undefined): Promise<ChannelReceiver> {
  throw new Error('temp');
}
