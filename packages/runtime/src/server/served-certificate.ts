import { connect } from 'node:tls';

/** In milliseconds; the connection never leaves the machine. */
const timeout = 5000;
const anyAddress = new Set(['', '0.0.0.0', '::']);

/**
 * Returns the SHA-256 fingerprint of the certificate that this machine serves on a port. A server that requires client
 * certificates presents its own first.
 * @param host the address that the server is bound to; undefined for all, where it connects to the loopback address.
 */
export function servedCertificate(host: string | undefined, port: number): Promise<string> {
  const target = host === undefined || anyAddress.has(host) ? 'localhost' : host;
  return new Promise((resolve, reject) => {
    // The API server decides whether the certificate is trusted; this only identifies it.
    const socket = connect({ host: target, port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    socket.setTimeout(timeout, () => socket.destroy(new Error(`no response within ${timeout} ms`)));
    socket.once('secureConnect', () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      resolve(fingerprint256);
    });
    socket.on('error', reject);
  });
}
