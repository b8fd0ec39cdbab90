import { hostname, networkInterfaces } from 'node:os';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { oneYear } from './one-year.ts';

const wildcards = new Set(['0.0.0.0', '::']);

/**
 * Creates the certificate of a server, valid for one year. Clients trust it as their authority.
 *
 * @param names the host names and IP addresses to certify
 */
export function servingCertificate(names: readonly string[], now: Date): CertificatePair {
  return selfSignedCertificate({
    names,
    subject: 'ots-apiserver',
    ...oneYear(now),
    isAuthority: true,
  });
}

/** The names and addresses of a server that listens on a host. */
export function serverNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const names = ['localhost', '127.0.0.1', '::1', hostname(), 'kubernetes.default.svc'];
  const own = wildcards.has(host) ? addresses.map(({ address }) => address) : [host];
  return [...new Set([...names, ...own])];
}

/** The URL for clients on the same machine: the loopback address if the server listens on all addresses. */
export function reachableHost(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
