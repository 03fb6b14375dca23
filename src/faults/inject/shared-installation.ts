/**
 * Something that several may ask for at once: put in for the first, taken out when the last one leaves, whatever their
 * order.
 *
 * @param install - puts it in, and returns what takes it out again
 */
export function sharedInstallation(install: () => () => void): () => () => void {
  let users = 0;
  let remove: (() => void) | undefined;
  return () => {
    if (users === 0) remove = install();
    users += 1;
    let stays = true;
    return () => {
      if (!stays) return;
      stays = false;
      users -= 1;
      if (users === 0) remove?.();
    };
  };
}
