import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, send } from 'ots-apiserver';
import { TestEnvironment } from 'ots-testing';
import { waitFor } from 'ots-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment } from './deploy/deployment.ts';
import { Kubectl } from './deploy/kubectl.ts';
import type { Replica } from './deploy/replica.ts';
import { Service } from './deploy/service.ts';
import { findBuilders } from './kustomize/builders.ts';

// A scaffolded operator on a real kube-apiserver, with the rights of its own service account and no others.
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
const canDeploy = isReal && (await findBuilders()).some(({ name }) => name.startsWith('kubectl'));
if (!canDeploy) {
  console.log(
    'SKIPPED: a scaffolded operator on a real kube-apiserver; set KUBEBUILDER_ASSETS and install kubectl',
  );
}
const gvk = (version: string): string[] => ['--group', 'batch', '--version', version, '--kind', 'JobWatcher'];
const steps = (...flags: string[]): string[][] => [
  ['init', '--domain', 'example.com', '--project-name', 'watcher', ...flags],
  ['create', 'api', ...gvk('v1')],
  ['create', 'webhook', ...gvk('v1'), '--defaulting', '--programmatic-validation'],
  ['create', 'api', ...gvk('v2')],
  ['create', 'webhook', ...gvk('v1'), '--conversion', '--spoke', 'v2'],
];

describe.skipIf(!canDeploy).each([
  ['of the whole cluster', steps(), 'default', ['--server-side']],
  ['of its own namespace', steps('--namespaced'), 'watcher-system', []],
])('an operator %s', (_, commands, namespace, flags) => {
  let directory: string;
  let environment: TestEnvironment;
  let service: Service;
  let kubectl: Kubectl;
  let deployment: Deployment;
  let replicas: [Replica, Replica];
  let leader: Replica;
  let standby: Replica;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ots-deploy-'));
    environment = await TestEnvironment.start();
    service = await Service.open();
    kubectl = new Kubectl(await environment.kubeconfigFile());
    deployment = await Deployment.build(directory, commands);
    await deployment.apply(kubectl, service, ...flags);
    await deployment.logIn(kubectl, environment);
    replicas = [deployment.start(), deployment.start()];
    await Promise.all(replicas.map((replica) => replica.until('the manager is ready')));
    service.endpoints.push(...replicas.map(({ ports }) => ports.webhooks));
    await waitFor(() => replicas.some((replica) => replica.says('became leader')), { timeout: '30s' });
    [leader, standby] = replicas[0].says('became leader') ? replicas : [replicas[1], replicas[0]];
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.end('SIGKILL')));
    await service?.[Symbol.asyncDispose]();
    await environment?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const watcher = (name: string, spec: object = { message: 'Hello' }, version = 'v1') => ({
    apiVersion: `batch.example.com/${version}`,
    kind: 'JobWatcher',
    metadata: { name, namespace },
    spec,
  });
  const get = (name: string, version = 'v1') =>
    kubectl.get(`jobwatchers.${version}.batch.example.com`, name, '--namespace', namespace);
  const certificate = () =>
    kubectl.get('secret', deployment.name('Secret'), '--namespace', deployment.namespace);
  const ready = (name: string, message: string) =>
    waitFor(
      async () => {
        const found = await get(name);
        return found?.['status']?.conditions?.find(
          (condition: any) => condition.message === `Reconciled "${message}"`,
        );
      },
      { timeout: '60s', message: () => `${name} to be ready\n${leader.log}${standby.log}` },
    );

  test('has one leader, and both replicas are ready', async () => {
    expect(standby.says('became leader')).toBe(false);
    for (const { ports } of replicas) {
      const server = `http://127.0.0.1:${ports.health}`;
      expect(await send({ server }, 'GET', '/readyz')).toMatchObject({ code: 200 });
    }
  });

  test.each(['has made', 'keeps'])('%s a certificate, and all callers know whom to trust', async (what) => {
    // As for an upgrade: what the manager has written is not in the manifest.
    if (what === 'keeps') await deployment.apply(kubectl, service, ...flags);
    const secret = await certificate();
    expect(Object.keys(secret!['data']).toSorted()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
    const authority = secret!['data']['ca.crt'];
    for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) {
      const configuration = await kubectl.get(kind, deployment.name(kind));
      expect(configuration!['webhooks'][0].clientConfig.caBundle).toBe(authority);
    }
    const definition = await kubectl.get('crd', 'jobwatchers.batch.example.com');
    expect(definition!['spec'].conversion.webhook.clientConfig.caBundle).toBe(authority);
  });

  test('reconciles its samples', async () => {
    // The API server learns of an authority a moment after it was written.
    const samples = ['apply', '--server-side', '--namespace', namespace, '-k', deployment.samples];
    await waitFor(() => kubectl.run(samples), { timeout: '30s' });
    for (const name of ['jobwatcher-v1-sample', 'jobwatcher-v2-sample']) {
      expect(await ready(name, 'Hello from JobWatcher')).toMatchObject({ type: 'Ready', status: 'True' });
    }
  });

  test('sets defaults, refuses invalid objects, and converts between versions', async () => {
    await kubectl.apply([watcher('plain')]);
    expect((await get('plain'))!.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'watcher' });
    await expect(kubectl.apply([watcher('watcher')])).rejects.toThrow('is reserved for the operator');
    await kubectl.apply([watcher('converted', { message: 'Two' }, 'v2')]);
    expect(await get('converted', 'v1')).toMatchObject({ apiVersion: 'batch.example.com/v1' });
    expect(await get('plain', 'v2')).toMatchObject({ spec: { message: 'Hello' } });
  });

  test('shows its metrics to readers with the right', async () => {
    const roles = `--clusterrole=${deployment.name('ClusterRole', 'metrics-reader')}`;
    await kubectl.run(['create', 'clusterrolebinding', 'metrics', roles, '--serviceaccount=default:reader']);
    const read = async (account?: string): Promise<Answer> => {
      const login = account ? { token: await kubectl.run(['create', 'token', account]) } : {};
      const server = `https://127.0.0.1:${leader.ports.metrics}`;
      return send({ server, insecureSkipTlsVerify: true, ...login }, 'GET', '/metrics');
    };
    for (const account of ['reader', 'stranger']) await kubectl.run(['create', 'serviceaccount', account]);
    expect(await read()).toMatchObject({ code: 401 });
    expect(await read('stranger')).toMatchObject({ code: 403 });
    const { code, body: text } = await read('reader');
    expect(code).toBe(200);
    expect(text).toMatch(/^leader_election_master_status\{.*\} 1$/m);
    expect(text).toMatch(/^controller_runtime_reconcile_total\{.*result="success".*\} [1-9]/m);
  });

  test('creates a new certificate when the Secret is deleted', async () => {
    const before = await certificate();
    await kubectl.run(['delete', 'secret', deployment.name('Secret'), '--namespace', deployment.namespace]);
    const after = await waitFor(certificate, { timeout: '30s' });
    expect(after['data']['ca.key']).not.toBe(before!['data']['ca.key']);
    await kubectl.apply([watcher('later')]);
  });

  test('continues with the other replica when the leader dies', async () => {
    service.endpoints.splice(service.endpoints.indexOf(leader.ports.webhooks), 1);
    await leader.end('SIGKILL');
    await kubectl.apply([watcher('plain', { message: 'Once more' })]);
    await standby.until('became leader', '60s');
    expect(await ready('plain', 'Once more')).toMatchObject({ type: 'Ready', observedGeneration: 2 });
    const events = () => kubectl.run(['get', 'events', '--namespace', deployment.namespace]);
    await waitFor(async () => (await events()).match(/became leader/g)?.length === 2, { timeout: '30s' });
  });

  test('stops on SIGTERM and has needed no further rights', async () => {
    expect(await standby.end('SIGTERM'), standby.log).toBe(0);
    for (const replica of replicas) {
      expect(replica.log).not.toMatch(/forbidden/i);
      expect(replica.lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    }
  });
});
