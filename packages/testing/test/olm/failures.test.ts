import { gzipSync } from 'node:zlib';
import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Event, Pod, Service, ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import { expect, test } from 'vitest';
import { CatalogSource, ClusterServiceVersion, OperatorGroup, Subscription } from '../../src/olm/v0/kinds.ts';
import { bundleObjects, catalogBlobs, crdName } from '../support/olm-bundle.ts';
import { OlmCluster } from '../support/olm-cluster.ts';

const image = 'example.com/catalog:v1';
const group = 'global-operators';

const connection = async ({ client, namespace }: OlmCluster) =>
  (await client.get(CatalogSource, { namespace, name: 'catalog' }))?.status?.connectionState;

test('a catalog whose image does not exist prevents a resolution, which an event in the namespace default says', async () => {
  await using cluster = await OlmCluster.start();
  const { client, environment, namespace } = cluster;
  await cluster.createCatalog({ image: 'example.com/missing:v1' });
  await cluster.subscribe();
  await environment.settle();
  expect(await connection(cluster)).toMatchObject({ lastObservedState: 'CONNECTING' });
  await environment.advance('1m');
  expect(await connection(cluster)).toMatchObject({
    address: 'catalog.operators.svc:50051',
    lastObservedState: 'TRANSIENT_FAILURE',
  });
  const [pod] = (await client.list(Pod, { namespace, labelSelector: 'olm.catalogSource=catalog' })).items;
  expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ImagePullBackOff');
  const [problem = ''] = await cluster.problems();
  expect(problem).toMatch(
    /^ResolutionFailed: ErrorPreventedResolution: error using catalogsource operators\/catalog: /,
  );
  const events = (await client.list(Event, { namespace: 'default' })).items;
  expect(events.map(({ reason, involvedObject }) => `${reason} ${involvedObject.name}`)).toContain(
    'ResolutionFailed operators',
  );
  expect(await cluster.plans()).toEqual([]);
});

test('a Subscription to a package that the catalog does not have cannot be resolved', async () => {
  await using cluster = await OlmCluster.start();
  await cluster.installed({ name: 'other' });
  expect(await cluster.problems()).toEqual([
    'ResolutionFailed: ConstraintsNotSatisfiable: constraints not satisfiable: no operators found in package other in the catalog referenced by subscription memcached, subscription memcached exists',
  ]);
});

test('a bundle whose image does not exist is tried for 10 minutes', async () => {
  const entries = [{ version: '0.0.1' }];
  await using cluster = await OlmCluster.start();
  const blobs = catalogBlobs(entries, () => ({ image: 'example.com/missing:v1' }));
  await cluster.images.catalog('catalog', blobs);
  await cluster.installed();
  const { client, environment, namespace } = cluster;
  expect((await cluster.problems()).join()).toMatch(
    /BundleUnpacking: UnpackingInProgress: Bundle image pull failed/,
  );
  expect(await cluster.plans()).toEqual([]);
  await environment.advance('10m');
  expect((await cluster.problems()).join()).toMatch(
    /BundleUnpackFailed: BundleUnpackFailed: Bundle unpacking failed - DeadlineExceeded: Job was active longer than specified deadline/,
  );
  expect((await cluster.problems()).join()).not.toContain('BundleUnpacking:');
  const jobs = (await client.list(Job, { namespace })).items;
  expect(jobs).toHaveLength(1);
});

test('a Subscription in a namespace without an OperatorGroup, or with two, says nothing', async () => {
  await using cluster = await OlmCluster.start();
  const { client, environment, namespace } = cluster;
  await client.patch(OperatorGroup, { namespace, name: group }, { spec: { targetNamespaces: [namespace] } });
  const second = { namespace, name: 'second' };
  await client.create(OperatorGroup, {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: second,
  });
  const elsewhere = { namespace: 'default', name: 'memcached' };
  await client.create(Subscription, {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: elsewhere,
    spec: { source: 'catalog', sourceNamespace: namespace, name: 'memcached-operator' },
  });
  await cluster.installed();
  expect(await cluster.problems()).toEqual([]);
  expect(await cluster.plans()).toEqual([]);
  const { conditions } = (await client.get(Subscription, elsewhere))?.status ?? {};
  expect(conditions?.map(({ type }) => type)).toEqual(['CatalogSourcesUnhealthy']);
  const { status } = (await client.get(OperatorGroup, second)) ?? {};
  expect(status?.conditions).toMatchObject([{ type: 'MultipleOperatorGroup', status: 'True' }]);

  // An operator that does not support the namespaces of its OperatorGroup fails until it does.
  await client.delete(OperatorGroup, second);
  await environment.advance('10s');
  expect(await cluster.phase()).toBe(
    'Failed/UnsupportedOperatorGroup: OwnNamespace InstallModeType not supported, cannot configure to watch own namespace',
  );
  expect(await cluster.subscription()).toMatchObject({ state: 'AtLatestKnown' });
  await client.patch(OperatorGroup, { namespace, name: group }, { spec: { targetNamespaces: null } });
  await environment.advance('10s');
  expect(await cluster.phase()).toContain('Succeeded/');
});

test('an operator that does not become ready fails after 5 minutes, and one that is not ready any more is unhealthy', async () => {
  await using cluster = await OlmCluster.start();
  const { environment, client, namespace } = cluster;
  const failure = environment.failures.add({ image: '*memcached-operator*' }, { imagePull: 'not found' });
  await cluster.installed();
  expect(await cluster.phase()).toMatch(/^Installing\/InstallWaiting: installing: waiting for deployment/);
  await environment.advance('290s');
  const key = { namespace, name: 'memcached-operator.v0.0.1' };
  const history = async () =>
    (await client.get(ClusterServiceVersion, key))?.status?.conditions?.map(
      ({ phase, reason }) => `${phase}/${reason}`,
    );
  await environment.advance('10s');
  expect(await history()).toContain('Failed/InstallCheckFailed');
  failure.remove();
  await environment.advance('6m');
  expect(await cluster.phase()).toContain('Succeeded/');
  using crash = environment.failures.add({ image: '*memcached-operator*' }, { crashAfter: 0 });
  await environment.advance('1s');
  expect(await history()).toContain('Failed/ComponentUnhealthy');
  crash.remove();
});

test('a namespace whose ServiceAccount lacks rights retries the plan until it has them', async () => {
  await using cluster = await OlmCluster.start();
  const { client, environment, namespace } = cluster;
  await client.patch(
    OperatorGroup,
    { namespace, name: group },
    { spec: { serviceAccountName: 'installer' } },
  );
  await cluster.installed();
  expect((await cluster.plans())[0]?.status).toMatchObject({
    phase: 'Installing',
    conditions: [
      {
        type: 'Installed',
        status: 'False',
        reason: 'InstallCheckFailed',
        message:
          'please make sure the service account exists. sa=installer operatorgroup=operators/global-operators',
      },
    ],
  });
  await client.create(ServiceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name: 'installer' },
  });
  await environment.advance('5m');
  const [plan] = await cluster.plans();
  expect(plan?.status?.phase).toBe('Installing');
  expect(plan?.status?.attenuatedServiceAccountRef).toMatchObject({ name: 'installer', namespace });
  expect(plan?.status?.message).toMatch(
    /^retrying execution due to error: .*forbidden: User "system:serviceaccount:operators:installer" cannot create/,
  );
  await client.create(ClusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'installer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'installer' }],
  });
  await environment.advance('10s');
  expect((await cluster.plans())[0]?.status?.phase).toBe('Complete');
});

test('a definition that refuses objects that exist fails the plan after a minute', async () => {
  const entries = [{ version: '0.0.2', replaces: 'memcached-operator.v0.0.1' }, { version: '0.0.1' }];
  const fields = { size: { type: 'integer', maximum: 3 } };
  await using cluster = await OlmCluster.start(entries, { '0.0.2': { fields } });
  const { environment, namespace } = cluster;
  await cluster.installed({ startingCSV: 'memcached-operator.v0.0.1', installPlanApproval: 'Manual' });
  await cluster.approve();
  const spec = { size: 5 };
  const memcached = {
    apiVersion: 'cache.example.com/v1alpha1',
    kind: 'Memcached',
    metadata: { namespace, name: 'big' },
  };
  await cluster.create({ ...memcached, spec } as never);
  await cluster.approve();
  await environment.advance('1m');
  const failed = (await cluster.plans()).find(({ status }) => status?.phase === 'Failed');
  expect(failed?.status?.message).toMatch(
    /^error validating existing CRs against new CRD's schema for "memcacheds.cache.example.com": .*"operators\/big": updated validation is too restrictive: spec.size/,
  );
  expect((await cluster.problems()).join()).toMatch(
    /^InstallPlanFailed: InstallComponentFailed: error validating/,
  );
  expect(await cluster.phase('0.0.1')).toContain('/BeingReplaced');
});

test.each([
  ['that OLM does not install', 'v1', 'ResourceQuota', 'the InstallPlan contains invalid data'],
  [
    'that the cluster does not have',
    'monitoring.coreos.com/v1',
    'ServiceMonitor',
    'api-server resource not found installing ServiceMonitor extra: GroupVersionKind monitoring.coreos.com/v1, Kind=ServiceMonitor not found on the cluster',
  ],
])('a kind %s fails the plan', async (_, apiVersion, kind, problem) => {
  const extra = { apiVersion, kind, metadata: { name: 'extra' } };
  await using cluster = await OlmCluster.start(undefined, { '0.0.1': { objects: [extra] } });
  await cluster.installed();
  await cluster.environment.advance('1m');
  expect((await cluster.problems()).join()).toBe(`InstallPlanFailed: InstallComponentFailed: ${problem}`);
});

test('an operator waits for a definition that another one must provide', async () => {
  const required = [{ name: 'certificates.cert-manager.io', version: 'v1', kind: 'Certificate' }];
  const owned = [{ name: crdName, version: 'v1alpha1', kind: 'Memcached' }];
  const csv = { customresourcedefinitions: { owned, required } };
  await using cluster = await OlmCluster.start(undefined, { '0.0.1': { csv } });
  await cluster.installed();
  expect(await cluster.phase()).toBe(
    "Pending/RequirementsNotMet: one or more requirements couldn't be found",
  );
  const { requirementStatus = [] } = (await cluster.csv())?.status ?? {};
  expect(requirementStatus.map(({ name, status, message }) => `${name} ${status} ${message}`.trim())).toEqual(
    [
      'certificates.cert-manager.io NotPresent CRD is not present',
      `${crdName} Present CRD is present and Established condition is true`,
      'memcached-operator-controller-manager Present',
    ],
  );
});

test('a ClusterServiceVersion without a Subscription blocks the next one', async () => {
  await using cluster = await OlmCluster.start();
  const { client, environment, namespace } = cluster;
  await cluster.installed();
  await client.delete(Subscription, { namespace, name: 'memcached' });
  await environment.settle();
  await cluster.subscribe();
  await environment.advance('10s');
  const [problem = ''] = await cluster.problems();
  expect(problem).toMatch(/^ResolutionFailed: ConstraintsNotSatisfiable: /);
  expect(problem).toContain(
    'clusterserviceversion memcached-operator.v0.0.1 exists and is not referenced by a subscription',
  );
});

test('a catalog in ConfigMaps is served by a pod, at its address or that of a Service', async () => {
  await using cluster = await OlmCluster.start();
  const { client, environment, namespace } = cluster;
  const labels = { app: 'registry' };
  const blobs = catalogBlobs([{ version: '0.0.1' }], () => ({ inline: bundleObjects() }));
  const text = blobs.map((blob) => JSON.stringify(blob)).join('\n---\n');
  const binaryData = { 'catalog.yaml.gz': gzipSync(text).toString('base64') };
  await client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'part-1' },
    binaryData,
  });
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: 'registry', labels },
    spec: {
      containers: [{ name: 'opm', image: 'opm', args: ['serve', '/configs'] }],
      volumes: [{ name: 'part-1', configMap: { name: 'part-1' } }],
    },
  });
  await client.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'registry' },
    spec: { selector: labels, ports: [{ port: 50_051 }] },
  });
  await environment.settle();
  const ip = (await client.get(Pod, { namespace, name: 'registry' }))?.status?.podIP;
  await cluster.createCatalog({ address: `${ip}:50051` });
  await cluster.subscribe();
  await environment.advance('5s');
  expect(await connection(cluster)).toMatchObject({ address: `${ip}:50051`, lastObservedState: 'READY' });
  expect(await cluster.phase()).toContain('Succeeded/');

  const address = 'registry.operators.svc:50051';
  await client.patch(CatalogSource, { namespace, name: 'catalog' }, { spec: { address } });
  await environment.settle();
  expect(await connection(cluster)).toMatchObject({ address, lastObservedState: 'READY' });
  await client.delete(Pod, { namespace, name: 'registry' });
  await environment.advance('1m');
  expect(await connection(cluster)).toMatchObject({ address, lastObservedState: 'TRANSIENT_FAILURE' });
});

test('a pod that serves something else than a catalog crashes', async () => {
  await using cluster = await OlmCluster.start();
  await cluster.images.catalog('catalog', [
    { schema: 'olm.package', name: 'memcached-operator', defaultChannel: 'none' },
  ]);
  await cluster.createCatalog({ image });
  await cluster.environment.advance('1m');
  expect(await connection(cluster)).toMatchObject({ lastObservedState: 'TRANSIENT_FAILURE' });
  const { client, namespace } = cluster;
  const [pod] = (await client.list(Pod, { namespace, labelSelector: 'olm.catalogSource=catalog' })).items;
  expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('CrashLoopBackOff');
});
