import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from './load-config.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-kubectl-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function load(files: Record<string, string>, list: string[], context?: string) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const kubeconfig = list.map((name) => (name === '' ? '' : join(directory, name))).join(delimiter);
  return loadConfig({ env: { HOME: directory, KUBECONFIG: kubeconfig }, context });
}

const one = (name: string): string => `
apiVersion: v1
kind: Config
current-context: ${name}
clusters: [{name: ${name}, cluster: {server: "https://${name}:6443"}}]
users: [{name: ${name}, user: {token: ${name}}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]
`;

/** It names the cluster and the user of `one('a')` again, and a context of its own for them. */
const again = `
current-context: own
clusters: [{name: a, cluster: {server: "https://other", tls-server-name: x}}]
users: [{name: a, user: {username: u, password: p}}]
contexts: [{name: own, context: {cluster: a, user: a, namespace: ns}}]
`;

const user = (fields: string, cluster = 'server: "https://1"'): string => `
current-context: a
clusters: [{name: a, cluster: {${cluster}}}]
users: [{name: u, user: {${fields}}}]
contexts: [{name: a, context: {cluster: a, user: u}}]
`;

// What `kubectl config view --raw --minify` of kubectl 1.32 says about the same files.
describe('files are merged as kubectl does', () => {
  const files = { a: one('a'), 'd/b': one('b'), again, empty: '', comment: '# nothing\n' };
  const a = { server: 'https://a:6443', token: 'a', context: 'a' };
  const b = { server: 'https://b:6443', token: 'b', context: 'b' };

  test.each([
    ['the first current context counts', ['a', 'd/b'], undefined, a],
    ['the order of the files counts', ['d/b', 'a'], undefined, b],
    ['the contexts of all files are known', ['a', 'd/b'], 'b', b],
    ['entries are not combined', ['a', 'again'], 'own', { ...a, context: 'own', namespace: 'ns' }],
    [
      'the first entry with a name counts',
      ['again', 'a'],
      undefined,
      {
        server: 'https://other',
        tlsServerName: 'x',
        username: 'u',
        password: 'p',
        context: 'own',
        namespace: 'ns',
      },
    ],
    ['a missing file is ignored', ['missing', 'a'], undefined, a],
    ['an empty file is ignored', ['empty', 'a', 'comment'], undefined, a],
    ['an empty name is ignored', ['', '', 'a'], undefined, a],
  ])('%s', async (_, list, context, expected) => {
    expect(await load(files, list, context)).toEqual(expected);
  });

  test('a file that is not a kubeconfig is an error at any position', async () => {
    await expect(load({ a: one('a'), list: '- a' }, ['a', 'list'])).rejects.toThrow(/list is malformed/);
  });

  test('paths are relative to the folder of their file, and so are commands that are paths', async () => {
    const users = (command: string): string =>
      `tokenFile: ../token, exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command}}`;
    const content = user(users('./plugin'), 'server: "https://1", certificate-authority: certs/ca.crt');
    const pieces = { token: 't', 'd/certs/ca.crt': 'CA', 'd/a': content };
    expect(await load({ ...pieces, z: 'current-context: zz' }, ['d/a', 'z'])).toMatchObject({
      caFile: join(directory, 'd/certs/ca.crt'),
      tokenFile: join(directory, 'token'),
      exec: { command: join(directory, 'd/plugin') },
    });
    expect(await load({ 'd/a': user(users('plugin')) }, ['d/a'])).toMatchObject({
      exec: { command: 'plugin' },
    });
    expect(await load({ 'd/a': user(users('bin/plugin')) }, ['d/a'])).toMatchObject({
      exec: { command: join(directory, 'd/bin/plugin') },
    });
  });

  test('YAML merge keys are read, and the last of two equal keys counts', async () => {
    const merged = user('<<: {token: t}').replace(
      'current-context: a',
      'current-context: gone\ncurrent-context: a',
    );
    expect(await load({ merged }, ['merged'])).toEqual({ server: 'https://1', token: 't', context: 'a' });
  });
});

// What `kubectl get --raw /version` of kubectl 1.32 does with such users.
describe('users are read as kubectl does', () => {
  const plugin = (fields: string): string => user(`exec: {command: x, ${fields}}`);
  const v1 = 'apiVersion: client.authentication.k8s.io/v1';

  test.each([
    ['tokenFile: missing, token: t', { token: 't', tokenFile: expect.stringContaining('missing') }],
    ['as-user-extra: {}, as-groups: [], token: t', { token: 't' }],
    [
      'as: a, as-uid: b, as-groups: [c], as-user-extra: {d/e: [f]}',
      {
        impersonate: { user: 'a', uid: 'b', groups: ['c'], extra: { 'd/e': ['f'] } },
      },
    ],
  ])('%s', async (fields, expected) => {
    expect(await load({ a: user(fields) }, ['a'])).toEqual({
      server: 'https://1',
      context: 'a',
      ...expected,
    });
  });

  test.each([
    [v1, 'interactiveMode must be one of Never, IfAvailable, Always'],
    [`${v1}, interactiveMode: Foo`, 'interactiveMode must be one of'],
    [
      `${v1}alpha1, interactiveMode: Never`,
      'apiVersion "client.authentication.k8s.io/v1alpha1" is not supported',
    ],
    ['interactiveMode: Never', 'apiVersion is missing'],
    [`${v1}, interactiveMode: Never, command: ""`, 'command is missing'],
    [`${v1}, interactiveMode: Never, env: [{value: x}]`, 'a variable has no name'],
    [`${v1}, interactiveMode: Never, args: x`, 'args is not a list of strings'],
  ])('a plugin with %s is refused', async (fields, message) => {
    await expect(load({ a: plugin(fields) }, ['a'])).rejects.toThrow(message);
  });

  test('a plugin of v1beta1 needs no mode', async () => {
    expect(await load({ a: plugin(`${v1}beta1`) }, ['a'])).toMatchObject({
      exec: { interactiveMode: 'IfAvailable' },
    });
  });

  test('a server without TLS receives no credentials, but does receive the impersonated user', async () => {
    const content = user('token: t, as: jane', 'server: "http://1"');
    expect(await load({ a: content }, ['a'])).toEqual({
      server: 'http://1',
      context: 'a',
      impersonate: { user: 'jane' },
    });
  });

  test('a context without a user has no credentials', async () => {
    const content = 'current-context: a\nclusters: [{name: a, cluster: {server: "https://1"}}]';
    expect(await load({ a: `${content}\ncontexts: [{name: a, context: {cluster: a}}]` }, ['a'])).toEqual({
      server: 'https://1',
      context: 'a',
    });
  });
});
