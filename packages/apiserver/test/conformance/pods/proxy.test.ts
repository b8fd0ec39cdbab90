import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachStreamingServer } from '../../support/on-each-streaming-server.ts';
import type { Sending } from '../../support/session.ts';

const namespace = '/api/v1/namespaces/default';

/** The address of this machine that a real server may connect to: not of the loopback interface. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((known) => known?.family === 'IPv4' && !known.internal)?.address;

/** What answers at the address: it says what it has received. */
const application = createServer((request, response) => {
  void (async () => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    if (url === '/redirect') return response.writeHead(302, { location: '/elsewhere/?a=b' }).end();
    if (url === '/relative') return response.writeHead(302, { location: 'next' }).end();
    if (url === '/other') return response.writeHead(302, { location: 'http://example.com/next' }).end();
    if (url === '/reset') return response.destroy();
    if (url === '/down')
      return response.writeHead(503, { 'x-own': 'yes', 'access-control-allow-origin': '*' }).end('down\n');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ method, url, headers, body }));
  })();
});
let port = 0;
beforeAll(async () => {
  application.listen(0, '0.0.0.0');
  await once(application, 'listening');
  ({ port } = application.address() as AddressInfo);
});
afterAll(() => application.close());

const streams = {
  log: () => undefined,
  portForward: () => async (to: number) => {
    const socket = connect(to, '127.0.0.1');
    await once(socket, 'connect').catch(() => {
      throw new Error('connection refused');
    });
    return socket;
  },
};

onEachStreamingServer('proxy', { streams, skip: address === undefined }, (server) => {
  beforeAll(async () => {
    const { session } = server;
    const containers = [
      { name: 'one', image: 'i' },
      { name: 'two', image: 'i', ports: [{ containerPort: port }] },
    ];
    const spec = { nodeName: 'n1', containers };
    await session.post(`${namespace}/pods`, { metadata: { name: 'web' }, spec });
    const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }] };
    await session.merge(`${namespace}/pods/web/status`, { status });
    await session.merge(`${namespace}/pods/app/status`, { status });
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
    const reachable = [{ ip: address, targetRef }];
    const services: Record<string, { ports: object[]; addresses: object[] }> = {
      named: {
        ports: [
          { name: 'http', port: 80 },
          { name: 'closed', port: 81 },
        ],
        addresses: reachable,
      },
      plain: { ports: [{ port: 80 }], addresses: reachable },
      foreign: { ports: [{ port: 80 }], addresses: [{ ip: address }] },
    };
    for (const [name, { ports, addresses }] of Object.entries(services)) {
      await session.post(`${namespace}/services`, { metadata: { name }, spec: { ports } });
      const subsets = [
        { addresses, ports: ports.map((each, index) => ({ ...each, port: index === 0 ? port : 1 })) },
      ];
      await session.post(`${namespace}/endpoints`, { metadata: { name }, subsets });
    }
  });

  /** @param path below the pods or services */
  const send = (method: string, path: string, sending: Sending = {}) =>
    server.session.send(method, `${namespace}/${path.replaceAll('PORT', `${port}`)}`, sending);
  const refusal = async (path: string) => {
    const { code, body } = await send('GET', path);
    return `${code} ${(body as { message: string }).message.replaceAll(address!, 'IP').replaceAll(`${port}`, 'PORT')}`;
  };

  test('a request reaches the port of a pod as the client has sent it', async () => {
    const { code, body, headers } = await send('POST', 'pods/web:PORT/proxy/v3/a%20b?x=1&x=2', {
      body: { a: 1 },
      headers: { 'x-mine': 'yes', 'x-forwarded-for': '192.0.2.7', 'x-hop': 'no', connection: 'x-hop' },
    });
    expect(code).toBe(200);
    expect(body).toMatchObject({
      method: 'POST',
      url: '/v3/a%20b?x=1&x=2',
      body: '{"a":1}',
      headers: {
        host: new URL(server.connection.server).host,
        'content-type': 'application/json',
        'x-mine': 'yes',
        'x-forwarded-for': '192.0.2.7, 127.0.0.1',
        'x-forwarded-uri': `${namespace}/pods/web:${port}/proxy/v3/a%20b`,
      },
    });
    const { headers: received } = body as { headers: object };
    expect(received).not.toHaveProperty('authorization');
    expect(received).not.toHaveProperty('x-hop');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      'set-cookie': ['a=1', 'b=2'],
    });
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is forwarded', async (method) => {
    expect((await send(method, 'pods/web/proxy/x')).body).toMatchObject({ method, url: '/x' });
  });

  test('the path is cleaned, and one without a slash is redirected', async () => {
    const { body } = await send('GET', 'pods/http:web:PORT/proxy/a//b/../c/?q');
    expect(body).toMatchObject({ url: '/a/c/?q' });
    const { code, headers } = await send('GET', 'pods/web/proxy?a=b');
    expect([code, headers.location]).toEqual([301, `${namespace}/pods/web/proxy/?a=b`]);
    expect((await send('POST', 'pods/web/proxy', { body: {} })).body).toMatchObject({ url: '/' });
    expect((await send('HEAD', 'pods/web/proxy/x')).code).toBe(200);
  });

  test('the answer of the application is that of the proxy, and redirects stay behind it', async () => {
    const down = await send('GET', 'pods/web/proxy/down');
    expect([down.code, down.body, down.headers['x-own']]).toEqual([503, 'down\n', 'yes']);
    expect(down.headers).not.toHaveProperty('access-control-allow-origin');
    const { headers } = await send('GET', 'pods/web/proxy/redirect');
    expect(headers.location).toBe(`${namespace}/pods/web/proxy/elsewhere/?a=b`);
    expect((await send('GET', 'pods/web/proxy/relative')).headers.location).toBe('next');
    expect((await send('GET', 'pods/web/proxy/other')).headers.location).toBe('http://example.com/next');
  });

  test('a Service leads to the pod behind its port, by name or number', async () => {
    for (const name of ['plain', 'plain:80', 'http:plain:', 'named:http', 'named:80'])
      expect((await send('GET', `services/${name}/proxy/x`)).body, name).toMatchObject({ url: '/x' });
    expect(await refusal('services/named/proxy/x')).toBe('503 no endpoints available for service "named"');
    expect(await refusal('services/named:other/proxy/x')).toBe(
      '503 no endpoints available for service "named:other"',
    );
    expect(await refusal('services/foreign:80/proxy/x')).toBe(
      '503 no endpoints available for service "foreign:80"',
    );
    expect(await refusal('services/named:81/proxy/x')).toBe(
      '503 error trying to reach service: dial tcp IP:1: connect: connection refused',
    );
  });

  test('a target that does not answer is an error', async () => {
    expect(await refusal('pods/app:1/proxy/x')).toBe(
      '503 error trying to reach service: dial tcp IP:1: connect: connection refused',
    );
    expect(await refusal('pods/web:99999/proxy/x')).toBe(
      '503 error trying to reach service: dial tcp: address 99999: invalid port',
    );
    expect(await refusal('pods/web/proxy/reset')).toBe('503 error trying to reach service: EOF');
  });
});
