import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { TestEnvironment } from 'ots-testing';
import {
  Client,
  Manager,
  type ReconcileContext,
  createLogger,
  defineKind,
  waitFor,
  waitForObject,
} from 'ots-runtime';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { Examples } from '../../packages/runtime/test/docs/examples.ts';
import { Program } from '../../packages/runtime/test/docs/program.ts';

// The examples of the documentation do what the documentation says.

const examples = await Examples.write();
const key = { name: 'web', namespace: 'default' };
const MyApp = defineKind({
  apiVersion: 'apps.example.com/v1',
  kind: 'MyApp',
  plural: 'myapps',
  scope: 'Namespaced',
});
const Greeting = defineKind({
  apiVersion: 'example.com/v1',
  kind: 'Greeting',
  plural: 'greetings',
  scope: 'Namespaced',
});
const Site = defineKind({
  apiVersion: 'example.com/v1',
  kind: 'Site',
  plural: 'sites',
  scope: 'Namespaced',
});
const logger = createLogger({ level: 'silent' });
let environment: TestEnvironment;
let client: Client;
let printed: unknown[][];
const argv = process.argv;

beforeAll(async () => {
  environment = await TestEnvironment.start({
    crds: [
      examples.path('my-app.crd.yaml'),
      'packages/runtime/test/docs/greetings.crd.yaml',
      'packages/runtime/test/docs/sites.crd.yaml',
    ],
  });
  client = new Client(environment.config, { fieldOwner: 'test' });
}, 60_000);

beforeEach(async () => {
  vi.stubEnv('KUBECONFIG', await environment.kubeconfigFile());
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((...words) => void printed.push(structuredClone(words)));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

afterEach(async () => {
  process.argv = argv;
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const kind of [MyApp, Deployment, ConfigMap]) {
    await client.deleteCollection(kind, { namespace: 'default' });
  }
});

afterAll(async () => {
  await client?.close();
  await environment?.stop();
  await examples[Symbol.asyncDispose]();
});

async function createApp(spec: object = { image: 'nginx', replicas: 2 }): Promise<void> {
  await client.create(MyApp, {
    apiVersion: 'apps.example.com/v1',
    kind: 'MyApp',
    metadata: key,
    spec,
  } as never);
}

describe('programs', () => {
  test('README.md: the operator greets, repairs and reports', async () => {
    const operator = new Program(examples.path('operator.ts'));
    onTestFinished(() => operator.end());
    const metadata = { name: 'hello', namespace: 'default' };
    await client.apply(Greeting, { metadata, spec: { name: 'World' } } as never);
    const text = async (): Promise<string | undefined> =>
      (await client.get(ConfigMap, metadata))?.data?.['text'];
    await waitFor(async () => (await text()) === 'Hello World!');
    await client.patch(ConfigMap, metadata, { data: { text: 'Bye' } });
    await waitFor(async () => (await text()) === 'Hello World!');
    const { status } = (await client.getOrThrow(Greeting, metadata)) as { status?: object };
    expect(status).toEqual({ configMap: 'hello' });
    await client.delete(Greeting, metadata);
    // A garbage collector that has just discovered the kind may take half a minute.
    await waitForObject(client, ConfigMap, metadata, (object) => object === undefined, { timeout: '1m' });
  }, 90_000);

  test('getting-started.md: main.ts creates a Deployment for a MyApp', async () => {
    const main = new Program(examples.path('main.ts'), [
      '--health-probe-bind-address=127.0.0.1:0',
      '--zap-log-level=silent',
    ]);
    onTestFinished(() => main.end());
    await createApp();
    const deployment = await waitForObject(client, Deployment, key, (object) => object !== undefined);
    expect(deployment?.spec).toMatchObject({
      replicas: 2,
      template: { spec: { containers: [{ image: 'nginx' }] } },
    });
    await client.status.patch(Deployment, key, { status: { replicas: 2, readyReplicas: 2 } });
    await waitFor(async () => {
      const { status } = (await client.getOrThrow(MyApp, key)) as { status?: { readyReplicas?: number } };
      return status?.readyReplicas === 2;
    });
  });
});

/** Imports a module of the examples, which runs it. */
async function load<T>(file: string): Promise<T> {
  return (await import(/* @vite-ignore */ examples.path(file))) as T;
}

/** Starts a manager with what `add` adds to it; it runs until the test ends. */
async function started(add: (manager: Manager) => unknown): Promise<Manager> {
  const manager = await Manager.create({ connection: environment.config, logger });
  await add(manager);
  manager.start().catch(() => {});
  onTestFinished(() => manager.stop());
  await manager.ready;
  return manager;
}

describe('files', () => {
  test('composites.md: the composite controller keeps and repairs its children, and reports', async () => {
    const { addComposite } = await load<{ addComposite: (manager: Manager) => void }>('composite.ts');
    await started(addComposite);
    await createApp();
    const config = await waitForObject(client, ConfigMap, key, (object) => object !== undefined);
    expect(config?.data).toEqual({ image: 'nginx' });
    await waitForObject(client, Deployment, key, (object) => object !== undefined);
    await client.status.patch(Deployment, key, { status: { replicas: 2, readyReplicas: 2 } });
    await waitFor(async () => (await appStatus())?.readyReplicas === 2);
    await client.patch(ConfigMap, key, { data: { image: 'by hand' } });
    await waitFor(async () => (await client.get(ConfigMap, key))?.data?.['image'] === 'nginx');
    expect(await appStatus()).toMatchObject({ observedGeneration: 1 });
  });

  test('composites.md: the workflow creates a dependent when the one it depends on is ready', async () => {
    const { addWorkflow } = await load<{ addWorkflow: (manager: Manager) => void }>('workflow.ts');
    await started(addWorkflow);
    await createApp();
    const message = async (): Promise<string | undefined> => (await appStatus())?.conditions?.[0]?.message;
    await waitFor(async () => (await message()) === 'config is NotReady, app is Waiting');
    expect(await client.get(Deployment, key)).toBeUndefined();
    await client.patch(ConfigMap, key, { data: { checked: 'yes' } });
    await waitForObject(client, Deployment, key, (object) => object !== undefined);
    await waitFor(async () => (await message()) === 'app is NotReady');
    await client.status.patch(Deployment, key, { status: { replicas: 2, readyReplicas: 2 } });
    await waitFor(async () => (await appStatus())?.conditions?.[0]?.status === 'True');
    await client.patch(MyApp, key, { spec: { replicas: 0 } } as object);
    await waitForObject(client, Deployment, key, (object) => object === undefined);
  });

  test('controllers.md: the pods of a site roll when its Secret changes', async () => {
    const { addSiteController } = await load<{ addSiteController: (manager: Manager) => void }>(
      'site-controller.ts',
    );
    const manager = await started(addSiteController);
    const checksum = async (): Promise<string | undefined> => {
      await manager.idle();
      const deployment = await client.get(Deployment, key);
      return deployment?.spec?.template.metadata?.annotations?.['checksum/tls'];
    };
    await client.apply(Site, { metadata: key, spec: { image: 'nginx', tlsSecret: 'tls' } } as never);
    const checksums = [await checksum()];
    const tls = { name: 'tls', namespace: 'default' };
    await client.apply(Secret, { metadata: tls, data: { 'tls.crt': 'YQ==' } });
    checksums.push(await checksum());
    await client.apply(Secret, { metadata: tls, data: { 'tls.crt': 'Yg==' } });
    checksums.push(await checksum());
    expect(checksums).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^[0-9a-f]{16}$/)));
    expect(new Set(checksums).size).toBe(3);
    await client.delete(Site, key);
    await client.delete(Secret, tls);
  });

  test('clusters.md: a controller copies objects from another cluster', async () => {
    await using other = await TestEnvironment.start();
    await using there = new Client(other.config);
    const { addCopier } = await load<{
      addCopier: (manager: Manager, other: TestEnvironment['config']) => void;
    }>('copier.ts');
    await started((manager) => addCopier(manager, other.config));
    const metadata = { name: 'copied', namespace: 'default', labels: { copy: '' } };
    await there.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } });
    const copy = await waitForObject(client, ConfigMap, metadata, (object) => object !== undefined);
    expect(copy?.data).toEqual({ a: 'b' });
  });

  test('webhooks.md: defaults are filled in, and images must have a tag', async () => {
    const { MyAppDefaulter, MyAppValidator, addWebhooks } = await load<any>('my-app-webhooks.ts');
    const object = { spec: { image: 'nginx' } as { image: string; replicas?: number } };
    new MyAppDefaulter().default(object);
    expect(object.spec.replicas).toBe(1);
    const warn = vi.fn<(message: string) => void>();
    expect(() => new MyAppValidator().validateCreate(object, { warn })).toThrow(
      'spec.image: must have a tag',
    );
    new MyAppValidator().validateUpdate(object, { spec: { image: 'nginx:latest' } }, { warn });
    expect(warn).toHaveBeenCalledWith('spec.image: latest changes without notice');
    await using manager = await Manager.create({ connection: environment.config, logger });
    addWebhooks(manager);
    expect(manager.webhooks.at('/mutate-apps-example-com-v1-myapp')).toBeDefined();
    expect(manager.webhooks.at('/validate-apps-example-com-v1-myapp')).toBeDefined();
  });
});

/** Runs the blocks of a page without a file name in order, with the names that the README of the pages promises. */
async function runPage(name: string, manager: Manager): Promise<void> {
  vi.stubGlobal('manager', manager);
  vi.stubGlobal('client', client);
  vi.stubGlobal('app', await client.get(MyApp, key));
  vi.stubGlobal('request', key);
  vi.stubGlobal('context', {
    signal: new AbortController().signal,
    logger,
    attempt: 1,
    reconcileId: 'r',
    reasons: [],
  } satisfies ReconcileContext);
  await load(`${name}.page.ts`);
}

describe('pages', () => {
  let lines: string[];
  let manager: Manager;

  beforeEach(async () => {
    lines = [];
    manager = await Manager.create({
      connection: environment.config,
      logger: createLogger({ stream: { write: (line) => lines.push(line) } }),
      metrics: { port: 0, host: '127.0.0.1', secure: false },
      webhooks: false,
    });
  });

  afterEach(() => manager.stop());

  test('client.md', async () => {
    await runPage('client', manager);
    // A missing MyApp, no Deployment, no StatefulSet, and what the CRD adds.
    expect(printed.slice(0, 4)).toEqual([[undefined], [undefined], [undefined], [1]]);
    await waitForObject(client, MyApp, key, (object) => object === undefined);
  });

  test('cache.md: its declarations do not contradict each other', async () => {
    await runPage('cache', manager);
    void manager.start().catch(() => {});
    await manager.ready;
    const metadata = { name: 'large', namespace: 'default' };
    const large = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      binaryData: { a: 'YQ==' },
      data: { b: 'c' },
    };
    await client.create(ConfigMap, large as ConfigMap);
    const cached = await waitForObject(manager.cache, ConfigMap, metadata, (object) => object !== undefined);
    expect([cached?.binaryData, cached?.data]).toEqual([undefined, { b: 'c' }]);
    await expect(manager.client.get(Deployment, key)).rejects.toThrow('Deployment of apps/v1 is not cached');
  });

  test('controllers.md: the controllers run, and a terminal error is not retried', async () => {
    await runPage('controllers', manager);
    void manager.start().catch(() => {});
    await manager.ready;
    await createApp();
    await waitForObject(client, Deployment, key, (object) => object !== undefined);
    const said = (): { msg: string; err?: { message: string } }[] =>
      lines.map((line) => JSON.parse(line) as { msg: string });
    await waitFor(() => said().some(({ msg }) => msg.startsWith('reconcile failed')));
    expect(said().filter(({ msg }) => msg.startsWith('reconcile failed'))).toMatchObject([
      { controller: 'probe', err: { message: 'the image has no tag' } },
    ]);
    expect(lines.join('')).toContain('MyApp default/web created');
  });

  test('patterns.md', async () => {
    await createApp();
    await runPage('patterns', manager);
    expect(printed).toEqual([['created'], [false], [5_400_000, 'MyApp', true]]);
    const owned = await client.getOrThrow(ConfigMap, { name: 'web-config', namespace: 'default' });
    expect(owned).toMatchObject({
      data: { image: 'nginx' },
      metadata: { ownerReferences: [{ name: 'web' }] },
    });
    expect((await appStatus())?.conditions).toMatchObject([{ type: 'Ready', reason: 'ImageMissing' }]);
    await waitFor(async () => {
      const { items } = await client.list(Event, { namespace: 'default' });
      return items.some(({ reason, regarding }) => reason === 'ImageMissing' && regarding?.name === 'web');
    });
  });

  test('composites.md: a plan resumes where it stopped', async () => {
    await createApp();
    await runPage('composites', manager);
    expect(printed).toEqual([
      ['Running', ['backup', 'migrate', 'warm-up asked']],
      ['Complete', 'switch'],
    ]);
  });

  test('manager.md', async () => {
    await runPage('manager', manager);
    expect(printed).toEqual([['docker.io', true]]);
  });

  test('metrics.md', async () => {
    await runPage('metrics', manager);
    const text = await manager.metrics!.registry.metrics();
    expect(text).toContain('myapp_image_pulls_total{registry="docker.io"} 1');
    expect(text).toContain('myapp_waiting 3');
  });

  test('testing.md', async () => {
    await runPage('testing', manager);
    expect(await client.get(Deployment, { name: 'gone', namespace: 'default' })).toBeUndefined();
  });

  test('webhooks.md: a conversion loses nothing', async () => {
    await createApp();
    await runPage('webhooks', manager);
    expect(printed).toEqual([[{ replicas: 2, container: { image: 'nginx' } }]]);
  });
});

interface Status {
  readyReplicas?: number;
  conditions?: { status: string; message: string }[];
}

async function appStatus(): Promise<Status | undefined> {
  return ((await client.getOrThrow(MyApp, key)) as { status?: Status }).status;
}
