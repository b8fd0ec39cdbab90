import { expect, test } from 'vitest';
import { inOrder } from '../../support/in-order.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { container, podCases, podOf } from './pod-cases.ts';
import { asRecorded } from '../../support/recorded.ts';

const pods = '/api/v1/namespaces/default/pods';
const templates = '/api/v1/namespaces/default/podtemplates';

const port = { containerPort: 1, protocol: 'TCP' };

/** Pods that the server accepts with a warning. */
const warned: readonly (readonly [name: string, pod: any])[] = [
  ['a name with dots', podOf({}, { name: 'a.b' })],
  [
    'old labels of nodes',
    podOf({
      nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'failure-domain.beta.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
        },
      ],
    }),
  ],
  [
    'old labels in an affinity',
    podOf({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: {
                matchExpressions: [
                  { key: 'node-role.kubernetes.io/master', operator: 'In', values: ['a b'] },
                ],
              },
            },
          ],
        },
      },
    }),
  ],
  [
    'affinity without selectors',
    podOf({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'a' } },
          ],
        },
      },
    }),
  ],
  [
    'old annotations',
    podOf(
      {},
      {
        annotations: {
          'scheduler.alpha.kubernetes.io/critical-pod': '',
          'security.alpha.kubernetes.io/sysctls': '',
          'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
          'container.seccomp.security.alpha.kubernetes.io/a': 'unconfined',
        },
      },
    ),
  ],
  [
    'volumes that are gone',
    podOf({
      volumes: [
        { name: 'a', photonPersistentDisk: { pdID: 'a' } },
        { name: 'b', gitRepo: { repository: 'a' } },
        { name: 'c', storageos: { volumeName: 'a' } },
        { name: 'd', rbd: { monitors: ['a'], image: 'a' } },
        { name: 'e', cephfs: { monitors: ['a'] } },
        { name: 'f', glusterfs: { endpoints: 'a', path: 'a' } },
        { name: 'g', flocker: { datasetName: 'a' } },
      ],
    }),
  ],
  [
    'half a byte',
    podOf({
      containers: [
        container({
          resources: {
            limits: { memory: '1500m', 'ephemeral-storage': '1500m' },
            requests: { memory: '500m' },
          },
        }),
      ],
      volumes: [
        {
          name: 'v',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
            },
          },
        },
      ],
    }),
  ],
  [
    'names that are there twice',
    podOf({
      hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }],
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
    }),
  ],
  [
    'variables that are there twice',
    podOf({
      containers: [
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
            { name: 'A', value: '$(A)' },
            { name: 'A', value: '$(A)3' },
          ],
        }),
      ],
    }),
  ],
  [
    'ports that are there twice',
    podOf({
      containers: [
        container({
          ports: [
            { ...port, name: 'x' },
            port,
            { ...port, hostPort: 5 },
            { ...port, hostPort: 5, hostIP: '1.1.1.1' },
            { ...port, containerPort: 2, hostIP: '1.1.1.1' },
          ],
        }),
        container({ name: 'b', ports: [{ name: 'x', containerPort: 3 }] }),
      ],
    }),
  ],
  [
    'files that meet',
    podOf({
      volumes: [
        {
          name: 'a',
          configMap: {
            name: 'c',
            items: [
              { key: 'a', path: 'x' },
              { key: 'b', path: 'x/y' },
            ],
          },
        },
        {
          name: 'b',
          secret: {
            secretName: 's',
            items: [
              { key: 'a', path: 'x/' },
              { key: 'b', path: 'x' },
            ],
          },
        },
        {
          name: 'c',
          projected: {
            sources: [
              { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
              { configMap: { name: 'c', items: [{ key: 'b', path: 'x/z' }] } },
              {},
            ],
          },
        },
      ],
    }),
  ],
  ['a negative grace period', podOf({ terminationGracePeriodSeconds: -1 })],
  ['odd addresses', podOf({ dnsConfig: { nameservers: ['FE80::0'] }, hostAliases: [{ ip: 'fe80:0::1' }] })],
];

onEachServer('the validation of pods', (server) => {
  /** The answer to a dry-run creation. */
  const answerTo = async (collection: string, object: any) => {
    const answer = await server.session.post(`${collection}?dryRun=All`, object);
    if (answer.code !== 201) return refusal(answer);
    return { code: answer.code, ...inOrder(normalize(answer.body)) };
  };

  test('pods', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, { metadata, spec }] of podCases)
      said[name] = await answerTo(pods, { metadata: { name: 'p', ...metadata }, spec });
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pod-validation/pods.yaml');
  });

  test('warnings', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, { metadata, spec }] of [...podCases, ...warned]) {
      const pod = { metadata: { name: 'p', ...metadata }, spec };
      const ofPod = await server.session.post(`${pods}?dryRun=All`, pod);
      const template = { metadata: { ...metadata }, spec };
      const body = { metadata: { name: 't' }, template };
      const ofTemplate = await server.session.post(`${templates}?dryRun=All`, body);
      if (ofPod.warnings.length + ofTemplate.warnings.length > 0)
        said[name] = { pod: ofPod.warnings, template: ofTemplate.warnings };
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pod-validation/warnings.yaml');
  });

  test('templates of pods', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, template] of podCases)
      said[name] = await answerTo(templates, { metadata: { name: 't' }, template });
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/pod-validation/templates.yaml');
  });
});
