import { expect, test } from 'vitest';
import { inOrder } from '../../support/in-order.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { container, podOf } from './pod-cases.ts';
import { asRecorded } from '../../support/recorded.ts';

const pods = '/api/v1/namespaces/default/pods';
const templates = '/api/v1/namespaces/default/podtemplates';

const limited = (resources: object) => podOf({ containers: [container({ resources })] });
const images = ['a', 'a:latest', 'a:1', 'a:1@sha256:' + '0'.repeat(64), 'a@sha256:' + '0'.repeat(64)];
const more = ['r.io:5000/a/b', 'r.io:5000/a/b:latest', 'Upper', 'a:1:2', 'localhost/a:v1'];

/** Pods in which a server fills in fields. */
const sparse: readonly (readonly [name: string, pod: any])[] = [
  ['the least', podOf()],
  [
    'images',
    podOf({ containers: [...images, ...more].map((image, index) => ({ name: `c${index}`, image })) }),
  ],
  [
    'empty texts',
    podOf({
      restartPolicy: '',
      dnsPolicy: '',
      schedulerName: '',
      containers: [
        container({ imagePullPolicy: '', terminationMessagePath: '', terminationMessagePolicy: '' }),
      ],
    }),
  ],
  [
    'ports',
    podOf({
      containers: [
        container({
          ports: [{ containerPort: 80 }, { name: 'u', containerPort: 53, protocol: 'UDP', hostPort: 5 }],
        }),
      ],
    }),
  ],
  [
    'ports of the node',
    podOf({
      hostNetwork: true,
      containers: [container({ ports: [{ containerPort: 80 }] })],
      initContainers: [container({ name: 'i', ports: [{ containerPort: 81 }] })],
    }),
  ],
  [
    'probes',
    podOf({
      containers: [
        container({
          livenessProbe: { httpGet: { port: 80 } },
          readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 3 },
          startupProbe: { grpc: { port: 5 } },
          lifecycle: {
            postStart: { httpGet: { port: 1, scheme: 'HTTPS' } },
            preStop: { sleep: { seconds: 5 } },
          },
          ports: [{ name: 'http', containerPort: 80 }],
        }),
      ],
    }),
  ],
  [
    'variables',
    podOf({
      containers: [
        container({
          env: [
            { name: 'A' },
            { name: 'B', value: 'b' },
            { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'D', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            { name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          ],
          envFrom: [{ configMapRef: { name: 'c' } }],
        }),
      ],
    }),
  ],
  [
    'volumes',
    podOf({
      serviceAccountName: 's',
      volumes: [
        { name: 'a' },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
        { name: 'd', hostPath: { path: '/' } },
        {
          name: 'e',
          downwardAPI: {
            items: [
              { path: 'p', fieldRef: { fieldPath: 'metadata.labels' } },
              { path: 'q', resourceFieldRef: { containerName: 'a', resource: 'limits.cpu' } },
            ],
          },
        },
        {
          name: 'f',
          projected: {
            sources: [
              { serviceAccountToken: { path: 't' } },
              { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
        {
          name: 'g',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
            },
          },
        },
        { name: 'h', image: { reference: 'a' } },
        { name: 'i', iscsi: { targetPortal: 'a', iqn: 'iqn.2000-01.a:b', lun: 0 } },
        { name: 'j', rbd: { monitors: ['a'], image: 'a' } },
        { name: 'k', azureDisk: { diskName: 'a', diskURI: 'https://a' } },
        { name: 'l', scaleIO: { gateway: 'a', system: 'a', volumeName: 'a', secretRef: {} } },
        { name: 'm', emptyDir: { medium: 'Memory', sizeLimit: '0.5Gi' } },
      ],
    }),
  ],
  [
    'projections that are off',
    podOf({
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [{ clusterTrustBundle: { name: 'a', path: 'p' } }, { secret: { name: 's' } }],
          },
        },
      ],
    }),
  ],
  [
    'amounts',
    limited({ limits: { cpu: '0.5', memory: '1024Mi' }, requests: { cpu: '0.0001', memory: '1e3' } }),
  ],
  [
    'amounts in other forms',
    limited({ limits: { cpu: 2, memory: '1.5Gi', 'ephemeral-storage': '128974848', 'example.com/a': '3k' } }),
  ],
  ['limits alone', limited({ limits: { cpu: '1' } })],
  ['all that may be had', limited({ limits: { cpu: '1', memory: '1Gi' } })],
  [
    'as much as may be had',
    limited({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }),
  ],
  ['nothing that counts', limited({ requests: { 'ephemeral-storage': '1' } })],
  ['zero', limited({ requests: { cpu: '0' }, limits: { memory: 0 } })],
  [
    'one container that has no limits',
    podOf({
      containers: [container({ resources: { limits: { cpu: 1, memory: 1 } } }), container({ name: 'b' })],
    }),
  ],
  [
    'amounts of the pod',
    podOf({
      resources: { limits: { cpu: '2', memory: '2Gi' } },
      containers: [container({ resources: { requests: { cpu: '100m' } } })],
      initContainers: [
        container({ name: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '200m' } } }),
        container({ name: 'j', resources: { requests: { cpu: '500m', memory: '1Mi' } } }),
      ],
    }),
  ],
  ['amounts of the pod that are asked for', podOf({ resources: { requests: { cpu: '2' } } })],
  [
    'huge pages of the pod',
    podOf({
      resources: { requests: { cpu: '2' } },
      containers: [container({ resources: { limits: { cpu: 1, 'hugepages-2Mi': '4Mi' } } })],
    }),
  ],
  ['an account', podOf({ serviceAccount: 'old' })],
  ['two accounts', podOf({ serviceAccount: 'old', serviceAccountName: 'new' })],
  ['a negative grace period', podOf({ terminationGracePeriodSeconds: -1 })],
  [
    'flags that are off',
    podOf({
      hostNetwork: false,
      hostPID: false,
      hostIPC: false,
      enableServiceLinks: false,
      shareProcessNamespace: false,
    }),
  ],
  [
    'tolerations',
    podOf({
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 5,
        },
      ],
    }),
  ],
  ['a toleration of everything', podOf({ tolerations: [{ operator: 'Exists' }] })],
  ['a toleration of no effect', podOf({ tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] })],
  ['gates', podOf({ schedulingGates: [{ name: 'a/b' }] })],
  [
    'label keys',
    podOf(
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'a',
            whenUnsatisfiable: 'DoNotSchedule',
            matchLabelKeys: ['k', 'l'],
            labelSelector: {},
          },
        ],
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'a',
                matchLabelKeys: ['k'],
                mismatchLabelKeys: ['m'],
                labelSelector: { matchLabels: { a: 'b' } },
              },
            ],
          },
        },
      },
      { labels: { k: 'v', m: 'w' } },
    ),
  ],
  [
    'AppArmor as an annotation',
    podOf({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'localhost/p' } }),
  ],
  ['a class of the system', podOf({ priorityClassName: 'system-node-critical' })],
  ['a status', { ...podOf(), status: { phase: 'Running', podIP: '1.2.3.4' } }],
  ['an ephemeral container', podOf({ ephemeralContainers: [container({ name: 'e' })] })],
  [
    'a security context',
    podOf({
      securityContext: {
        runAsNonRoot: true,
        fsGroup: 1,
        sysctls: [{ name: 'net.ipv4.ip_forward', value: '1' }],
      },
      containers: [
        container({ securityContext: { capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: false } }),
      ],
    }),
  ],
  [
    'DNS',
    podOf({
      dnsPolicy: 'None',
      dnsConfig: {
        nameservers: ['1.1.1.1'],
        searches: ['a'],
        options: [{ name: 'ndots', value: '2' }, { name: 'x' }],
      },
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }],
    }),
  ],
];

const gate = { schedulingGates: [{ name: 'a' }, { name: 'b' }] };
const nodeTerms = (...expressions: object[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: expressions }],
      },
    },
  },
});
const zone = { key: 'zone', operator: 'In', values: ['a'] };
const disk = { key: 'disk', operator: 'Exists' };

/** Pods, and JSON merge patches of them. */
const changes: readonly (readonly [name: string, spec: object, patch: object])[] = [
  ['the image', {}, { spec: { containers: [container({ image: 'b' })] } }],
  ['the image to nothing', {}, { spec: { containers: [container({ image: '' })] } }],
  ['the image with spaces', {}, { spec: { containers: [container({ image: 'b ' })] } }],
  ['the name of a container', {}, { spec: { containers: [container({ name: 'b' })] } }],
  ['one more container', {}, { spec: { containers: [container(), container({ name: 'b' })] } }],
  [
    'the image of an init container',
    { initContainers: [container({ name: 'i' })] },
    { spec: { initContainers: [container({ name: 'i', image: 'b' })] } },
  ],
  ['no init container', { initContainers: [container({ name: 'i' })] }, { spec: { initContainers: null } }],
  ['a variable', {}, { spec: { containers: [container({ env: [{ name: 'A', value: 'b' }] })] } }],
  [
    'how an amount is written',
    { containers: [container({ resources: { requests: { memory: '1Gi' } } })] },
    { spec: { containers: [container({ resources: { requests: { memory: '1073741824' } } })] } },
  ],
  [
    'an amount',
    { containers: [container({ resources: { requests: { cpu: '1' } } })] },
    { spec: { containers: [container({ resources: { requests: { cpu: '2' } } })] } },
  ],
  ['a first deadline', {}, { spec: { activeDeadlineSeconds: 5 } }],
  ['a nearer deadline', { activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: 4 } }],
  ['a later deadline', { activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: 6 } }],
  ['no deadline', { activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: null } }],
  ['a deadline at once', { activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: 0 } }],
  ['a negative deadline', { activeDeadlineSeconds: 5 }, { spec: { activeDeadlineSeconds: -1 } }],
  [
    'the tolerations',
    { tolerations: [{ key: 'a', operator: 'Exists' }] },
    { spec: { tolerations: [{ key: 'b', operator: 'Exists' }] } },
  ],
  [
    'more tolerations',
    { tolerations: [{ key: 'a', operator: 'Exists' }] },
    {
      spec: {
        tolerations: [
          { key: 'a', operator: 'Exists', effect: 'NoExecute' },
          { key: 'a', operator: 'Exists' },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 9,
          },
          { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
        ],
      },
    },
  ],
  ['no tolerations', { tolerations: [{ key: 'a', operator: 'Exists' }] }, { spec: { tolerations: null } }],
  ['a toleration that is wrong', {}, { spec: { tolerations: [{ operator: 'Exists' }, { key: 'a b' }] } }],
  ['the node', {}, { spec: { nodeName: 'n' } }],
  ['the grace period', {}, { spec: { terminationGracePeriodSeconds: 5 } }],
  ['the priority', {}, { spec: { priority: 5 } }],
  ['no priority', {}, { spec: { priority: null, preemptionPolicy: null } }],
  ['the account', {}, { spec: { serviceAccountName: 'a' } }],
  ['the restart policy', {}, { spec: { restartPolicy: 'Never' } }],
  ['labels', {}, { metadata: { labels: { a: 'b' } } }],
  ['a wrong label', {}, { metadata: { labels: { 'a!': 'b!' } } }],
  [
    'an annotation of a static pod',
    { nodeName: 'n' },
    { metadata: { annotations: { 'kubernetes.io/config.mirror': 'a' } } },
  ],
  [
    'an annotation of AppArmor',
    {},
    { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' } } },
  ],
  ['the status', {}, { status: { phase: 'Running' } }],
  ['the status of quality', {}, { status: { qosClass: 'Guaranteed' } }],
  ['ephemeral containers', {}, { spec: { ephemeralContainers: [container({ name: 'e' })] } }],
  ['one gate less', gate, { spec: { schedulingGates: [{ name: 'b' }] } }],
  ['no gate', gate, { spec: { schedulingGates: null } }],
  ['another gate', gate, { spec: { schedulingGates: [{ name: 'c' }, { name: 'a' }] } }],
  ['a first gate', {}, { spec: { schedulingGates: [{ name: 'c' }] } }],
  ['a node selector at a gate', gate, { spec: { nodeSelector: { a: 'b' } } }],
  ['a node selector without a gate', {}, { spec: { nodeSelector: { a: 'b' } } }],
  [
    'another node selector at a gate',
    { ...gate, nodeSelector: { a: 'b' } },
    { spec: { nodeSelector: { a: 'c' } } },
  ],
  ['an affinity at a gate', gate, { spec: nodeTerms(zone) }],
  ['more affinity at a gate', { ...gate, ...nodeTerms(zone) }, { spec: nodeTerms(zone, disk) }],
  ['other affinity at a gate', { ...gate, ...nodeTerms(zone) }, { spec: nodeTerms(disk) }],
  ['no affinity at a gate', { ...gate, ...nodeTerms(zone) }, { spec: { affinity: null } }],
  ['an affinity without a gate', {}, { spec: nodeTerms(zone) }],
  [
    'affinity to pods at a gate',
    gate,
    {
      spec: {
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] } },
      },
    },
  ],
  ['a node at a gate', gate, { spec: { nodeName: 'n' } }],
];

const ended = (exitCode: number) => ({
  containerStatuses: [status({ terminated: { exitCode, finishedAt: null, startedAt: null } })],
});
const status = (state: object, name = 'a') => ({
  name,
  image: 'a',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
});
const running = { containerStatuses: [status({ running: { startedAt: null } })] };

/** Pods, and JSON merge patches of their `/status`, applied one after the other. */
const reports: readonly (readonly [name: string, spec: object, ...patches: object[]])[] = [
  [
    'it runs',
    { nodeName: 'n' },
    {
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        podIP: '1.2.3.4',
        hostIP: '5.6.7.8',
      },
    },
  ],
  [
    'of its IPs',
    {},
    { status: { podIP: '1.2.3.4' } },
    { status: { podIP: '1.2.3.5' } },
    { status: { podIP: null, podIPs: [{ ip: '1.1.1.1' }, { ip: 'fe80::1' }] } },
    { status: { podIPs: [{ ip: 'a' }, { ip: '1.1.1.1' }] } },
    { status: { podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }] } },
  ],
  [
    'of the IPs of its node',
    {},
    { status: { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.2' }] } },
    { status: { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.1' }, { ip: 'fe80::1' }, { ip: 'fe80::2' }] } },
  ],
  [
    'of its generation',
    {},
    {
      status: {
        observedGeneration: 1,
        conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }],
      },
    },
    {
      status: {
        observedGeneration: null,
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    {
      status: {
        observedGeneration: -1,
        conditions: [{ type: 'a b', status: 'False', observedGeneration: -1 }],
      },
    },
  ],
  [
    'of its quality',
    {},
    { status: { qosClass: 'Guaranteed' } },
    { status: { qosClass: null } },
    { status: { qosClass: '' } },
  ],
  ['of a nominated node', {}, { status: { nominatedNodeName: 'A' } }, { status: { nominatedNodeName: 'a' } }],
  ['of a nominated node although it has one', { nodeName: 'n' }, { status: { nominatedNodeName: 'a' } }],
  ['containers that end and start', {}, { status: ended(0) }, { status: running }],
  ['containers that end', { restartPolicy: 'Never' }, { status: ended(0) }, { status: running }],
  [
    'containers that end on failure',
    { restartPolicy: 'OnFailure' },
    { status: ended(0) },
    { status: running },
    { status: ended(1) },
    { status: running },
  ],
  [
    'containers that end with rules',
    {
      containers: [
        container({
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [5] } }],
        }),
      ],
    },
    { status: ended(5) },
    { status: running },
    { status: ended(6) },
    { status: running },
  ],
  [
    'init containers that end',
    { restartPolicy: 'Never', initContainers: [container({ name: 'i' })] },
    { status: { initContainerStatuses: [status({ terminated: { exitCode: 1 } }, 'i')] } },
    { status: { initContainerStatuses: [status({ running: {} }, 'i')] } },
  ],
  [
    'ephemeral containers that end',
    {},
    { status: { ephemeralContainerStatuses: [status({ terminated: { exitCode: 1 } }, 'i')] } },
    { status: { ephemeralContainerStatuses: [status({ waiting: {} }, 'i')] } },
  ],
  [
    'claims',
    {},
    { status: { resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'C' }, { name: 'c' }] } },
  ],
  [
    'of its spec',
    {},
    {
      spec: { nodeName: 'n' },
      metadata: {
        labels: { a: 'b' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'a' }],
      },
    },
  ],
];

onEachServer('pods', (server) => {
  let count = 0;

  const create = async (pod: any) => {
    count += 1;
    const metadata = { ...pod.metadata, name: `p${count}` };
    const { code, body } = await server.session.post(pods, { ...pod, metadata });
    expect([code, body.message]).toStrictEqual([201, undefined]);
    return `${pods}/p${count}`;
  };
  /** An answer without the name of the pod and what differs from server to server. */
  const shown = (answer: { code: number; body: any }): any => {
    if (answer.code > 201) return anonymous(refusal(answer));
    const { generation, labels, ownerReferences } = answer.body.metadata;
    const { spec, status: now, template } = inOrder(normalize(answer.body));
    const metadata = {
      ...(generation && { generation }),
      ...(labels && { labels }),
      ...(ownerReferences && { ownerReferences }),
    };
    return { code: answer.code, metadata, spec, status: now, template };
  };
  const anonymous = (said: unknown) => JSON.parse(JSON.stringify(said).replaceAll(`p${count}\\"`, 'p\\"'));

  test('fields that the server fills in', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, pod] of sparse) {
      const metadata = { ...pod.metadata, name: 'sparse' };
      said[name] = shown(await server.session.post(`${pods}?dryRun=All`, { ...pod, metadata }));
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/filled-in.yaml');
  });

  test('fields that the server fills into templates', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, { metadata, spec }] of sparse) {
      const template = { metadata: metadata ?? {}, spec };
      said[name] = shown(
        await server.session.post(`${templates}?dryRun=All`, { metadata: { name: 'sparse' }, template }),
      );
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/filled-into-templates.yaml');
  });

  test('updates', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, spec, patch] of changes) {
      const answer = shown(await server.session.merge(await create(podOf(spec)), patch));
      said[name] = withoutDifference(answer);
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/changed.yaml');
  });

  test('updates of the status', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, spec, ...patches] of reports) {
      const path = await create(podOf(spec));
      const answers = [];
      for (const patch of patches) {
        const {
          code,
          metadata,
          status: now,
          ...rest
        } = shown(await server.session.merge(`${path}/status`, patch));
        answers.push(code > 200 ? { code, ...rest } : { code, metadata, status: now });
      }
      said[name] = answers;
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/reported.yaml');
  });

  test('priorities come from classes', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const never = { metadata: { name: 'never' }, value: 5, preemptionPolicy: 'Never' };
    expect((await server.session.post(classes, never)).code).toBe(201);
    const ask = async (spec: object) => {
      const answer = await server.session.post(`${pods}?dryRun=All`, podOf(spec, { name: 'asked' }));
      const { priority, priorityClassName, preemptionPolicy } = answer.body.spec ?? {};
      return answer.code > 201 ? refusal(answer) : { priority, priorityClassName, preemptionPolicy };
    };
    // A real server admits pods by its cache of classes.
    await expect.poll(() => ask({ priorityClassName: 'never' })).toHaveProperty('priority');
    const said = [
      await ask({ priorityClassName: 'never' }),
      await ask({ priorityClassName: 'never', priority: 5, preemptionPolicy: 'Never' }),
      await ask({ priorityClassName: 'never', priority: 6 }),
      await ask({ priorityClassName: 'never', preemptionPolicy: 'PreemptLowerPriority' }),
      await ask({ priorityClassName: 'system-cluster-critical' }),
      await ask({}),
    ];
    const standard = { metadata: { name: 'standard' }, value: 7, globalDefault: true };
    expect((await server.session.post(classes, standard)).code).toBe(201);
    await expect.poll(() => ask({})).toHaveProperty('priority', 7);
    said.push(await ask({}));
    await server.session.delete(`${classes}/standard`);
    await expect.poll(() => ask({})).toHaveProperty('priority', 0);
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pods/priorities.yaml');
  });

  test('generated names are also used for claims', async () => {
    const volumes = [{ name: 'V' }, { name: 'w'.repeat(63), ephemeral: {} }];
    const answer = await server.session.post(pods, podOf({ volumes }, { generateName: 'g-' }));
    expect(answer.code).toBe(422);
    expect(answer.body.details.causes).toHaveLength(2);
  });
});

/** A refusal without the diff of two pods, which the real server appends in Go's notation. */
function withoutDifference(said: any): unknown {
  if (said.causes === undefined) return said;
  const cut = (text: string) => text.replace(/(?<=previously negative\)).*/s, '');
  return { ...said, message: cut(said.message), causes: said.causes.map(cut) };
}
