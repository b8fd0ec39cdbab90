import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { eventually } from '../../test/eventually.ts';
import { clientCertificate } from '../../test/client-certificate.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { issueCertificate, makeAuthority } from '../certificates/certificate-authority.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { createLogger } from '../logging/create-logger.ts';
import { TlsListener, type TlsListenOptions } from './tls-listener.ts';

const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
const pair = selfSignedCertificate({ names: ['localhost', '127.0.0.1'] });
const open: TlsListener[] = [];
let directory: string;

beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'ots-tls-'))));
afterAll(() => rm(directory, { recursive: true }));
afterEach(async () => {
  for (const listener of open.splice(0)) {
    listener.closeNow();
    await listener.close();
  }
  lines.length = 0;
});

async function listen(
  source: CertificatePair | CertificateSource = pair,
  options: Partial<TlsListenOptions> = {},
  clock = new VirtualClock(),
): Promise<TlsListener> {
  const listener = new TlsListener(
    'tests',
    { port: 0, host: '127.0.0.1', ...options },
    source,
    (_, response) => void response.end('ok'),
    { logger, clock },
  );
  open.push(listener);
  await listener.open();
  return listener;
}

/** What a client gets for one request: the answer, or the error. */
function ask(
  { port }: TlsListener,
  options: ConnectionOptions = {},
): Promise<{ text: string; socket: TLSSocket }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port: port!, ca: pair.cert, ...options }, () => {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    });
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('end', () => (text === '' ? reject(new Error('no response')) : resolve({ text, socket })));
  });
}

describe('the protocol', () => {
  test('is TLS 1.2 or 1.3, and HTTP/1.1 even if the client prefers HTTP/2', async () => {
    const listener = await listen();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { text, socket } = await ask(listener, {
        maxVersion: version,
        ALPNProtocols: ['h2', 'http/1.1'],
      });
      expect(text).toContain('200 OK');
      expect(socket.alpnProtocol).toBe('http/1.1');
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(ask(listener, old)).rejects.toThrow(/alert protocol version|version/);
    await expect(ask(listener, { ALPNProtocols: ['h2'] })).rejects.toThrow(/alert no application protocol/);
  });

  test('a client without TLS is disconnected, logged at debug, and does no harm', async () => {
    const listener = await listen();
    let ended = false;
    connectPlain(listener.port!, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => (ended = true))
      .end('GET / HTTP/1.1\r\n\r\n');
    await eventually(() => ended && lines.length > 0);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'debug', msg: 'a TLS handshake failed' }),
    ]);
    expect((await ask(listener)).text).toContain('ok');
  });

  test('a client that connects and sends nothing cannot delay closing', async () => {
    const listener = await listen();
    let ended = false;
    const silent = connectPlain(listener.port!, '127.0.0.1');
    silent.on('error', () => {}).on('close', () => (ended = true));
    await ask(listener);
    await listener.close();
    await eventually(() => ended);
    expect(await listener.problem()).toBe('it is not listening yet');
  });
});

describe('clients with certificates', () => {
  const now = Date.now();
  const validity = { notBefore: now - 3_600_000, notAfter: now + 3_600_000 };

  test('only those with a certificate of the authority are served', async () => {
    const file = join(directory, 'ca.crt');
    await writeFile(file, clientCertificate.cert);
    const listener = await listen(pair, { clientCAFile: file });
    expect((await ask(listener, clientCertificate)).text).toContain('ok');
    await expect(ask(listener)).rejects.toThrow(/certificate required|ECONNRESET|no response/);
    const stranger = issueCertificate(makeAuthority(validity), ['x'], validity);
    await expect(ask(listener, stranger)).rejects.toThrow(/alert|ECONNRESET|no response/);
    expect(await listener.problem()).toBeUndefined();
  });

  test('a missing file of authorities is an error at startup', async () => {
    await expect(listen(pair, { clientCAFile: join(directory, 'missing') })).rejects.toMatchObject({
      code: 'CERTIFICATE',
      hint: expect.stringContaining('clientCAFile'),
    });
  });
});

describe('a certificate that changes', () => {
  /** A source whose next pair the test decides on. */
  function source(): CertificateSource & { change(next: CertificatePair): Promise<void>; stopped: boolean } {
    let changed: ((next: CertificatePair) => Promise<void>) | undefined;
    const made = {
      stopped: false,
      load: async () => pair,
      watch: async (callback: (next: CertificatePair) => Promise<void>, signal: AbortSignal) => {
        changed = callback;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        made.stopped = true;
      },
      change: (next: CertificatePair) => changed!(next),
    };
    return made;
  }

  test('is served to new connections, while open ones continue', async () => {
    const certificates = source();
    const listener = await listen(certificates);
    const next = selfSignedCertificate({ names: ['127.0.0.1'] });
    const old = connect({ host: '127.0.0.1', port: listener.port!, ca: pair.cert });
    await new Promise((resolve) => old.once('secureConnect', resolve));
    await certificates.change(next);
    expect((await ask(listener, { ca: next.cert })).text).toContain('ok');
    await expect(ask(listener)).rejects.toThrow('self-signed certificate');
    const answer = new Promise((resolve) => old.once('data', (chunk) => resolve(chunk.toString())));
    old.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await answer).toContain('200 OK');
    // The limits hold for the new context as well.
    await expect(ask(listener, { ca: next.cert, ALPNProtocols: ['h2'] })).rejects.toThrow(
      'no application protocol',
    );
    await expect(
      ask(listener, {
        ca: next.cert,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    ).rejects.toThrow(/version/);
    old.destroy();
    await listener.close();
    expect(certificates.stopped).toBe(true);
  });

  test('that must still be issued does not delay an aborted opening, or closing', async () => {
    const never: CertificateSource = {
      load: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      watch: async () => {},
    };
    const waiting = (): TlsListener => new TlsListener('tests', { port: 0 }, never, () => {});
    const aborter = new AbortController();
    const opening = waiting().open(aborter.signal);
    aborter.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    await expect(waiting().open(aborter.signal)).rejects.toThrow('enough');
    const listener = waiting();
    const other = listener.open();
    await Promise.all([listener.close(), expect(other).rejects.toThrow('aborted')]);
  });

  test('is what readiness checks', async () => {
    const clock = new VirtualClock();
    clock.jump(Date.now() - clock.epoch());
    const listener = new TlsListener('tests', { port: 0, host: '127.0.0.1' }, pair, () => {}, { clock });
    open.push(listener);
    expect(await listener.problem()).toBe('it is not listening yet');
    await listener.open();
    expect(await listener.problem()).toBeUndefined();
    clock.jump(11 * 365 * 24 * 3_600_000);
    expect(await listener.problem()).toMatch(/^its certificate expired at /);
    clock.jump(-11 * 365 * 24 * 3_600_000);
    await listener.close();
    expect(await listener.problem()).toBe('it is not listening yet');
  });

  test('a port on which another program responds is not ready', async () => {
    const listener = await listen();
    const other = createServer((socket) => void socket.end('220 smtp\r\n')).listen(0, '127.0.0.1');
    await eventually(() => other.listening);
    const { port } = other.address() as { port: number };
    Object.defineProperty(listener, 'port', { get: () => port, configurable: true });
    expect(await listener.problem()).toContain('TLS does not work');
    other.close();
    const impostor = await listen(selfSignedCertificate({ names: ['x'] }));
    Object.defineProperty(listener, 'port', { get: () => impostor.port });
    expect(await listener.problem()).toBe('it serves the wrong certificate');
  });
});
