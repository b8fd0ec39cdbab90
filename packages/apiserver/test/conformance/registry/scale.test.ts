import { beforeAll, describe, expect, test } from 'vitest';
import { ApplySession, type Step, outcome, ownersOf } from '../../support/apply-session.ts';
import { crdOf, installCrd, pathOf, versionOf } from '../../support/fixtures.ts';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer, Session } from '../../support/session.ts';

const labels = { b: '1', a: '2', c: 'x', d: '' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = {
  matchLabels: { b: '1', a: '2' },
  matchExpressions: [
    { key: 'd', operator: 'Exists' },
    { key: 'c', operator: 'In', values: ['y', 'x'] },
    { key: 'c', operator: 'NotIn', values: ['z'] },
    { key: 'e', operator: 'DoesNotExist' },
  ],
};

/** The resources to scale, by path. */
const kinds: Record<string, { kind: string; apiVersion: string; spec: object }> = {
  '/apis/apps/v1/namespaces/default/deployments': {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    spec: { selector, template },
  },
  '/apis/apps/v1/namespaces/default/replicasets': {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    spec: { selector, template },
  },
  '/apis/apps/v1/namespaces/default/statefulsets': {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    spec: { serviceName: 's', selector, template },
  },
  '/api/v1/namespaces/default/replicationcontrollers': {
    kind: 'ReplicationController',
    apiVersion: 'v1',
    spec: { selector: labels, template },
  },
};

const scaleTo = (replicas: unknown) => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas } });

/** Requests to the scale subresource. Each story has its own object. */
type Story = (s: ApplySession, object: string, scale: string, session: Session) => Step[];

const named = (path: string, body: any) => ({
  ...body,
  metadata: { name: path.split('/').at(-2), ...body.metadata },
});

const stories: Record<string, Story> = {
  'reads and replaces': (s, object, scale) => [
    s.get(scale),
    s.put('m', scale, named(scale, scaleTo(3))),
    s.put('m', scale, named(scale, scaleTo(3))),
    s.put('m', scale, named(scale, {})),
    s.get(object),
    s.put('m', scale, named(scale, scaleTo(2)), 'dryRun=All'),
    s.get(scale),
  ],
  'patches in every way': (s, object, scale, session) => [
    s.merge('m', scale, { spec: { replicas: 4 } }),
    s.jsonPatch('j', scale, [{ op: 'replace', path: '/spec/replicas', value: 5 }]),
    s.jsonPatch('j', scale, [{ op: 'test', path: '/spec/replicas', value: 9 }]),
    () =>
      session.send('PATCH', `${scale}?fieldManager=s`, {
        body: { spec: { replicas: 6 } },
        contentType: 'application/strategic-merge-patch+json',
      }),
    s.merge('m', scale, { spec: { replicas: null } }),
    s.merge('m', scale, { metadata: { labels: { a: 'b' } }, status: { replicas: 9, selector: 'x' } }),
    s.get(object),
  ],
  'refuses what is no number of replicas': (s, _object, scale) => [
    s.merge('m', scale, { spec: { replicas: -1 } }),
    s.put('m', scale, named(scale, scaleTo(-2))),
    s.put('m', scale, named(scale, scaleTo('three'))),
    s.put('m', scale, named(scale, scaleTo(1.5))),
    s.merge('m', scale, { spec: { replicas: 'x' } }),
    s.merge('m', scale, { spec: 3 }),
    s.apply('m', scale, scaleTo('x')),
    s.apply('m', scale, scaleTo(-1)),
    s.get(scale),
  ],
  'refuses another object': (s, _object, scale) => [
    s.put('m', scale, {}),
    s.put('m', scale, { metadata: { name: 'other' } }),
    s.put('m', scale, named(scale, { metadata: { namespace: 'other' } })),
    s.put('m', scale, named(scale, { ...scaleTo(1), metadata: { uid: 'other' } })),
    s.put('m', scale, named(scale, { ...scaleTo(1), metadata: { resourceVersion: '1' } })),
    s.put('m', scale, named(scale, { ...scaleTo(1), kind: 'Pod', apiVersion: 'v1' })),
    s.put('m', scale, named(scale, { ...scaleTo(1), apiVersion: 'apps/v1' })),
    s.merge('m', scale, { metadata: { name: 'other' } }),
    s.merge('m', scale, { metadata: { uid: 'other' }, spec: { replicas: 7 } }),
    s.merge('m', scale, { metadata: { resourceVersion: '1' }, spec: { replicas: 7 } }),
    s.apply('m', scale, { ...scaleTo(1), apiVersion: 'apps/v1' }),
    s.get(scale.replace('/scale', '-missing/scale')),
    s.put(
      'm',
      scale.replace('/scale', '-missing/scale'),
      named(scale.replace('/scale', '-missing/scale'), {}),
    ),
    s.merge('m', scale.replace('/scale', '-missing/scale'), {}),
    s.apply('m', scale.replace('/scale', '-missing/scale'), scaleTo(1)),
  ],
  'validates fields': (s, _object, scale) => [
    s.put('m', scale, named(scale, { ...scaleTo(1), extra: 1 }), 'fieldValidation=Strict'),
    s.put('m', scale, named(scale, { ...scaleTo(1), extra: 1 }), 'fieldValidation=Warn'),
    s.merge('m', scale, { spec: { replicaz: 1 } }, 'fieldValidation=Strict'),
    s.apply('m', scale, { ...scaleTo(1), spec: { replicaz: 1 } }),
    s.put('m', scale, named(scale, scaleTo(1)), 'dryRun=x'),
  ],
  'applies, and tells conflicts': (s, object, scale) => [
    s.put('upd', scale, named(scale, scaleTo(3))),
    s.apply('one', scale, scaleTo(4)),
    s.apply('one', scale, scaleTo(4), 'force=true'),
    s.get(object),
    s.apply('two', scale, scaleTo(4)),
    s.get(object),
    s.apply('two', scale, scaleTo(5)),
    s.apply('two', scale, scaleTo(5), 'force=true'),
    s.get(object),
    s.apply('two', scale, { apiVersion: 'autoscaling/v1', kind: 'Scale' }),
    s.get(object),
    s.merge('obj', object, { spec: { replicas: 8 } }),
    s.put('upd', scale, named(scale, scaleTo(8))),
    s.get(object),
  ],
};

const verbs = ['DELETE', 'POST'];
const forms = [
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/yaml',
];

onEachServer('scale', (server) => {
  let s: ApplySession;
  beforeAll(async () => {
    s = new ApplySession(server.session);
    const crd = crdOf('Scaled', {});
    crd.spec.versions = [scaledVersion('v1', true, '.spec.size'), scaledVersion('v2', false, '.spec.size')];
    delete crd.spec.versions[1].subresources.scale.labelSelectorPath;
    crd.spec.versions.push(versionOf('v3', false, {}));
    await installCrd(server.session, crd);
  });

  describe.each(Object.keys(kinds))('%s', (path) => {
    test.each(Object.keys(stories))('%s', async (title) => {
      const { kind, apiVersion, spec } = kinds[path] as (typeof kinds)[string];
      const name = title.replaceAll(/[^a-z]+/g, '-');
      const made = await server.session.post(`${path}?fieldManager=maker`, {
        apiVersion,
        kind,
        metadata: { name },
        spec: { ...spec, replicas: 2 },
      });
      expect(made.code).toBe(201);
      const steps = stories[title]?.(s, `${path}/${name}`, `${path}/${name}/scale`, server.session) ?? [];
      const recorded = [];
      for (const step of steps) recorded.push(told(await step()));
      await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(
        `../recorded/scale/${kind}-${name}.yaml`,
      );
    });
  });

  test('other verbs and forms', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await server.session.post(path, { metadata: { name: 'formed' }, spec: { selector, template } });
    const answers: unknown[] = [];
    for (const method of verbs) answers.push(told(await server.session.send(method, `${path}/formed/scale`)));
    for (const accept of forms) {
      const { code, body } = await server.session.send('GET', `${path}/formed/scale`, { accept });
      answers.push({ accept, code, body: shapeOf(body) });
    }
    answers.push(told(await server.session.get(`${path}/formed/scale/more`)));
    answers.push(told(await server.session.get('/api/v1/namespaces/default/configmaps/x/scale')));
    await expect(asRecorded(masked(answers))).toMatchFileSnapshot(
      '../recorded/scale/other-verbs-and-forms.yaml',
    );
  });

  test('discovery lists it', async () => {
    const rows = [];
    for (const path of ['/apis/apps/v1', '/api/v1', '/apis/conformance.example.com/v1']) {
      const { resources } = (await server.session.get(path)).body;
      rows.push(...resources.filter(({ name }: any) => name.endsWith('/scale')));
    }
    await expect(asRecorded(rows)).toMatchFileSnapshot('../recorded/scale/discovery.yaml');
  });

  const custom: Record<string, { spec: unknown; status?: unknown; story: Story }> = {
    ...Object.fromEntries(
      Object.entries(stories).map(([title, story]) => [title, { spec: { size: 2, mode: 'a' }, story }]),
    ),
    'has no replicas': {
      spec: { mode: 'a' },
      story: (t, object, scale) => [
        t.get(scale),
        t.merge('m', scale, { metadata: { labels: {} } }),
        t.apply('m', scale, { apiVersion: 'autoscaling/v1', kind: 'Scale' }),
        t.put('m', scale, named(scale, {})),
        t.get(object),
      ],
    },
    'has no spec at all': {
      spec: undefined,
      story: (t, object, scale) => [t.put('m', scale, named(scale, scaleTo(2))), t.get(object)],
    },
    'is held to its schema': {
      spec: { size: 2 },
      story: (t, _object, scale) => [t.merge('m', scale, { spec: { replicas: 50 } }), t.get(scale)],
    },
    'has a status': {
      spec: { size: 2 },
      status: { size: 1, selector: 'a=b,c in (d)' },
      story: (t, object, scale) => [
        t.get(scale),
        t.merge('m', scale, { spec: { replicas: 3 } }),
        t.get(scale.replace('/v1/', '/v2/')),
        t.merge('m2', scale.replace('/v1/', '/v2/'), { spec: { replicas: 4 } }),
        t.get(object),
        t.get(scale.replace('/v1/', '/v3/')),
      ],
    },
    'has negative replicas': {
      spec: { size: -1 },
      story: (t, object, scale) => [t.get(scale), t.get(object)],
    },
    'has too many replicas': {
      spec: { size: 2 ** 31 },
      story: (t, _object, scale) => [t.get(scale)],
    },
    'has replicas that are no number': {
      spec: { size: 'many' },
      story: (t, _object, scale) => [t.get(scale)],
    },
    'has a status that does not fit': {
      spec: { size: 2 },
      status: { size: -1, selector: '' },
      story: (t, object, scale) => [t.get(scale), t.get(object)],
    },
  };

  test.each(Object.keys(custom))('custom resource: %s', async (title) => {
    const { spec, status, story } = custom[title] as (typeof custom)[string];
    const name = title.replaceAll(/[^a-z]+/g, '-');
    const path = pathOf('Scaled');
    const made = await server.session.post(`${path}?fieldManager=maker`, {
      apiVersion: 'conformance.example.com/v1',
      kind: 'Scaled',
      metadata: { name },
      ...(spec !== undefined && { spec }),
    });
    const recorded = [told(made)];
    if (status !== undefined)
      recorded.push(told(await server.session.merge(`${path}/${name}/status?fieldManager=st`, { status })));
    for (const step of story(s, `${path}/${name}`, `${path}/${name}/scale`, server.session))
      recorded.push(told(await step()));
    await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(`../recorded/scale/custom-${name}.yaml`);
  });
});

function scaledVersion(name: string, storage: boolean, specReplicasPath: string): any {
  const version = versionOf(name, storage, {});
  version.subresources.scale = {
    specReplicasPath,
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  };
  const open = { 'x-kubernetes-preserve-unknown-fields': true };
  version.schema.openAPIV3Schema.properties = {
    spec: {
      type: 'object',
      ...open,
      properties: { size: { maximum: 40, 'x-kubernetes-preserve-unknown-fields': true } },
    },
    status: { type: 'object', ...open },
  };
  return version;
}

/** The replicas of an object and who owns them. These tests ignore the rest. */
function told(answer: Answer): unknown {
  const { body } = answer;
  if (body?.kind === 'Status' || body?.kind === 'Scale') return outcome(answer);
  if (typeof body !== 'object') return { code: answer.code, body };
  const { metadata, spec } = body;
  const owners = Object.entries(ownersOf(body)).filter(([, { text }]: any) => /replicas|size/.test(text));
  const own = Object.keys(ownersOf(body)).length;
  return {
    code: answer.code,
    generation: metadata.generation,
    replicas: spec?.replicas ?? spec?.size,
    owners,
    own,
  };
}

/** Without the texts that describe columns. */
function shapeOf(body: any): any {
  if (body?.kind !== 'Table')
    return typeof body === 'string'
      ? body.replaceAll(/uid: .*|creationTimestamp: .*|resourceVersion: .*/g, '')
      : outcomeBody(body);
  const { columnDefinitions, rows } = body;
  const columns = columnDefinitions.map(({ name, type, priority }: any) => ({ name, type, priority }));
  return { columns, rows: rows.map(({ cells }: any) => cells.slice(0, 3)) };
}

function outcomeBody({ kind, apiVersion, metadata }: any): any {
  return { kind, apiVersion, keys: Object.keys(metadata).toSorted() };
}
