import { beforeAll, expect, test } from 'vitest';
import { inOrder } from '../../support/in-order.ts';
import { outcomeOf } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const path = '/api/v1/namespaces/default';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (more: object = {}) => ({ name: 'c', image: 'i', ...more });
const secretEnv = (name: string) => [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
const mounts = [{ name: 'own', mountPath }];
const own = { volumes: [{ name: 'own', emptyDir: {} }] };
const enforcing = { serviceAccountName: 'enforcing' };
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };

const accounts: Record<string, object> = {
  default: {},
  pulling: { imagePullSecrets: [{ name: 'registry' }, { name: 'other' }] },
  silent: { automountServiceAccountToken: false },
  enforcing: {
    metadata: { name: 'enforcing', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 'known' }],
    imagePullSecrets: [{ name: 'registry' }],
  },
  lenient: {
    metadata: { name: 'lenient', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'yes' } },
  },
};

const pods: Record<string, any> = {
  plain: { spec: { containers: [container()] } },
  'several containers': {
    spec: { containers: [container(), container({ name: 'd' })], initContainers: [container({ name: 'i' })] },
  },
  'an account that does not exist': { spec: { serviceAccountName: 'missing', containers: [container()] } },
  'the old field': { spec: { serviceAccount: 'silent', containers: [container()] } },
  'pull secrets of the account': { spec: { serviceAccountName: 'pulling', containers: [container()] } },
  'own pull secrets': {
    spec: { serviceAccountName: 'pulling', imagePullSecrets: [{ name: 'mine' }], containers: [container()] },
  },
  'no token by the account': { spec: { serviceAccountName: 'silent', containers: [container()] } },
  'a token by the pod': {
    spec: { serviceAccountName: 'silent', automountServiceAccountToken: true, containers: [container()] },
  },
  'no token by the pod': { spec: { automountServiceAccountToken: false, containers: [container()] } },
  'something else in its place': { spec: { ...own, containers: [container({ volumeMounts: mounts })] } },
  'something else in one container': {
    spec: { ...own, containers: [container({ volumeMounts: mounts }), container({ name: 'd' })] },
  },
  'its own volume of that name': {
    spec: {
      volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }],
      containers: [container()],
    },
  },
  'generated name': {
    metadata: { generateName: 'gen-' },
    spec: { serviceAccountName: 'missing', containers: [container()] },
  },
  'a known secret': {
    spec: {
      ...enforcing,
      volumes: [{ name: 's', secret: { secretName: 'known' } }],
      containers: [container()],
    },
  },
  'a foreign secret in a volume': {
    spec: {
      ...enforcing,
      volumes: [{ name: 's', secret: { secretName: 'foreign' } }],
      containers: [container()],
    },
  },
  'a foreign secret in a variable': {
    spec: { ...enforcing, containers: [container({ env: secretEnv('foreign') })] },
  },
  'a foreign secret in an init container': {
    spec: {
      ...enforcing,
      initContainers: [container({ name: 'i', env: secretEnv('foreign') })],
      containers: [container()],
    },
  },
  'a foreign secret in envFrom': {
    spec: { ...enforcing, containers: [container({ envFrom: [{ secretRef: { name: 'foreign' } }] })] },
  },
  'foreign pull secrets': {
    spec: {
      ...enforcing,
      imagePullSecrets: [{ name: 'registry' }, { name: 'foreign' }],
      containers: [container()],
    },
  },
  'a foreign secret of a lenient account': {
    spec: { serviceAccountName: 'lenient', containers: [container({ env: secretEnv('foreign') })] },
  },
  'a mirror pod': { metadata: mirror, spec: { nodeName: 'n', containers: [container()] } },
  'a mirror pod with an account': {
    metadata: mirror,
    spec: { nodeName: 'n', serviceAccountName: 'default', containers: [container()] },
  },
  'a mirror pod with a secret': {
    metadata: mirror,
    spec: { nodeName: 'n', containers: [container({ env: secretEnv('foreign') })] },
  },
  'a mirror pod with a secret volume': {
    metadata: mirror,
    spec: { nodeName: 'n', volumes: [{ name: 's', secret: { secretName: 'x' } }], containers: [container()] },
  },
  'a mirror pod with a token': {
    metadata: mirror,
    spec: {
      nodeName: 'n',
      volumes: [{ name: 's', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
      containers: [container()],
    },
  },
};

/** What the plugin sets, with a fixed suffix in the name of the volume. */
function seen(answer: Answer): unknown {
  const { code, body } = answer;
  const outcome = code < 400 ? { code, spec: relevant(body.spec) } : outcomeOf(answer);
  const text = JSON.stringify(inOrder(outcome));
  return JSON.parse(
    text
      .replaceAll(/kube-api-access-[a-z0-9]{5}"/g, 'kube-api-access-<suffix>"')
      .replaceAll(/gen-[a-z0-9]{5}/g, 'gen-<suffix>'),
  );
}

function relevant({
  containers,
  initContainers,
  volumes,
  serviceAccount,
  serviceAccountName,
  imagePullSecrets,
}: any) {
  const mounted = [...(initContainers ?? []), ...containers].map(({ name, volumeMounts }: any) => ({
    name,
    volumeMounts,
  }));
  return { mounted, volumes, serviceAccount, serviceAccountName, imagePullSecrets };
}

onEachServer('service accounts of pods', { enableAdmissionPlugins: ['ServiceAccount'] }, (server) => {
  beforeAll(async () => {
    for (const [name, fields] of Object.entries(accounts)) {
      if (name !== 'default')
        await server.session.post(`${path}/serviceaccounts`, { metadata: { name }, ...fields });
    }
  });

  test('a namespace without the account default', async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'empty' } });
    const answer = await server.session.post('/api/v1/namespaces/empty/pods', {
      metadata: { name: 'p' },
      ...pods['plain'],
    });
    expect(outcomeOf(answer)).toStrictEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "p" is forbidden: error looking up service account empty/default: serviceaccount "default" not found',
    });
  });

  test('new pods', async () => {
    await server.session.post(`${path}/serviceaccounts`, { metadata: { name: 'default' } });
    const outcomes: Record<string, unknown> = {};
    for (const [title, { metadata = {}, spec }] of Object.entries(pods)) {
      const named = metadata.generateName ? metadata : { name: 'p', ...metadata };
      outcomes[title] = seen(await server.session.post(`${path}/pods?dryRun=All`, { metadata: named, spec }));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/service-accounts/new-pods.yaml');
  });

  test('ephemeral containers', async () => {
    await server.session.post(`${path}/pods`, {
      metadata: { name: 'p' },
      spec: { ...enforcing, containers: [container()] },
    });
    const outcomes: Record<string, unknown> = {};
    for (const name of ['known', 'foreign']) {
      const ephemeralContainers = [{ name: 'e', image: 'i', env: secretEnv(name) }];
      const answer = await server.session.send('PATCH', `${path}/pods/p/ephemeralcontainers?dryRun=All`, {
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { ephemeralContainers } },
      });
      outcomes[name] = seen(answer);
    }
    await server.session.delete(`${path}/serviceaccounts/enforcing`);
    const gone = { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } };
    const ask = () =>
      server.session.send('PATCH', `${path}/pods/p/ephemeralcontainers?dryRun=All`, {
        contentType: 'application/strategic-merge-patch+json',
        body: gone,
      });
    // Admission may not see the deletion at once.
    while ((await ask()).code === 200);
    outcomes['an account that is gone'] = seen(await ask());
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/service-accounts/ephemeral.yaml');
  });
});
