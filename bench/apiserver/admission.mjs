import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { selfSignedCertificate } from '../../packages/apimachinery/dist/certificates/self-signed-certificate.js';
import { configMap, newNamespace, times } from './load.mjs';

const ruleCount = 500;
/** Calls of webhooks run code that no other row has run: it takes V8 about this many to compile it. */
const warmUpCount = 2000;
const registration = 'admissionregistration.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io';

/** What creates cost when something decides about them. */
export async function measureAdmission(send, perSecond) {
  return {
    'create with a CEL policy': await withPolicy(send, perSecond),
    'create through a webhook': await withWebhook(send, perSecond),
    [`create with ${ruleCount} rules`]: await withRules(send, perSecond),
  };
}

const rulesFor = (operations) => [
  { operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
];
const onlyIn = (namespace) => ({ matchLabels: { 'kubernetes.io/metadata.name': namespace } });

async function withPolicy(send, perSecond) {
  const path = await newNamespace(send, 'with-policy');
  const policies = `/apis/${registration}`;
  await send('POST', `${policies}/validatingadmissionpolicies`, {
    metadata: { name: 'bench' },
    spec: {
      matchConstraints: { namespaceSelector: onlyIn('with-policy'), resourceRules: rulesFor(['CREATE']) },
      validations: [
        {
          expression: "object.data.value != 'refused' && object.metadata.labels.all(name, name.size() < 60)",
        },
        { expression: "!has(object.metadata.annotations) || !('forbidden' in object.metadata.annotations)" },
      ],
    },
  });
  await send('POST', `${policies}/validatingadmissionpolicybindings`, {
    metadata: { name: 'bench' },
    spec: { policyName: 'bench', validationActions: ['Deny'] },
  });
  await untilRefused(send, path);
  return perSecond((index) => send('POST', path, configMap(`o${index}`, 'a')));
}

/** The webhook runs in this process, beside the clients, for both servers. */
async function withWebhook(send, perSecond) {
  const path = await newNamespace(send, 'with-webhook');
  const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'], isAuthority: true });
  const server = createServer({ cert, key }, (request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await send('POST', `/apis/${registration}/validatingwebhookconfigurations`, {
    metadata: { name: 'bench' },
    webhooks: [
      {
        name: 'bench.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: {
          url: `https://127.0.0.1:${server.address().port}/`,
          caBundle: Buffer.from(cert).toString('base64'),
        },
        namespaceSelector: onlyIn('with-webhook'),
        rules: rulesFor(['CREATE']),
      },
    ],
  });
  await untilRefused(send, path);
  await times(warmUpCount, (index) => send('POST', path, configMap(`warm-${index}`, 'a')));
  const result = await perSecond((index) => send('POST', path, configMap(`o${index}`, 'a')));
  await send('DELETE', `/apis/${registration}/validatingwebhookconfigurations/bench`);
  server.closeAllConnections();
  server.close();
  return result;
}

async function answer(request, response) {
  const { apiVersion, kind, request: review } = JSON.parse(await buffer(request));
  const allowed = review.object.data?.value !== 'refused';
  const body = JSON.stringify({ apiVersion, kind, response: { uid: review.uid, allowed } });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** A real server takes a moment until a policy or a webhook decides. */
async function untilRefused(send, path) {
  for (;;) {
    try {
      await send('POST', `${path}?dryRun=All`, configMap('probe', 'refused'));
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A user whose role has many rules, of which the last one counts. */
async function withRules(send, perSecond) {
  const path = await newNamespace(send, 'with-rules');
  const others = Array.from({ length: ruleCount - 1 }, (_, index) => ({
    apiGroups: [`group-${index}.example.com`],
    resources: ['things', 'things/status'],
    verbs: ['get', 'list', 'watch', 'create'],
  }));
  const rules = [...others, { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
  await send('POST', `/apis/${rbac}/v1/clusterroles`, { metadata: { name: 'bench' }, rules });
  await send('POST', `/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: 'bench' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'bench' },
    subjects: [{ apiGroup: rbac, kind: 'User', name: 'bench' }],
  });
  const asUser = { 'impersonate-user': 'bench' };
  const create = (name, query = '') =>
    send('POST', `${path}${query}`, configMap(name, 'a'), 'application/json', asUser);
  await untilAllowed(() => create('probe', '?dryRun=All'));
  return perSecond((index) => create(`o${index}`));
}

async function untilAllowed(act) {
  for (;;) {
    try {
      await act();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
