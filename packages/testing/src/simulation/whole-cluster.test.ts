import { Deployment } from 'ots-kubernetes/apps/v1';
import type { MutatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import type { CustomResourceDefinition, JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import {
  Client,
  ControllerBuilder,
  ConversionBuilder,
  type KubernetesObject,
  Manager,
  type Request,
  WebhookBuilder,
  controllerReference,
  createLogger,
  defineKind,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

interface App extends KubernetesObject {
  spec?: { size?: string; replicas?: number };
}

const kindOf = (version: string) =>
  defineKind<App>({
    apiVersion: `example.com/${version}`,
    kind: 'App',
    plural: 'apps',
    scope: 'Namespaced',
  });
const [v1, v2] = [kindOf('v1'), kindOf('v2')];
const service = { namespace: 'system', name: 'webhook-service' };

const versionOf = (name: string, storage: boolean, properties: Record<string, JSONSchemaProps>) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'apps.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'App', plural: 'apps' },
    scope: 'Namespaced',
    versions: [
      versionOf('v1', true, { size: { type: 'string' } }),
      versionOf('v2', false, { replicas: { type: 'integer' } }),
    ],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { ...service, path: '/convert' } },
      },
    },
  },
};
const configuration: MutatingWebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'apps' },
  webhooks: [
    {
      name: 'mutate.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { ...service, path: '/mutate-example-com-v1-app' } },
      rules: [
        {
          operations: ['CREATE', 'UPDATE'],
          apiGroups: ['example.com'],
          apiVersions: ['v1'],
          resources: ['apps'],
        },
      ],
    },
  ],
};

/** Keeps a Deployment for each App, and looks again every 40 seconds. */
class AppReconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile({ name, namespace = '' }: Request): Promise<object> {
    const app = await this.#client.get(v1, { name, namespace });
    if (!app) return {};
    const labels = { app: name };
    const seen = app.metadata.annotations?.['size'];
    if (seen !== app.spec?.size)
      await this.#client.patch(
        v1,
        { name, namespace },
        {
          metadata: { annotations: { size: app.spec?.size ?? '' } },
        },
      );
    await this.#client.apply(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace, ownerReferences: [controllerReference(app)] },
      spec: {
        replicas: app.spec?.size === 'large' ? 2 : 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app' }] } },
      },
    });
    return { requeueAfter: '40s' };
  }
}

async function startOperator(environment: TestEnvironment): Promise<Manager> {
  const manager = await Manager.create({
    connection: await environment.as({ user: 'operator', groups: ['system:masters'] }),
    logger: createLogger({ level: 'silent' }),
    userAgent: 'apps',
    leaderElection: { id: 'apps', namespace: 'default', leaseDuration: '60s', renewDeadline: '40s' },
  });
  new ControllerBuilder(manager).for(v1).owns(Deployment).complete(new AppReconciler(manager.client));
  new WebhookBuilder(manager, v1)
    .withDefaulter({
      default: (app) => {
        app.spec = { size: 'small', ...app.spec };
      },
    })
    .complete();
  new ConversionBuilder(manager, v1)
    .withSpoke(v2, {
      convertTo: ({ spec, ...app }) => ({
        ...app,
        apiVersion: 'example.com/v1',
        spec: { size: spec?.replicas === 2 ? 'large' : 'small' },
      }),
      convertFrom: ({ spec, ...app }) => ({
        ...app,
        apiVersion: 'example.com/v2',
        spec: { replicas: spec?.size === 'large' ? 2 : 1 },
      }),
    })
    .complete();
  manager.start().catch(() => {});
  await manager.ready;
  return manager;
}

/** What an operator, its webhooks and the controllers of workloads write, while the server fails. */
async function story(seed: number): Promise<string> {
  await using environment = await TestEnvironment.start({
    env: {},
    clock: 'virtual',
    seed,
    workloads: { nodes: 0 },
    objects: [definition, configuration],
  });
  const { faults } = environment;
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const manager = await startOperator(environment);
  await manager.elected;
  faults.add({ user: 'operator', resource: 'apps', times: 2 }, { answer: 'Conflict' });
  faults.add({ user: 'operator', resource: 'deployments', times: 2 }, { disconnect: 'after' });
  faults.add({ verbs: ['watch'], resource: 'pods' }, { watch: 'reorder', by: '200ms' });
  const apps = ['a', 'b', 'c'].map((name) => ({ name, namespace: 'default' }));
  await Promise.all(
    apps.map((metadata) =>
      metadata.name === 'a'
        ? client.create(v1, { apiVersion: 'example.com/v1', kind: 'App', metadata })
        : client.create(v2, {
            apiVersion: 'example.com/v2',
            kind: 'App',
            metadata,
            spec: { replicas: 2 },
          }),
    ),
  );
  await environment.advance('1m');
  const { items } = await client.list(v2, { namespace: 'default' });
  expect(items.map(({ spec }) => spec?.replicas)).toEqual([1, 2, 2]);
  await client.delete(v1, apps[2]!);
  await environment.advance('1m');
  expect(faults.unused()).toEqual([]);
  const stopped = manager.stop();
  await environment.advance('10s');
  await stopped;
  return JSON.stringify(environment.trace);
}

test('an operator with webhooks, workloads, faults and an election writes the same with one seed', async () => {
  const first = await story(3);
  expect(first).toContain('"resource":"pods"');
  expect(first).toContain('generic-garbage-collector');
  expect(await story(3)).toBe(first);
  expect(await story(4)).not.toBe(first);
}, 60_000);

test('a webhook under a virtual clock needs no network, and has the time of the cluster', async () => {
  await using environment = await TestEnvironment.start({
    env: {},
    clock: 'virtual',
    objects: [definition, configuration],
  });
  await using client = new Client(environment.config);
  const seen: unknown[] = [];
  await environment.services.set('system/webhook-service', (request, response) => {
    const { socket, url, headers, method } = request;
    seen.push([method, url, headers['user-agent'], headers['content-type'], socket.remoteAddress]);
    environment.config.clock!.setTimeout(() => response.end(), 20_000);
  });
  const refused = client
    .create(v1, { apiVersion: 'example.com/v1', kind: 'App', metadata: { name: 'a', namespace: 'default' } })
    .catch((error: Error) => error.message);
  await environment.settle();
  expect(seen).toEqual([
    [
      'POST',
      '/mutate-example-com-v1-app?timeout=10s',
      'kube-apiserver-admission',
      'application/json',
      undefined,
    ],
  ]);
  await environment.advance('10s');
  expect(await refused).toBe(
    'Internal error occurred: failed calling webhook "mutate.example.com": failed to call webhook: ' +
      'Post "https://webhook-service.system.svc:443/mutate-example-com-v1-app?timeout=10s": context deadline exceeded',
  );
});
