import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inClusterConfig } from './in-cluster-config.ts';
import { loadConfig } from './load-config.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-kubeconfig-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** A kubeconfig of one context whose cluster and user have these fields. */
function kubeconfig(user: object, cluster: object = {}, name = 'one'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://${name}:6443`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: `ns-${name}` } }],
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the location of the configuration', () => {
  const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

  test('the option wins over KUBECONFIG, and that over the pod and the home directory', async () => {
    const option = await file('option', kubeconfig({}, {}, 'option'));
    const variable = await file('variable', kubeconfig({}, {}, 'variable'));
    await file('.kube/config', kubeconfig({}, {}, 'home'));
    const env = { HOME: directory, KUBECONFIG: variable, ...pod };
    expect(await loadConfig({ kubeconfig: option, env })).toMatchObject({ server: 'https://option:6443' });
    expect(await loadConfig({ env })).toMatchObject({ server: 'https://variable:6443' });
    expect(await loadConfig({ env: { HOME: directory } })).toMatchObject({ server: 'https://home:6443' });
    // As in controller-runtime, also in a pod that has no service account mounted, which is else an error.
    expect(await loadConfig({ env: { HOME: directory, ...pod } })).toMatchObject({
      server: 'https://home:6443',
    });
    await expect(loadConfig({ env: { HOME: '/nowhere', ...pod } })).rejects.toThrow('This is a pod');
  });

  test('the files of KUBECONFIG are merged, the first wins, and missing ones are ignored', async () => {
    const first = await file('first', kubeconfig({ token: 'first' }, {}, 'one'));
    const second = await file(
      'second',
      JSON.stringify({
        'current-context': 'two',
        users: [{ name: 'one', user: { token: 'second' } }],
        contexts: [{ name: 'two', context: { cluster: 'one', user: 'one' } }],
      }),
    );
    const env = { KUBECONFIG: [join(directory, 'missing'), first, second].join(delimiter) };
    expect(await loadConfig({ env })).toMatchObject({ token: 'first', namespace: 'ns-one' });
    expect(await loadConfig({ env, context: 'two' })).toEqual({
      server: 'https://one:6443',
      token: 'first',
      context: 'two',
    });
  });

  test('the service account of a pod wins over the home directory, and not over KUBECONFIG', async () => {
    for (const name of ['token', 'ca.crt']) await file(`mount/${name}`, 'x');
    await file('.kube/config', kubeconfig({}, {}, 'home'));
    const variable = await file('variable', kubeconfig({}, {}, 'variable'));
    const serviceAccount = join(directory, 'mount');
    const env = { HOME: directory, ...pod };
    expect(await loadConfig({ env }, { serviceAccount })).toMatchObject({ server: 'https://10.0.0.1:443' });
    expect(await loadConfig({ env: { ...env, KUBECONFIG: variable } }, { serviceAccount })).toMatchObject({
      server: 'https://variable:6443',
    });
  });

  test('no configuration at all is an error that says what to do', async () => {
    await expect(loadConfig({ env: { HOME: directory } })).rejects.toMatchObject({
      code: 'CONNECTION_CONFIG',
      hint: expect.stringContaining('KUBECONFIG'),
    });
    const env = { HOME: directory, KUBECONFIG: join(directory, 'missing') };
    await expect(loadConfig({ env })).rejects.toThrow(/Cannot read the kubeconfig .*missing/);
  });
});

describe('a kubeconfig', () => {
  test('contains a token, data in base64, and the namespace', async () => {
    const path = await file(
      'config',
      kubeconfig(
        { token: 't', 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
        {
          'certificate-authority-data': base64('CA'),
          'tls-server-name': 'inside',
          'disable-compression': true,
        },
      ),
    );
    expect(await loadConfig({ kubeconfig: path })).toEqual({
      server: 'https://one:6443',
      context: 'one',
      namespace: 'ns-one',
      token: 't',
      certData: 'CERT',
      keyData: 'KEY',
      caData: 'CA',
      tlsServerName: 'inside',
      disableCompression: true,
    });
  });

  test('names files relative to its folder', async () => {
    await file('certs/ca.crt', 'CA');
    await file('certs/client.crt', 'CERT');
    await file('certs/client.key', 'KEY');
    await file('token', 'T');
    const path = await file(
      'config',
      kubeconfig(
        { tokenFile: 'token', 'client-certificate': 'certs/client.crt', 'client-key': 'certs/client.key' },
        { 'certificate-authority': 'certs/ca.crt' },
      ),
    );
    expect(await loadConfig({ kubeconfig: path })).toMatchObject({
      tokenFile: join(directory, 'token'),
      certFile: join(directory, 'certs/client.crt'),
      keyFile: join(directory, 'certs/client.key'),
      caFile: join(directory, 'certs/ca.crt'),
    });
  });
});

/** Aliases of aliases: a few lines that expand to millions of values. */
const bomb = [
  'a0: &a0 [x]',
  ...[1, 2, 3, 4, 5, 6, 7].map((level) => `a${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`),
].join('\n');

describe('a refused kubeconfig', () => {
  test.each([
    ['an auth provider', { 'auth-provider': { name: 'gcp' } }, {}, 'removed in 1.26'],
    ['a server that is not a URL', {}, { server: 'one two' }, 'is not a URL'],
    [
      'a certificate without its key',
      { 'client-certificate-data': base64('CERT') },
      {},
      'must both be given',
    ],
    [
      'a file that is missing',
      { 'client-certificate': 'nope', 'client-key': 'nope' },
      {},
      'cannot read client-certificate',
    ],
    [
      'authorities that are missing',
      {},
      { 'certificate-authority': 'nope' },
      'cannot read certificate-authority',
    ],
    ['a token file that is missing', { tokenFile: 'nope' }, {}, 'cannot read tokenFile'],
    ['two logins', { username: 'u', password: 'p', token: 't' }, {}, 'cannot both be used'],
    [
      'authorities that have no effect',
      {},
      { 'certificate-authority-data': base64('CA'), 'insecure-skip-tls-verify': true },
      'have no effect',
    ],
    ['groups without a user to act as', { 'as-groups': ['a'] }, {}, 'need a user to act as'],
    ['a uid without a user to act as', { 'as-uid': '7' }, {}, 'need a user to act as'],
    ['extra without a user to act as', { 'as-user-extra': { a: ['b'] } }, {}, 'need a user to act as'],
    ['a proxy of another kind', {}, { 'proxy-url': 'ftp://u:secret@p' }, 'not an http, https or socks5 URL'],
    ['data that is not base64', { 'client-key-data': '%%' }, {}, 'client-key-data is not base64'],
    ['a flag that is text', {}, { 'insecure-skip-tls-verify': 'true' }, 'neither true nor false'],
    ['no server', {}, { server: '' }, 'has no server'],
    ['a number for a token', { token: 7 }, {}, 'token is not a string'],
  ])('has %s', async (_, user, cluster, message) => {
    const path = await file('config', kubeconfig(user, cluster));
    await expect(loadConfig({ kubeconfig: path })).rejects.toMatchObject({
      code: 'CONNECTION_CONFIG',
      message: expect.stringContaining(message),
    });
  });

  // A kubeconfig may come from anywhere, and messages about it appear on a terminal.
  test.each<[string, string, string]>([
    [
      'a path',
      kubeconfig({}, { 'certificate-authority': 'no\nsuch\u001b[2J' }),
      'cannot read certificate-authority: ENOENT',
    ],
    [
      'a command',
      kubeconfig({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x\u001b[2J' } }),
      'command has control characters',
    ],
    [
      'the name of a context',
      JSON.stringify({ contexts: [{ name: 'a\u001b[2J' }] }),
      'has no current-context',
    ],
    // JSON does not escape control characters of one byte.
    ['the current context', JSON.stringify({ 'current-context': 'a\u009b2J' }), 'has no context'],
    ['a server', kubeconfig({}, { server: 'a\u009b2J' }), 'is not a URL'],
    ['the name of a user', JSON.stringify({ users: [{ name: '\u009b', user: 5 }] }), 'is not a mapping'],
  ])('control characters in %s are not repeated', async (_, content, message) => {
    const path = await file('config', content);
    const error = (await loadConfig({ kubeconfig: path }).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: 'CONNECTION_CONFIG', message: expect.stringContaining(message) });
    expect(`${error.message}${(error as unknown as { hint: string }).hint}`).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ['not YAML', 'a: [', 'not valid YAML'],
    ['not a mapping', '- a', 'expected a mapping'],
    ['of another kind', 'kind: Pod', 'its kind is not Config'],
    ['a current context that is a number', 'current-context: 5', 'current-context is not a string'],
    ['the same name twice', 'users: [{name: a}, {name: a}]', 'user "a" appears twice'],
    ['millions of values behind aliases', bomb, 'too many aliases'],
    ['too deep', '['.repeat(20_000), 'not valid YAML'],
    ['too large', ' '.repeat(11 * 1024 * 1024), 'larger than'],
    ['empty', '', 'has no current-context'],
    ['a list of clusters that is not a list', 'clusters: 5', 'clusters is not a list'],
    ['an entry without a name', 'users: [{user: {}}]', 'has no name'],
    ['no current context', 'contexts: []', 'has no current-context'],
    ['a context that is not there', 'current-context: gone\ncontexts: [{name: here}]', 'no context "gone"'],
    [
      'a cluster that is not there',
      'current-context: a\ncontexts: [{name: a, context: {cluster: c}}]',
      'the cluster "c"',
    ],
  ])('a malformed file is refused: %s', async (_, content, message) => {
    const path = await file('config', content);
    const error = await loadConfig({ kubeconfig: path }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'CONNECTION_CONFIG', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('\n');
  });
});

describe('in a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  test('the service account is used, with the token from its file', async () => {
    const tokenFile = await file('token', 'T');
    await file('ca.crt', 'CA');
    await file('namespace', 'system\n');
    expect(await inClusterConfig(env, directory)).toEqual({
      server: 'https://[fd00::1]:443',
      context: 'in-cluster',
      tokenFile,
      caFile: join(directory, 'ca.crt'),
      namespace: 'system',
    });
    expect(await inClusterConfig({}, directory)).toBeUndefined();
  });
});
