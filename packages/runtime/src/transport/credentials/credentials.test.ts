import type { Server, ServerResponse } from 'node:http';
import { type ServerOptions, createServer } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { startConnectProxy } from '../../../test/connect-proxy.ts';
import { eventually } from '../../../test/eventually.ts';
import { VirtualClock } from '../../../test/virtual-clock.ts';
import type { ConnectionConfig } from '../../kubeconfig/connection-config.ts';
import { Transport } from '../transport.ts';
import { startSocksProxy } from '../../../test/socks-proxy.ts';

const minute = 60_000;

let directory: string;
let cleanUp: (() => unknown)[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-credentials-'));
  cleanUp = [() => rm(directory, { recursive: true })];
});

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  const open = (): boolean => process.getActiveResourcesInfo().includes('TCPSocketWrap');
  await eventually(() => !open(), 'the end of every connection');
});

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function listen<T extends Server>(server: T): Promise<{ server: T; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function transportTo(config: ConnectionConfig) {
  const clock = new VirtualClock();
  const transport = new Transport({ ...config, clock });
  cleanUp.push(() => transport.close());
  return { clock, transport };
}

interface Seen {
  authorization?: string | undefined;
  client?: string | undefined;
  impersonated?: unknown;
}

const get = (transport: Transport): Promise<Seen> => transport.request<Seen>({ method: 'GET', path: '/' });

/** Says who it takes the client for. With `token` or `client`, it refuses all who have another one. */
async function startServer(options: ServerOptions = {}) {
  const state = {
    token: undefined as string | undefined,
    client: undefined as string | undefined,
    requests: 0,
    streams: [] as ServerResponse[],
  };
  const certificate = selfSignedCertificate({ names: ['127.0.0.1', 'api.example'] });
  const server = createServer(
    { ...certificate, requestCert: true, rejectUnauthorized: false, ...options },
    ({ url, headers, socket }, response) => {
      state.requests += 1;
      if (url === '/stream') {
        response.writeHead(200).write('first');
        state.streams.push(response);
        return;
      }
      const seen: Seen = {
        authorization: headers.authorization,
        client: (socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined,
        impersonated: headers['impersonate-user'],
      };
      const isRefused =
        (state.token !== undefined && seen.authorization !== `Bearer ${state.token}`) ||
        (state.client !== undefined && seen.client !== state.client);
      response.writeHead(isRefused ? 401 : 200).end(JSON.stringify(seen));
    },
  );
  const { port } = await listen(server);
  return { server, state, port, url: `https://127.0.0.1:${port}`, certificate };
}

async function startProxy(...options: Parameters<typeof startConnectProxy>) {
  const proxy = await startConnectProxy(...options);
  cleanUp.push(() => proxy.close());
  return proxy;
}

describe('files that are replaced', () => {
  test('a token file is read again when it is a minute old, and an empty one is ignored', async () => {
    const { url, certificate } = await startServer();
    const tokenFile = await file('token', 'one\n');
    const { clock, transport } = transportTo({ server: url, caData: certificate.cert, tokenFile });
    expect(await get(transport)).toMatchObject({ authorization: 'Bearer one' });
    await file('token', 'two');
    await clock.advance(minute - 1);
    expect(await get(transport)).toMatchObject({ authorization: 'Bearer one' });
    await clock.advance(1);
    expect(await get(transport)).toMatchObject({ authorization: 'Bearer two' });
    await file('token', '');
    await clock.advance(minute);
    expect(await get(transport)).toMatchObject({ authorization: 'Bearer two' });
  });

  test('a token file is read at once when the server refuses the token, and the request is retried once', async () => {
    const { url, certificate, state } = await startServer();
    const tokenFile = await file('token', 'one');
    const { transport } = transportTo({ server: url, caData: certificate.cert, tokenFile });
    await get(transport);
    await file('token', 'two');
    state.token = 'two';
    expect(await get(transport)).toMatchObject({ authorization: 'Bearer two' });
    expect(state.requests).toBe(3);
    state.token = 'three';
    await expect(get(transport)).rejects.toMatchObject({ status: 401 });
    expect(state.requests).toBe(4);
  });

  test('new certificate authorities apply to new connections, and a watch on an old one continues', async () => {
    const { server, url, certificate, state } = await startServer();
    const caFile = await file('ca.crt', certificate.cert);
    const { clock, transport } = transportTo({ server: url, caFile });
    await get(transport);
    const abort = new AbortController();
    const watch = (await transport.stream('/stream', {}, abort.signal))[Symbol.asyncIterator]();
    expect(String((await watch.next()).value)).toBe('first');

    const renewed = selfSignedCertificate({ names: ['127.0.0.1'] });
    server.setSecureContext(renewed);
    // What the kubelet would not do, but an editor does: half a file.
    await file('ca.crt', renewed.cert.slice(0, 100));
    await clock.advance(minute);
    await get(transport);
    await file('ca.crt', renewed.cert);
    await clock.advance(minute);
    const before = state.requests;
    await Promise.all([get(transport), get(transport), get(transport)]);
    expect(state.requests).toBe(before + 3);

    state.streams[0]?.end('last');
    expect(String((await watch.next()).value)).toBe('last');
    expect((await watch.next()).done).toBe(true);
  });

  test('they are read at once when the server returns with a certificate of another authority', async () => {
    const { server, url, certificate, state } = await startServer();
    const caFile = await file('ca.crt', certificate.cert);
    const { transport } = transportTo({ server: url, caFile });
    await get(transport);
    const renewed = selfSignedCertificate({ names: ['127.0.0.1'] });
    server.setSecureContext(renewed);
    server.closeAllConnections();
    const write = (): Promise<Seen> => transport.request<Seen>({ method: 'POST', path: '/' });
    const open = () => transport.stream('/stream', {}, new AbortController().signal);
    // The kubelet comes some time after.
    for (const attempt of [get(transport), write(), open()]) {
      await expect(attempt).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    }
    await file('ca.crt', renewed.cert);
    const before = state.requests;
    const watch = open();
    await Promise.all([get(transport), write(), watch]);
    expect(state.requests).toBe(before + 3);
  });

  test('requests in progress on old connections complete', async () => {
    const { url, certificate } = await startServer();
    const slow: ServerResponse[] = [];
    const { port } = await listen(createServer(certificate, (_, response) => void slow.push(response)));
    const caFile = await file('ca.crt', certificate.cert);
    const { clock, transport } = transportTo({ server: url.replace(/\d+$/, String(port)), caFile });
    const patient = () => transport.request({ method: 'GET', path: '/', timeout: 10 * minute });
    const first = patient();
    await eventually(() => slow.length === 1);
    await file('ca.crt', `${certificate.cert}\n# new\n`);
    await clock.advance(minute);
    const other = Array.from({ length: 3 }, patient);
    await eventually(() => slow.length === 4);
    expect(slow[1]?.req.socket).not.toBe(slow[0]?.req.socket);
    for (const response of slow) response.end('{}');
    expect(await Promise.all([first, ...other])).toHaveLength(4);
  });

  test('a client certificate and its key are replaced together', async () => {
    const { url, certificate } = await startServer();
    const [one, two] = ['one', 'two'].map((name) => selfSignedCertificate({ names: [name] }));
    const certFile = await file('client.crt', one!.cert);
    const keyFile = await file('client.key', one!.key);
    const { clock, transport } = transportTo({ server: url, caData: certificate.cert, certFile, keyFile });
    expect(await get(transport)).toMatchObject({ client: 'one' });
    await file('client.crt', two!.cert);
    await clock.advance(minute);
    expect(await get(transport)).toMatchObject({ client: 'one' });
    await file('client.key', two!.key);
    await clock.advance(minute);
    expect(await get(transport)).toMatchObject({ client: 'two' });
  });

  test('a client certificate is read at once when the server responds with 401', async () => {
    const [one, two] = ['one', 'two'].map((name) => selfSignedCertificate({ names: [name] }));
    const { url, certificate, state } = await startServer();
    const certFile = await file('client.crt', one!.cert);
    const keyFile = await file('client.key', one!.key);
    const { transport } = transportTo({ server: url, caData: certificate.cert, certFile, keyFile });
    expect(await get(transport)).toMatchObject({ client: 'one' });
    state.client = 'two';
    await expect(get(transport)).rejects.toMatchObject({ status: 401 });
    await Promise.all([file('client.crt', two!.cert), file('client.key', two!.key)]);
    expect(await get(transport)).toMatchObject({ client: 'two' });
  });

  test.each([
    ['', false],
    [' through a proxy', true],
  ])('old connections%s are closed: idle ones at once, all with the transport', async (_, isProxied) => {
    const { server, url, certificate, state } = await startServer();
    const sockets = new Set<TLSSocket>();
    server.on('secureConnection', (socket: TLSSocket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const caFile = await file('ca.crt', certificate.cert);
    const proxyUrl = isProxied ? `http://127.0.0.1:${(await startProxy()).port}` : undefined;
    const { clock, transport } = transportTo({ server: url, caFile, proxyUrl });
    await get(transport);
    const watch = await transport.stream('/stream', {}, new AbortController().signal);
    await eventually(() => state.streams.length === 1 && sockets.size === 2);
    const [idle] = sockets;
    await file('ca.crt', `${certificate.cert}\n# new\n`);
    await clock.advance(minute);
    await get(transport);
    await eventually(() => !sockets.has(idle!), 'the end of the idle connection');
    expect(sockets.size).toBe(2);
    await transport.close();
    await eventually(() => sockets.size === 0, 'the end of every connection');
    await expect(buffer(watch)).rejects.toThrow(/destroyed|aborted|terminated/);
  });
});

describe('the server sees', () => {
  test.each<[string, Partial<ConnectionConfig>, Seen]>([
    ['a password', { username: 'ü', password: 'p:' }, { authorization: 'Basic w7w6cDo=' }],
    ['headers', { headers: async () => ({ Authorization: 'Own x' }) }, { authorization: 'Own x' }],
    [
      'the impersonated user',
      { token: 't', impersonate: { user: 'b' } },
      { authorization: 'Bearer t', impersonated: 'b' },
    ],
    [
      'a token, without running the plugin',
      { token: 't', exec: { apiVersion: 'x', command: 'x' } },
      {
        authorization: 'Bearer t',
      },
    ],
  ])('%s', async (_, config, expected) => {
    const { url, certificate } = await startServer();
    const { transport } = transportTo({ server: url, caData: certificate.cert, ...config });
    expect(await get(transport)).toMatchObject(expected);
  });

  test('the certificate of a plugin, renewed after the server refused its token', async () => {
    const { url, certificate, state } = await startServer();
    const pairs = ['one', 'two'].map((name) => ({ name, ...selfSignedCertificate({ names: [name] }) }));
    const credentials = pairs.map(({ name, cert, key }) => ({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      status: { token: name, clientCertificateData: cert, clientKeyData: key },
    }));
    const answers = await file('answers', JSON.stringify(credentials));
    const script = `
      const fs = require('node:fs');
      const [next, ...rest] = JSON.parse(fs.readFileSync(process.argv[1]));
      fs.writeFileSync(process.argv[1], JSON.stringify(rest));
      console.log(JSON.stringify(next));`;
    const { transport } = transportTo({
      server: url,
      caData: certificate.cert,
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: process.execPath,
        args: ['-e', script, answers],
      },
    });
    expect(await get(transport)).toMatchObject({ client: 'one', authorization: 'Bearer one' });
    state.token = 'two';
    expect(await get(transport)).toMatchObject({ client: 'two', authorization: 'Bearer two' });
  });
});

describe('the server', () => {
  test('is checked against the authorities, and against another name if one is given', async () => {
    const { url, certificate, port } = await startServer();
    const server = `https://localhost:${port}`;
    const caData = certificate.cert;
    await expect(get(transportTo({ server: url }).transport)).rejects.toThrow(/self-signed|self signed/);
    await expect(get(transportTo({ server, caData }).transport)).rejects.toThrow(/altnames/);
    expect(await get(transportTo({ server, caData, tlsServerName: 'api.example' }).transport)).toBeDefined();
    expect(await get(transportTo({ server, insecureSkipTlsVerify: true }).transport)).toBeDefined();
  });

  test.each<[Partial<ConnectionConfig>, RegExp]>([
    [{ caData: 'x', insecureSkipTlsVerify: true }, /have no effect/],
    [{ token: 't', username: 'u' }, /cannot both be used/],
    [{ certData: 'x' }, /must both be given/],
    [{ proxyUrl: 'secret' }, /^the proxy is not an http, https or socks5 URL$/],
    [{ token: 'secret\n' }, /^The token has characters that cannot be sent/],
  ])('a connection of %j is refused', (config, message) => {
    expect(() => new Transport({ server: 'https://a', ...config })).toThrow(message);
  });

  test.each<[Partial<ConnectionConfig>, RegExp]>([
    [{ caData: 'x' }, /authorities of the connection are not PEM/],
    [{ certData: 'x', keyData: 'y' }, /do not match/],
    [{ tokenFile: '/nowhere/token' }, /Cannot read a file of the credentials/],
  ])('a connection of %j fails with its first request', async (config, message) => {
    await expect(
      get(transportTo({ server: 'https://127.0.0.1:1', ...config }).transport),
    ).rejects.toMatchObject({
      code: 'CONNECTION_CONFIG',
      message: expect.stringMatching(message),
    });
  });
});

describe('a proxy', () => {
  test('tunnels requests and watches, with a login', async () => {
    const { url, certificate, state } = await startServer();
    const { port, tunnels } = await startProxy({ login: 'u:p w' });
    const config = { server: url, caData: certificate.cert };
    const { transport } = transportTo({ ...config, proxyUrl: `http://u:p%20w@127.0.0.1:${port}` });
    expect(await get(transport)).toBeDefined();
    const abort = new AbortController();
    const watch = (await transport.stream('/stream', {}, abort.signal))[Symbol.asyncIterator]();
    expect(String((await watch.next()).value)).toBe('first');
    state.streams[0]?.end();
    expect(tunnels).toEqual([url, url].map((each) => new URL(each).host));
    const refused = transportTo({ ...config, proxyUrl: `http://u:secret@127.0.0.1:${port}` }).transport;
    const said = await get(refused).then(String, String);
    expect(said).toMatch(/407/);
    expect(said).not.toContain('secret');
  });

  test('can use TLS, with a certificate of the same authorities', async () => {
    const { url, certificate } = await startServer();
    const { port, tunnels } = await startProxy({ certificate });
    const config = { server: url, caData: certificate.cert, proxyUrl: `https://127.0.0.1:${port}` };
    expect(await get(transportTo(config).transport)).toBeDefined();
    expect(tunnels).toHaveLength(1);
  });

  test.each([
    ['without a login', undefined],
    ['with a login', 'u:p w'],
  ])('can be a SOCKS5 proxy %s', async (_, login) => {
    const { url, certificate } = await startServer();
    const proxy = await startSocksProxy(login);
    cleanUp.push(() => proxy.close());
    const config = { server: url.replace('127.0.0.1', 'api.example'), caData: certificate.cert };
    const user = login ? 'u:p%20w@' : '';
    const { transport } = transportTo({ ...config, proxyUrl: `socks5://${user}127.0.0.1:${proxy.port}` });
    expect(await get(transport)).toBeDefined();
    expect(proxy.hosts).toEqual(['api.example']);
    if (!login) return;
    const wrong = transportTo({ ...config, proxyUrl: `socks5://u:secret@127.0.0.1:${proxy.port}` }).transport;
    await expect(get(wrong)).rejects.toThrow(/refused the user name and password/);
    const none = transportTo({ ...config, proxyUrl: `socks5://127.0.0.1:${proxy.port}` }).transport;
    await expect(get(none)).rejects.toThrow(/requires another login method/);
  });

  test('that is not a SOCKS proxy is an error', async () => {
    const { port } = await startProxy();
    const config = { server: 'https://api.example', proxyUrl: `socks5://127.0.0.1:${port}` };
    await expect(get(transportTo(config).transport)).rejects.toThrow(
      /not a SOCKS proxy|closed the connection/,
    );
  });
});
