import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { eventually } from '../../../test/eventually.ts';
import { VirtualClock } from '../../../test/virtual-clock.ts';
import type { ConnectionConfig, ExecPluginConfig } from '../../kubeconfig/connection-config.ts';
import { ExecPluginLogin } from './exec-plugin-login.ts';

const terminal = vi.hoisted(() => ({ isThere: false }));
vi.mock('node:tty', () => ({ isatty: () => terminal.isThere }));

const apiVersion = 'client.authentication.k8s.io/v1';

/** Records its input, then does what `answer` says. A shell starts in a fraction of the time that Node takes. */
const plugin = `
printf '%s\\n' "$KUBERNETES_EXEC_INFO" >> runs
printf '%s\\n' "$GIVEN" "$@" > arguments
. ./answer
`;

let directory: string;
let logins: ExecPluginLogin[] = [];
const { signal } = new AbortController();

beforeEach(async () => {
  terminal.isThere = false;
  directory = await mkdtemp(join(tmpdir(), 'ots-exec-'));
  await writeFile(join(directory, 'plugin'), `cd '${directory}'${plugin}`);
});

afterEach(async () => {
  for (const login of logins) login.close();
  logins = [];
  await eventually(
    () => !process.getActiveResourcesInfo().includes('ProcessWrap'),
    'the end of every plugin',
  );
  await rm(directory, { recursive: true });
});

function setUp(exec: Partial<ExecPluginConfig> = {}, config: Partial<ConnectionConfig> = {}) {
  const clock = new VirtualClock();
  const login = new ExecPluginLogin({
    exec: { apiVersion, command: 'sh', args: [join(directory, 'plugin')], ...exec },
    config: { server: 'https://s', ...config },
    clock,
    caText: () => 'CA',
  });
  logins.push(login);
  return { clock, login };
}

const answer = (script: string): Promise<void> => writeFile(join(directory, 'answer'), script);

async function give(status: object): Promise<void> {
  const credential = { kind: 'ExecCredential', apiVersion, status };
  await writeFile(join(directory, 'credential'), JSON.stringify(credential));
  await answer('cat credential');
}

async function linesOf(name: string): Promise<string[]> {
  return (await readFile(join(directory, name), 'utf8')).trimEnd().split('\n');
}

/** What each run received about itself and the cluster. */
async function runs(): Promise<unknown[]> {
  return (await linesOf('runs')).map((line): unknown => JSON.parse(line));
}

describe('a plugin receives', () => {
  test('its unchanged arguments, its environment, and only the requested information about the cluster', async () => {
    await give({ token: 't' });
    const { login } = setUp({
      args: [join(directory, 'plugin'), 'a b', '$HOME;'],
      env: [{ name: 'GIVEN', value: 'x' }],
    });
    await login.refresh(signal);
    expect(login.current().headers).toEqual({ authorization: 'Bearer t' });
    expect(await runs()).toEqual([{ kind: 'ExecCredential', apiVersion, spec: { interactive: false } }]);
    expect(await linesOf('arguments')).toEqual(['x', 'a b', '$HOME;']);
  });

  test('the cluster, if the plugin requests it', async () => {
    await give({ token: 't' });
    const { login } = setUp(
      { provideClusterInfo: true, clusterConfig: { audience: 'a' }, interactiveMode: 'Never' },
      { proxyUrl: 'http://p', tlsServerName: 'n' },
    );
    await login.refresh(signal);
    const cluster = {
      server: 'https://s',
      'tls-server-name': 'n',
      'certificate-authority-data': Buffer.from('CA').toString('base64'),
      'proxy-url': 'http://p',
      config: { audience: 'a' },
    };
    expect(await runs()).toMatchObject([{ spec: { interactive: false, cluster } }]);
  });
});

test.each([
  ['Never', true, false],
  ['IfAvailable', true, true],
  ['IfAvailable', false, false],
  ['Always', true, true],
] as const)('mode %s, with a terminal: %s', async (interactiveMode, isTerminal, interactive) => {
  terminal.isThere = isTerminal;
  await give({ token: 't' });
  await setUp({ interactiveMode }).login.refresh(signal);
  expect(await runs()).toMatchObject([{ spec: { interactive } }]);
});

describe('a plugin runs', () => {
  test('once for concurrent requests, and again after its expiry', async () => {
    const { clock, login } = setUp();
    await give({ token: 'one', expirationTimestamp: new Date(clock.epoch() + 60_000).toISOString() });
    await Promise.all([login.refresh(signal), login.refresh(signal), login.refresh(signal)]);
    await clock.advance(59_999);
    await login.refresh(signal);
    expect(await runs()).toHaveLength(1);
    await give({ token: 'two' });
    await clock.advance(1);
    await login.refresh(signal);
    expect(login.current().headers).toEqual({ authorization: 'Bearer two' });
    await clock.advance(10 ** 9);
    await login.refresh(signal);
    expect(await runs()).toHaveLength(2);
  });

  test('again after the server refused the credentials, once for all refused requests', async () => {
    await give({ token: 'one' });
    const { login } = setUp();
    await login.refresh(signal);
    const refused = login.current();
    await give({ token: 'two' });
    expect(await login.rejected(refused)).toBe(true);
    await login.refresh(signal);
    expect(await login.rejected(refused)).toBe(true);
    await login.refresh(signal);
    expect(login.current().headers).toEqual({ authorization: 'Bearer two' });
    expect(await runs()).toHaveLength(2);
  });

  test('a failed run is not cached', async () => {
    await answer('exit 3');
    const { login } = setUp();
    await expect(login.refresh(signal)).rejects.toThrow(/exited with code 3/);
    await give({ token: 't' });
    await login.refresh(signal);
    expect(login.current().headers).toEqual({ authorization: 'Bearer t' });
  });

  test('a canceled request does not end the run for the others', async () => {
    await give({ token: 't' });
    const { login } = setUp();
    const first = new AbortController();
    const refused = login.refresh(first.signal);
    const other = login.refresh(signal);
    first.abort(new Error('given up'));
    await expect(refused).rejects.toThrow('given up');
    await expect(login.refresh(first.signal)).rejects.toThrow('given up');
    await other;
    expect(await runs()).toHaveLength(1);
  });
});

test('a plugin can return a certificate with its key', async () => {
  const { cert, key } = selfSignedCertificate({ names: ['me'] });
  await give({ clientCertificateData: cert, clientKeyData: key });
  const { login } = setUp();
  await login.refresh(signal);
  expect(login.current()).toEqual({ headers: {}, keyPair: { cert, key } });
});

describe('failures name the plugin and what to do, and never quote it', () => {
  const secret = 'the-secret';

  test.each([
    ['no credential', () => answer(`echo ${secret}`), 'printed something other'],
    ['a token of two lines', () => give({ token: `${secret}\nx` }), 'cannot be sent in a header'],
    ['too much', () => answer(`exec yes ${secret}`), 'printed more than'],
    ['its own death', () => answer('kill -9 $$'), 'was killed by SIGKILL'],
  ])('%s', async (_, prepare, message) => {
    await prepare();
    const { login } = setUp();
    const error = await login.refresh(signal).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'CONNECTION_CONFIG', message: expect.stringContaining(message) });
    expect(JSON.stringify([String(error), error, (error as Error).cause])).not.toContain(secret);
  });

  test('a plugin that is not installed is an error with its install hint', async () => {
    const installHint = 'Get it\u001b[2J\nfrom there.';
    await expect(
      setUp({ command: 'no-such-plugin', installHint }).login.refresh(signal),
    ).rejects.toMatchObject({
      message: 'The credential plugin no-such-plugin is not installed',
      hint: 'Get it [2J from there.',
    });
  });

  // The errors of Node for a program that does not start contain its arguments, which may be secret.
  test.each([
    ['does not exist', 'no-such-plugin', '', 'is not installed'],
    ['is not a program', tmpdir(), '', 'cannot be started (EACCES)'],
    ['has a NUL byte in an argument', process.execPath, '\0', 'cannot be started (ERR_INVALID_ARG_VALUE)'],
    ['has too long an argument', process.execPath, 'x'.repeat(200_000), 'cannot be started (E2BIG)'],
  ])('no argument of a plugin that %s is revealed', async (_, command, end, message) => {
    const { login } = setUp({ command, args: [`--client-secret=s3cr3t${end}`] });
    const error: unknown = await login.refresh(signal).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'CONNECTION_CONFIG', message: expect.stringContaining(message) });
    expect(inspect(error, { depth: 9 })).not.toContain('s3cr3t');
  });

  test('a plugin that needs a terminal is refused without one', async () => {
    await expect(setUp({ interactiveMode: 'Always' }).login.refresh(signal)).rejects.toThrow(
      /needs a terminal/,
    );
  });

  test('a plugin that hangs is killed after a minute, and with close', async () => {
    await answer('exec sleep 100');
    const { clock, login } = setUp();
    const slow = login.refresh(signal);
    slow.catch(() => {});
    await eventually(() => clock.delays.includes(60_000));
    await clock.advance(60_000);
    await expect(slow).rejects.toThrow(/did not end within 60 s/);
    const closed = login.refresh(signal);
    login.close();
    await expect(closed).rejects.toThrow('The client is closed');
  });
});
