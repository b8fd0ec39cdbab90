import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { DetailedPeerCertificate } from 'node:tls';

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

/** An error of Node's network and TLS layers. */
interface TransportError extends Error {
  code?: string;
  address?: string;
  port?: number;
  hostname?: string;
  reason?: string;
  host?: string;
  cert?: DetailedPeerCertificate;
  rawPacket?: Buffer;
}

/** A failed connection in the words of Go, which authors of webhooks search for. */
export function transportMessage(error: TransportError): string {
  const { code = '', address = '', port = 0 } = error;
  const peer = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  if (untrusted.has(code)) return x509('certificate signed by unknown authority');
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${peer}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${peer}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${peer}: connect: network is unreachable`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${error.hostname}: no such host`;
    case 'ECONNRESET':
    case 'EPIPE':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      // Node does not say which certificate: Go adds the times.
      return x509('certificate has expired or is not yet valid');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return x509(nameMismatch(error));
    case 'HPE_INVALID_CONSTANT':
      return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${firstLine(error)}`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return 'http: server gave HTTP response to HTTPS client';
    default:
      return error.message;
  }
}

function firstLine({ rawPacket }: TransportError): string {
  return goQuote(rawPacket?.toString('utf8').split(/\r?\n/, 1)[0] ?? '');
}

function x509(problem: string): string {
  return `tls: failed to verify certificate: x509: ${problem}`;
}

function nameMismatch({ host = '', cert }: TransportError): string {
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  const of = (type: string) =>
    names.filter((name) => name.startsWith(type)).map((name) => name.slice(type.length));
  const [addresses, hosts] = [of('IP Address:'), of('DNS:')];
  if (/^[\d.]+$|:/.test(host)) {
    return addresses.length === 0
      ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
      : `certificate is valid for ${addresses.join(', ')}, not ${host}`;
  }
  return hosts.length === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${hosts.join(', ')}, not ${host}`;
}
