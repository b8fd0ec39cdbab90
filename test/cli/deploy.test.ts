import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Namespace, ResourceQuota, Secret } from 'ots-kubernetes/core/v1';
import { readObjects } from 'ots-apiserver/kustomize';
import { Client, type UnstructuredObject, defineKind, waitFor } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy } from '../../src/commands/deploy/deploy.ts';
import { undeploy } from '../../src/commands/deploy/undeploy.ts';
import type { ClusterOptions } from '../../src/commands/shared/cluster-options.ts';
import { explainDeployment } from '../../src/deploy/explain-deployment.ts';
import { buildOf, runOnCluster } from '../support/cluster-run.ts';

/** There, the API server cannot reach the logs of simulated pods, nor a Service that stands for webhooks. */
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
const project = fileURLToPath(new URL('../golden/jobwatcher', import.meta.url));
const namespace = 'jobwatcher-system';
const service = `${namespace}/jobwatcher-webhook-service`;
const parent = { name: 'jobwatcher-applyset', namespace };
const deployment = 'deployment.apps/jobwatcher-controller-manager';
const JobWatcher = defineKind({
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Namespaced',
});
/** Without its webhooks, because the simulated pods have none. */
let operator: UnstructuredObject[];
let webhooks: UnstructuredObject[];
let environment: TestEnvironment;
let client: Client;
let options: ClusterOptions;

beforeAll(async () => {
  environment = await TestEnvironment.start({
    workloads: {
      images: {
        'crash:*': { exitCode: 3, logs: ['starting', 'fatal: no CRD'] },
        'slow:*': { ready: () => false, logs: 'waiting for the moon' },
      },
    },
  });
  client = new Client(environment.config, { fieldOwner: 'test' });
  options = { cwd: project, kubeconfig: await environment.kubeconfigFile(), timeout: '30s' };
  const manifests = await readObjects(`${project}/config/default`);
  const objects = manifests.map(({ object }): UnstructuredObject => ({ ...object }));
  const isAdmission = ({ apiVersion }: UnstructuredObject) => apiVersion.startsWith('admission');
  operator = objects.filter((object) => !isAdmission(object)).map(withFastProbes);
  webhooks = objects.filter(isAdmission);
});
afterAll(async () => {
  await client.close();
  await environment.stop();
});

/** Probes every second, so tests take less time. */
function withFastProbes(object: UnstructuredObject): UnstructuredObject {
  if (object.kind !== 'Deployment') return object;
  const copy = structuredClone(object) as any;
  for (const container of copy.spec.template.spec.containers) container.readinessProbe.periodSeconds = 1;
  return copy;
}

const deployed = (objects = operator, more: ClusterOptions & { image?: string } = {}) =>
  runOnCluster(deploy, { ...options, ...more }, {}, buildOf(objects));
const undeployed = (objects = operator, more: ClusterOptions = {}) =>
  runOnCluster(undeploy, { ...options, ...more }, {}, buildOf(objects));

// The tests build on each other: each deploys the next version.

/** Deploys an operator that does not become ready, and again when the cluster tells why. */
async function failing(image: string, cause: string, more: ClusterOptions = {}) {
  const late = { image, timeout: '1ms', ...more };
  const pods = operator.filter(({ kind }) => ['Namespace', 'ServiceAccount', 'Deployment'].includes(kind));
  await deployed(pods, late);
  const { signal } = new AbortController();
  const place = { name: 'jobwatcher-controller-manager', namespace };
  await waitFor(
    async () => {
      const { problem = '', evidence = [] } = (await explainDeployment({ client, signal }, place)) ?? {};
      return [problem, ...evidence].some((line) => line.includes(cause));
    },
    { timeout: '30s' },
  );
  return deployed(pods, late);
}

test('a dry run in an empty cluster shows everything, masks Secrets, and writes nothing', async () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'token', namespace: 'default' },
    stringData: { password: 'hunter2', user: 'jane' },
  };
  const first = await deployed([...operator, secret], { dryRun: true });
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain(`${deployment} created (dry run)\n--- /dev/null\n`);
  expect(first.stdout).not.toMatch(/hunter2|aHVudGVyMg/);
  expect(await client.get(Namespace, { name: namespace })).toBeUndefined();
  const old = { ...secret, stringData: { password: 'hunter1', user: 'jane' } };
  await client.apply(Secret, { ...old, apiVersion: 'v1', kind: 'Secret' }, { fieldOwner: 'ots' });
  const { stdout } = await deployed([secret], { dryRun: true });
  expect(stdout).toMatch(
    /^- +password: "?\*\*\* \(before\)"?\n\+ +password: "?\*\*\* \(after\)"?\n +user: "?\*\*\*"?$/m,
  );
  await client.delete(Secret, { name: 'token', namespace: 'default' });
});

test('deploy applies in order, waits for the operator, and changes nothing again', async () => {
  const { code, stdout, stderr } = await deployed();
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n').filter((line) => !line.startsWith('waiting for '));
  expect(lines.slice(0, 3)).toEqual([
    'namespace/jobwatcher-system created',
    'customresourcedefinition.apiextensions.k8s.io/jobwatchers.batch.my.github.com created',
    'serviceaccount/jobwatcher-controller-manager created',
  ]);
  expect(lines.slice(-3)).toEqual([`${deployment} created`, 'The operator is ready.', '']);
  const again = await deployed();
  expect(again.stdout.split('\n').filter((line) => !line.endsWith(' unchanged'))).toEqual([
    'The operator is ready.',
    '',
  ]);
});

test('all objects are members of an ApplySet, whose parent names their kinds and namespaces', async () => {
  const { metadata } = await client.getOrThrow(Secret, parent);
  // The hash of "jobwatcher-applyset.jobwatcher-system.Secret.", as kubectl computes it.
  const id = metadata.labels?.['applyset.kubernetes.io/id'];
  expect(id).toMatch(/^applyset-[\w-]{43}-v1$/);
  expect(metadata.annotations).toEqual({
    'applyset.kubernetes.io/tooling': 'ots/v0.1.0',
    'applyset.kubernetes.io/contains-group-kinds':
      'ClusterRole.rbac.authorization.k8s.io,ClusterRoleBinding.rbac.authorization.k8s.io,' +
      'CustomResourceDefinition.apiextensions.k8s.io,Deployment.apps,Namespace,' +
      'Role.rbac.authorization.k8s.io,RoleBinding.rbac.authorization.k8s.io,Secret,Service,ServiceAccount',
  });
  const found = await client.getOrThrow(Deployment, { name: 'jobwatcher-controller-manager', namespace });
  expect(found.metadata.labels?.['applyset.kubernetes.io/part-of']).toBe(id);
  expect(found.spec?.template.metadata?.labels).not.toHaveProperty('applyset.kubernetes.io/part-of');
});

test('--image and IMG choose the image, and an image that cannot be pulled is explained', async () => {
  using _ = environment.failures.add({ image: 'nope:*' }, { imagePull: 'manifest unknown' });
  const { code, stdout, stderr } = await failing('nope:v1', 'ImagePullBackOff');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^waiting for deployment.apps\/.*: pod jobwatcher-.*(?:ErrImagePull|ImagePullBackOff)/m,
  );
  expect(stderr).toMatch(/^ {2}event Failed: .*manifest unknown/m);
  expect(stderr).toMatch(
    /\nerror: deployment.apps\/jobwatcher-controller-manager is not available after 1 ms: pod jobwatcher-controller-manager-\S+: container manager: (?:ErrImagePull|ImagePullBackOff): .*\nhint: Push nope:v1 to where the nodes pull it, .*\n$/,
  );
});

test('a container that crashes is explained with the end of its log', async () => {
  const { code, stderr } = await failing('crash:v1', isReal ? 'exit code 3' : 'fatal: no CRD');
  expect(code).toBe(1);
  if (!isReal) expect(stderr).toContain('  log starting\n  log fatal: no CRD\nerror: ');
  expect(stderr).toMatch(/: container manager: it ended with exit code 3\nhint: Fix what the log says/);
});

test('a container that does not become ready is explained with its log, in --json as details', async () => {
  const { stdout } = await failing('slow:v1', isReal ? 'is not ready' : 'the moon', { json: true });
  const { error } = JSON.parse(stdout);
  expect(error).toMatchObject({
    code: 'NOT_AVAILABLE',
    message: expect.stringContaining('container manager: it runs but is not ready'),
    hint: 'Look at the log: the operator says there what it waits for.',
  });
  if (!isReal) expect(error.details.evidence).toContain('log waiting for the moon');
  expect(error.details.objects).toContainEqual(
    expect.objectContaining({ kind: 'Deployment', action: 'unchanged' }),
  );
});

test('a quota that keeps pods from being created is explained', async () => {
  await client.create(ResourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none', namespace },
    spec: { hard: { pods: '0' } },
  });
  await waitFor(async () => (await client.get(ResourceQuota, { name: 'none', namespace }))?.status?.hard);
  const { stderr } = await failing('other:v1', 'exceeded quota');
  await client.delete(ResourceQuota, { name: 'none', namespace });
  expect(stderr).toMatch(
    /: its pods cannot be created: .*exceeded quota: none, .*\nhint: Raise the quota of the namespace, or lower/,
  );
});

test('the Secret of another tool is not touched', async () => {
  const toolOf = (tool: string) => ({
    metadata: { annotations: { 'applyset.kubernetes.io/tooling': tool } },
  });
  await client.patch(Secret, parent, toolOf('kubectl/v1.36') as never);
  const { code, stderr } = await deployed();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: The Secret jobwatcher-applyset in jobwatcher-system belongs to an ApplySet of kubectl\nhint: /,
  );
  await client.patch(Secret, parent, toolOf('ots/v0.1.0') as never);
});

test('what an earlier version applied is pruned, but no definition and no namespace', async () => {
  const extra = (kind: string, apiVersion: string, name: string, rest: object = {}) => ({
    apiVersion,
    kind,
    metadata: { name, namespace },
    ...rest,
  });
  const config = extra('ConfigMap', 'v1', 'old', { data: {} });
  const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jobwatcher-data' } };
  await deployed([...operator, config, other]);
  const isDefinition = ({ kind }: UnstructuredObject) => kind === 'CustomResourceDefinition';
  const later = operator.filter((object) => !isDefinition(object));
  const changes = (text: string) =>
    text.split('\n').filter((line) => / (?:pruned|kept)/.test(line) && !line.startsWith('waiting'));
  const kept = 'no longer part of the project; ots does not delete what contains other objects';
  const expected = [
    `namespace/jobwatcher-data kept: ${kept}`,
    `customresourcedefinition.apiextensions.k8s.io/jobwatchers.batch.my.github.com kept: ${kept}`,
  ];
  const dry = await deployed(later, { dryRun: true });
  expect(changes(dry.stdout)).toContain('configmap/old pruned (dry run)');
  expect(await client.get(ConfigMap, { name: 'old', namespace })).toBeDefined();
  const real = await deployed(later);
  expect(changes(real.stdout).toSorted()).toEqual(['configmap/old pruned', ...expected].toSorted());
  expect(await client.get(ConfigMap, { name: 'old', namespace })).toBeUndefined();
  // They stay members, so the next version and undeploy find them.
  expect(changes((await deployed(later)).stdout).toSorted()).toEqual(expected.toSorted());
});

describe('webhooks', () => {
  test('they are not configured for an operator that is not ready', async () => {
    const { code } = await deployed([...operator, ...webhooks], { image: 'slow:v1', timeout: '1ms' });
    expect(code).toBe(1);
    expect((await client.list(ValidatingWebhookConfiguration)).items).toEqual([]);
  });

  test.skipIf(isReal)(
    'their configurations come when the operator is ready, and deploy waits until they answer',
    async () => {
      let isUp = false;
      const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const { request: review } = (await json(request)) as { request: { uid: string } };
        const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
        response.statusCode = isUp ? 200 : 503;
        response.end(JSON.stringify({ ...body, response: { uid: review.uid, allowed: true } }));
      };
      await environment.services.set(service, (request, response) => void answer(request, response));
      await deployed();
      const down = await deployed([...operator, ...webhooks], { timeout: '1ms' });
      expect(down.stderr).toMatch(
        /^error: The webhooks of JobWatcher do not answer after 1 ms: .*failed calling webhook .*\nhint: Check the log/,
      );
      expect(down.stdout.indexOf('webhookconfiguration')).toBeGreaterThan(down.stdout.indexOf(deployment));
      isUp = true;
      expect(await deployed([...operator, ...webhooks])).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

test('undeploy deletes custom objects while the operator runs, and asks first', async () => {
  await client.create(JobWatcher, {
    apiVersion: JobWatcher.apiVersion,
    kind: 'JobWatcher',
    metadata: { name: 'web', namespace: 'default', finalizers: ['example.com/clean-up'] },
    spec: { message: 'Hello' },
  } as never);
  expect((await undeployed()).stderr).toMatch(
    /^error: With the CRDs the server would delete 1 jobwatchers\.batch\.my\.github\.com\n/,
  );
  const stuck = await undeployed(operator, { yes: true, timeout: '1ms' });
  expect(stuck.stderr).toMatch(/jobwatchers.batch.my.github.com still exists after 1 ms/);
  // The operator would remove the finalizer, so it must still be there.
  expect(await client.get(Deployment, { name: 'jobwatcher-controller-manager', namespace })).toBeDefined();
  const patch = { metadata: { finalizers: null } } as never;
  await client.patch(JobWatcher, { name: 'web', namespace: 'default' }, patch);
  const { code, stdout } = await undeployed(operator, { yes: true });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('namespace/jobwatcher-system deleted');
  expect(await client.get(Namespace, { name: 'jobwatcher-data' })).toBeUndefined();
  expect(await undeployed()).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a server that stops in the middle is one line, and what to do another', async () => {
  const own = await TestEnvironment.start({ workloads: { images: { '*': { ready: () => false } } } });
  const kubeconfig = await own.kubeconfigFile();
  const ended = deployed(operator, { kubeconfig });
  const watcher = new Client(own.config);
  await waitFor(async () => (await watcher.list(Deployment)).items.length > 0);
  await watcher.close();
  await own.stop();
  expect((await ended).stderr).toMatch(/^error: .*\nhint: Check the server in the kubeconfig.*\n$/);
});
