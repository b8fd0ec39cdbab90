import { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { Client } from 'ots-runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestEnvironment } from '../../src/environment/test-environment.ts';
import { simulateOlm } from '../../src/olm/simulate-olm.ts';
import { ClusterCatalog, ClusterExtension } from '../../src/olm/v1/kinds.ts';
import {
  type BundleChanges,
  type Entry,
  ImageDirectories,
  bundleObjects,
  catalogBlobs,
  crdName,
} from '../support/olm-bundle.ts';

const namespace = 'memcached-system';
const name = 'memcached';
const image = (version: string) => `example.com/bundle:v${version}`;
const manager = { namespace, name: 'memcached-operator-controller-manager' };

let environment: TestEnvironment;
let images: ImageDirectories;
let client: Client;

beforeAll(async () => {
  images = await ImageDirectories.create();
  environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
  client = new Client(environment.config);
  const versions = ['0.0.1', '0.0.2', '0.0.3'];
  await simulateOlm(environment, {
    version: 'v1',
    images: {
      'example.com/catalog:v1': `${images.root}/catalog`,
      ...Object.fromEntries(versions.map((version) => [image(version), `${images.root}/${version}`])),
    },
  });
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await environment.settle();
});

afterEach(async () => {
  await client.deleteCollection(ClusterExtension);
  await client.deleteCollection(ClusterCatalog);
  await environment.advance('1m');
});

afterAll(async () => {
  await client.close();
  await environment.stop();
  await images[Symbol.asyncDispose]();
});

function certManagerKind(kind: string): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.cert-manager.io` },
    spec: {
      group: 'cert-manager.io',
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

async function createCatalog(
  entries: readonly Entry[],
  bundles: Readonly<Record<string, BundleChanges>> = {},
  spec: Partial<ClusterCatalog['spec']> = {},
): Promise<void> {
  await Promise.all(
    entries.map(({ version }) => images.bundle(version, bundleObjects({ ...bundles[version], version }))),
  );
  await images.catalog(
    'catalog',
    catalogBlobs(entries, (version) => ({ image: image(version) })),
  );
  const source = { type: 'Image', image: { ref: 'example.com/catalog:v1' } } as const;
  await client.create(ClusterCatalog, {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterCatalog',
    metadata: { name: 'catalog' },
    spec: { source, ...spec },
  });
  await environment.settle();
}

async function createExtension(
  catalog: Partial<NonNullable<ClusterExtension['spec']['source']['catalog']>> = {},
  spec: Partial<ClusterExtension['spec']> = {},
): Promise<void> {
  await client.create(ClusterExtension, {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name },
    spec: {
      namespace,
      source: { sourceType: 'Catalog', catalog: { packageName: 'memcached-operator', ...catalog } },
      ...spec,
    },
  });
  await environment.settle();
}

/** Type, status, reason and message of a condition of the extension. */
async function condition(type: string): Promise<string> {
  const { conditions = [] } = (await client.get(ClusterExtension, { name }))?.status ?? {};
  const { status, reason, message } = conditions.find((each) => each.type === type) ?? {};
  return `${status}/${reason}: ${message}`;
}

const installedVersion = async () =>
  (await client.get(ClusterExtension, { name }))?.status?.install?.bundle.version;

async function request(version: string): Promise<void> {
  await client.patch(ClusterExtension, { name }, { spec: { source: { catalog: { version } } } } as never);
  await environment.settle();
}

test('a catalog serves its image, unless it is unavailable', async () => {
  await createCatalog([{ version: '0.0.1' }]);
  const catalog = async () => {
    const found = await client.get(ClusterCatalog, { name: 'catalog' });
    return found?.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  };
  expect(await catalog()).toEqual(['Progressing True Succeeded', 'Serving True Available']);
  const found = await client.get(ClusterCatalog, { name: 'catalog' });
  expect(found?.metadata.labels).toEqual({ 'olm.operatorframework.io/metadata.name': 'catalog' });
  expect(found?.status?.resolvedSource?.image.ref).toMatch(/^example.com\/catalog@sha256:/);
  await client.patch(ClusterCatalog, { name: 'catalog' }, { spec: { availabilityMode: 'Unavailable' } });
  await environment.settle();
  expect(await catalog()).toEqual(['Progressing True Succeeded', 'Serving False UserSpecifiedUnavailable']);
  await createExtension();
  expect(await condition('Progressing')).toBe(
    'True/Retrying: no bundles found for package "memcached-operator"',
  );
});

test('a catalog whose image does not exist is tried again', async () => {
  const source = { type: 'Image', image: { ref: 'example.com/missing:v1' } } as const;
  await createCatalog([], {}, { source });
  const { status } = (await client.get(ClusterCatalog, { name: 'catalog' })) ?? {};
  expect(status?.conditions).toMatchObject([{ type: 'Progressing', status: 'True', reason: 'Retrying' }]);
  await createExtension();
  expect(await condition('Progressing')).toMatch(
    /^True\/Retrying: error walking catalogs: error getting package/,
  );
  expect(await condition('Installed')).toBe('False/Failed: No bundle installed');
});

test('an extension is installed without waiting for its Deployment, and deleting it deletes its definitions', async () => {
  await createCatalog([{ version: '0.0.1' }]);
  using failure = environment.failures.add({ image: '*memcached-operator*' }, { imagePull: 'not found' });
  await createExtension({}, { serviceAccount: { name: 'missing' } });
  expect(await condition('Installed')).toBe(
    'True/Succeeded: Installed bundle example.com/bundle:v0.0.1 successfully',
  );
  expect(await condition('Progressing')).toBe('True/Succeeded: Desired state reached');
  expect(await condition('BundleDeprecated')).toBe('False/NotDeprecated: bundle not deprecated');
  expect(await installedVersion()).toBe('0.0.1');
  const deployment = await client.get(Deployment, manager);
  expect(deployment?.status?.availableReplicas ?? 0).toBe(0);
  expect(deployment?.spec?.template.metadata?.annotations).toMatchObject({ 'olm.targetNamespaces': '' });
  const labelSelector = 'olm.operatorframework.io/owner-name=memcached';
  const roles = (await client.list(ClusterRole, { labelSelector })).items;
  const resources = roles.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources));
  expect(new Set(resources)).toEqual(new Set(['leases', 'memcacheds', 'namespaces']));
  failure.remove();

  await client.delete(ClusterExtension, { name });
  await environment.advance('1s');
  expect(await client.get(CustomResourceDefinition, { name: crdName })).toBeUndefined();
  expect(await client.get(Deployment, manager)).toBeUndefined();
});

describe('of several versions', () => {
  const entries = [
    { version: '0.0.3', replaces: 'memcached-operator.v0.0.2' },
    { version: '0.0.2', replaces: 'memcached-operator.v0.0.1' },
    { version: '0.0.1' },
  ];

  test('an upgrade follows the graph, unless the author certifies it', async () => {
    await createCatalog(entries);
    await createExtension({ version: '0.0.1' });
    await request('0.0.3');
    expect(await condition('Progressing')).toBe(
      'True/Retrying: error upgrading from currently installed version "0.0.1": no bundles found for package "memcached-operator" matching version "0.0.3"',
    );
    expect(await condition('Installed')).toContain('True/Succeeded');
    expect(await installedVersion()).toBe('0.0.1');
    await client.patch(ClusterExtension, { name }, {
      spec: { source: { catalog: { upgradeConstraintPolicy: 'SelfCertified' } } },
    } as never);
    await environment.settle();
    expect(await installedVersion()).toBe('0.0.3');
  });

  test('an upgrade deletes what the bundle no longer has', async () => {
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    await createCatalog(entries, { '0.0.1': { objects: [settings] } });
    await createExtension({ version: '0.0.1' });
    expect(await client.get(ConfigMap, { namespace, name: 'settings' })).toBeDefined();
    await request('0.0.2');
    expect(await client.get(ConfigMap, { namespace, name: 'settings' })).toBeUndefined();
  });

  test('an upgrade is refused that removes a field of a definition, unless the check is off', async () => {
    await createCatalog(entries, { '0.0.2': { fields: {} } });
    await createExtension({ version: '0.0.1' });
    await request('0.0.2');
    const progressing = await condition('Progressing');
    expect(progressing).toMatch(
      /^True\/Retrying: error for resolved bundle "memcached-operator.v0.0.2" with version "0.0.2": validating upgrade for CRD/,
    );
    expect(progressing).toContain('existingFieldRemoval: removed field : v1alpha1.^.spec.size');
    expect(await installedVersion()).toBe('0.0.1');
    const install = { preflight: { crdUpgradeSafety: { enforcement: 'None' as const } } };
    await client.patch(ClusterExtension, { name }, { spec: { install } });
    await environment.settle();
    expect(await installedVersion()).toBe('0.0.2');
  });
});

test.each([
  ['a namespace that does not exist', { namespace: 'missing' }, {}, 'namespaces "missing" not found'],
  [
    'a bundle for one namespace',
    {},
    { installModes: [{ type: 'OwnNamespace', supported: true }] },
    'unsupported bundle: bundle does not support AllNamespaces install mode',
  ],
])('%s is refused', async (_, spec, csv, reason) => {
  await createCatalog([{ version: '0.0.1' }], { '0.0.1': { csv } });
  await createExtension({}, spec);
  const progressing = await condition('Progressing');
  expect(progressing).toMatch(
    /^True\/Retrying: error for resolved bundle "memcached-operator.v0.0.1" with version "0.0.1": /,
  );
  expect(progressing).toContain(reason);
  expect(await condition('Installed')).toBe('False/Failed: No bundle installed');
});

test('a bundle with webhooks needs cert-manager', async () => {
  const webhookdefinitions = [
    {
      type: 'ValidatingAdmissionWebhook' as const,
      generateName: 'vmemcached.kb.io',
      deploymentName: manager.name,
      targetPort: 9443,
      webhookPath: '/validate',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ];
  await createCatalog([{ version: '0.0.1' }], { '0.0.1': { csv: { webhookdefinitions } } });
  await createExtension();
  expect(await condition('Progressing')).toContain(
    'no matches for kind "Issuer" in version "cert-manager.io/v1"',
  );
  expect(await client.get(CustomResourceDefinition, { name: crdName })).toBeUndefined();

  await Promise.all(
    ['Certificate', 'Issuer'].map((kind) => client.create(CustomResourceDefinition, certManagerKind(kind))),
  );
  await environment.advance('20s');
  expect(await condition('Progressing')).toBe('True/Succeeded: Desired state reached');
  const [configuration] = (await client.list(ValidatingWebhookConfiguration)).items;
  expect(configuration?.metadata.annotations).toMatchObject({
    'cert-manager.io/inject-ca-from': `${namespace}/${manager.name}-service-cert`,
  });
  const service = { name: `${manager.name}-service`, namespace, path: '/validate', port: 443 };
  expect(configuration?.webhooks?.[0]?.clientConfig).toEqual({ service });
  expect((await client.get(Service, service))?.spec?.ports).toMatchObject([{ port: 443, targetPort: 9443 }]);
  const volumes = (await client.get(Deployment, manager))?.spec?.template.spec?.volumes;
  expect(volumes?.map(({ name: volume }) => volume)).toEqual(['webhook-cert', 'apiservice-cert']);
});

test('objects that exist are refused, and nothing is created', async () => {
  await createCatalog([{ version: '0.0.1' }]);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: manager } as const;
  await client.create(ServiceAccount, account);
  await createExtension();
  expect(await condition('Progressing')).toMatch(
    /Unable to continue with install: ServiceAccount "memcached-operator-controller-manager" in namespace "memcached-system" exists and cannot be imported/,
  );
  expect(await client.get(CustomResourceDefinition, { name: crdName })).toBeUndefined();
  await client.delete(ServiceAccount, manager);
});
