import { expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

// Differences that Kubernetes' own end-to-end tests have found.
onEachServer('findings', (server) => {
  test('the timeout parameter of a request is validated', async () => {
    const outcomes: Record<string, unknown> = {};
    const timeouts = ['bad', '10', '5S', ' 5s', '1s2', '99999999h', '0', '-5s', '', '1.5h'];
    for (const timeout of timeouts) {
      const answer = await server.session.get(
        `/api/v1/namespaces/default?timeout=${encodeURIComponent(timeout)}`,
      );
      outcomes[timeout] = answer.code === 200 ? 'served' : refusal(answer);
    }
    for (const path of ['/version', '/livez', '/apis', '/nothing', '/openapi/v2']) {
      outcomes[path] = refusal(await server.session.get(`${path}?timeout=bad`));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/timeouts.yaml');
  });

  test('a finalizer without an owner in its name', async () => {
    await installCrd(server.session, crdOf('Final', {}));
    const metadata = { name: 'final', finalizers: ['plain'] };
    const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const crd = crdOf('Plain', {});
    const bodies: [string, any][] = [
      [configMaps, {}],
      ['/apis/rbac.authorization.k8s.io/v1/clusterroles', {}],
      ['/apis/coordination.k8s.io/v1/namespaces/default/leases', {}],
      [webhooks, {}],
      ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'a' }],
      [crdsPath, { ...crd, metadata: { ...crd.metadata, finalizers: ['plain'] } }],
      [pathOf('Final'), objectOf('Final', 'final', {})],
    ];
    const outcomes: Record<string, unknown> = {};
    for (const [path, body] of bodies) {
      const sent = { ...body, metadata: { ...metadata, ...body.metadata, finalizers: ['plain'] } };
      const answer = await server.session.post(`${path}?dryRun=All`, sent);
      outcomes[path] = answer.code === 201 ? { created: answer.body.metadata.finalizers } : refusal(answer);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/plain-finalizers.yaml');
    const malformed = { ...objectOf('Final', 'final', {}), metadata: { name: 'final', finalizers: ['a b'] } };
    expect((await server.session.post(pathOf('Final'), malformed)).body.message).toContain(
      'metadata.finalizers',
    );
  });
});
