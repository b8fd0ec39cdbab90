import { ConfigMap, Namespace, ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRole, ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, ControllerBuilder, Manager, createLogger, waitFor } from 'ots-runtime';
import type { ReconcileRecord } from 'ots-runtime/debugging';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatRecords } from '../../src/commands/trace/format-records.ts';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let environment: TestEnvironment;
let client: Client;
let manager: Manager;
let directory: string;
const url = (): string => `https://127.0.0.1:${manager.ports.metrics}`;
const trace = (...args: string[]) => run(directory, ['trace', ...args], { env: { PATH: directory } });

beforeAll(async () => {
  environment = await TestEnvironment.start();
  client = new Client(environment.config);
  manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
    metrics: { port: 0, host: '127.0.0.1', secure: true, debugReconciles: true },
    cache: { namespaces: ['traced'] },
  });
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'traced' } });
  let runs = 0;
  new ControllerBuilder(manager).for(ConfigMap).complete(async ({ name }) => {
    runs += 1;
    if (name === 'broken') throw new Error('the image has no tag');
    return { requeueAfter: '10m' };
  });
  manager.start().catch(() => {});
  await manager.ready;
  const web = { name: 'web', namespace: 'traced' };
  const made = { apiVersion: 'v1', kind: 'ConfigMap', data: { x: 'a secret' } } as const;
  await client.create(ConfigMap, { ...made, metadata: web });
  await manager.idle();
  await client.patch(ConfigMap, web, { data: { x: 'another secret' } });
  await manager.idle();
  await client.create(ConfigMap, { ...made, metadata: { name: 'broken', namespace: 'traced' } });
  await waitFor(() => runs > 3);
}, 60_000);

afterAll(async () => {
  await manager.stop();
  await client.close();
  await environment.stop();
});

beforeEach(() => {
  directory = temporaryDirectory();
});

/** The token of a new service account. */
async function tokenOf(name: string, urls: string[]): Promise<string> {
  const key = { name, namespace: 'default' };
  await client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key });
  if (urls.length > 0) {
    const common = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } } as const;
    const rules = [{ nonResourceURLs: urls, verbs: ['get'] }];
    await client.create(ClusterRole, { ...common, kind: 'ClusterRole', rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    const subjects = [{ kind: 'ServiceAccount', ...key }];
    await client.create(ClusterRoleBinding, { ...common, kind: 'ClusterRoleBinding', roleRef, subjects });
  }
  const answer = await client.subresource<TokenRequest>('token').create(ServiceAccount, key, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: { audiences: [], expirationSeconds: 600 },
  });
  return answer.status!.token!;
}

/** A kubectl that writes down its arguments. */
function fakeKubectl(body: string): () => string[] {
  const log = join(directory, 'kubectl.log');
  const file = join(directory, 'kubectl');
  const code = `require('node:fs').appendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' ') + '\\n');${body}`;
  writeFileSync(log, '');
  writeFileSync(file, `#!${process.execPath}\n${code}`);
  chmodSync(file, 0o755);
  return () => readFileSync(log, 'utf8').trim().split('\n');
}

describe('ots trace', () => {
  test('prints why reconciles ran, what they did and how they ended, to those who may see it', async () => {
    const token = await tokenOf('reader', ['/debug/reconciles']);
    const { code, stdout, stderr } = await trace('--url', url(), '--token', token);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \(UTC\)$/);
    const start = lines.findIndex((line) => line.includes('traced/web'));
    expect(lines.slice(start, start + 4)).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}configmap {2}traced\/web +\d+ ms {2}no writes {2}again in 10 min$/,
      ),
      '          ConfigMap traced/web created',
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}configmap {2}traced\/web/),
      '          ConfigMap traced/web updated: data["x"]',
    ]);
    expect(stdout).toContain('          attempt 1, again in 5 ms: the image has no tag\n');
    expect(stdout).toContain('          attempt 1 failed: the image has no tag\n');
    expect(stdout).not.toContain('secret');
    const json = JSON.parse((await trace('--url', url(), '--token', token, '--json')).stdout);
    expect(json.records[0].startedAt >= json.records.at(-1).startedAt).toBe(true);
  });

  test('--page draws them on a page that cannot act, until a signal', async () => {
    const token = await tokenOf('viewer', ['/debug/reconciles']);
    let end!: (signal: 'SIGINT') => void;
    const signal = new Promise<'SIGINT'>((resolve) => (end = resolve));
    let page = '';
    const shown = run(directory, ['trace', '--url', url(), '--token', token, '--page', '--json'], {
      untilSignal: () => signal,
      stdout: Object.assign(new PassThrough(), { columns: 80 }).on('data', (text: Buffer) => {
        page = (JSON.parse(text.toString()) as { page: string }).page;
      }) as unknown as NodeJS.WriteStream,
    });
    await waitFor(() => page !== '');
    const state = (await (await fetch(`${page}api/state`)).json()) as DevState;
    expect(state.cluster).toMatchObject({ isEmbedded: false, url: new URL(url()).host });
    expect(state.reconciles.find(({ name }) => name === 'web')).toMatchObject({
      controller: 'configmap',
      namespace: 'traced',
      reasons: ['ConfigMap traced/web created'],
      result: { outcome: 'requeue', after: 600 },
    });
    expect(state.reconciles[0]!.startedAt <= state.reconciles.at(-1)!.startedAt).toBe(true);
    const refused = await fetch(`${page}api/actions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'restart' }),
    });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('what happened')]);
    end('SIGINT');
    expect((await shown).code).toBe(130);
    await expect(fetch(`${page}api/state`)).rejects.toThrow('fetch failed');
  });

  test('says which right is missing', async () => {
    const scraper = await tokenOf('scraper', ['/metrics']);
    const refused = await trace('--url', url(), '--token', scraper);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('system:serviceaccount:default:scraper may not get /debug/reconciles');
    expect(refused.stderr).toContain('--non-resource-url=/debug/reconciles');
    expect((await trace('--url', url(), '--token', 'unknown')).stderr).toContain('responds with 401');
  });

  test('forwards to a pod with kubectl, which also makes the token', async () => {
    const token = await tokenOf('forwarded', ['/debug/reconciles']);
    const said = fakeKubectl(`
      if (process.argv[2] === 'create') console.log('${token}');
      else {
        console.log('Forwarding from 127.0.0.1:${manager.ports.metrics} -> 9443');
        setInterval(() => {}, 1000);
      }`);
    const account = ['--service-account', 'debug-reader'];
    const cluster = ['--context', 'production', '--kubeconfig', 'config'];
    const { code, stdout } = await trace('--pod', 'system/pod-1', '--port', '9443', ...account, ...cluster);
    expect([code, stdout.includes('ConfigMap traced/web created')]).toEqual([0, true]);
    expect(said()).toEqual([
      'create token debug-reader --duration=10m --namespace=system --kubeconfig=config --context=production',
      'port-forward --address=127.0.0.1 pod/pod-1 :9443 --namespace=system --kubeconfig=config --context=production',
    ]);
  });

  test('repeats what kubectl complains about', async () => {
    fakeKubectl(`console.error('Error from server (NotFound): pods "pod-1" not found'); process.exit(1);`);
    const { code, stderr } = await trace('--pod', 'pod-1');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Error from server (NotFound): pods "pod-1" not found'),
    ]);
  });

  test('says that kubectl is missing, and what works without it', async () => {
    const { code, stderr } = await run(directory, ['trace', '--pod', 'pod-1'], { env: { PATH: '/nowhere' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('kubectl is not installed')]);
    expect(stderr).toContain('--url and --token');
  });

  test.each<[string[], number, string]>([
    [[], 2, 'Either --pod or --url is needed'],
    [['--pod', 'a', '--url', 'http://a'], 2, 'Either --pod or --url is needed'],
    [['--url', 'http://a', '--port', '1'], 2, '--port is for --pod'],
    [['--pod', 'a', '--token', 'b', '--service-account', 'c'], 2, 'exclude each other'],
    [['--pod', '-a'], 1, '--pod is "-a"'],
    [['--pod', 'a', '--port', '0'], 1, '"0" is not a port'],
    [['--url', 'ftp://a'], 1, '"ftp://a" is not a URL of HTTP'],
    [['--url', 'http://127.0.0.1:1'], 1, 'Pass --service-account or --token'],
  ])('refuses %j', async (args, code, message) => {
    const result = await trace(...args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

const record: ReconcileRecord = {
  id: 'r',
  controller: 'my-app',
  request: { name: 'web', namespace: 'default' },
  attempt: 1,
  priority: 0,
  reasons: [],
  queuedAt: '2026-01-01T10:00:00.000Z',
  startedAt: '2026-01-01T10:00:00.000Z',
  waitedSeconds: 0,
  durationSeconds: 1.25,
  requests: [{ verb: 'update', from: 'live', conflict: true, durationSeconds: 0 }],
  omittedRequests: 0,
  writes: 1,
  events: [],
  result: { type: 'done' },
};

test('a record fits on lines of 80 characters, whatever it contains', () => {
  const long = 'x'.repeat(100);
  const odd: ReconcileRecord = {
    ...record,
    request: { name: long },
    reasons: Array.from({ length: 5 }, (_, index) => ({
      type: 'source',
      source: `${index}\u001b[31m${long}`,
    })),
    startedAt: '2026-01-02T23:59:59.999Z',
    durationSeconds: 300,
    writes: 0,
    requests: [],
    result: { type: 'error', kind: 'terminal', message: long, attempt: 7 },
  };
  expect(formatRecords([odd, record], 80).split('\n')).toEqual([
    '2026-01-01 (UTC)',
    '10:00:00  my-app  default/web                1.3 s  1 write, 1 in conflict  done',
    '2026-01-02 (UTC)',
    `23:59:59  my-app  ${'x'.repeat(33)}…  5 min  no writes  terminal`,
    `          source 0 [31m${'x'.repeat(56)}…`,
    `          source 1 [31m${'x'.repeat(56)}…`,
    '          and 3 more',
    `          attempt 7, not retried: ${'x'.repeat(45)}…`,
    '',
  ]);
});

test('a record of another cluster names it', () => {
  const there: ReconcileRecord = { ...record, request: { ...record.request, cluster: 'east' } };
  expect(formatRecords([there], 80)).toContain('my-app  default/web of east ');
});
