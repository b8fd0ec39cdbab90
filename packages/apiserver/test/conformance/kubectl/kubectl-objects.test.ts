import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { transcribe, writeFiles } from './kubectl-transcript.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const configMap = (name: string, data: object, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});

onEachServer('kubectl and objects', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
  });
  afterAll(async () => {
    await runner.close();
  });

  async function expectTranscript(
    name: string,
    lines: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<void> {
    const transcript = await transcribe(runner, lines, env);
    await expect(asRecorded(transcript)).toMatchFileSnapshot(`../recorded/kubectl/${name}.yaml`);
  }

  test('labels and annotations', async () => {
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('marked', { a: '1' }));
    await expectTranscript('marks', [
      'label cm marked x=1',
      'label cm marked x=2',
      'label cm marked x=2 --overwrite',
      'label cm marked x=2 --overwrite',
      'label cm marked x=3 --overwrite --resource-version=1',
      "label cm marked 'x=a b' --overwrite",
      'label cm marked x- y-',
      'label cm missing x=1',
      'label cm -l of=nobody x=1',
      'annotate cm marked n=1',
      'annotate cm marked n=2',
      'annotate cm marked n=2 --overwrite',
      'annotate cm --all n=3 --overwrite',
      'annotate cm marked n-',
      'label cm marked x=1 --dry-run=server',
      "get cm marked -o jsonpath='{.metadata.labels}|{.metadata.annotations}'",
      'delete cm marked --wait=false',
    ]);
  });

  test('edit', async () => {
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('edited', { a: 'old' }));
    const editor = (script: string) => `#!/bin/sh\n${script}\n`;
    await writeFiles(runner, {
      change: editor(`sed -i 's/a: old/a: new/' "$1"`),
      leave: editor('true'),
      rename: editor(`sed -i 's/name: edited/name: other/' "$1"`),
    });
    // kubectl keeps what it could not store in a file.
    const edit = (name: string) => ({
      KUBE_EDITOR: `${runner.directory}/${name}`,
      TMPDIR: runner.directory,
    });
    await expectTranscript('edit-change', ['edit cm edited'], edit('change'));
    await expectTranscript('edit-nothing', ['edit cm edited'], edit('leave'));
    await expectTranscript('edit-name', ['edit cm edited', 'get cm edited other -o name'], edit('rename'));
    await server.session.delete('/api/v1/namespaces/default/configmaps/edited');
  });

  test('wait', async () => {
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('waited', { a: '1' }));
    await writeFiles(runner, { 'late.json': configMap('late', {}) });
    const late = transcribe(runner, ['wait --for=create cm/late --timeout=20s']);
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('late', {}));
    expect((await late)[0]?.says).toBe('configmap/late condition met\n');
    const gone = transcribe(runner, ['wait --for=delete cm/late --timeout=20s']);
    await server.session.delete('/api/v1/namespaces/default/configmaps/late');
    expect((await gone)[0]?.says).toMatch(/^$|^configmap\/late condition met\n$/);
    await expectTranscript('wait', [
      'wait --for=delete cm/late --timeout=5s',
      'wait --for=create cm/waited --timeout=5s',
      "wait --for=jsonpath='{.data.a}'=1 cm/waited --timeout=5s",
      "wait --for=jsonpath='{.data.a}' cm/waited --timeout=5s",
      "wait --for=jsonpath='{.data.a}'=2 cm/waited --timeout=1s",
      'wait --for=condition=Ready cm/waited --timeout=0',
      "wait --for=jsonpath='{.status.phase}'=Active ns/default --timeout=5s",
      'wait --for=condition=Ready cm/missing --timeout=1s',
      'delete cm waited',
    ]);
  });

  test('diff', async () => {
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('differing', { a: '1' }));
    await writeFiles(runner, {
      'differing.json': configMap('differing', { a: '2' }),
      'same.json': configMap('differing', { a: '1' }),
      'new.json': configMap('new', { a: '1' }),
    });
    const hunks = async (command: string) =>
      (await transcribe(runner, [command]))[0]?.says.split('\n').filter((line) => /^(exit|[-+] )/.test(line));
    expect(await hunks('diff -f @differing.json')).toStrictEqual(['exit 1', '-  a: "1"', '+  a: "2"']);
    expect(await hunks('diff --server-side --force-conflicts -f @differing.json')).toStrictEqual(
      expect.arrayContaining(['exit 1', '-  a: "1"', '+  a: "2"']),
    );
    expect(await hunks('diff -f @new.json')).toStrictEqual(
      expect.arrayContaining(['exit 1', '+  a: "1"', '+  name: new']),
    );
    expect(await hunks('diff -f @same.json')).toStrictEqual([]);
    await server.session.delete('/api/v1/namespaces/default/configmaps/differing');
  });

  test('a list in a file', async () => {
    const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'listed' },
      spec: { replicas: 'x' },
    };
    await writeFiles(runner, {
      'list.json': list(configMap('listed', { a: '1' }), {
        ...configMap('labelled', {}),
        metadata: { name: 'labelled', labels: { a: 'b' } },
      }),
      'bad.json': list({ ...configMap('listed', {}), dat: {} }, deployment),
    });
    // kubectl itself checks lists against OpenAPI 2, which it reads as protobuf.
    await expectTranscript('list', [
      'apply -f @list.json',
      'apply -f @bad.json',
      'apply -f @list.json',
      'delete -f @list.json',
    ]);
  });

  test('apply --prune', async () => {
    const list = (...names: string[]) => ({
      apiVersion: 'v1',
      kind: 'List',
      items: names.map((name) => configMap(name, { a: '1' }, { set: 'pruned' })),
    });
    await writeFiles(runner, { 'both.json': list('one', 'two'), 'one.json': list('one') });
    await expectTranscript('prune', [
      'apply -f @both.json --prune -l set=pruned --prune-allowlist=core/v1/ConfigMap',
      'apply -f @one.json --prune -l set=pruned --prune-allowlist=core/v1/ConfigMap',
      'get cm -l set=pruned -o name',
      'apply view-last-applied cm/one -o json',
      'apply set-last-applied -f @one.json',
      'delete cm -l set=pruned',
      'delete cm -l set=pruned',
    ]);
  });

  test('apply --server-side', async () => {
    await writeFiles(runner, {
      'mine.json': configMap('shared', { a: '1' }),
      'yours.json': configMap('shared', { a: '2', b: '2' }),
    });
    await expectTranscript('server-side', [
      'apply --server-side -f @mine.json',
      'apply --server-side -f @mine.json',
      'apply --server-side --field-manager=you -f @yours.json',
      'apply --server-side --field-manager=you --force-conflicts -f @yours.json',
      'apply --server-side --field-manager=you --force-conflicts --dry-run=server -f @mine.json',
      'apply -f @mine.json',
      "get cm shared -o jsonpath='{.data}'",
      'replace -f @yours.json',
      'replace -f @yours.json --force --grace-period=0',
      'delete -f @yours.json --cascade=foreground --wait=false',
    ]);
  });

  test('create of everything', async () => {
    await expectTranscript('create', [
      'create namespace made',
      'create configmap made -n made --from-literal=a=1',
      'create configmap made -n made --from-literal=a=1',
      'create secret generic made -n made --from-literal=a=1',
      'create secret docker-registry pull -n made --docker-server=r.example.com --docker-username=u --docker-password=p',
      'create serviceaccount made -n made',
      'create role made -n made --verb=get --resource=pods',
      'create clusterrole made --verb=get --resource=nodes',
      'create rolebinding made -n made --role=made --serviceaccount=made:made',
      'create clusterrolebinding made --clusterrole=made --user=jane',
      'create quota made -n made --hard=pods=3,memory=1Gi',
      'create poddisruptionbudget made -n made --selector=a=b --min-available=1',
      'create priorityclass made --value=10 --description=some',
      'create deployment made -n made --image=nginx:1 --replicas=2',
      'create job made -n made --image=busybox -- true',
      "create cronjob made -n made --image=busybox --schedule='*/5 * * * *' -- true",
      'create job again -n made --from=cronjob/made',
      'create ingress made -n made --rule=a.example.com/*=made:80',
      'create service clusterip made -n made --tcp=80:8080',
      'create service nodeport noded -n made --tcp=80:8080',
      'create service loadbalancer balanced -n made --tcp=80:8080',
      'create service externalname external -n made --external-name=a.example.com',
      'create namespace Bad_Name',
      'get cm,secret,sa,role,rolebinding,quota,pdb,cronjob,ingress -n made -o name',
      'get clusterrole,clusterrolebinding,priorityclass made -o name',
      "get secret pull -n made -o jsonpath='{.type}'",
      "get job again -n made -o jsonpath='{.metadata.annotations}{.metadata.ownerReferences[0].name}'",
      'get deployment,job,cronjob,service,pdb,quota,ingress -n made',
      'get role,rolebinding,sa -n made --no-headers',
    ]);
  });

  test('what is served', async () => {
    await expectTranscript('served', [
      'get --raw /livez',
      'get --raw /readyz/ping',
      'get --raw /nothing',
      'get --raw /api/v1/namespaces/default/configmaps/missing',
      'get cm missing',
      'get cm missing --ignore-not-found',
      'get nothing',
      'get cm -n missing',
      'get cm --field-selector=metadata.name=x',
      'get cm --field-selector=data.a=x',
      'get all -n missing',
      'api-resources --api-group=apps --no-headers',
      'api-resources --api-group=batch -o wide',
      'api-resources --api-group=rbac.authorization.k8s.io --namespaced=false -o name',
      'explain cm.metadata.nothing',
    ]);
  });

  test('events', async () => {
    const event = {
      metadata: { name: 'happened' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'x', apiVersion: 'v1' },
      reason: 'Happened',
      message: 'it did',
      type: 'Warning',
      count: 3,
      source: { component: 'me' },
      firstTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
      lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
    };
    await server.session.post('/api/v1/namespaces/default/events', event);
    const [shown, none] = await transcribe(runner, [
      'events --for=configmap/x --no-headers',
      'events --for=configmap/y --no-headers',
    ]);
    expect(
      shown?.says
        .trim()
        .split(/ {2,}|AGE/)
        .filter(Boolean)
        .slice(-4),
    ).toStrictEqual([expect.any(String), 'Happened', 'ConfigMap/x', 'it did']);
    expect(none?.says).toContain('No events found in default namespace.');
  });

  test('get --watch, of all and of one', async () => {
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('seen', { a: '1' }));
    const child = spawn(
      'kubectl',
      ['get', 'cm', 'seen', '--watch', '--output-watch-events', '-o', 'jsonpath={.type}={.object.data.a} '],
      { env: runner.env },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(async () => output.includes('ADDED=1'));
    await server.session.merge('/api/v1/namespaces/default/configmaps/seen', { data: { a: '2' } });
    await server.session.post('/api/v1/namespaces/default/configmaps', configMap('unseen', { a: '9' }));
    await server.session.delete('/api/v1/namespaces/default/configmaps/seen');
    await until(async () => output.includes('DELETED=2'));
    child.kill();
    expect(output).toBe('ADDED=1 MODIFIED=2 DELETED=2 ');
  });
});
