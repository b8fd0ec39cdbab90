import { expect, test } from 'vitest';
import { certificateRequests } from '../../support/certificate-requests.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const names = [
  'plain',
  'Upper',
  '1digit',
  'a.b',
  'a_b',
  'a..b',
  '-x',
  'a:b',
  'a%b',
  'system:x',
  '10.0.0.1',
  'x'.repeat(64),
  'x'.repeat(254),
];
/** Kinds with their own rules, and some with the usual ones. */
const resources = [
  '/api/v1/namespaces',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/events',
  '/api/v1/namespaces/default/services',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/apps/v1/namespaces/default/statefulsets',
  '/apis/batch/v1/namespaces/default/cronjobs',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/apis/networking.k8s.io/v1/ipaddresses',
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
];

onEachServer('names', (server) => {
  test('the rules of a kind apply to its names', async () => {
    const outcomes: Record<string, Record<string, string[]>> = {};
    for (const path of resources) {
      outcomes[path] = {};
      for (const name of names) {
        const { body } = await server.session.post(`${path}?dryRun=All`, { metadata: { name } });
        // Other tests cover what else such an object lacks.
        const causes: any[] = body.details?.causes ?? [];
        outcomes[path][name] = causes
          .filter(({ field }) => field === 'metadata.name')
          .map(({ message }) => message);
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/names-of-kinds.yaml');
  });

  test('a kind that accepts nearly all names refuses a percent sign', async () => {
    const spec = { request: certificateRequests.good, signerName: 'a.b/c', usages: ['any'] };
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All';
    const refused = await server.session.post(requests, { metadata: { name: 'a%b' }, spec });
    expect(refused.body.message).toBe(
      `CertificateSigningRequest.certificates.k8s.io "a%b" is invalid: metadata.name: Invalid value: "a%b": may not contain '%'`,
    );
  });
});
