import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const inflate = promisify(gunzip);

/** Why a body cannot be taken: the status to answer, and the sentence. */
export class BadBody extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Bytes of bodies that are in memory now, over all requests. */
export interface BodyBudget {
  readonly most: number;
  used: number;
}

/** The whole body, unpacked; `limit` counts for its bytes packed and unpacked. The budget is given back by `done`. */
export async function bodyOf(
  request: IncomingMessage,
  limit: number,
  budget: BodyBudget,
): Promise<{ body: Buffer; done: () => void }> {
  const packing = String(request.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (packing !== 'identity' && packing !== 'gzip') {
    throw new BadBody(415, 'expected content-encoding gzip or identity, got another');
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  let taken = 0;
  const done = (): void => {
    budget.used -= taken;
    taken = 0;
  };
  const take = (bytes: number): void => {
    if (budget.used + bytes > budget.most) throw new BadBody(503, 'too many bytes are being received at once');
    budget.used += bytes;
    taken += bytes;
  };
  try {
    const packed = await read(request, limit, take);
    return { body: packing === 'gzip' ? await unpack(packed, limit, take) : packed, done };
  } catch (error) {
    done();
    throw error;
  }
}

async function read(request: IncomingMessage, limit: number, take: (bytes: number) => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > limit) throw tooLarge(limit);
    take(part.length);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

async function unpack(packed: Buffer, limit: number, take: (bytes: number) => void): Promise<Buffer> {
  try {
    const body = await inflate(packed, { maxOutputLength: limit });
    take(body.length);
    return body;
  } catch (error) {
    if (error instanceof BadBody) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new BadBody(400, 'expected a gzip body, got one that is damaged or cut off');
  }
}

function tooLarge(limit: number): BadBody {
  return new BadBody(413, `the body is larger than ${limit} bytes`);
}
