/** Version of this package. Written here, and not read, so that it costs nothing and holds in every module format; a test compares it. */
export function packageVersion(): string {
  return '0.1.0';
}
