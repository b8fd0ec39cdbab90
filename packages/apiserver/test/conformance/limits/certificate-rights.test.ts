import { beforeAll, expect, test } from 'vitest';
import { certificate, certificateRequests, mastersRequest } from '../../support/certificate-requests.ts';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const access = {
  verbs: ['get', 'create', 'update', 'patch'],
  apiGroups: ['certificates.k8s.io'],
  resources: [
    'certificatesigningrequests',
    'certificatesigningrequests/approval',
    'certificatesigningrequests/status',
  ],
};
const signers = (verb: string, ...resourceNames: string[]) => ({
  verbs: [verb],
  apiGroups: ['certificates.k8s.io'],
  resources: ['signers'],
  resourceNames,
});

/** What each user may do. */
const users: Record<string, object[]> = {
  editor: [access],
  approver: [access, signers('approve', 'example.com/signer')],
  signer: [access, signers('sign', 'example.com/signer')],
  'approver-of-domain': [access, signers('approve', 'example.com/*')],
  'approver-of-another': [access, signers('approve', 'example.com/other')],
};

onEachServer('rights of signers', (server) => {
  beforeAll(async () => {
    for (const [name, rules] of Object.entries(users)) {
      await server.session.post(`${rbac}/clusterroles`, { metadata: { name }, rules });
      await server.session.post(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup, kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', apiGroup, name }],
      });
      const headers = { 'impersonate-user': name };
      // A real server sees new roles and bindings a little later.
      await until(async () => (await server.session.send('GET', `${requests}/x`, { headers })).code === 404);
    }
    const spec = {
      request: certificateRequests.good,
      signerName: 'example.com/signer',
      usages: ['client auth'],
    };
    for (const name of ['plain', 'approved'])
      await server.session.post(requests, { metadata: { name }, spec });
    await server.session.merge(`${requests}/approved/approval`, {
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'R' }] },
    });
  });

  test.each([...Object.keys(users), 'admin'])('%s', async (user) => {
    const headers = user === 'admin' ? {} : { 'impersonate-user': user };
    const condition = (type: string) => ({ status: { conditions: [{ type, status: 'True', reason: 'R' }] } });
    const steps: Record<string, [path: string, body: object]> = {
      'a label': ['plain', { metadata: { labels: { a: 'b' } } }],
      approves: ['plain/approval', condition('Approved')],
      denies: ['plain/approval', condition('Denied')],
      'changes nothing at approval': ['plain/approval', { metadata: {} }],
      signs: ['approved/status', { status: { certificate } }],
      'reports failure': ['plain/status', condition('Failed')],
      'changes nothing in the status': ['plain/status', { metadata: {} }],
    };
    const outcomes: Record<string, unknown> = {};
    for (const [title, [path, body]] of Object.entries(steps)) {
      const answer = await server.session.send('PATCH', `${requests}/${path}?dryRun=All`, {
        headers,
        body,
        contentType: 'application/merge-patch+json',
      });
      outcomes[title] = answer.code < 400 ? answer.code : refusal(answer);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/certificate-rights/${user}.yaml`);
  });

  test('no request makes an administrator', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const signerName of ['kubernetes.io/kube-apiserver-client', 'example.com/signer'])
      for (const [name, request] of Object.entries({
        good: certificateRequests.good,
        masters: mastersRequest,
      })) {
        const spec = { request, signerName, usages: ['client auth'] };
        const answer = await server.session.post(`${requests}?dryRun=All`, { metadata: { name }, spec });
        outcomes[`${name} for ${signerName}`] = answer.code < 400 ? answer.code : refusal(answer);
      }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/certificate-rights/subjects.yaml');
  });
});
