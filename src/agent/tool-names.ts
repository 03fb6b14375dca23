/** Passing control on is a handoff, not a tool call. */
export function isHandoffName(name: string | null | undefined): boolean {
  return typeof name === 'string' && /^(transfer_to_|transfer_back_to_|handoff|hand_off)/i.test(name);
}

/** `transfer_to_refund_agent` → `refund_agent`. */
export function handoffTarget(name: string): string | null {
  const target = /^(?:transfer_(?:back_)?to_|handoff_to_|hand_off_to_|handoff_)(.+)$/i.exec(name)?.[1];
  return target === undefined || target === 'agent' ? null : target;
}
