import { afterAll, beforeAll, expect, test } from 'vitest';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { transcribe, writeFiles } from './kubectl-transcript.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

onEachServer('kubectl and workloads', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
    await transcribe(runner, ['create deployment web --image=nginx:1 --port=80']);
  });
  afterAll(async () => {
    await runner.close();
  });

  async function expectTranscript(name: string, lines: readonly string[]): Promise<void> {
    const transcript = await transcribe(runner, lines);
    await expect(asRecorded(transcript)).toMatchFileSnapshot(`../recorded/kubectl/${name}.yaml`);
  }

  /** What a controller would report. */
  const report = async (generation: number, replicas: number, updated: number) => {
    const status = {
      observedGeneration: generation,
      replicas,
      updatedReplicas: updated,
      readyReplicas: updated,
      availableReplicas: updated,
      conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'ok' }],
    };
    expect((await server.session.merge(`${deployments}/web/status`, { status })).code).toBe(200);
  };

  const replicaSet = (revision: number, image: string, uid: string) => ({
    metadata: {
      name: `web-${revision}`,
      labels: { app: 'web', 'pod-template-hash': `${revision}` },
      annotations: {
        'deployment.kubernetes.io/revision': `${revision}`,
        'kubernetes.io/change-cause': image,
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true }],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web', 'pod-template-hash': `${revision}` } },
      template: {
        metadata: { labels: { app: 'web', 'pod-template-hash': `${revision}` } },
        spec: { containers: [{ name: 'nginx', image, ports: [{ containerPort: 80 }] }] },
      },
    },
  });

  test('rollouts', async () => {
    await expectTranscript('rollout-unseen', ['rollout status deployment/web --timeout=1s']);
    await report(1, 1, 1);
    await expectTranscript('rollout-done', [
      'rollout status deployment/web',
      'wait --for=condition=Available deployment/web',
      'rollout history deployment/web',
      'rollout undo deployment/web',
    ]);
    const { uid } = (await server.session.get(`${deployments}/web`)).body.metadata;
    const sets = '/apis/apps/v1/namespaces/default/replicasets';
    expect((await server.session.post(sets, replicaSet(1, 'nginx:0', uid))).code).toBe(201);
    expect((await server.session.post(sets, replicaSet(2, 'nginx:1', uid))).code).toBe(201);
    await expectTranscript('rollout', [
      'rollout history deployment/web',
      'rollout history deployment/web --revision=1',
      'rollout undo deployment/web --to-revision=1',
      "get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'",
      'rollout pause deployment/web',
      'rollout pause deployment/web',
      'rollout undo deployment/web',
      'rollout resume deployment/web',
      'rollout restart deployment/web',
      'rollout undo deployment/missing',
      "get deployment web -o jsonpath='{.metadata.generation}'",
    ]);
  });

  test('set', async () => {
    await expectTranscript('set', [
      'set image deployment/web nginx=nginx:3',
      'set image deployment/web nginx=nginx:3',
      'set image deployment/web other=nginx:3',
      'set resources deployment/web --limits=cpu=200m,memory=512Mi --requests=cpu=0.1',
      'set env deployment/web A=1',
      'set env deployment/web --list',
      'set env deployment/web A-',
      'set serviceaccount deployment/web robot',
      "get deployment web -o jsonpath='{.spec.template.spec.containers[0].resources}{.spec.template.spec.serviceAccountName}'",
    ]);
  });

  test('scale', async () => {
    await expectTranscript('scale', [
      'scale deployment/web --replicas=3',
      'scale deployment/web --replicas=4 --current-replicas=9',
      'scale deployment/web --replicas=4 --current-replicas=3',
      'scale deployment/missing --replicas=1',
      'scale cm/missing --replicas=1',
      "get deployment web -o jsonpath='{.spec.replicas}'",
    ]);
  });

  test('expose and run', async () => {
    await expectTranscript('expose', [
      'expose deployment web --port=80 --target-port=8080',
      'expose deployment web --port=80',
      'run lonely --image=busybox:1 --labels=a=b --env=X=1 --restart=Never -- sleep 1d',
      'run lonely --image=busybox:1',
      "get svc web -o jsonpath='{.spec.selector}{.spec.ports}{.spec.type}'",
      "get pod lonely -o jsonpath='{.spec.restartPolicy}{.spec.containers[0].args}{.status}'",
      'get pod,svc,deployment -l app=web',
      'get pod lonely',
    ]);
  });

  test('describe', async () => {
    await writeFiles(runner, {
      'node.json': {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n1', labels: { a: 'b' } },
        spec: { podCIDR: '10.1.0.0/24', unschedulable: true },
      },
    });
    await expectTranscript('describe', [
      'create -f @node.json',
      'describe deployment web',
      // kube-apiserver now and then repairs the address of a new Service, with an Event
      'describe svc web --show-events=false',
      'describe pod lonely',
      'describe ns default',
      'describe node n1',
      'describe sa default',
      'describe pod missing',
    ]);
  });

  test('delete', async () => {
    await expectTranscript('delete', [
      'delete pod lonely --grace-period=0 --force',
      'delete pod lonely',
      'delete deployment web --cascade=orphan --wait=false',
      'delete svc,rs -l app=web',
      'delete node n1',
      'delete svc missing --ignore-not-found',
      'delete pod --all',
    ]);
  });
});
