import { X509Certificate } from 'node:crypto';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const now = new Date('2026-11-21T12:00:00Z');

test('says who it is for and how long', () => {
  const names = ['localhost', 'a.example.com', '127.0.0.1', '::1', 'fe80::1:2%eth0', '::ffff:10.0.0.1'];
  const certificate = new X509Certificate(selfSignedCertificate(names, now).cert);
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

test('no two are alike', () => {
  const [one, other] = [1, 2].map(() => new X509Certificate(selfSignedCertificate(['a'], now).cert));
  expect(one?.serialNumber).not.toBe(other?.serialNumber);
});

test('many names make a long certificate', () => {
  const names = Array.from({ length: 300 }, (_, index) => `host-${index}.example.com`);
  const certificate = new X509Certificate(selfSignedCertificate(names, now).cert);
  expect(certificate.checkHost('host-299.example.com')).toBe('host-299.example.com');
});

test('clients that have it as their authority trust the server', async () => {
  const { cert, key } = selfSignedCertificate(['127.0.0.1'], new Date());
  const server = createServer({ cert, key }, (_, response) => response.end());
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
