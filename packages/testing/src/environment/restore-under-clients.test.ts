import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import { ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import {
  Client,
  ControllerBuilder,
  type KubernetesObject,
  Manager,
  WebhookBuilder,
  createLogger,
  defineKind,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from './test-environment.ts';

const namespace = 'default';
const logger = createLogger({ level: 'silent' });
const key = (name: string) => ({ name, namespace });
const configMap = (name: string): ConfigMap => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: key(name) });

/** ConfigMaps by name, as `resource version data`. */
type Shown = Record<string, string>;
const shown = (
  objects: Iterable<{
    metadata: { name?: string; resourceVersion?: string };
    data?: Readonly<Record<string, string>>;
  }>,
): Shown =>
  Object.fromEntries(
    [...objects]
      .map(
        ({ metadata, data }) => [metadata.name!, `${metadata.resourceVersion} ${data?.['n'] ?? ''}`] as const,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

test.each(['restore', 'restart'] as const)('caches, handlers and reconcilers follow a %s', async (what) => {
  await using environment = await TestEnvironment.start({ env: {}, clock: 'virtual' });
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const manager = await Manager.create({ connection: environment.config, logger });
  const handled = new Map<string, ConfigMap>();
  const reconciled = new Map<string, string | undefined>();
  new ControllerBuilder(manager).for(ConfigMap).complete({
    reconcile: async ({ name }) => {
      const object = await manager.client.get(ConfigMap, key(name));
      if (object) reconciled.set(name, object.metadata.resourceVersion);
      else reconciled.delete(name);
    },
  });
  const keep = (object: unknown) => handled.set((object as ConfigMap).metadata.name!, object as ConfigMap);
  manager.cache.informer(ConfigMap).addHandler({
    added: keep,
    updated: (_, object) => keep(object),
    deleted: ({ metadata }) => void handled.delete(metadata.name!),
  });
  manager.start().catch(() => {});
  await manager.ready;
  const write = (name: string, n: string) =>
    client.apply(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key(name), data: { n } });
  const isFollowed = async () => {
    const { items } = await client.list(ConfigMap, {});
    expect(shown(manager.cache.list(ConfigMap))).toEqual(shown(items));
    expect(shown(handled.values())).toEqual(shown(items));
    const versions = items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
    expect(Object.fromEntries(reconciled)).toEqual(Object.fromEntries(versions));
    return items.map(({ metadata, data }) => `${metadata.name} ${data?.['n'] ?? ''}`);
  };
  for (const name of ['a', 'b', 'c']) await write(name, '1');
  const snapshot = environment.snapshot();
  await environment.settle();
  for (let round = 2; round < 5; round += 1) {
    await write('a', `${round}`);
    await client.delete(ConfigMap, key('b'));
    await client.create(ConfigMap, configMap(`new-${round}`));
    // Some changes have reached the cache, others have not.
    if (round % 2 === 0) await environment.settle();
    if (what === 'restore') await environment.restore(snapshot);
    else await environment.restart();
    await write('c', `after ${round}`);
    await environment.advance('2m');
    const objects = await isFollowed();
    expect(objects).toContain(`c after ${round}`);
    expect(objects).toContain(what === 'restore' ? 'a 1' : `a ${round}`);
    if (what === 'restart') await client.create(ConfigMap, configMap('b'));
  }
  const stopped = manager.stop();
  await environment.advance('1m');
  await stopped;
});

test('controllers do not work against each other after a restore', async () => {
  await using environment = await TestEnvironment.start({ env: {}, clock: 'virtual', workloads: true });
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const deployment = (image: string) =>
    client.apply(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: key('web'),
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      },
    });
  await deployment('nginx:1');
  await environment.advance('1m');
  const snapshot = environment.snapshot();
  for (let round = 2; round < 4; round += 1) {
    await deployment(`nginx:${round}`);
    await environment.settle();
    // The ReplicaSet of the new image is gone. A controller that does not know would create pods for it again and again.
    await environment.restore(snapshot);
    await client.delete(Deployment, key('web'));
    await environment.advance('1m');
    expect((await client.list(Pod)).items).toEqual([]);
    await environment.restore(snapshot);
    await environment.settle();
  }
});

test('caches list at once after every one of many restores in the middle of rollouts', async () => {
  await using environment = await TestEnvironment.start({ env: {}, clock: 'virtual', workloads: true });
  await using client = new Client(environment.config, { fieldOwner: 'test' });
  const deploy = (image: number) =>
    client.apply(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: key('web'),
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: `nginx:${image}` }] },
        },
      },
    });
  const snapshots = [environment.snapshot()];
  for (let round = 1; round <= 13; round += 1) {
    await deploy(round);
    await environment.advance((round % 4) * 700);
    snapshots.push(environment.snapshot());
    if (round % 3 === 0) await client.delete(Deployment, key('web'));
    await environment.restore(snapshots[(round * 7) % snapshots.length]!);
    await environment.settle();
  }
  await deploy(14);
  await environment.advance('1m');
  const { items } = await client.list(Pod);
  expect(items.map(({ spec }) => spec?.containers[0]?.image)).toEqual(['nginx:14', 'nginx:14']);
});

const Ship = defineKind<KubernetesObject>({
  apiVersion: 'example.com/v1',
  kind: 'Ship',
  plural: 'ships',
  scope: 'Namespaced',
});
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ships.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ships', kind: 'Ship' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const rules = [
  { operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
];
const webhook: MutatingWebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'label' },
  webhooks: [
    {
      name: 'label.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { namespace: 'system', name: 'hooks', path: '/mutate--v1-configmap' } },
      rules,
    },
  ],
};
const policy: ValidatingAdmissionPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'no-bad' },
  spec: {
    matchConstraints: { resourceRules: rules },
    validations: [{ expression: "object.metadata.name != 'bad'", message: 'it is bad' }],
  },
};
const policyBinding: ValidatingAdmissionPolicyBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'no-bad' },
  spec: { policyName: 'no-bad', validationActions: ['Deny'] },
};
const roleBinding: ClusterRoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'jane' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
};

test.each(['restore', 'restart'] as const)(
  'after a %s, roles, policies, webhooks and definitions decide as before',
  async (what) => {
    await using environment = await TestEnvironment.start({
      env: {},
      clock: 'virtual',
      objects: [definition, webhook, policy, policyBinding, roleBinding],
    });
    await using client = new Client(environment.config);
    await using jane = new Client(await environment.as({ user: 'jane' }));
    const manager = await Manager.create({ connection: environment.config, logger });
    new WebhookBuilder(manager, ConfigMap)
      .withDefaulter({ default: ({ metadata }) => void (metadata.labels = { seen: 'yes' }) })
      .complete();
    manager.start().catch(() => {});
    await manager.ready;
    const outcome = (answer: Promise<unknown>) =>
      answer.then(
        () => 'done',
        ({ reason }: { reason: string }) => reason,
      );
    const decisions = async () => ({
      role: await outcome(jane.list(ConfigMap, { namespace })),
      policy: await outcome(client.create(ConfigMap, configMap('bad'), { dryRun: true })),
      webhook: (await client.create(ConfigMap, configMap('good'), { dryRun: true })).metadata.labels,
      definition: await outcome(client.list(Ship, { namespace })),
    });
    const all = { role: 'done', policy: 'Invalid', webhook: { seen: 'yes' }, definition: 'done' };
    expect(await decisions()).toEqual(all);
    const snapshot = environment.snapshot();
    const none = { role: 'Forbidden', policy: 'done', webhook: undefined, definition: 'NotFound' };
    const configured = [
      [CustomResourceDefinition, 'ships.example.com'],
      [ClusterRoleBinding, 'jane'],
      [kindOf(policyBinding, 'validatingadmissionpolicybindings'), 'no-bad'],
      [kindOf(webhook, 'mutatingwebhookconfigurations'), 'label'],
    ] as const;
    if (what === 'restore') {
      for (const [kind, name] of configured) await client.delete(kind, { name });
      await environment.settle();
      expect(await decisions()).toEqual(none);
      await environment.restore(snapshot);
    } else await environment.restart();
    expect(await decisions()).toEqual(all);
    const stopped = manager.stop();
    await environment.advance('1m');
    await stopped;
  },
);

function kindOf({ apiVersion, kind }: { apiVersion: string; kind: string }, plural: string) {
  return defineKind<KubernetesObject>({ apiVersion, kind, plural, scope: 'Cluster' });
}
