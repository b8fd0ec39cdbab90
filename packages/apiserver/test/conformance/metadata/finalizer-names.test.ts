import { expect, test } from 'vitest';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

onEachServer('names of finalizers', (server) => {
  test('a kind accepts or refuses a finalizer without a domain in its name', async () => {
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
