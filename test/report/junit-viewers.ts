/** An element of XML as a test reads it. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlNode[];
}

interface Shape {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  readonly text: boolean;
}

const outcome: Shape = { required: [], optional: ['type', 'message'], children: [], text: true };
const output: Shape = { required: [], optional: [], children: [], text: true };

/** What the schema of Jenkins (xUnit plugin, `junit-10.xsd`) allows: elements, attributes, content. */
const jenkins: Readonly<Record<string, Shape>> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
    text: false,
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    text: false,
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    text: false,
  },
  failure: outcome,
  error: outcome,
  skipped: outcome,
  'system-out': output,
  'system-err': output,
};

/** The type `SUREFIRE_TIME` of the same schema. */
const surefireTime = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

/** Everything in a report that the schema of Jenkins refuses. */
export function refusedByJenkins(node: XmlNode, path = node.name): string[] {
  const shape = jenkins[node.name];
  if (shape === undefined) return [`${path}: unknown element`];
  const given = Object.keys(node.attributes);
  return [
    ...shape.required.filter((name) => !given.includes(name)).map((name) => `${path}: ${name} is missing`),
    ...given
      .filter((name) => !shape.required.includes(name) && !shape.optional.includes(name))
      .map((name) => `${path}: unknown attribute ${name}`),
    ...(surefireTime.test(node.attributes['time'] ?? '') ? [] : [`${path}: time ${node.attributes['time']}`]),
    ...(shape.text || node.text.trim() === '' ? [] : [`${path}: text`]),
    ...node.children
      .filter(({ name }) => !shape.children.includes(name))
      .map(({ name }) => `${path}: ${name} does not belong here`),
    ...node.children.flatMap((child, i) => refusedByJenkins(child, `${path}/${child.name}[${i}]`)),
  ];
}

/** GitLab keeps one case of those that share suite, class and name, and shows one outcome of each. */
export function lostByGitlab(root: XmlNode): string[] {
  const seen = new Set<string>();
  return root.children.flatMap((suite) =>
    suite.children.flatMap(({ attributes, children }) => {
      const key = [suite.attributes['name'], attributes['classname'], attributes['name']].join(' / ');
      const twice = seen.has(key) ? [`${key}: twice`] : [];
      seen.add(key);
      const outcomes = children.filter(({ name }) => ['failure', 'error', 'skipped'].includes(name)).length;
      return [...twice, ...(outcomes > 1 ? [`${key}: ${outcomes} outcomes`] : [])];
    }),
  );
}

/** Viewers on GitHub group by class, and add up times: they want both, and a root of suites. */
export function unreadOnGithub(root: XmlNode): string[] {
  const count = /^\d+$/;
  const suites = root.children.flatMap(({ attributes }) =>
    ['tests', 'failures', 'errors', 'skipped']
      .filter((name) => !count.test(attributes[name] ?? ''))
      .map((name) => `${attributes['name']}: ${name}`),
  );
  const cases = root.children
    .flatMap(({ children }) => children)
    .filter(({ attributes }) => !attributes['classname'] || !attributes['name']);
  return [
    ...(root.name === 'testsuites' ? [] : [`root is ${root.name}`]),
    ...suites,
    ...cases.map(({ attributes }) => `case without a name or a class: ${JSON.stringify(attributes)}`),
  ];
}
