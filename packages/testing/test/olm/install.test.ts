import { Deployment } from 'ots-kubernetes/apps/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Secret, Service } from 'ots-kubernetes/core/v1';
import { ClusterRole, ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import { expect, test } from 'vitest';
import {
  ClusterServiceVersion,
  InstallPlan,
  OperatorCondition,
  Subscription,
} from '../../src/olm/v0/kinds.ts';
import { bundleObjects, catalogBlobs, crdName } from '../support/olm-bundle.ts';
import { OlmCluster } from '../support/olm-cluster.ts';

const manager = 'memcached-operator-controller-manager';

test('an image is unpacked by a Job, then an InstallPlan installs the operator, which knows what it watches', async () => {
  await using cluster = await OlmCluster.start(undefined, {}, { unpack: true });
  const { client, environment, namespace } = cluster;
  await cluster.createCatalog();
  await cluster.subscribe({ config: { env: [{ name: 'LEVEL', value: 'debug' }] } });
  await environment.settle();
  expect((await client.list(Job, { namespace })).items).toHaveLength(1);
  expect(await cluster.problems()).toContain('BundleUnpacking: UnpackingInProgress');
  expect(await cluster.plans()).toEqual([]);

  await environment.advance('5s');
  expect(await cluster.problems()).toEqual([]);
  expect(await cluster.subscription()).toMatchObject({
    state: 'AtLatestKnown',
    currentCSV: 'memcached-operator.v0.0.1',
    installedCSV: 'memcached-operator.v0.0.1',
    installPlanGeneration: 1,
  });
  const [plan] = await cluster.plans();
  expect(plan).toMatchObject({
    spec: {
      approval: 'Automatic',
      approved: true,
      clusterServiceVersionNames: ['memcached-operator.v0.0.1'],
    },
    status: { phase: 'Complete', conditions: [{ type: 'Installed', status: 'True' }] },
  });
  expect(plan?.status?.plan?.map(({ resource, status }) => `${resource.kind} ${status}`)).toEqual([
    'ClusterServiceVersion Created',
    'CustomResourceDefinition Created',
    'ServiceAccount Created',
    'Role Created',
    'RoleBinding Created',
    'ClusterRole Created',
    'ClusterRoleBinding Created',
  ]);
  const { conditions = [] } = (await cluster.csv())?.status ?? {};
  const phases = conditions.map(({ phase, reason }) => `${phase}/${reason}`);
  expect(phases.filter((phase) => phase !== 'Pending/RequirementsNotMet')).toEqual([
    'Pending/RequirementsUnknown',
    'InstallReady/AllRequirementsMet',
    'Installing/InstallSucceeded',
    'Installing/InstallWaiting',
    'Succeeded/InstallSucceeded',
  ]);

  const deployment = await client.get(Deployment, { namespace, name: manager });
  expect(deployment?.metadata.labels).toMatchObject({
    'olm.owner': 'memcached-operator.v0.0.1',
    'olm.owner.kind': 'ClusterServiceVersion',
    'olm.owner.namespace': namespace,
    'olm.managed': 'true',
  });
  const template = deployment?.spec?.template;
  expect(template?.metadata?.annotations).toMatchObject({
    'olm.operatorGroup': 'global-operators',
    'olm.operatorNamespace': namespace,
    'olm.targetNamespaces': '',
  });
  expect(template?.spec?.containers[0]?.env).toEqual([
    { name: 'LEVEL', value: 'debug' },
    { name: 'OPERATOR_CONDITION_NAME', value: 'memcached-operator.v0.0.1' },
  ]);
  const labelSelector = { matchLabels: { 'olm.owner': 'memcached-operator.v0.0.1' } };
  const roles = (await client.list(ClusterRole, { labelSelector })).items;
  const resources = roles.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources));
  expect(new Set(resources)).toEqual(new Set(['leases', 'memcacheds', 'namespaces']));
  expect((await client.list(ClusterRoleBinding, { labelSelector })).items).toHaveLength(2);
});

test('a Manual plan waits for its approval, and is missed when it is deleted', async () => {
  await using cluster = await OlmCluster.start();
  await cluster.installed({ installPlanApproval: 'Manual' });
  expect(await cluster.subscription()).toMatchObject({
    state: 'UpgradePending',
    currentCSV: 'memcached-operator.v0.0.1',
    installPlanRef: { kind: 'InstallPlan', name: (await cluster.plans())[0]?.metadata.name },
  });
  expect(await cluster.problems()).toEqual(['InstallPlanPending: RequiresApproval']);
  expect((await cluster.plans())[0]).toMatchObject({
    spec: { approval: 'Manual', approved: false },
    status: { phase: 'RequiresApproval' },
  });
  expect(await cluster.csv()).toBeUndefined();
  await cluster.approve();
  expect(await cluster.phase()).toContain('Succeeded/');
  expect(await cluster.problems()).toEqual([]);

  const { client, environment, namespace } = cluster;
  const [plan] = await cluster.plans();
  await client.delete(InstallPlan, { namespace, name: plan!.metadata.name! });
  await environment.settle();
  expect(await cluster.problems()).toEqual(['InstallPlanMissing: ReferencedInstallPlanNotFound']);
});

test('an upgrade waits for the operator, and replaces the version before, which disappears', async () => {
  const entries = [{ version: '0.0.2', replaces: 'memcached-operator.v0.0.1' }, { version: '0.0.1' }];
  await using cluster = await OlmCluster.start(entries);
  const { environment, client, namespace } = cluster;
  await cluster.installed({ startingCSV: 'memcached-operator.v0.0.1', installPlanApproval: 'Manual' });
  await cluster.approve();
  expect(await cluster.phase('0.0.1')).toContain('Succeeded/');
  expect(await cluster.subscription()).toMatchObject({
    state: 'UpgradePending',
    currentCSV: 'memcached-operator.v0.0.2',
    installedCSV: 'memcached-operator.v0.0.1',
    installPlanGeneration: 2,
  });
  const key = { namespace, name: 'memcached-operator.v0.0.1' };
  const overrides = [{ type: 'Upgradeable', status: 'False', reason: 'Busy', message: 'a backup runs' }];
  await client.patch(OperatorCondition, key, { spec: { overrides } } as never);
  await cluster.approve();
  expect(await cluster.phase('0.0.2')).toBe(
    'Pending/OperatorConditionNotUpgradeable: operator is not upgradeable: The operator is not upgradeable: a backup runs',
  );
  environment.failures.add({ image: 'example.com/memcached-operator:v0.0.2' }, { readyAfter: '30s' });
  await client.patch(OperatorCondition, key, { spec: { overrides: null } } as never);
  await environment.advance('1s');
  expect(await cluster.phase('0.0.1')).toBe(
    'Replacing/BeingReplaced: being replaced by csv: memcached-operator.v0.0.2',
  );
  await environment.advance('1m');
  expect(await cluster.csv('0.0.1')).toBeUndefined();
  expect(await cluster.csv('0.0.2')).toMatchObject({
    spec: { replaces: 'memcached-operator.v0.0.1' },
    status: { phase: 'Succeeded' },
  });
  expect(await cluster.subscription()).toMatchObject({
    state: 'AtLatestKnown',
    installedCSV: 'memcached-operator.v0.0.2',
  });
  const deployment = await client.get(Deployment, { namespace, name: manager });
  expect(deployment?.metadata.labels?.['olm.owner']).toBe('memcached-operator.v0.0.2');
});

test('what a bundle contains is created beside its ClusterServiceVersion; deleting that keeps definitions and ClusterRoles of the bundle', async () => {
  const own = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'memcached-editor-role' },
    rules: [],
  };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { size: '1' } };
  await using cluster = await OlmCluster.start(undefined, { '0.0.1': { objects: [own, map] } });
  const { client, environment, namespace } = cluster;
  await cluster.installed();
  const owner = (await client.get(ConfigMap, { namespace, name: 'settings' }))?.metadata.ownerReferences?.[0];
  expect(owner).toMatchObject({ kind: 'ClusterServiceVersion', name: 'memcached-operator.v0.0.1' });

  await client.delete(Subscription, { namespace, name: 'memcached' });
  await client.delete(ClusterServiceVersion, { namespace, name: 'memcached-operator.v0.0.1' });
  await environment.advance('10s');
  expect(await client.get(CustomResourceDefinition, { name: crdName })).toBeDefined();
  expect(await client.get(ClusterRole, { name: 'memcached-editor-role' })).toBeDefined();
  expect(await client.get(Deployment, { namespace, name: manager })).toBeUndefined();
  expect(await client.get(ConfigMap, { namespace, name: 'settings' })).toBeUndefined();
  expect(await cluster.plans()).toEqual([]);
  const labelSelector = { matchLabels: { 'olm.owner': 'memcached-operator.v0.0.1' } };
  expect((await client.list(ClusterRole, { labelSelector })).items).toEqual([]);
});

test('a webhook gets a Service, a certificate and a configuration', async () => {
  const webhookdefinitions = [
    {
      type: 'ValidatingAdmissionWebhook' as const,
      generateName: 'vmemcached.kb.io',
      deploymentName: manager,
      containerPort: 443,
      targetPort: 9443,
      webhookPath: '/validate',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Fail',
      rules: [
        {
          apiGroups: ['cache.example.com'],
          apiVersions: ['v1alpha1'],
          operations: ['CREATE'],
          resources: ['memcacheds'],
        },
      ],
    },
  ];
  await using cluster = await OlmCluster.start(undefined, { '0.0.1': { csv: { webhookdefinitions } } });
  const { client, environment, namespace } = cluster;
  await cluster.installed();
  const [configuration] = (await client.list(ValidatingWebhookConfiguration)).items;
  const service = { namespace, name: `${manager}-service`, path: '/validate', port: 443 };
  expect(configuration?.webhooks?.[0]?.clientConfig.service).toEqual(service);
  expect((await client.get(Service, service))?.spec?.ports).toMatchObject([{ port: 443, targetPort: 9443 }]);
  expect((await client.get(Secret, { namespace, name: `${service.name}-cert` }))?.type).toBe(
    'kubernetes.io/tls',
  );
  const volumes = (await client.get(Deployment, { namespace, name: manager }))?.spec?.template.spec?.volumes;
  expect(volumes?.map(({ name }) => name)).toEqual(['webhook-cert', 'apiservice-cert']);
  await client.delete(ClusterServiceVersion, { namespace, name: 'memcached-operator.v0.0.1' });
  await environment.settle();
  expect((await client.list(ValidatingWebhookConfiguration)).items).toEqual([]);
});

test('what an operator requires is installed with it, and has a Subscription', async () => {
  const properties = [
    { type: 'olm.package.required', value: { packageName: 'etcd-operator', versionRange: '0.x' } },
  ];
  await using cluster = await OlmCluster.start();
  const memcached = catalogBlobs([{ version: '0.0.1' }], () => ({ inline: bundleObjects() }), properties);
  const asEtcd = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll('memcached', 'etcd').replaceAll('Memcached', 'Etcd')) as T;
  const etcd = asEtcd(catalogBlobs([{ version: '0.0.1' }], () => ({ inline: asEtcd(bundleObjects()) })));
  await cluster.images.catalog('catalog', [...memcached, ...etcd]);
  await cluster.installed();
  const { client, namespace } = cluster;
  const subscriptions = (await client.list(Subscription, { namespace })).items;
  expect(
    subscriptions.map(({ metadata, status }) => `${metadata.name} ${status?.state} ${status?.installedCSV}`),
  ).toEqual([
    'etcd-operator-alpha-catalog-operators AtLatestKnown etcd-operator.v0.0.1',
    'memcached AtLatestKnown memcached-operator.v0.0.1',
  ]);
  expect(await cluster.plans()).toHaveLength(1);
  expect(await cluster.problems()).toEqual([]);
});
