import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { outcomeOf, webhookOfCase } from './case-session.ts';

const services = '/api/v1/namespaces/default/services';
const ports = [
  { name: 'web', port: 80 },
  { name: 'webhook', port: 8443, targetPort: 'https' },
];
const external = (externalName: string) => ({ type: 'ExternalName', externalName });

/** The Services that webhooks name. The name of a webhook's case is that of its Service, up to a dot. */
const specs: Record<string, object> = {
  'cluster-ip': { ports },
  'node-port': { type: 'NodePort', ports },
  balancer: { type: 'LoadBalancer', ports },
  headless: { clusterIP: 'None', ports },
  'headless-without-ports': { clusterIP: 'None' },
  external: external('127.0.0.1'),
  'external-with-ports': { ...external('127.0.0.1'), ports },
  'external-host': external('localhost'),
  'external-ca': external('127.0.0.1'),
  'external-name': external('127.0.0.1'),
  'external-expired': external('127.0.0.1'),
  'external-redirect': external('127.0.0.1'),
};

onEachServer('webhooks behind Services', (server) => {
  const servers: WebhookServer[] = [];
  let cases: Record<string, object>;

  beforeAll(async () => {
    const start = async (...args: Parameters<typeof WebhookServer.start>) => {
      const started = await WebhookServer.start(...args);
      servers.push(started);
      return started;
    };
    const names = Object.keys(specs).map((name) => `${name}.default.svc`);
    const good = await start({ names });
    const others = await start({ names: ['other.default.svc', 'external-name', 'external-name.default'] });
    const byAddress = await start({ names: ['127.0.0.1'] });
    const expired = await start({
      names,
      notBefore: new Date('2020-01-01T00:00:00Z'),
      notAfter: new Date('2021-01-01T00:00:00Z'),
    });
    const stopped = await WebhookServer.start();
    const { port: refused } = stopped;
    await stopped.close();
    good.handle('/redirect', ({ response }) => {
      response.writeHead(307, { location: `https://127.0.0.1:${good.port}/allowed` }).end();
    });
    good.handle('/elsewhere', ({ response }) => {
      response.writeHead(307, { location: `https://127.0.0.1:${byAddress.port}/allowed` }).end();
    });
    const at = (name: string, port: number | undefined, { caBundle }: WebhookServer, path?: string) => ({
      // A redirect may lead to a server with another certificate.
      caBundle: path === '/elsewhere' ? bundleOf(good, byAddress) : caBundle,
      service: { namespace: 'default', name, ...(port !== undefined && { port }), ...(path && { path }) },
    });
    cases = {
      missing: at('missing', 443, good),
      'other-namespace': {
        caBundle: good.caBundle,
        service: { namespace: 'kube-system', name: 'cluster-ip', port: 80 },
      },
      'cluster-ip': at('cluster-ip', 444, good),
      'cluster-ip.default-port': at('cluster-ip', undefined, good),
      'node-port': at('node-port', 444, good),
      balancer: at('balancer', 444, good),
      headless: at('headless', 8443, good),
      'headless.missing-port': at('headless', 444, good),
      'headless-without-ports': at('headless-without-ports', 8443, good),
      external: at('external', good.port, good),
      'external.path': at('external', good.port, good, '/some/path'),
      'external.root': at('external', good.port, good, '/'),
      'external.refused': at('external', refused, good),
      'external.redirect': at('external', good.port, good, '/redirect'),
      'external.elsewhere': at('external', good.port, good, '/elsewhere'),
      'external-with-ports': at('external-with-ports', good.port, good),
      'external-host': at('external-host', good.port, good),
      'external-ca': at('external-ca', good.port, others),
      'external-name': at('external-name', others.port, others),
      'external-name.address': at('external-name', byAddress.port, byAddress),
      'external-expired': at('external-expired', expired.port, expired),
    };
    for (const [name, spec] of Object.entries(specs)) {
      const { code, body } = await server.session.post(services, { metadata: { name }, spec });
      if (code !== 201) throw new Error(JSON.stringify(body));
    }
    const webhooks = Object.entries(cases).map(([key, clientConfig]) => webhookOfCase(key, clientConfig));
    const last = webhookOfCase('last', good.clientConfig('/last'));
    await configureWebhooks(
      server.session,
      'Validating',
      {
        name: 'services',
        webhooks: [...webhooks, { ...last, clientConfig: at('external', good.port, good) }],
      },
      async () => {
        await ask('last');
        return good.takeCalls().length > 0;
      },
    );
  });
  afterAll(() => Promise.all(servers.map((started) => started.close())));

  function ask(key: string) {
    return server.session.post(`${configMaps}?dryRun=All`, {
      metadata: { name: 'one', labels: { case: key } },
    });
  }

  test('are called, or not, as by a real server', async () => {
    const found: Record<string, unknown> = {};
    for (const key of Object.keys(cases)) {
      for (const started of servers) started.takeCalls();
      const { code, message } = outcomeOf(await ask(key));
      const text = typeof message === 'string' ? withoutVariables(message) : '';
      const calls = servers.flatMap((started) => started.takeCalls().map(({ path }) => path));
      found[key] = { code, message: text, calls };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/services.yaml');
  });
});

function bundleOf(...trusted: readonly WebhookServer[]): string {
  const certificates = trusted.map(({ caBundle }) => Buffer.from(caBundle, 'base64').toString('utf8'));
  return Buffer.from(certificates.join('\n')).toString('base64');
}

/** A real server adds the times of the certificate and of the request. */
function withoutVariables(message: string): string {
  return message.replace(/: current time.*/, '').replaceAll(/(:)\d{5}\b/g, '$1<port>');
}
