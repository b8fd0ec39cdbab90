import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionConfigError } from './connection-config.ts';
import { loadConfig } from './load-config.ts';

const secret = 'SECRET-SECRET';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-fuzz-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** Any value where another one is expected. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'a',
    secret,
    7,
    true,
    [],
    {},
    ['a'],
    [null],
    [[]],
    { a: ['b'] },
    '\u0000',
    '/',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Mostly the right value, so that the reading gets far. */
const mostly = (...right: unknown[]) =>
  fc.oneof({ weight: 200, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: odd });

/** Fields that are there or not, and, behind them, those that are always there. */
const record = (
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: Record<string, fc.Arbitrary<unknown>> = {},
) =>
  fc.oneof(
    {
      weight: 200,
      arbitrary: fc.record({ ...fields, ...required }, { requiredKeys: Object.keys(required) }),
    },
    { weight: 1, arbitrary: odd },
  );

const list = (item: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 200, arbitrary: fc.array(item, { maxLength: 3 }) }, { weight: 1, arbitrary: odd });

const named = (key: string, body: fc.Arbitrary<unknown>) => {
  const first = record({}, { name: mostly('a'), [key]: body });
  const others = list(record({ [key]: body }, { name: mostly('b', '__proto__', 'constructor') }));
  return fc.oneof(
    { weight: 30, arbitrary: fc.tuple(first) },
    { weight: 30, arbitrary: fc.tuple(first, others).map((all) => all.flat()) },
    { weight: 1, arbitrary: odd },
  );
};

const exec = record({
  apiVersion: mostly('client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'),
  command: mostly('x', './x'),
  args: list(mostly('x')),
  env: list(record({ name: mostly('A'), value: mostly('b') })),
  interactiveMode: mostly('Never', 'Always'),
  provideClusterInfo: mostly(true),
  installHint: mostly('x'),
});

const simpleUser = record({ token: mostly(secret), as: mostly('b') });
const anyUser = record({
  token: mostly(secret),
  tokenFile: mostly('t'),
  username: mostly('u'),
  password: mostly(secret),
  'client-certificate': mostly('c'),
  'client-certificate-data': mostly('YQ=='),
  'client-key-data': mostly('YQ==', secret),
  as: mostly('b'),
  'as-groups': list(mostly('g')),
  'as-user-extra': fc.oneof(fc.dictionary(mostly('k', '__proto__').map(String), list(mostly('v'))), odd),
  exec,
  'auth-provider': mostly(null),
});

const user = fc.oneof(simpleUser, anyUser);

const server = mostly('https://s', 'http://s', 'https://[::1]:1/a/');
const cluster = record(
  {
    'certificate-authority-data': mostly('YQ=='),
    'insecure-skip-tls-verify': mostly(true, false),
    'proxy-url': mostly('http://p', `x ${secret}`),
    'tls-server-name': mostly('n'),
    'disable-compression': mostly(true),
    extensions: list(record({ name: mostly('client.authentication.k8s.io/exec'), extension: odd })),
  },
  { server },
);

const context = record(
  { user: mostly('a', 'a', 'b', '__proto__'), namespace: mostly('n') },
  { cluster: mostly('a') },
);

const kubeconfig = record(
  { kind: mostly('Config'), ['__proto__']: odd },
  {
    'current-context': mostly('a', 'a', 'a', 'b', '__proto__'),
    clusters: named('cluster', cluster),
    users: named('user', user),
    contexts: named('context', context),
  },
);

async function outcome(content: string): Promise<unknown> {
  const file = join(directory, 'config');
  await writeFile(file, content);
  return loadConfig({ kubeconfig: file }).catch((error: unknown) => error);
}

function check(result: unknown): void {
  if (!(result instanceof Error)) return;
  if (!(result instanceof ConnectionConfigError)) throw result;
  const said = [result.message, result.hint, String(result.cause)].join('\n');
  // Messages contain names. When lines are joined, a token may become a name, but only if the file is valid YAML.
  if (!said.includes('has no context')) expect(said).not.toContain(secret);
  expect(result.message).not.toContain('\n');
}

test('any kubeconfig is read or refused, and no secret is revealed', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(kubeconfig, async (content) => {
      const result = await outcome(JSON.stringify(content));
      if (!(result instanceof Error)) read += 1;
      check(result);
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(10);
});

test('a truncated kubeconfig is read or refused, and no secret is revealed', async () => {
  const lines = [
    'current-context: a',
    'clusters: [{name: a, cluster: {server: "https://s"}}]',
    'users:',
    '- name: a',
    '  user:',
    `    token: ${secret}`,
    'contexts: [{name: a, context: {cluster: a, user: a}}]',
  ];
  const piece = fc.constantFrom(
    ...lines,
    ' ',
    '- ',
    '{',
    '[',
    '"',
    `*${secret}`,
    `&${secret} `,
    `!!${secret} x`,
    '\t',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('', '\n', '\n  '),
      async (pieces, glue) => {
        check(await outcome(pieces.join(glue)));
      },
    ),
    { numRuns: 300 },
  );
});
