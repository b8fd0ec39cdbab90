import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestEnvironment } from 'ots-testing';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Client, type ConnectionConfig, defineKind, waitFor } from 'ots-runtime';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { FaultProxy } from '../../packages/runtime/test/faults/fault-proxy.ts';

// What the operator of a scaffolded project says on standard error, line by line: the program that `npm start` runs,
// compiled as `npm run build` does it. Against the embedded API server, or a real one when KUBEBUILDER_ASSETS is set.

const root = fileURLToPath(new URL('../..', import.meta.url));
const golden = join(root, 'test/golden/jobwatcher');
const crdFile = join(golden, 'config/crd/bases/batch.my.github.com_jobwatchers.yaml');
const controller = 'src/controllers/job-watcher.controller.ts';
const JobWatcher = defineKind({
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Namespaced',
});
let project: string;
let environment: TestEnvironment;
let client: Client;
/** What stands in the mistake that the test makes in the controller. */
let mistakeAt: { line: number; column: number };

beforeAll(async () => {
  // Inside of the repository, where the program finds what it depends on.
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  project = await mkdtemp(join(cache, 'output-'));
  for (const file of ['src', 'package.json', 'tsconfig.json']) {
    await cp(join(golden, file), join(project, file), { recursive: true });
  }
  const mistake = "    if (resource.spec.message === 'broken') throw new TypeError('cannot do it');\n";
  const source = await readFile(join(project, controller), 'utf8');
  const marker = '    const { generation } = resource.metadata;\n';
  const broken = source.replace(marker, `${mistake}${marker}`);
  await writeFile(join(project, controller), broken);
  const line = broken.split('\n').indexOf(mistake.trimEnd()) + 1;
  mistakeAt = { line, column: mistake.indexOf('new TypeError') + 1 };
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '--noCheck'], { cwd: project });
}, 60_000);

beforeEach(async () => {
  environment = await TestEnvironment.start();
  client = new Client(environment.config);
  return async () => {
    await client.close();
    await environment.stop();
  };
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** The operator, as a process of its own. */
class Operator implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #text = '';

  static async start(connection: ConnectionConfig, ...flags: string[]): Promise<Operator> {
    const kubeconfig = join(project, `kubeconfig-${flags.length}`);
    const { server, caData, token } = connection;
    const cluster = {
      server,
      ...(caData && { 'certificate-authority-data': Buffer.from(caData).toString('base64') }),
    };
    const config = {
      'current-context': 'here',
      clusters: [{ name: 'here', cluster }],
      users: [{ name: 'here', user: token ? { token } : {} }],
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'here' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    return new Operator(['--health-probe-bind-address=0', `--kubeconfig=${kubeconfig}`, ...flags]);
  }

  private constructor(flags: string[]) {
    this.#process = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js', ...flags], {
      cwd: project,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process.stderr!.on('data', (chunk: Buffer) => (this.#text += chunk.toString()));
    this.#ended = once(this.#process, 'close');
    onTestFinished(() => this[Symbol.asyncDispose]());
  }

  /** Without what differs from run to run. */
  get lines(): string[] {
    return this.#text
      .replaceAll(/^\d\d:\d\d:\d\d\.\d{3}/gm, 'TIME')
      .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'SERVER')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/reconcileId=[\w-]{36}/g, 'reconcileId=ID')
      .replaceAll(/(kubernetes|node)=v\S+/g, '$1=VERSION')
      .replaceAll(/(milliseconds|seconds|requeueAfter)=\d+/g, '$1=N')
      .replaceAll(project, '/project')
      .split('\n')
      .slice(0, -1);
  }

  /** The lines of a level, with what belongs to them. */
  of(...levels: string[]): string[] {
    let isWanted = false;
    return this.lines.filter((line) => {
      const [, level] = /^TIME (\w+)/.exec(line) ?? [];
      if (level !== undefined) isWanted = levels.includes(level);
      return isWanted;
    });
  }

  async says(text: string, count = 1): Promise<void> {
    await waitFor(() => this.lines.filter((line) => line.includes(text)).length >= count, { timeout: '30s' });
  }

  /** Waits for its end by itself, and returns the exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) this.#process.kill('SIGTERM');
    await this.#ended;
  }
}

async function installCrd(): Promise<void> {
  const crd = parse(await readFile(crdFile, 'utf8')) as CustomResourceDefinition;
  await client.create(CustomResourceDefinition, crd);
}

async function createWatcher(name: string, message: string): Promise<void> {
  const metadata = { name, namespace: 'default' };
  const { apiVersion, kind } = JobWatcher;
  await waitFor(async () => {
    try {
      await client.create(JobWatcher, { apiVersion, kind, metadata, spec: { message } } as never);
      return true;
    } catch {
      return false;
    }
  });
}

const starting =
  'TIME INFO  the manager is starting operator=jobwatcher runtime=0.1.0 node=VERSION server=SERVER context=here namespaces=all controllers=["jobwatcher"] webhooks=[]';
const connected = 'TIME INFO  connected to the API server kubernetes=VERSION';
const withoutWebhooks = 'TIME INFO  webhooks are off; defaults and validation do not apply';
const ready = 'TIME INFO  the manager is ready ports={}';

test('the log of the start names the operator and the cluster, and the levels above stay silent while it works', async () => {
  await installCrd();
  const operator = await Operator.start(environment.config, '--zap-encoder=console');
  await operator.says('the manager is ready');
  await createWatcher('web', 'hello');
  await waitFor(async () => {
    const read = await client.get(JobWatcher, { name: 'web', namespace: 'default' });
    return (read as { status?: object } | undefined)?.status !== undefined;
  });
  expect(operator.lines).toEqual([starting, connected, withoutWebhooks, ready]);
  await operator[Symbol.asyncDispose]();
  expect(operator.lines.slice(4)).toEqual([
    'TIME INFO  the manager is stopping',
    'TIME INFO  the manager has stopped',
  ]);
});

test('at debug, each reconcile has a line at its start and one at its end', async () => {
  await installCrd();
  const operator = await Operator.start(environment.config, '--zap-encoder=console', '--zap-log-level=debug');
  await operator.says('the manager is ready');
  await createWatcher('web', 'hello');
  await operator.says('reconcile ended');
  const of = 'controller=jobwatcher name=web namespace=default reconcileId=ID';
  expect(operator.of('DEBUG').slice(0, 3)).toEqual([
    `TIME DEBUG reconcile started ${of} attempt=1 priority=0 reasons=["JobWatcher default/web created"]`,
    `TIME DEBUG reconciled ${of} generation=1`,
    `TIME DEBUG reconcile ended ${of} result=success milliseconds=N requests=1`,
  ]);
});

test('an operator without its CRD logs it at once and continues when it is installed', async () => {
  const operator = await Operator.start(environment.config, '--zap-encoder=console');
  await operator.says('not installed');
  expect(operator.lines).toEqual([
    starting,
    connected,
    withoutWebhooks,
    'TIME ERROR JobWatcher (batch.my.github.com/v1) is not installed; run npm run install:crds, or install the project that it belongs to kind=JobWatcher',
  ]);
  await installCrd();
  await operator.says('the manager is ready');
  expect(operator.lines.slice(4).filter((line) => !line.includes('is not synced yet'))).toEqual([
    'TIME INFO  JobWatcher (batch.my.github.com/v1) is installed now kind=JobWatcher',
    ready,
  ]);
});

test('an unreachable server fails the start in the format of --zap-encoder', async () => {
  await environment.stop();
  const operator = await Operator.start(environment.config, '--zap-encoder=console');
  expect(await operator.ended()).toBe(1);
  expect(operator.lines).toEqual([
    starting,
    'TIME INFO  the manager is stopping',
    'TIME INFO  the manager has stopped',
    'TIME FATAL the operator stopped: Cannot reach SERVER: connect ECONNREFUSED HOST',
    '    Check the server in the kubeconfig, that it is running and that its certificate is trusted.',
  ]);
  const other = await Operator.start(environment.config);
  expect(await other.ended()).toBe(1);
  expect(JSON.parse(other.lines.at(-1)!)).toMatchObject({
    level: 'fatal',
    msg: 'the operator stopped: Cannot reach SERVER: connect ECONNREFUSED HOST',
    err: { code: 'CONNECTION_FAILED', hint: expect.stringContaining('Check the server') },
  });
});

test('errors before the logger exists are printed', async () => {
  const operator = await Operator.start(environment.config, '--zap-encoder=console', '--kubeconfig=/nowhere');
  expect(await operator.ended()).toBe(1);
  expect(operator.lines).toEqual([
    expect.stringMatching(/^TIME FATAL the operator stopped: .*\/nowhere/),
    expect.stringMatching(/^ {4}\S/),
  ]);
  const other = await Operator.start(environment.config, '--zap-encodr=console');
  expect(await other.ended()).toBe(2);
  expect(other.lines).toEqual(['--zap-encodr is not a flag', expect.stringContaining('--zap-encoder')]);
});

test('an unexpected failure is logged with its stack once, in lines of src', async () => {
  await installCrd();
  const operator = await Operator.start(environment.config, '--zap-encoder=console');
  await operator.says('the manager is ready');
  await createWatcher('web', 'broken');
  await operator.says('reconcile failed', 3);
  const [title, ...rest] = operator.of('ERROR');
  const of = 'controller=jobwatcher name=web namespace=default reconcileId=ID';
  expect(title).toBe(`TIME ERROR reconcile failed; retrying ${of} attempt=1`);
  const stack = rest.slice(
    0,
    rest.findIndex((line) => line.startsWith('TIME')),
  );
  expect(stack.slice(0, 2)).toEqual([
    '    TypeError: cannot do it',
    `        at JobWatcherReconciler.reconcile (/project/${controller}:${mistakeAt.line}:${mistakeAt.column})`,
  ]);
  const frames = stack.slice(2);
  expect(frames.some((line) => /packages\/runtime\/src\/controller\/reconcile-loop\.ts:\d+/.test(line))).toBe(
    true,
  );
  expect(stack.join('\n')).not.toContain('/dist/');
  expect(rest.slice(stack.length, stack.length + 2)).toEqual([
    `TIME ERROR reconcile failed; retrying: cannot do it ${of} attempt=2`,
    `TIME ERROR reconcile failed; retrying: cannot do it ${of} attempt=3`,
  ]);
});

test('a missing right is logged once with the tag to add', async () => {
  await installCrd();
  const proxy = await FaultProxy.start(environment.config);
  onTestFinished(() => proxy.close());
  proxy.turnOn('forbidden lists');
  const operator = await Operator.start(proxy.connection, '--zap-encoder=console');
  await waitFor(() => proxy.affected('forbidden lists') >= 4, { timeout: '30s' });
  expect(operator.of('WARN', 'ERROR')).toEqual([
    'TIME ERROR JobWatcher (batch.my.github.com/v1) cannot be watched: jobwatchers.batch.my.github.com is forbidden: User "operator" cannot list resource "jobwatchers" in API group "batch.my.github.com" at the cluster scope kind=JobWatcher hint="Add @rbac groups=batch.my.github.com resources=jobwatchers verbs=get;list;watch, then run npm run manifests and apply the role."',
  ]);
  proxy.turnOff('forbidden lists');
  await operator.says('the manager is ready');
  expect(operator.of('WARN', 'ERROR')).toHaveLength(1);
});

test('a server that stops later is one log line, and its return is another', async () => {
  await installCrd();
  const proxy = await FaultProxy.start(environment.config);
  onTestFinished(() => proxy.close());
  const operator = await Operator.start(proxy.connection, '--zap-encoder=console');
  await operator.says('the manager is ready');
  await waitFor(() => proxy.watches === 1);
  proxy.refuse();
  proxy.break('reset');
  await operator.says('API server unreachable');
  await proxy.accept();
  await operator.says('API server reachable again');
  await waitFor(() => proxy.watches === 1);
  // The first request that fails may find a connection that has just been reset.
  const reset = /(?<=SERVER: )(?:read ECONNRESET|other side closed)/;
  const lines = operator.lines.map((line) => line.replace(reset, 'connect ECONNREFUSED HOST'));
  expect(lines.slice(4)).toEqual([
    'TIME WARN  API server unreachable; requests and watches resume when it is back: Cannot reach SERVER: connect ECONNREFUSED HOST server=SERVER hint="Check the server in the kubeconfig, that it is running and that its certificate is trusted."',
    'TIME INFO  API server reachable again server=SERVER seconds=N',
  ]);
});
