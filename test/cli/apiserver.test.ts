import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type RequestOptions, createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { send as sendTo } from 'ots-apiserver';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { get } from '../support/get.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const crd = (kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.crew.example.com` },
  spec: {
    group: 'crew.example.com',
    names: { plural: `${kind.toLowerCase()}s`, kind },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

interface Running {
  readonly output: { stdout: string; stderr: string };
  /** Sends a signal. @returns the exit code */
  readonly end: (signal?: NodeJS.Signals) => Promise<number>;
}

/** Starts `ots apiserver` in this process and waits until it serves, or ends. */
async function start(cwd: string, ...flags: string[]): Promise<Running> {
  const output = { stdout: '', stderr: '' };
  let wake = () => {};
  const spoken = new Promise<void>((resolve) => (wake = resolve));
  const stream = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk: Buffer, _, done) {
        output[name] += chunk.toString('utf8');
        if (/Kubeconfig: |\}\n$/.test(output.stdout)) wake();
        done();
      },
    }) as NodeJS.WriteStream;
  let send: (signal: NodeJS.Signals) => void = () => {};
  const signal = new Promise<NodeJS.Signals>((resolve) => (send = resolve));
  const context = { stdout: stream('stdout'), stderr: stream('stderr'), untilSignal: () => signal };
  const done = run(cwd, ['apiserver', ...flags], context);
  const end = async (name: NodeJS.Signals = 'SIGINT') => {
    send(name);
    return (await done).code;
  };
  onTestFinished(async () => {
    await end();
  });
  await Promise.race([spoken, done]);
  expect(output.stderr).toBe('');
  return { output, end };
}

const clusterOf = (kubeconfig: string) => parse(readFileSync(kubeconfig, 'utf8')).clusters[0].cluster;
const userOf = (kubeconfig: string) => parse(readFileSync(kubeconfig, 'utf8')).users[0].user;
const caOf = (kubeconfig: string) =>
  Buffer.from(clusterOf(kubeconfig)['certificate-authority-data'], 'base64').toString();

/** Starts a webhook that refuses everything, and says at which path. @param name in its certificate */
async function startWebhook(name: string): Promise<{ url: string; ca: string }> {
  const { cert, key } = selfSignedCertificate({ names: [name], isAuthority: true });
  const server = createHttpsServer({ cert, key }, (request, response) => {
    void json(request).then((body) => {
      const { apiVersion, kind, request: asked } = body as ReviewBody;
      const message = `refused at ${request.url?.split('?')[0]}`;
      const status = { status: 'Failure', message };
      const answer = { uid: asked.uid, allowed: false, status, result: status };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion, kind, response: answer }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: cert };
}

interface ReviewBody {
  apiVersion: string;
  kind: string;
  request: { uid: string };
}

/** Creates a configuration whose webhook is behind the Service system/webhook-service. */
async function refuseConfigMaps(server: string, ca = ''): Promise<void> {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const service = { namespace: 'system', name: 'webhook-service', path: '/validate' };
  const webhook = {
    name: 'v.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service, caBundle: Buffer.from(ca).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  };
  const { code } = await sendTo({ server }, 'POST', path, { metadata: { name: 'v' }, webhooks: [webhook] });
  expect(code).toBe(201);
}

async function createConfigMap(server: string): Promise<string | undefined> {
  const path = '/api/v1/namespaces/default/configmaps';
  const { body } = await sendTo({ server }, 'POST', path, { metadata: { name: 'a' } });
  return (body as { message?: string }).message;
}

describe('ots apiserver', () => {
  test('prints what it serves and stops on a signal', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'crds'));
    writeFileSync(join(directory, 'crds', 'captains.yaml'), stringify(crd('Captain')));
    writeFileSync(join(directory, 'sailors.yaml'), stringify(crd('Sailor')));
    const { output, end } = await start(
      directory,
      '--kubeconfig',
      'kubeconfig',
      '--crds',
      'crds',
      'sailors.yaml',
    );
    const file = join(directory, 'kubeconfig');
    const { server } = clusterOf(file);
    expect(output.stdout).toBe(
      `Serving the Kubernetes API on ${server}; press Ctrl-C to stop\nKinds: built-in, Captain (crew.example.com/v1), Sailor (crew.example.com/v1)\nKubeconfig: ${file}\n`,
    );
    expect(server).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await get(`${server}/apis/crew.example.com/v1/sailors`)).code).toBe(200);
    expect(await end('SIGTERM')).toBe(143);
    await expect(get(`${server}/readyz`)).rejects.toThrow('ECONNREFUSED');
  });

  test('prints one JSON line with --json', async () => {
    const { output, end } = await start(temporaryDirectory(), '--json');
    expect(output.stdout.split('\n')).toHaveLength(2);
    const { url, ...rest } = JSON.parse(output.stdout);
    expect(rest).toEqual({ kubeconfig: null, data: null, kinds: [], nodes: null });
    expect((await get(`${url}/readyz`)).code).toBe(200);
    expect(await end()).toBe(130);
  });

  test('runs workloads beside the server', async () => {
    const directory = temporaryDirectory();
    const { output, end } = await start(directory, '--workloads', '2', '--kubeconfig', 'kubeconfig');
    expect(output.stdout).toContain('\nWorkloads: controllers and 2 simulated nodes\n');
    const { server } = clusterOf(join(directory, 'kubeconfig'));
    const client = new Client({ server });
    onTestFinished(() => client.close());
    const labels = { app: 'web' };
    await client.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
    });
    await vi.waitFor(async () => {
      const { status } = await client.getOrThrow(Deployment, { namespace: 'default', name: 'web' });
      expect(status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
    }, 20_000);
    const { items } = await client.list(Pod, { namespace: 'default' });
    expect(items.map(({ spec }) => spec?.nodeName ?? '').toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'node-1',
      'node-2',
    ]);
    expect(await end()).toBe(130);
    expect(output.stderr).toBe('');
  });

  test('serves TLS to a client that trusts its certificate', async () => {
    const directory = temporaryDirectory();
    await start(directory, '--tls', '--kubeconfig', 'kubeconfig');
    const file = join(directory, 'kubeconfig');
    const { server } = clusterOf(file);
    expect((await get(`${server}/version`, { ca: caOf(file) })).code).toBe(200);
    await expect(get(`${server}/version`)).rejects.toThrow('self-signed certificate');
  });

  test('requires the certificate in the kubeconfig on a public address', async () => {
    const directory = temporaryDirectory();
    const flags = ['--host', '0.0.0.0', '--tls', '--kubeconfig', 'kubeconfig'];
    await start(directory, ...flags);
    const file = join(directory, 'kubeconfig');
    const { server } = clusterOf(file);
    const user = userOf(file);
    expect(Object.keys(user)).toEqual(['client-certificate-data', 'client-key-data']);
    const [cert, key] = Object.values<string>(user).map((text) => Buffer.from(text, 'base64'));
    const ask = async (path: string, options: RequestOptions) => {
      const { code, body } = await get(`${server}${path}`, { ca: caOf(file), ...options });
      return code === 200 ? code : [code, JSON.parse(body).reason];
    };
    const authorization = (value: string) => ({ headers: { authorization: value } });
    expect(await ask('/api/v1/namespaces', { cert, key })).toBe(200);
    expect(await ask('/api/v1/namespaces', authorization('Bearer x'))).toEqual([401, 'Unauthorized']);
    expect(await ask('/api/v1/namespaces', authorization('Basic x'))).toEqual([403, 'Forbidden']);
    expect(await ask('/api/v1/namespaces', {})).toEqual([403, 'Forbidden']);
    expect(await ask('/readyz', {})).toBe(200);
    expect(await ask('/readyz', authorization('Bearer x'))).toEqual([401, 'Unauthorized']);
    expect(await ask('/readyzz', {})).toEqual([403, 'Forbidden']);
  });

  test('serves users with tokens, who have contexts in the kubeconfig', async () => {
    const directory = temporaryDirectory();
    const lines = [
      'jane-token,jane,u-1,"dev,test"',
      '',
      '"a""b","joe ""j""",',
      'root,root,,system:masters\r',
      '',
    ];
    writeFileSync(join(directory, 'users.csv'), lines.join('\n'));
    const flags = ['--users', 'users.csv', '--kubeconfig', 'kubeconfig'];
    const { end } = await start(directory, ...flags);
    const file = join(directory, 'kubeconfig');
    const { server } = clusterOf(file);
    expect(server).toMatch(/^https:/);
    const { contexts, users, ...rest } = parse(readFileSync(file, 'utf8'));
    expect(rest['current-context']).toBe('ots-apiserver');
    expect(contexts.map(({ name }: { name: string }) => name)).toEqual([
      'ots-apiserver',
      'jane@ots-apiserver',
      'joe "j"@ots-apiserver',
      'root@ots-apiserver',
    ]);
    expect(users[2]).toEqual({ name: 'joe "j"@ots-apiserver', user: { token: 'a"b' } });
    const ask = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const { code, body } = await get(`${server}${path}`, { ca: caOf(file), headers });
      return code === 200 ? code : JSON.parse(body).message;
    };
    expect(await ask('/api/v1/nodes', 'jane-token')).toMatch(/^nodes is forbidden: User "jane" cannot list/);
    expect(await ask('/api/v1/nodes', 'a"b')).toMatch(/^nodes is forbidden: User "joe \\"j\\"" cannot list/);
    expect(await ask('/api/v1/nodes', 'root')).toBe(200);
    expect(await ask('/api/v1/nodes')).toMatch(/User "system:anonymous"/);
    expect(await ask('/api/v1/nodes', 'jane')).toBe('Unauthorized');
    const left = readFileSync(file);
    await end();
    writeFileSync(file, left); // as a run that was killed leaves it
    await start(directory, ...flags);
    expect(clusterOf(file).server).not.toBe(server);
  });

  test.each([
    ['missing.csv', undefined, /missing\.csv does not exist$/],
    ['.', undefined, /cannot be read: .+$/],
    ['users.csv', '\n', /users\.csv contains no users$/],
    [
      'users.csv',
      'a,b',
      /Line 1 of \S+users\.csv is not a user: it has 2 of at least 3 values: token, name, UID$/,
    ],
    ['users.csv', 'a,b,c\n\n,b,c', /Line 3 of \S+ is not a user: its token is empty or has characters .+$/],
    ['users.csv', 'a b,b,c', /Line 1 of \S+ is not a user: its token is empty or has characters .+$/],
    ['users.csv', 'a,,c', /Line 1 of \S+ is not a user: its user has no name$/],
    ['users.csv', 'a,b,c\na,d,e', /Line 2 of \S+ is not a user: another line has the same token$/],
    [
      'users.csv',
      'a,"b,c',
      /Line 1 of \S+ is not a user: its quotes are not those of comma-separated values$/,
    ],
    [
      'users.csv',
      'a,b"c",d',
      /Line 1 of \S+ is not a user: its quotes are not those of comma-separated values$/,
    ],
  ])('refuses the users of %s: %j', async (file, content, message) => {
    const directory = temporaryDirectory();
    if (content !== undefined) writeFileSync(join(directory, file), content);
    const { code, stderr } = await run(directory, ['apiserver', '--users', file, '--dry-run']);
    const [error, hint, ...rest] = stderr.split('\n');
    expect([code, rest]).toEqual([1, ['']]);
    expect(error).toMatch(message);
    expect(hint).toMatch(/^hint: \S/);
  });

  test('accepts a chosen token', async () => {
    const directory = temporaryDirectory();
    const flags = ['--tls', '--token', 'chosen', '--kubeconfig', 'kubeconfig'];
    await start(directory, ...flags);
    const file = join(directory, 'kubeconfig');
    expect(userOf(file)).toEqual({ token: 'chosen' });
    const { server } = clusterOf(file);
    expect((await get(`${server}/api/v1/pods`, { ca: caOf(file) })).code).toBe(403);
  });

  test.each([
    [[], 1],
    [['--controllers'], 1],
    [['--controllers', 'service-accounts,namespaces'], 1],
    [['--controllers=none'], 0],
    [['--controllers', 'garbage-collector'], 0],
  ])('runs controllers: %j', async (flags, accounts) => {
    const { output } = await start(temporaryDirectory(), '--json', ...flags);
    const { url } = JSON.parse(output.stdout);
    const { body } = await get(`${url}/api/v1/namespaces/default/serviceaccounts`);
    expect(JSON.parse(body).items).toHaveLength(accounts);
  });

  test.each([
    [[], 'default', 1],
    [['--controllers', 'garbage-collector'], undefined, 0],
  ])('gives pods a service account if it creates those: %j', async (flags, account, volumes) => {
    const { output } = await start(temporaryDirectory(), '--json', ...flags);
    const { url } = JSON.parse(output.stdout);
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { body } = await sendTo({ server: url }, 'POST', '/api/v1/namespaces/default/pods', pod);
    const { spec } = body as Pod;
    expect([spec?.serviceAccountName, spec?.volumes?.length ?? 0]).toEqual([account, volumes]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'removes the kubeconfig it wrote when %s ends it',
    async (signal) => {
      const directory = temporaryDirectory();
      const { end } = await start(directory, '--kubeconfig', 'kubeconfig');
      expect(readdirSync(directory)).toEqual(['kubeconfig']);
      await end(signal);
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  describe('webhooks behind a Service', () => {
    test.each([
      ['the one that --service names', 'system/webhook-service'],
      ['any, with *', '*'],
    ])('are called at the address of %s', async (_, service) => {
      const directory = temporaryDirectory();
      const webhook = await startWebhook('127.0.0.1');
      writeFileSync(join(directory, 'ca.crt'), webhook.ca);
      const flags = ['--service', `${service}=${webhook.url}/`, '--service-ca', 'ca.crt'];
      const { output } = await start(directory, '--json', ...flags);
      const { url: server } = JSON.parse(output.stdout);
      await refuseConfigMaps(server);
      expect(await createConfigMap(server)).toBe(
        'admission webhook "v.example.com" denied the request: refused at /validate',
      );
    });

    test('are called by the name of the Service if their configuration has the certificate', async () => {
      const webhook = await startWebhook('webhook-service.system.svc');
      const flags = ['--service', 'a/b=https://127.0.0.1:1', '--service', `*=${webhook.url}`];
      const { output } = await start(temporaryDirectory(), '--json', ...flags);
      const { url: server } = JSON.parse(output.stdout);
      await refuseConfigMaps(server, webhook.ca);
      expect(await createConfigMap(server)).toMatch(/denied the request: refused at \/validate$/);
    });

    test('convert the versions of --crds', async () => {
      const directory = temporaryDirectory();
      const webhook = await startWebhook('127.0.0.1');
      writeFileSync(join(directory, 'ca.crt'), webhook.ca);
      const definition = crd('Captain');
      const [v1] = definition.spec.versions;
      const spec = {
        ...definition.spec,
        versions: [v1, { ...v1, name: 'v2', storage: false }],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'system', name: 'webhook-service', path: '/convert' } },
          },
        },
      };
      writeFileSync(join(directory, 'crd.yaml'), stringify({ ...definition, spec }));
      const path = '/apis/crew.example.com/v2/namespaces/default/captains';
      const captain = { apiVersion: 'crew.example.com/v2', kind: 'Captain', metadata: { name: 'a' } };
      const flags = ['--json', '--crds', 'crd.yaml', '--service-ca', 'ca.crt', '--service'];
      const answers = async (service: string) => {
        const { output } = await start(directory, ...flags, `${service}=${webhook.url}`);
        const server = JSON.parse(output.stdout).url as string;
        const { code, body } = await sendTo({ server }, 'POST', path, captain);
        return [code, (body as { message?: string }).message];
      };
      expect(await answers('system/webhook-service')).toEqual([
        500,
        'conversion webhook for crew.example.com/v2, Kind=Captain failed: refused at /convert',
      ]);
      expect(await answers('system/another-service')).toEqual([201, undefined]);
    });

    test.each([
      ['missing.crt', undefined, /missing\.crt does not exist$/],
      ['.', undefined, /cannot be read: .+$/],
      ['ca.crt', 'certificates', /ca\.crt contains no certificate in PEM$/],
      [
        'ca.crt',
        '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        /ca\.crt contains a certificate that cannot be read: .+$/,
      ],
    ])('need certificates: %s %j', async (file, content, message) => {
      const directory = temporaryDirectory();
      if (content !== undefined) writeFileSync(join(directory, file), content);
      const flags = ['--service', '*=https://127.0.0.1:9443', '--service-ca', file, '--dry-run'];
      const { code, stderr } = await run(directory, ['apiserver', ...flags]);
      const [error, hint, ...rest] = stderr.split('\n');
      expect([code, rest]).toEqual([1, ['']]);
      expect(error).toMatch(message);
      expect(hint).toMatch(/^hint: \S/);
    });
  });

  test('removes its kubeconfig when it fails', async () => {
    const directory = temporaryDirectory();
    const stdout = new Writable({
      write() {
        throw new Error('the reader has gone');
      },
    }) as NodeJS.WriteStream;
    expect((await run(directory, ['apiserver', '--kubeconfig', 'kubeconfig'], { stdout })).code).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('keeps a kubeconfig that another process wrote', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'kubeconfig');
    const first = await start(directory, '--kubeconfig', 'kubeconfig');
    await start(directory, '--kubeconfig', 'kubeconfig');
    const { server } = clusterOf(file);
    await first.end();
    expect(clusterOf(file).server).toBe(server);
  });

  test('writes through a symbolic link, also after its target was removed', async () => {
    const directory = temporaryDirectory();
    const [link, file] = [join(directory, 'link'), join(directory, 'file')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    const first = await start(directory, '--kubeconfig', 'link');
    expect(clusterOf(file)).toEqual(clusterOf(link));
    await first.end();
    expect(existsSync(file)).toBe(false);
    const second = await start(directory, '--kubeconfig', 'link');
    expect(clusterOf(link).server).toMatch(/^http:/);
    await second.end();
    expect(readdirSync(directory)).toEqual([]);
  });

  test('replaces the kubeconfig of an earlier run, and nothing else', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'kubeconfig');
    const first = await start(directory, '--kubeconfig', 'kubeconfig');
    const { server } = clusterOf(file);
    const left = readFileSync(file);
    await first.end();
    writeFileSync(file, left); // as a run that was killed leaves it
    const second = await start(directory, '--kubeconfig', 'kubeconfig');
    expect(clusterOf(file).server).not.toBe(server);
    await second.end();
    await using environment = await TestEnvironment.start({ env: {} });
    for (const content of [environment.kubeconfig, 'a: [', 'contexts: []\n']) {
      writeFileSync(file, content);
      const { code, stderr } = await run(directory, ['apiserver', '--kubeconfig', 'kubeconfig']);
      expect([code, stderr]).toEqual([
        1,
        `error: ${file} exists, and ots apiserver did not write it\nhint: Choose another file with --kubeconfig.\n`,
      ]);
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
  });

  test('tries everything with --dry-run and stops', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'crd.yaml'), stringify(crd('Captain')));
    const flags = ['--dry-run', '--crds', 'crd.yaml', '--kubeconfig', 'kubeconfig'];
    const { code, stdout } = await run(directory, ['apiserver', ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Would serve the Kubernetes API on \S+\nKinds: built-in, Captain/);
    expect(() => statSync(join(directory, 'kubeconfig'))).toThrow('ENOENT');
  });

  const usage: [string[], string][] = [
    [['--port', 'http'], '"http" is not a port'],
    [['--port', '70000'], '"70000" is not a port'],
    [['--workloads', 'many'], '"many" is not a number of nodes'],
    [['--workloads', '1001'], '"1001" is not a number of nodes'],
    [['--controllers', 'garbage-colector'], '"garbage-colector" is not a controller'],
    [['--host', '0.0.0.0'], 'Other machines can reach 0.0.0.0'],
    [['--host', '0.0.0.0', '--token', 'a'], 'Other machines can reach 0.0.0.0'],
    [['--tls'], '--tls creates a client certificate, and no kubeconfig would contain it'],
    [
      ['--host', '0.0.0.0', '--tls'],
      '--tls creates a client certificate, and no kubeconfig would contain it',
    ],
    [['--token', 'a'], '--token needs --tls: kubectl does not send a token over plain HTTP'],
    [
      ['--service', 'system/webhook-service'],
      '"system/webhook-service" does not map a Service to an address',
    ],
    [['--service', 'webhook-service=https://localhost:1'], '"webhook-service" is not the name of a Service'],
    [['--service', 'a/b/c=https://localhost:1'], '"a/b/c" is not the name of a Service'],
    [['--service', 'A/b=https://localhost:1'], '"A/b" is not the name of a Service'],
    [['--service', '*='], '"" is not an https URL'],
    [['--service', '*=http://localhost:1'], '"http://localhost:1" is not an https URL'],
    [['--service', '*=localhost:1'], '"localhost:1" is not an https URL'],
    [
      ['--service', '*=https://localhost:1/path'],
      '"https://localhost:1/path" has more than a host and a port',
    ],
    [['--service', '*=https://u@localhost:1'], '"https://u@localhost:1" has more than a host and a port'],
    [['--service', '*=https://localhost', '*=https://localhost:1'], '--service maps * twice'],
    [['--service-ca', 'ca.crt'], '--service-ca needs --service: nothing else uses it'],
    [['--tls', '--token', 'a b'], 'The token is empty or has characters that an HTTP header cannot contain'],
  ];
  test.each(usage)('refuses %j', async (flags, message) => {
    const { code, stdout, stderr } = await run(temporaryDirectory(), ['apiserver', ...flags]);
    expect([code, stdout]).toEqual([2, '']);
    const [error, hint, ...rest] = stderr.split('\n');
    expect([error, rest]).toEqual([`error: ${message}`, ['']]);
    expect(hint).toMatch(/^hint: \S/);
  });

  test('prints the error and its hint on one line each', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'broken.yaml'), 'a: [');
    const bad = { ...crd('Captain'), metadata: { name: 'other' } };
    writeFileSync(join(directory, 'bad.yaml'), stringify(bad));
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const cases: [string[], RegExp][] = [
      [['--port', `${port}`], /^error: Port \d+ of 127\.0\.0\.1 is in use$/],
      [['--crds', 'missing'], /^error: There are no CustomResourceDefinitions at \S+missing$/],
      [['--crds', 'broken.yaml'], /^error: \S+broken\.yaml is not a manifest: .+$/],
      [['--crds', 'bad.yaml'], /^error: The API server refuses CustomResourceDefinition "other": .+$/],
      [['--kubeconfig', 'missing/kubeconfig'], /^error: The directory \S+missing does not exist$/],
      [
        ['--host', '203.0.113.1', '--tls', '--token', 'a'],
        /^error: 203\.0\.113\.1 is not an address of this machine$/,
      ],
    ];
    for (const [flags, message] of cases) {
      const { code, stdout, stderr } = await run(directory, ['apiserver', ...flags]);
      expect([code, stdout]).toEqual([1, '']);
      const [error, hint, ...rest] = stderr.split('\n');
      expect(error).toMatch(message);
      expect(hint).toMatch(/^hint: \S/);
      expect(rest).toEqual(['']);
    }
  });
});
