import { expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { workloads } from './workload-objects.ts';
import { outcome } from './workload-outcome.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const jobTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

onEachServer('workloads', (server) => {
  test.each(Object.entries(workloads))('what a server makes of %s', async (name, { path, objects }) => {
    const outcomes: Record<string, unknown> = {};
    for (const [title, object] of Object.entries(objects)) {
      const named = { ...object, metadata: { name: 'new', ...object.metadata } };
      outcomes[title] = outcome(await server.session.post(`${path}?dryRun=All`, named), (body) => body);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/workloads/${name}.yaml`);
  });

  test.each(Object.entries(workloads))('%s that are sent back stay as they are', async (_name, kind) => {
    for (const [index, [title, object]] of Object.entries(kind.objects).entries()) {
      if (title === kind.shortened) continue;
      const name = `back-${index}`;
      const sent = { ...object, metadata: { ...object.metadata, name } };
      const { code, body } = await server.session.post(kind.path, sent);
      expect([title, code]).toStrictEqual([title, 201]);
      const url = `${kind.path}/${name}`;
      expect((await server.session.put(url, body)).body).toStrictEqual(body);
      expect((await server.session.merge(url, {})).body).toStrictEqual(body);
      await server.session.delete(`${url}?propagationPolicy=Background`);
    }
  });

  test('an update without a defaulted field gets the default', async () => {
    const created = {
      metadata: { name: 'defaulted' },
      spec: { replicas: 5, selector: { matchLabels: labels }, template },
    };
    const path = `${deployments}/defaulted`;
    expect((await server.session.post(deployments, created)).body.spec.replicas).toBe(5);
    const { spec: _spec, ...rest } = created;
    const sent = { ...rest, spec: { selector: { matchLabels: labels }, template } };
    const { code, body } = await server.session.put(path, sent);
    expect([code, body.spec.replicas, body.metadata.generation]).toStrictEqual([200, 1, 2]);
    const nulled = await server.session.merge(path, { spec: { strategy: null, revisionHistoryLimit: null } });
    expect(nulled.body.spec).toStrictEqual(body.spec);
    expect(nulled.body.metadata.generation).toBe(2);
  });

  test('the generation counts changes of the spec', async () => {
    const path = `${deployments}/counted`;
    const created = {
      metadata: { name: 'counted', generation: 7 },
      spec: { selector: { matchLabels: labels }, template },
    };
    const seen = [(await server.session.post(deployments, created)).body.metadata.generation];
    const patches: [suffix: string, patch: object][] = [
      ['', { metadata: { labels: { a: 'b' } } }],
      ['', { metadata: { annotations: { a: 'b' } } }],
      ['', { spec: { replicas: 3 } }],
      ['', { spec: { replicas: 3 }, status: { replicas: 9 } }],
      ['/status', { metadata: { annotations: { a: 'c' }, labels: { a: 'c' } }, status: { replicas: 9 } }],
      ['', { metadata: { generation: 99 } }],
      ['', { metadata: { annotations: null } }],
    ];
    for (const [suffix, patch] of patches) {
      const { body } = await server.session.merge(`${path}${suffix}`, patch);
      seen.push(body.metadata.generation);
    }
    expect(seen).toStrictEqual([1, 1, 2, 3, 3, 3, 3, 4]);
    const { metadata, status } = (await server.session.get(path)).body;
    expect(metadata.labels).toStrictEqual({ a: 'b' });
    expect(metadata.annotations).toBeUndefined();
    expect(status).toStrictEqual({ replicas: 9 });
  });

  test('the template of a daemon set has its own generation', async () => {
    const path = '/apis/apps/v1/namespaces/default/daemonsets';
    const key = 'deprecated.daemonset.template.generation';
    const created = {
      metadata: { name: 'templated' },
      spec: { selector: { matchLabels: labels }, template },
    };
    const answers = [await server.session.post(path, created)];
    for (const patch of [
      { spec: { minReadySeconds: 3 } },
      { spec: { template: { metadata: { annotations: { a: 'b' } } } } },
      { metadata: { annotations: { [key]: '9', other: 'x' } } },
      { metadata: { annotations: null } },
    ])
      answers.push(await server.session.merge(`${path}/templated`, patch));
    answers.push(await server.session.merge(`${path}/templated/status`, { metadata: { annotations: null } }));
    expect(
      answers.map(({ body: { metadata } }) => [metadata.generation, metadata.annotations[key]]),
    ).toStrictEqual([
      [1, '1'],
      [2, '1'],
      [3, '2'],
      [3, '2'],
      [3, '2'],
      [3, '2'],
    ]);
  });

  test('jobs select their own pods', async () => {
    const { code, body } = await server.session.post(jobs, {
      metadata: { generateName: 'own-' },
      spec: { template: jobTemplate },
    });
    expect(code).toBe(201);
    const { name, uid, labels: own } = body.metadata;
    expect(body.spec.selector).toStrictEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
    expect(body.spec.template.metadata.labels).toStrictEqual({
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
    });
    expect(own).toStrictEqual(body.spec.template.metadata.labels);
    const forged = { 'controller-uid': 'x', 'batch.kubernetes.io/job-name': 'y' };
    const refused = await server.session.post(`${jobs}?dryRun=All`, {
      metadata: { name: 'forged' },
      spec: { template: { ...jobTemplate, metadata: { labels: forged } } },
    });
    expect([refused.code, refused.body.details.causes.map(({ field }: any) => field)]).toStrictEqual([
      422,
      [
        'spec.template.metadata.labels[controller-uid]',
        'spec.template.metadata.labels[batch.kubernetes.io/job-name]',
      ],
    ]);
  });

  test('an applied object gets defaults, and a second apply changes nothing', async () => {
    const apply = (path: string, body: object) =>
      server.session.send('PATCH', `${path}?fieldManager=me`, {
        body,
        contentType: 'application/apply-patch+yaml',
      });
    for (const [kind, path, body] of [
      [
        'Deployment',
        deployments,
        { apiVersion: 'apps/v1', spec: { selector: { matchLabels: labels }, template } },
      ],
      ['Job', jobs, { apiVersion: 'batch/v1', spec: { template: { ...jobTemplate, metadata: { labels } } } }],
      [
        'DaemonSet',
        '/apis/apps/v1/namespaces/default/daemonsets',
        { apiVersion: 'apps/v1', spec: { selector: { matchLabels: labels }, template } },
      ],
      [
        'HorizontalPodAutoscaler',
        '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        {
          apiVersion: 'autoscaling/v2',
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'a/v1', kind: 'A', name: 'a' } },
        },
      ],
    ] as const) {
      const configuration = { ...body, kind, metadata: { name: 'applied' } };
      const first = await apply(`${path}/applied`, configuration);
      expect([kind, first.code]).toStrictEqual([kind, 201]);
      const second = await apply(`${path}/applied`, configuration);
      expect(second.body).toStrictEqual(first.body);
    }
  });
});
