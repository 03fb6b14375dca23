import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A key and its certificate, made for one test run. */
export interface Issued {
  readonly name: string;
  readonly key: KeyObject;
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface CertificateGivens {
  readonly name: string;
  /** Signs itself without one. */
  readonly issuer?: Issued;
  /** Names of the server; none makes an authority. */
  readonly hosts?: readonly string[];
  readonly notAfter?: Date;
}

/** An X.509 certificate by the rules of DER, so that a test needs no openssl and no key in the repository. */
export function certificate({ name, issuer, hosts = [], notAfter }: CertificateGivens): Issued {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const day = 86_400_000;
  const validity = sequence(time(new Date(Date.now() - 30 * day)), time(notAfter ?? new Date(Date.now() + 30 * day)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    named(issuer?.name ?? name),
    validity,
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(hosts.length === 0 ? authority : alternativeNames(hosts))),
  );
  const signature = sign('sha256', body, issuer?.key ?? privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    name,
    key: privateKey,
    certificatePem: pem('CERTIFICATE', whole),
    keyPem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function named(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
}

/** Basic constraints, critical: an authority. */
const authority = sequence(oid('551d13'), der(0x01, Buffer.of(255)), der(0x04, sequence(der(0x01, Buffer.of(255)))));

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  return sequence(oid('551d11'), der(0x04, sequence(...names)));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
