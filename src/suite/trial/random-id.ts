import { randomBytes } from 'node:crypto';

/** Makes an id of so many bytes as lower-case hex digits; never all zeros. Handed in, so that a test can name its own. */
export type NewId = (bytes: number) => string;

export const randomId: NewId = (bytes) => {
  const id = randomBytes(bytes);
  if (id.every((byte) => byte === 0)) id[0] = 1;
  return id.toString('hex');
};
