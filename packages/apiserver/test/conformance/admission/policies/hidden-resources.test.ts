import { beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../../support/on-each-server.ts';
import { asRecorded } from '../../../support/recorded.ts';
import { decisionOf, installCases, registration } from './policy-case.ts';

const validations = [{ expression: 'false' }];
const resourceRules = [
  { operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: 'Cluster' },
];
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://localhost:1' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['nodes'] }],
};

/** Cluster-scoped objects, by the path of their collection. */
const objects: Record<string, object> = {
  '/api/v1/namespaces': {},
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': { rules: [] },
  '/apis/authorization.k8s.io/v1/subjectaccessreviews': {
    spec: { user: 'a', nonResourceAttributes: { path: '/', verb: 'get' } },
  },
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': {
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  },
  '/apis/authentication.k8s.io/v1/selfsubjectreviews': {},
  '/apis/authentication.k8s.io/v1/tokenreviews': { spec: { token: 'x' } },
  [`${registration}/validatingwebhookconfigurations`]: { webhooks: [webhook] },
  [`${registration}/mutatingwebhookconfigurations`]: { webhooks: [webhook] },
  [`${registration}/validatingadmissionpolicies`]: { spec: { matchConstraints, validations } },
  [`${registration}/validatingadmissionpolicybindings`]: {
    spec: { policyName: 'x', validationActions: ['Deny'] },
  },
  [`${registration}/mutatingadmissionpolicybindings`]: { spec: { policyName: 'x' } },
};

onEachServer('what policies never see', (server) => {
  let refusals: string[] = [];

  beforeAll(async () => {
    refusals = await installCases(server.session, 'Validating', [
      {
        spec: { matchConstraints: { resourceRules, namespaceSelector: {} }, validations },
        bindings: [{ matchResources: { namespaceSelector: {} } }],
      },
    ]);
  });

  test('reviews and policies', async () => {
    expect(refusals).toEqual([]);
    const decisions: Record<string, unknown> = {};
    for (const [path, object] of Object.entries(objects)) {
      const body = { metadata: path.includes('reviews') ? {} : { name: 'x' }, ...object };
      decisions[path] = decisionOf(await server.session.post(`${path}?dryRun=All`, body));
    }
    await expect(asRecorded(decisions)).toMatchFileSnapshot('../../recorded/policies/hidden-resources.yaml');
  });
});
