import { beforeAll, expect, test } from 'vitest';
import { ApplySession, type Step, outcome, sorted } from '../../support/apply-session.ts';
import { masked } from '../../support/masked.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const spec = { scaleTargetRef, maxReplicas: 5 };
const annotation = (name: string) => `autoscaling.alpha.kubernetes.io/${name}`;

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const metrics: Record<string, unknown> = {
  memory: {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
  },
  'memory by value': {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '0.5Gi' } },
  },
  'cpu by value': {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } },
  },
  pods: {
    type: 'Pods',
    pods: {
      metric: { name: 'p', selector: { matchLabels: { x: 'y' } } },
      target: { type: 'AverageValue', averageValue: '0.5' },
    },
  },
  'object by value': {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 's' },
      metric: { name: 'o' },
      target: { type: 'Value', value: '10' },
    },
  },
  'object by average': {
    type: 'Object',
    object: {
      describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
      metric: { name: 'o', selector: { matchExpressions: [{ key: 'k', operator: 'Exists' }] } },
      target: { type: 'AverageValue', averageValue: '2' },
    },
  },
  container: {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'c',
      target: { type: 'Utilization', averageUtilization: 5 },
    },
  },
  'external by value': {
    type: 'External',
    external: { metric: { name: 'e' }, target: { type: 'Value', value: '3' } },
  },
  'external by average': {
    type: 'External',
    external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '3' } },
  },
};

const status = {
  currentReplicas: 3,
  desiredReplicas: 4,
  observedGeneration: 1,
  lastScaleTime: '2020-01-01T00:00:00Z',
  currentMetrics: [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7, averageValue: '3m' } } },
    { type: 'Pods', pods: { metric: { name: 'p' }, current: { averageValue: '1' } } },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 's' },
        metric: { name: 'o' },
        current: { value: '2' },
      },
    },
    { type: 'External', external: { metric: { name: 'e' }, current: { averageValue: '3', value: '1' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'memory', container: 'c', current: { averageValue: '5Mi' } },
    },
  ],
  conditions: [
    {
      type: 'AbleToScale',
      status: 'True',
      reason: 'r',
      message: 'm',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    },
    { type: 'X', status: 'False', lastTransitionTime: '2020-01-01T00:00:00Z' },
  ],
};

const behavior = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 2, periodSeconds: 15 }],
  },
  scaleDown: {
    stabilizationWindowSeconds: 10,
    selectPolicy: 'Min',
    policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
    tolerance: '0.1',
  },
};

type Story = (s: ApplySession, name: string) => Step[];

const body = (name: string, own: object, rest: object = {}) => ({
  metadata: { name, ...rest },
  spec: { ...spec, ...own },
});
const both = (s: ApplySession, name: string) => [s.get(`${v1}/${name}`), s.get(`${v2}/${name}`)];

const stories: Record<string, Story> = {
  'made in v1': (s, name) => [
    s.create('a', v1, body(name, { minReplicas: 2, targetCPUUtilizationPercentage: 60 })),
    ...both(s, name),
  ],
  'made in v1 with nothing said': (s, name) => [s.create('a', v1, body(name, {})), ...both(s, name)],
  'made in v1 as a dry run': (s, name) => [
    s.create('a', v1, body(name, { minReplicas: 2 }), 'dryRun=All'),
    s.get(`${v1}/${name}`),
  ],
  'made in v2 with all there is': (s, name) => [
    s.create(
      'a',
      v2,
      body(
        name,
        { minReplicas: 2, metrics: [...Object.values(metrics), cpu(60)], behavior },
        { annotations: { a: 'b' } },
      ),
    ),
    ...both(s, name),
    s.merge('b', `${v1}/${name}`, { spec: { targetCPUUtilizationPercentage: 70 } }),
    ...both(s, name),
    s.merge('b', `${v1}/${name}`, { spec: { targetCPUUtilizationPercentage: null } }),
    s.get(`${v2}/${name}`),
  ],
  'its status': (s, name) => [
    s.create('a', v2, body(name, { minReplicas: 2, metrics: [cpu(60)] })),
    s.merge('b', `${v2}/${name}/status`, { status }),
    ...both(s, name),
    s.merge('c', `${v1}/${name}/status`, {
      status: { currentReplicas: 9, currentCPUUtilizationPercentage: 33 },
    }),
    ...both(s, name),
  ],
  'annotations in place of fields': (s, name) => [
    s.create(
      'a',
      v1,
      body(
        name,
        { minReplicas: 2 },
        {
          annotations: {
            [annotation('metrics')]: JSON.stringify([
              { type: 'Pods', pods: { metricName: 'q', targetAverageValue: '0.25' } },
              { type: 'External', external: { metricName: 'e', targetValue: '4' } },
            ]),
            [annotation('behavior')]: JSON.stringify({
              ScaleDown: {
                StabilizationWindowSeconds: 7,
                SelectPolicy: 'Max',
                Policies: [{ Type: 'Percent', Value: 9, PeriodSeconds: 15 }],
              },
            }),
            [annotation('conditions')]: '[{"type":"A","status":"True","lastTransitionTime":null}]',
            [annotation('scale-up-tolerance')]: '1',
            other: 'kept',
          },
        },
      ),
    ),
    ...both(s, name),
  ],
  'annotations that are no JSON': (s, name) => [
    s.create(
      'a',
      v1,
      body(
        name,
        { minReplicas: 2 },
        {
          annotations: {
            [annotation('metrics')]: '[{',
            [annotation('behavior')]: 'x',
            [annotation('conditions')]: '7',
          },
        },
      ),
    ),
    ...both(s, name),
  ],
  'refusals are those of the newer version': (s, name) => [
    s.create('a', v1, body(name, { targetCPUUtilizationPercentage: 0 })),
    s.create('a', v1, body(name, { minReplicas: 7 })),
    s.create('a', v1, body(name, { maxReplicas: 0 })),
    s.create('a', v1, body(name, { scaleTargetRef: { kind: '', name: 'a/b', apiVersion: 'x' } })),
    s.create('a', v1, body(name, {}, { annotations: { [annotation('metrics')]: '[{"type":"Nope"}]' } })),
    s.create('a', v1, body(name, { metrics: [] }), 'fieldValidation=Strict'),
    s.create('a', v2, body(name, { targetCPUUtilizationPercentage: 1 }), 'fieldValidation=Strict'),
    s.create('a', v1, { ...body(name, {}), apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' }),
    s.create('a', v2, { ...body(name, {}), apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' }),
  ],
  'applied in both': (s, name) => [
    s.apply('one', `${v1}/${name}`, {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      spec: { ...spec, targetCPUUtilizationPercentage: 50 },
    }),
    s.apply('two', `${v2}/${name}`, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { ...spec, maxReplicas: 6 },
    }),
    s.apply('two', `${v2}/${name}`, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { ...spec, metrics: [cpu(40)] },
    }),
    s.apply(
      'two',
      `${v2}/${name}`,
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        spec: { ...spec, metrics: [cpu(40)] },
      },
      'force=true',
    ),
    ...both(s, name),
    s.put('upd', `${v1}/${name}`, body(name, { minReplicas: 3, targetCPUUtilizationPercentage: 45 })),
    ...both(s, name),
  ],
  ...Object.fromEntries(
    Object.entries(metrics).map(([title, metric]): [string, Story] => [
      `the metric ${title}`,
      (s, name) => [
        s.create('a', v2, body(name, { minReplicas: 2, metrics: [metric] })),
        s.get(`${v1}/${name}`),
        s.merge('b', `${v1}/${name}`, { spec: { maxReplicas: 6 } }),
        s.get(`${v2}/${name}`),
      ],
    ]),
  ),
};

onEachServer('versions of autoscaling', (server) => {
  let s: ApplySession;
  beforeAll(async () => {
    s = new ApplySession(server.session);
  });

  test.each(Object.keys(stories))('%s', async (title) => {
    const name = title.replaceAll(/[^a-z0-9]+/g, '-');
    const recorded = [];
    for (const step of stories[title]?.(s, name) ?? []) recorded.push(outcome(await step()));
    await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(
      `../recorded/autoscaling-versions/${name}.yaml`,
    );
  });

  test('lists and watches use the version of their URL', async () => {
    await server.session.post(
      v2,
      body('listed', { minReplicas: 2, metrics: [cpu(11)] }, { labels: { listed: 'yes' } }),
    );
    const told: unknown[] = [];
    for (const path of [v1, v2]) {
      const { body: list } = await server.session.get(`${path}?labelSelector=listed%3Dyes`);
      const watched = await server.session.open(
        'GET',
        `${path}?watch=1&labelSelector=listed%3Dyes&timeoutSeconds=1`,
      );
      let text = '';
      for await (const chunk of watched) text += String(chunk);
      const event = JSON.parse(text.trim());
      const shown = ({ apiVersion, spec: own }: any) => ({ apiVersion, spec: sorted(own) });
      told.push({
        kind: list.kind,
        apiVersion: list.apiVersion,
        items: list.items.map(shown),
        type: event.type,
        object: shown(event.object),
      });
    }
    await expect(asRecorded(told)).toMatchFileSnapshot(
      '../recorded/autoscaling-versions/lists-and-watches.yaml',
    );
  });

  test('both versions show the same table', async () => {
    await server.session.post(v2, body('shown', { minReplicas: 2, metrics: Object.values(metrics) }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const rows = [];
    for (const path of [v1, v2])
      rows.push(
        (await server.session.send('GET', `${path}/shown`, { accept })).body.rows[0].cells.slice(0, 6),
      );
    await expect(asRecorded(rows)).toMatchFileSnapshot('../recorded/autoscaling-versions/table.yaml');
  });

  test('discovery lists the newer version first', async () => {
    const told = [];
    for (const path of ['/apis/autoscaling', '/apis/autoscaling/v1', '/apis/autoscaling/v2'])
      told.push((await server.session.get(path)).body);
    await expect(asRecorded(told)).toMatchFileSnapshot('../recorded/autoscaling-versions/discovery.yaml');
  });

  test('an object deleted in one version is gone in the other', async () => {
    await server.session.post(v2, body('gone', { minReplicas: 2 }));
    expect((await server.session.delete(`${v1}/gone`)).code).toBe(200);
    expect(refusal(await server.session.get(`${v2}/gone`))).toMatchObject({ code: 404 });
  });
});
