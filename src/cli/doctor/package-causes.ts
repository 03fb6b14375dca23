import type { Cause } from './cause.ts';
import type { InstalledPackage } from './installed-packages.ts';

const sdks = ['@opentelemetry/sdk-trace', '@opentelemetry/sdk-trace-base', '@opentelemetry/sdk-trace-node'];
/** Other packages that bring a provider of their own. */
const distributions = [
  '@opentelemetry/sdk-node',
  'otel-eval',
  '@traceloop/node-server-sdk',
  '@vercel/otel',
  '@langfuse/otel',
];

/** Instrumentations that leave a version of their target alone without a word. */
const ranges: readonly {
  readonly by: string;
  readonly target: string;
  readonly below: number;
  readonly from: number;
}[] = [
  { by: '@traceloop/instrumentation-openai', target: 'openai', from: 4, below: 7 },
  { by: '@elastic/opentelemetry-instrumentation-openai', target: 'openai', from: 4, below: 5 },
];

/** What among the installed packages keeps spans from being made or seen. */
export function packageCauses(installed: readonly InstalledPackage[]): Cause[] {
  const names = new Set(installed.map(({ name }) => name));
  return [...severalApis(installed), ...severalSdks(installed), ...noSdk(names), ...skippedVersions(installed)];
}

function severalApis(installed: readonly InstalledPackage[]): Cause[] {
  const apis = installed.filter(({ name }) => name === '@opentelemetry/api');
  const minors = new Set(apis.map(({ version }) => version.split('.').slice(0, 2).join('.')));
  if (minors.size < 2) return [];
  const listed = apis.map(({ version, at }) => `${version} at ${at}`).join(', ');
  return [
    {
      id: 'several-apis',
      found: `${apis.length} copies of @opentelemetry/api: ${listed}; a provider that the older one registers is invisible to the newer`,
      remedy:
        'make them one version (npm ls @opentelemetry/api shows who brings which; "overrides" in package.json settles it)',
      rank: 3,
    },
  ];
}

function severalSdks(installed: readonly InstalledPackage[]): Cause[] {
  const found = installed.filter(
    ({ name }) => name === '@opentelemetry/sdk-trace' || name === '@opentelemetry/sdk-trace-base',
  );
  const majors = new Set(found.map(({ version }) => version.split('.')[0]));
  if (majors.size < 2) return [];
  const listed = found.map(({ name, version, at }) => `${name} ${version} at ${at}`).join(', ');
  return [
    {
      id: 'several-sdks',
      found: `two lines of the trace SDK: ${listed}; their providers do not see each other`,
      remedy: 'keep one line: all @opentelemetry packages of 2.x, or all of 3.x',
      rank: 4,
    },
  ];
}

function noSdk(names: ReadonlySet<string>): Cause[] {
  if ([...sdks, ...distributions].some((name) => names.has(name))) return [];
  const found = names.has('@opentelemetry/api')
    ? '@opentelemetry/api is installed and no SDK, so there is no provider and every span is a no-op'
    : 'no OpenTelemetry package is installed here';
  return [{ id: 'no-sdk', found, remedy: 'start the app with node --import otel-eval/register', rank: 2 }];
}

function skippedVersions(installed: readonly InstalledPackage[]): Cause[] {
  return ranges.flatMap(({ by, target, from, below }) => {
    if (!installed.some(({ name }) => name === by)) return [];
    return installed
      .filter(({ name, version }) => name === target && !(major(version) >= from && major(version) < below))
      .map(({ version }) => ({
        id: 'instrumentation-skips-version',
        found: `${by} knows ${target} ${from} to ${below - 1} and leaves the installed ${version} alone without a word`,
        remedy: `install a version of ${target} that it knows, or another instrumentation`,
        rank: 3,
      }));
  });
}

function major(version: string): number {
  return Number.parseInt(version, 10);
}
