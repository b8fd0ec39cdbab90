import { expect, test } from 'vitest';
import { inOrder } from '../../support/in-order.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { container, podOf } from './pod-cases.ts';
import { asRecorded } from '../../support/recorded.ts';

const pods = '/api/v1/namespaces/default/pods';

const looker = (fields: object = {}) => container({ name: 'e', ...fields });
const lookers = (...ephemeralContainers: object[]) => ({ spec: { ephemeralContainers } });

/** Pods, and JSON merge patches of their ephemeral containers, applied one after the other. */
const looks: readonly (readonly [name: string, pod: object, ...patches: object[]])[] = [
  ['one', podOf(), lookers(looker({ targetContainerName: 'a', stdin: true, tty: true }))],
  ['one, then another', podOf(), lookers(looker()), lookers(looker(), looker({ name: 'f' }))],
  [
    'in another order',
    podOf(),
    lookers(looker(), looker({ name: 'f' })),
    lookers(looker({ name: 'f' }), looker()),
  ],
  ['one that goes', podOf(), lookers(looker()), lookers()],
  ['one that changes', podOf(), lookers(looker()), lookers(looker({ image: 'b' }))],
  ['one that stays', podOf(), lookers(looker()), lookers(looker())],
  ['one that is there already', podOf(), lookers(looker({ name: 'a' }))],
  ['one without an image', podOf(), lookers({ name: 'e' })],
  ['one with spaces around its image', podOf(), lookers(looker({ image: ' e' }))],
  [
    'one with ports',
    podOf(),
    lookers(looker({ ports: [{ containerPort: 1 }], resources: { limits: { cpu: 1 } } })),
  ],
  ['one with a restart policy', podOf(), lookers(looker({ restartPolicy: 'Always' }))],
  ['one that looks at nobody', podOf(), lookers(looker({ targetContainerName: 'x' }))],
  [
    'one with a part of a volume',
    podOf({ volumes: [{ name: 'v' }] }),
    lookers(looker({ volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: 'a' }] })),
  ],
  [
    'other fields',
    podOf(),
    {
      ...lookers(looker()),
      metadata: { labels: { a: 'b' } },
      spec: { ephemeralContainers: [looker()], nodeName: 'n', containers: [container({ image: 'b' })] },
      status: { phase: 'Running' },
    },
  ],
  ['none', podOf(), lookers()],
  [
    'a static pod',
    podOf({ nodeName: 'n' }, { annotations: { 'kubernetes.io/config.mirror': 'a' } }),
    lookers(looker()),
  ],
];

const sized = (requests?: object, limits?: object, fields: object = {}) =>
  container({ resources: { ...(requests && { requests }), ...(limits && { limits }) }, ...fields });
const resized = (...containers: object[]) => ({ spec: { containers } });
const one = sized({ cpu: '1', memory: '1Gi' });
const init = (requests: object, fields: object = {}) => sized(requests, undefined, { name: 'i', ...fields });

/** Pods, and JSON merge patches of their resources, applied one after the other. */
const sizes: readonly (readonly [name: string, spec: object, ...patches: object[]])[] = [
  ['more', { containers: [one] }, resized(sized({ cpu: '2', memory: '2Gi' }))],
  ['the same', { containers: [one] }, resized(sized({ cpu: '1000m', memory: '1024Mi' }))],
  ['a first limit', { containers: [one] }, resized(sized({ cpu: '1', memory: '1Gi' }, { cpu: '2' }))],
  [
    'a limit that is too small',
    { containers: [one] },
    resized(sized({ cpu: '1', memory: '1Gi' }, { cpu: '500m' })),
  ],
  ['no request', { containers: [one] }, resized(sized({ cpu: '1' }))],
  ['no limit', { containers: [sized({ cpu: '1' }, { cpu: '2' })] }, resized(sized({ cpu: '1' }))],
  ['storage', { containers: [one] }, resized(sized({ cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' }))],
  [
    'another quality',
    { containers: [sized(undefined, { cpu: '1', memory: '1Gi' })] },
    resized(sized({ cpu: '500m', memory: '1Gi' }, { cpu: '1', memory: '1Gi' })),
  ],
  ['a first request', { containers: [container()] }, resized(sized({ cpu: '1' }))],
  [
    'another image',
    { containers: [one] },
    resized(sized({ cpu: '2', memory: '1Gi' }, undefined, { image: 'b' })),
  ],
  [
    'another policy',
    { containers: [one] },
    resized({ ...one, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
  ],
  [
    'a wrong policy',
    { containers: [one] },
    resized({ ...one, resizePolicy: [{ resourceName: 'x', restartPolicy: 'y' }] }),
  ],
  ['another name', { containers: [one] }, resized({ ...one, name: 'b' })],
  ['another container', { containers: [one] }, resized(one, container({ name: 'b' }))],
  ['another order', { containers: [one, container({ name: 'b' })] }, resized(container({ name: 'b' }), one)],
  [
    'a sidecar',
    { initContainers: [init({ cpu: '1' }, { restartPolicy: 'Always' })] },
    { spec: { initContainers: [init({ cpu: '2' }, { restartPolicy: 'Always' })] } },
  ],
  [
    'an init container',
    { initContainers: [init({ cpu: '1' })] },
    { spec: { initContainers: [init({ cpu: '2' })] } },
  ],
  [
    'storage of an init container',
    { initContainers: [init({ cpu: '1' })] },
    { spec: { initContainers: [init({ cpu: '1', 'ephemeral-storage': '1' })] } },
  ],
  ['no init container', { initContainers: [init({ cpu: '1' })] }, { spec: { initContainers: null } }],
  [
    'the pod',
    { resources: { limits: { cpu: '1', memory: '1Gi' } } },
    { spec: { resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } } },
  ],
  [
    'no resources of the pod',
    { resources: { limits: { cpu: '1', memory: '1Gi' } } },
    { spec: { resources: null } },
  ],
  [
    'no limit of the pod',
    { resources: { limits: { cpu: '1', memory: '1Gi' } } },
    { spec: { resources: { limits: { cpu: null } } } },
  ],
  [
    'huge pages of the pod',
    { resources: { requests: { cpu: '1' } } },
    { spec: { resources: { limits: { 'hugepages-2Mi': '2Mi' } } } },
  ],
  ['Windows', { os: { name: 'windows' }, containers: [one] }, resized(sized({ cpu: '2', memory: '1Gi' }))],
  [
    'labels',
    { containers: [one] },
    {
      metadata: { labels: { a: 'b' } },
      ...resized(sized({ cpu: '2', memory: '1Gi' })),
      status: { phase: 'Running' },
    },
  ],
];

onEachServer('subresources of pods', (server) => {
  let count = 0;

  const create = async (pod: any) => {
    count += 1;
    const metadata = { ...pod.metadata, name: `p${count}` };
    const { code, body } = await server.session.post(pods, { ...pod, metadata });
    expect([code, body.message]).toStrictEqual([201, undefined]);
    return `${pods}/p${count}`;
  };
  /** The fields of an answer that an endpoint can change. */
  const shown = ({ code, body }: { code: number; body: any }, fields: readonly string[]) => {
    if (code !== 200) return withoutDifference(refusal({ code, body }), `p${count}`);
    const { generation, labels = {} } = body.metadata;
    const spec = Object.fromEntries(fields.map((field) => [field, body.spec[field]]));
    return { code, generation, labels, phase: body.status.phase, ...inOrder(normalize(spec)) };
  };

  test('ephemeral containers', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, pod, ...patches] of looks) {
      const path = await create(pod);
      const answers = [];
      for (const patch of patches) {
        const answer = await server.session.merge(`${path}/ephemeralcontainers`, patch);
        answers.push(shown(answer, ['ephemeralContainers', 'nodeName']));
      }
      said[name] = answers;
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/ephemeral-containers.yaml');
  });

  test('resized resources', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, spec, ...patches] of sizes) {
      const path = await create(podOf(spec));
      const answers = [];
      for (const patch of patches)
        answers.push(
          shown(await server.session.merge(`${path}/resize`, patch), [
            'containers',
            'initContainers',
            'resources',
          ]),
        );
      said[name] = answers;
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/resized.yaml');
  });

  test('the status of a running container shows whether its node can resize it', async () => {
    const path = await create(podOf({ containers: [one] }));
    const state = { running: { startedAt: null } };
    const status = { name: 'a', image: 'a', imageID: '', ready: true, restartCount: 0, state };
    await server.session.merge(`${path}/status`, { status: { containerStatuses: [status] } });
    const patch = resized(sized({ cpu: '2', memory: '1Gi' }));
    const refused = await server.session.merge(`${path}/resize`, patch);
    expect([refused.code, refused.body.message]).toStrictEqual([
      422,
      `Pod "p${count}" is invalid: spec: Forbidden: Pod running on node without support for resize`,
    ]);
    await server.session.merge(`${path}/status`, {
      status: { containerStatuses: [{ ...status, resources: {} }] },
    });
    expect((await server.session.merge(`${path}/resize`, patch)).code).toBe(200);
  });

  test('a whole pod sent to a subresource', async () => {
    const path = await create(podOf({ containers: [one] }));
    const { body } = await server.session.get(`${path}/ephemeralcontainers`);
    expect(body.kind).toBe('Pod');
    const looked = await server.session.put(`${path}/ephemeralcontainers`, {
      ...body,
      spec: { ...body.spec, ephemeralContainers: [looker()] },
    });
    expect([looked.code, looked.body.metadata.generation]).toStrictEqual([200, 2]);
    const stale = await server.session.put(`${path}/resize`, body);
    expect([stale.code, stale.body.reason]).toStrictEqual([409, 'Conflict']);
    const dry = await server.session.put(`${path}/resize?dryRun=All`, {
      ...looked.body,
      spec: { ...looked.body.spec, containers: [sized({ cpu: '3', memory: '1Gi' })] },
    });
    expect([dry.code, dry.body.metadata.generation]).toStrictEqual([200, 3]);
    expect((await server.session.get(path)).body.metadata.generation).toBe(2);
  });
});

/** A refusal without the name of the pod, and without Go's diff of two containers. */
function withoutDifference(said: any, pod: string): unknown {
  const cut = (text: string) => text.replace(`"${pod}"`, '"p"').replace(/(?<=may not be changed\n).*/s, '');
  if (said.causes === undefined) return { ...said, message: cut(said.message) };
  return { ...said, message: cut(said.message), causes: said.causes.map(cut) };
}
