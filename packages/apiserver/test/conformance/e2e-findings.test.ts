import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestEnvironment } from 'ots-testing';
import { configMaps, crdOf, crdsPath, installCrd, objectOf, pathOf } from './fixtures.ts';
import { refusal } from './normalize.ts';
import { asRecorded } from './recorded.ts';
import { servers } from './servers.ts';
import type { Session } from './session.ts';

// What Kubernetes' own end-to-end tests have shown to be different.
describe.each(servers)('findings on $name', (server) => {
  let environment: TestEnvironment;
  let session: Session;
  beforeAll(async () => {
    ({ environment, session } = await server.start());
  }, 90_000);
  afterAll(async () => {
    session.close();
    await environment.stop();
  });

  test('a request says how long it waits', async () => {
    const outcomes: Record<string, unknown> = {};
    const timeouts = ['bad', '10', '5S', ' 5s', '1s2', '99999999h', '0', '-5s', '', '1.5h'];
    for (const timeout of timeouts) {
      const answer = await session.get(`/api/v1/namespaces/default?timeout=${encodeURIComponent(timeout)}`);
      outcomes[timeout] = answer.code === 200 ? 'served' : refusal(answer);
    }
    for (const path of ['/version', '/livez', '/apis', '/nothing', '/openapi/v2']) {
      outcomes[path] = refusal(await session.get(`${path}?timeout=bad`));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('recorded/timeouts.yaml');
  });

  test('a finalizer without an owner in its name', async () => {
    await installCrd(session, crdOf('Final', {}));
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
      const answer = await session.post(`${path}?dryRun=All`, sent);
      outcomes[path] = answer.code === 201 ? { created: answer.body.metadata.finalizers } : refusal(answer);
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('recorded/plain-finalizers.yaml');
    const malformed = { ...objectOf('Final', 'final', {}), metadata: { name: 'final', finalizers: ['a b'] } };
    expect((await session.post(pathOf('Final'), malformed)).body.message).toContain('metadata.finalizers');
  });
});
