import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { Client, Manager, addAdmissionHandler, createLogger } from 'ots-runtime';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import type { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { describe, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];

/** A configuration whose webhook is behind a Service. */
function configuration(service: string): ValidatingWebhookConfiguration {
  const name = `${service}.example.com`;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'policy', name: service, path: '/check' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  };
}

/** Refuses everything, with the path that was asked. */
const refuse: RequestListener = (request, response) => {
  void (async () => {
    const { request: review } = (await json(request)) as { request: { uid: string } };
    const status = { message: `refused at ${request.url?.split('?')[0]}` };
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...body, response: { uid: review.uid, allowed: false, status } }));
  })();
};

describe.each(assets ? ['embedded', 'kube-apiserver'] : ['embedded'])(
  'handlers of Services on %s',
  (name) => {
    const env = name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: assets };

    async function answer(client: Client): Promise<string> {
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'default', name: 'a' },
      } as const;
      const created = client.create(ConfigMap, object, { dryRun: true });
      return created.then(
        () => 'created',
        (error: Error) => error.message,
      );
    }

    test('a handler of this process decides for its Service, beside the webhooks of a manager', async () => {
      await using environment = await TestEnvironment.start({
        env,
        controllers: false,
        objects: [configuration('one'), configuration('two')],
      });
      await using client = new Client(environment.config);
      const asked: string[] = [];
      const logger = createLogger({ level: 'silent' });
      await using manager = await Manager.create({ connection: environment.config, logger });
      addAdmissionHandler(manager, '/check', { handle: ({ uid }) => void asked.push(uid) });
      manager.start().catch(() => {});
      await manager.ready;

      await environment.services.set('policy/two', refuse);
      expect(await answer(client)).toBe(
        'admission webhook "two.example.com" denied the request: refused at /check',
      );
      expect(asked.length).toBeGreaterThan(0);

      await environment.services.set('policy/two', (_, response) => response.writeHead(503).end());
      expect(await answer(client)).toMatch(
        /^Internal error occurred: failed calling webhook "two\.example\.com": /,
      );
      await manager.stop();
    });

    test('a handler that never answers does not keep the environment from stopping', async () => {
      const environment = await TestEnvironment.start({
        env,
        controllers: false,
        objects: [configuration('one')],
      });
      await using client = new Client(environment.config);
      let called: (port: number | undefined) => void = () => {};
      const call = new Promise<number | undefined>((resolve) => (called = resolve));
      await environment.services.set('*', ({ socket }) => called(socket.localPort));
      const answered = answer(client);
      const port = await call;
      await environment.stop();
      expect(await answered).not.toBe('created');
      await expect(once(connect(port ?? 0, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
    });
  },
);

test('what is not a Service is an error', async () => {
  await using environment = await TestEnvironment.start({ env: {}, controllers: false });
  await expect(environment.services.set('webhook-service', refuse)).rejects.toThrow(
    `"webhook-service" does not name a Service. Write 'namespace/name', or '*' for every other Service.`,
  );
});
