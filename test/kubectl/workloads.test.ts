import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasKubectl } from '../../packages/apiserver/test/conformance/kubectl/kubectl-runner.ts';
import {
  transcribe,
  writeFiles,
} from '../../packages/apiserver/test/conformance/kubectl/kubectl-transcript.ts';
import { OtsApiServer } from './ots-apiserver.ts';

const podHeader = 'NAME  READY  STATUS  RESTARTS  AGE  IP  NODE  NOMINATED NODE  READINESS GATES';
const labels = (app: string) => ({ selector: { matchLabels: { app } } });
const template = (app: string, spec: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: app, image: `${app}:1`, ...spec }] },
});
/** kubectl loses what a server sends on a WebSocket before kubectl is ready for it; SPDY waits. */
const withoutWebSockets = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' };
const files = {
  'db.json': {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      ...labels('db'),
      serviceName: 'db',
      replicas: 3,
      template: template('db', { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  },
  'agent.json': {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { ...labels('agent'), template: template('agent') },
  },
  // Its pods become ready late enough for an eviction to meet a used budget.
  'late.json': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      ...labels('web'),
      replicas: 2,
      template: template('web', { readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 2 } }),
    },
  },
};

describe.skipIf(!hasKubectl)('kubectl on ots apiserver --workloads', () => {
  let cluster: OtsApiServer;
  beforeAll(async () => {
    cluster = await OtsApiServer.start(2);
    await writeFiles(cluster.runner, files);
  });
  afterAll(() => cluster.close());

  /** Runs a command. @returns its outputs, after the exit code of one that fails; without times and addresses */
  async function kubectl(line: string): Promise<string> {
    const [{ says } = { says: '' }] = await transcribe(cluster.runner, [line], withoutWebSockets);
    return says;
  }

  /** Makes a namespace for a test. @returns kubectl in it */
  async function inNamespace(name: string): Promise<typeof kubectl> {
    expect(await kubectl(`create namespace ${name}`)).toBe(`namespace/${name} created\n`);
    onTestFinished(async () => {
      expect(await kubectl(`delete namespace ${name}`)).toBe(`namespace "${name}" deleted\n`);
    });
    return (line) => kubectl(`-n ${name} ${line}`);
  }

  /** Starts a command that goes on. @returns the process, which ends with the test at the latest */
  function start(line: string) {
    const child = spawn('kubectl', line.split(' '), { env: cluster.runner.env });
    onTestFinished(() => void child.kill());
    return child;
  }

  test('a Deployment rolls out, back and again', async () => {
    const run = await inNamespace('rollouts');
    const complete = expect.stringMatching(/^(Waiting .*\n)*deployment "web" successfully rolled out\n$/);
    const sets = () =>
      run(
        String.raw`get rs --no-headers --sort-by=.metadata.annotations.deployment\.kubernetes\.io/revision -o custom-columns=R:.metadata.annotations.deployment\.kubernetes\.io/revision,I:.spec.template.spec.containers[0].image,S:.spec.replicas`,
      );
    await run('create deployment web --image=nginx:1 --replicas=3');
    expect(await run('rollout status deployment/web')).toEqual(complete);
    expect(await run('wait --for=condition=Available deployment/web')).toBe(
      'deployment.apps/web condition met\n',
    );
    const [header, ...pods] = (await run('get pods -o wide')).trimEnd().split('\n');
    expect(header).toBe(podHeader);
    expect(pods).toHaveLength(3);
    for (const pod of pods)
      expect(pod).toMatch(
        /^web-\w+-\w{5} {2}1\/1 {2}Running {2}0 {2}AGE {2}IP {2}node-[12] {2}<none> {2}<none>$/,
      );
    expect(new Set(pods.map((pod) => /node-\d/.exec(pod)?.[0])).size).toBe(2);

    await run('set image deployment/web nginx=nginx:2');
    expect(await run('rollout status deployment/web')).toEqual(complete);
    expect(await sets()).toBe('1  nginx:1  0\n2  nginx:2  3\n');
    expect(await run('rollout undo deployment/web')).toBe('deployment.apps/web rolled back\n');
    expect(await run('rollout status deployment/web')).toEqual(complete);
    expect(await sets()).toBe('2  nginx:2  0\n3  nginx:1  3\n');
    expect(await run('rollout history deployment/web')).toBe(
      'deployment.apps/web\nREVISION  CHANGE-CAUSE\n2  <none>\n3  <none>\n\n',
    );

    await run('rollout pause deployment/web');
    await run('set image deployment/web nginx=nginx:3');
    expect(await run('rollout status deployment/web --timeout=1s')).toMatch(
      /^exit 1\nWaiting .* 0 out of 3 new replicas have been updated\.\.\.\nerror: timed out/,
    );
    expect(await sets()).toBe('2  nginx:2  0\n3  nginx:1  3\n');
    await run('rollout resume deployment/web');
    expect(await run('rollout status deployment/web')).toEqual(complete);
    await run('rollout restart deployment/web');
    expect(await run('rollout status deployment/web')).toEqual(complete);
    expect(await sets()).toBe('2  nginx:2  0\n3  nginx:1  0\n4  nginx:3  0\n5  nginx:3  3\n');
    expect(await run('get deployment web')).toContain('\nweb  3/3  3  3  AGE\n');

    expect(await run('delete deployment web')).toBe('deployment.apps "web" deleted\n');
    expect(await run('wait --for=delete pod,rs -l app=web')).not.toMatch(/^exit/);
    expect(await run('get all')).toBe('No resources found in rollouts namespace.\n');
  });

  test('a Deployment that is scaled down during a rollout stays available', async () => {
    const run = await inNamespace('scaled');
    const reached = async (field: string, value: number) =>
      expect(await run(`wait --for=jsonpath={.status.${field}}=${value} deployment/web --timeout=30s`)).toBe(
        'deployment.apps/web condition met\n',
      );
    await run('create deployment web --image=nginx:1 --replicas=6');
    await run('rollout status deployment/web');
    await run(
      `patch deployment web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":2,"maxUnavailable":1}},"template":{"spec":{"nodeSelector":{"no":"such"}}}}}'`,
    );
    await reached('unavailableReplicas', 3);
    await reached('availableReplicas', 5);
    expect(await run('get deployment web')).toContain('\nweb  5/6  3  5  AGE\n');
    await run('scale deployment/web --replicas=3');
    await reached('availableReplicas', 2);
    await reached('unavailableReplicas', 3);
    expect(await run('get deployment web')).toContain('\nweb  2/3  3  2  AGE\n');
    const pending = await run('get pods --field-selector=status.phase=Pending --no-headers -o wide');
    expect(pending).toMatch(
      /^(web-\S+ {2}0\/1 {2}Pending {2}0 {2}AGE {2}<none> {2}<none> {2}<none> {2}<none>\n){3}$/,
    );
    expect(await run('describe pod --selector=app=web')).toContain(
      "Warning  FailedScheduling  AGE  default-scheduler  0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
    );
    await run('rollout undo deployment/web');
    expect(await run('rollout status deployment/web')).toContain('successfully rolled out');
    expect(await run('get deployment web')).toContain('\nweb  3/3  3  3  AGE\n');
  });

  test('a StatefulSet creates its pods in order, with bound claims that outlive it', async () => {
    const run = await inNamespace('stateful');
    const complete = 'roll out complete: 3 new pods have been updated...\n';
    const claims = [0, 1, 2].map(
      (ordinal) => `data-db-${ordinal}  Bound  pvc-UID  1Gi  RWO  standard  <unset>  AGE\n`,
    );
    await run('apply -f @db.json');
    expect(await run('rollout status sts/db')).toContain(complete);
    expect(await run('get sts')).toContain('\ndb  3/3  AGE\n');
    const created = [0, 1, 2].map(
      (ordinal) =>
        `Create Claim data-db-${ordinal} Pod db-${ordinal} in StatefulSet db success\nCreate Pod db-${ordinal} in StatefulSet db successful\n`,
    );
    const messages =
      'get events --field-selector=reason=SuccessfulCreate --no-headers -o custom-columns=M:.message';
    expect(await run(messages)).toBe(created.join(''));
    expect(await run('get pvc --no-headers')).toBe(claims.join(''));
    await run('rollout restart sts/db');
    expect(await run('rollout status sts/db')).toContain(complete);
    expect(await run('rollout undo sts/db')).toBe('statefulset.apps/db rolled back\n');
    expect(await run('rollout status sts/db')).toContain(complete);
    await run('delete sts db');
    await run('wait --for=delete pod -l app=db');
    expect(await run('get pods')).toBe('No resources found in stateful namespace.\n');
    expect(await run('get pvc --no-headers')).toBe(claims.join(''));
  });

  test('a DaemonSet has a pod on each node, and rolls out and back', async () => {
    const run = await inNamespace('daemons');
    const complete = 'daemon set "agent" successfully rolled out\n';
    await run('apply -f @agent.json');
    expect(await run('rollout status ds/agent')).toContain(complete);
    expect(await run('get ds')).toContain('\nagent  2  2  2  2  2  <none>  AGE\n');
    const nodes = 'get pods --no-headers -o custom-columns=N:.spec.nodeName --sort-by=.spec.nodeName';
    expect(await run(nodes)).toBe('node-1\nnode-2\n');
    await run('set image ds/agent agent=agent:2');
    expect(await run('rollout status ds/agent')).toContain(complete);
    expect(await run('rollout undo ds/agent')).toBe('daemonset.apps/agent rolled back\n');
    expect(await run('rollout status ds/agent')).toContain(complete);
    expect(await run('get pods --no-headers -o custom-columns=I:.spec.containers[0].image')).toBe(
      'agent:1\nagent:1\n',
    );
  });

  test('a Job completes when its application ends, also one from a CronJob', async () => {
    const run = await inNamespace('jobs');
    await run(`create cronjob nightly --image=busybox --schedule '0 3 * * *' -- backup`);
    expect(await run('get cronjob')).toContain('\nnightly  ');
    expect(await run('create job now --from=cronjob/nightly')).toBe('job.batch/now created\n');
    expect(await run('wait --for=condition=complete job/now --timeout=30s')).toBe(
      'job.batch/now condition met\n',
    );
    expect(await run('logs job/now')).toBe('');
    expect(await run('get job now')).toContain('\nnow  Complete  1/1  AGE  AGE\n');
    expect(await run('describe job now')).toMatch(
      /Normal {2}SuccessfulCreate .*\n.*Normal {2}Completed .*Job completed\n/,
    );
  });

  test('logs, exec, cp and top answer, or say why they cannot', async () => {
    const run = await inNamespace('streams');
    await run('run app --image=nginx');
    await run('wait --for=condition=Ready pod/app');
    expect(await run('logs app')).toBe('');
    const following = start('-n streams logs --follow app');
    const followed = once(following, 'close');
    const notFound = (program: string) =>
      `exit 1\nerror: Internal error occurred: error executing command in container: exec: "${program}": executable file not found in $PATH\n`;
    expect(await run('exec app -- ls')).toBe(notFound('ls'));
    expect(await run('cp app:/etc/hosts @hosts')).toBe(notFound('tar'));
    expect(await run('cp @db.json app:/tmp/db.json')).toBe(notFound('tar'));
    expect(await run('top pods')).toBe('exit 1\nerror: Metrics API not available\n');
    expect(await run('top nodes')).toBe('exit 1\nerror: Metrics API not available\n');
    expect(await run('logs app -c other')).toMatch(
      /^exit 1\nerror: container other is not valid for pod app\n/,
    );
    const events = (await run('describe pod app')).split('\nEvents:\n')[1];
    expect(events?.split('\n').map((line) => line.trim().split('  ').slice(0, 2).join(' '))).toEqual([
      'Type Reason',
      '---- ------',
      'Normal Scheduled',
      'Normal Pulling',
      'Normal Pulled',
      'Normal Created',
      'Normal Started',
      '',
    ]);
    expect(await run('delete pod app')).toBe('pod "app" deleted\n');
    expect(await followed).toStrictEqual([0, null]);
  });

  test('the proxies of pods and Services say that an application does not listen', async () => {
    const run = await inNamespace('proxies');
    await run('run app --image=nginx --port=8080 --expose');
    await run('wait --for=condition=Ready pod/app');
    const below = '/api/v1/namespaces/proxies';
    const refused = expect.stringMatching(
      /^exit 1\nError from server \(ServiceUnavailable\): error trying to reach service: dial tcp \S+:8080: connect: connection refused\n$/,
    );
    expect(await kubectl(`get --raw ${below}/pods/app/proxy/`)).toEqual(refused);
    expect(await kubectl(`get --raw ${below}/services/app:8080/proxy/`)).toEqual(refused);
    expect(await kubectl(`get --raw ${below}/services/app:9/proxy/`)).toBe(
      'exit 1\nError from server (ServiceUnavailable): no service port 9 found for service "app"\n',
    );
  });

  test('port-forward says that an application does not listen', async () => {
    const run = await inNamespace('ports');
    await run('run app --image=nginx');
    await run('wait --for=condition=Ready pod/app');
    const forwarding = start('-n ports port-forward pod/app :80');
    const [first] = await once(forwarding.stdout, 'data');
    const port = /127\.0\.0\.1:(\d+) -> 80/.exec(String(first))?.[1];
    const stderr = text(forwarding.stderr);
    connect(Number(port), '127.0.0.1').end('GET / HTTP/1.1\r\n\r\n').resume();
    expect(await stderr).toMatch(/error forwarding port 80 to pod app, uid \S+: connection refused/);
  });

  test('a drain evicts the pods of a node as their budget allows, and they move to the other node', async () => {
    const run = await inNamespace('drained');
    onTestFinished(async () => void (await kubectl('uncordon node-1 node-2')));
    await run('apply -f @agent.json');
    await kubectl('cordon node-2');
    await run('apply -f @late.json');
    await run('create pdb web --selector=app=web --min-available=1');
    await run('rollout status deployment/web');
    await kubectl('uncordon node-2');
    expect(await run('wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/web --timeout=30s')).toBe(
      'poddisruptionbudget.policy/web condition met\n',
    );
    expect(await kubectl('drain node-1')).toMatch(
      /^exit 1\nnode\/node-1 cordoned\nerror: .*cannot delete DaemonSet-managed Pods .*drained\/agent-/,
    );
    const drained = await kubectl('drain node-1 --ignore-daemonsets --timeout=60s');
    expect(drained.match(/pod\/web-\S+ evicted\n/g)).toHaveLength(2);
    expect(drained).toMatch(
      /error when evicting pods\/"web-\S+" -n "drained" \(will retry after AGE\): Cannot evict pod as it would violate the pod's disruption budget\.\n/,
    );
    expect(drained).toMatch(/node\/node-1 drained\n/);
    await run('rollout status deployment/web');
    expect(await run('get pods -l app=web --no-headers -o custom-columns=N:.spec.nodeName')).toBe(
      'node-2\nnode-2\n',
    );
    expect(await kubectl('get nodes --no-headers')).toBe(
      'node-1  Ready,SchedulingDisabled  <none>  AGE  v1.36.3\nnode-2  Ready  <none>  AGE  v1.36.3\n',
    );
    expect(await kubectl('uncordon node-1')).toBe('node/node-1 uncordoned\n');
    await run('scale deployment/web --replicas=4');
    await run('rollout status deployment/web');
    expect(
      await run(
        'get pods -l app=web --no-headers -o custom-columns=N:.spec.nodeName --sort-by=.spec.nodeName',
      ),
    ).toBe('node-1\nnode-1\nnode-2\nnode-2\n');
  });

  test('Ctrl-C ends it with exit code 130 and without a word, also while clients watch', async () => {
    const watching = start('get events --all-namespaces --watch');
    await once(watching.stdout, 'data');
    expect(await cluster.interrupt()).toStrictEqual({ code: 130, stderr: '', hasKubeconfig: false });
  });
});
