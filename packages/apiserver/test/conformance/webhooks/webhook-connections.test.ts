import { createServer } from 'node:http';
import { type AddressInfo, type Server as TcpServer, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { configureWebhooks } from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { outcomeOf, webhookOfCase } from './case-session.ts';

const service = (name: string) => ({ service: { namespace: 'default', name, path: '/x', port: 8443 } });

onEachServer('connections to webhooks', (server) => {
  const servers: { close(): Promise<void> }[] = [];
  let cases: Record<string, object>;
  let called: () => string[];

  beforeAll(async () => {
    const notBefore = new Date('2020-01-01T00:00:00Z');
    const notAfter = new Date('2021-01-01T00:00:00Z');
    const good = await WebhookServer.start();
    const other = await WebhookServer.start({ subject: 'other' });
    const named = await WebhookServer.start({ names: ['a.example.com'] });
    const expired = await WebhookServer.start({ notBefore, notAfter });
    const stopped = await WebhookServer.start();
    const future = await WebhookServer.start({ notBefore: new Date('2200-01-01T00:00:00Z') });
    const wildcard = await WebhookServer.start({ names: ['*.example.com'] });
    const plain = await startPlain();
    const closing = await startClosing();
    servers.push(good, other, named, expired, future, wildcard, plain, closing);
    const redirects: Record<string, string> = {
      plain: `http://127.0.0.1:${plain.port}/x`,
      'not-tls': `https://127.0.0.1:${plain.port}/x`,
      'another-ca': `https://127.0.0.1:${other.port}/x`,
      'another-host': `https://localhost:${good.port}/x`,
      'no-host': 'https:///x',
      malformed: 'https://[::1',
      'malformed-port': 'https://127.0.0.1:port/x',
      relative: 'relative?a=b',
      'no-location': '',
    };
    for (const [name, location] of Object.entries(redirects))
      good.handle(`/${name}`, ({ response }) => {
        response.writeHead(307, { location }).end();
      });
    const at = (port: number, host = '127.0.0.1') => ({
      url: `https://${host}:${port}/x`,
      caBundle: good.caBundle,
    });
    const withBundle = (text: string) => ({
      ...good.clientConfig('/x'),
      caBundle: Buffer.from(text).toString('base64'),
    });
    const refused = stopped.clientConfig('/x');
    await stopped.close();
    cases = {
      refused,
      'another-ca': { ...good.clientConfig('/x'), caBundle: other.caBundle },
      'no-ca': { ...good.clientConfig('/x'), caBundle: undefined },
      'another-host': named.clientConfig('/x'),
      expired: expired.clientConfig('/x'),
      'no-service': service('missing'),
      'not-yet-valid': future.clientConfig('/x'),
      wildcard: { url: `https://localhost:${wildcard.port}/x`, caBundle: wildcard.caBundle },
      plain: at(plain.port),
      closing: at(closing.port),
      'bundle-of-garbage': withBundle('garbage'),
      'bundle-of-nothing': withBundle(''),
      'bundle-of-spaces': withBundle(' \n'),
      'bundle-of-a-broken-certificate': withBundle(
        '-----BEGIN CERTIFICATE-----\nZ2FyYmFnZQ==\n-----END CERTIFICATE-----\n',
      ),
      'bundle-of-another-block': withBundle(
        '-----BEGIN PUBLIC KEY-----\nZ2FyYmFnZQ==\n-----END PUBLIC KEY-----\n',
      ),
      'bundle-with-text-around': withBundle(
        `text\n${Buffer.from(good.caBundle, 'base64').toString('utf8')}\ntext`,
      ),
      ...Object.fromEntries(
        Object.keys(redirects).map((name) => [`redirect-${name}`, good.clientConfig(`/${name}`)]),
      ),
      'no-path': good.clientConfig(''),
      'a-slash': good.clientConfig('/'),
      'a-slash-at-the-end': good.clientConfig('/a/'),
      'empty-steps': good.clientConfig('//a///b'),
      dots: good.clientConfig('/a/./b/../c'),
      escapes: good.clientConfig('/a%20b/%C3%A9'),
      good: good.clientConfig('/good'),
    };
    called = () => [...good.takeCalls(), ...plain.calls.splice(0)].map(({ path }) => path);
    const webhooks = Object.entries(cases).map(([key, clientConfig]) => webhookOfCase(key, clientConfig));
    await configureWebhooks(server.session, 'Validating', { name: 'connections', webhooks }, async () => {
      await ask('good');
      return good.takeCalls().length > 0;
    });
  });
  afterAll(() => Promise.all(servers.map((started) => started.close())));

  function ask(key: string) {
    const object = { metadata: { name: 'one', labels: { case: key } } };
    return server.session.post(`${configMaps}?dryRun=All`, object);
  }

  test('that fail are described as by a real server', async () => {
    const found: Record<string, unknown> = {};
    for (const key of Object.keys(cases)) {
      called();
      const { code, message } = outcomeOf(await ask(key));
      const text = typeof message === 'string' ? withoutVariables(message) : '';
      found[key] = { code, message: text, calls: called() };
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/webhooks/connections.yaml');
  });
});

/** A real server adds the times of the certificate and of the request. The ports of clients differ. */
function withoutVariables(message: string): string {
  return message.replace(/: current time.*/, '').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}

/** A server that does not speak TLS, and allows everything. */
async function startPlain() {
  const calls: { path: string }[] = [];
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    calls.push({ path });
    request.resume();
    const review = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { allowed: true },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(review));
  });
  return { ...(await listen(server)), calls };
}

/** A server that closes every connection after it has read something. */
function startClosing() {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.end());
    }),
  );
}

async function listen(server: TcpServer) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { port, close };
}
