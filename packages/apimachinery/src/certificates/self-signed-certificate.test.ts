import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpsServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TLSSocket, connect, createServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { selfSignedCertificate } from './self-signed-certificate.ts';

describe('a self-signed certificate', () => {
  test('is what OpenSSL expects of a serving certificate', () => {
    const notBefore = new Date('2026-03-04T05:06:07Z');
    const { cert } = selfSignedCertificate({
      names: ['Hostname-1', '10.0.0.1', '::1', 'fd00:0:0:1::a'],
      notBefore,
    });
    const parsed = new X509Certificate(cert);
    expect(parsed.subject).toBe('CN=Hostname-1');
    expect(parsed.issuer).toBe('CN=Hostname-1');
    expect(parsed.subjectAltName).toBe(
      'DNS:Hostname-1, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FD00:0:0:1:0:0:0:A',
    );
    expect(new Date(parsed.validFrom)).toEqual(notBefore);
    expect(new Date(parsed.validTo)).toEqual(new Date('2036-03-04T05:06:07Z'));
    expect(parsed.ca).toBe(false);
    expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(parsed.verify(parsed.publicKey)).toBe(true);
  });

  test('may outlive 2049, where dates are written in another way', () => {
    const { cert } = selfSignedCertificate({ names: ['a'], notBefore: new Date('2045-01-01T00:00:00Z') });
    expect(new Date(new X509Certificate(cert).validTo)).toEqual(new Date('2055-01-01T00:00:00Z'));
  });

  test('has a serial number and a signature that are well-formed whatever their first bits are', () => {
    for (let round = 0; round < 50; round += 1) {
      const { cert } = selfSignedCertificate({ names: ['a'] });
      const parsed = new X509Certificate(cert);
      expect(parsed.serialNumber).toMatch(/^[0-9A-F]+$/);
      expect(parsed.verify(parsed.publicKey)).toBe(true);
    }
  });

  test('serves TLS to a client that trusts it', async () => {
    const pair = selfSignedCertificate({ names: ['localhost', '127.0.0.1'] });
    const server = createServer(pair, (socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const servername of ['localhost', '']) {
      const socket: TLSSocket = connect({ host: '127.0.0.1', port, servername, ca: pair.cert });
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
    server.close();
  });

  test('may be its own authority', () => {
    const { cert } = selfSignedCertificate({
      subject: 'ots-apiserver',
      names: ['localhost', 'a.example.com', '127.0.0.1', '::1', 'fe80::1:2%eth0', '::ffff:10.0.0.1'],
      notBefore: new Date('2026-11-20T12:00:00Z'),
      notAfter: new Date('2027-11-21T12:00:00Z'),
      isAuthority: true,
    });
    const certificate = new X509Certificate(cert);
    expect(certificate.subject).toBe('CN=ots-apiserver');
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.validFrom).toBe('Nov 20 12:00:00 2026 GMT');
    expect(certificate.validTo).toBe('Nov 21 12:00:00 2027 GMT');
    expect(certificate.checkHost('a.example.com')).toBe('a.example.com');
    expect(certificate.checkHost('b.example.com')).toBeUndefined();
    for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '::ffff:10.0.0.1'])
      expect(certificate.checkIP(address)).toBeDefined();
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  });

  test('has its own serial number', () => {
    const [one, other] = [1, 2].map(() => new X509Certificate(selfSignedCertificate({ names: ['a'] }).cert));
    expect(one?.serialNumber).not.toBe(other?.serialNumber);
  });

  test('holds many names', () => {
    const names = Array.from({ length: 300 }, (_, index) => `host-${index}.example.com`);
    const certificate = new X509Certificate(selfSignedCertificate({ names: ['first', ...names] }).cert);
    expect(certificate.checkHost('host-299.example.com')).toBe('host-299.example.com');
  });

  test.each([false, true])('serves HTTPS to clients that trust it (authority: %s)', async (isAuthority) => {
    const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'], isAuthority });
    const server = createHttpsServer({ cert, key }, (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = (ca?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = get({ host: '127.0.0.1', port, agent: false, ...(ca && { ca }) }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject);
      });
    await expect(ask(cert)).resolves.toBe(200);
    await expect(ask()).rejects.toThrow('self-signed certificate');
    await new Promise((resolve) => server.close(resolve));
  });
});
