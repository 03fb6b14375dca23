export function installedLines(): {
  readonly folder: string;
  readonly node: string;
  readonly missing: string | undefined;
};
