import { connect } from 'node:tls';

/** In milliseconds; the connection never leaves the machine. */
const timeout = 5000;
const anyAddress = new Set(['', '0.0.0.0', '::']);

/**
 * The SHA-256 fingerprint of the certificate that this machine serves at a port. A server that wants a certificate of
 * its clients shows its own before it asks.
 * @param host that the server is bound to; the loopback address is asked when it is bound to all.
 */
export function servedCertificate(host: string | undefined, port: number): Promise<string> {
  const target = host === undefined || anyAddress.has(host) ? 'localhost' : host;
  return new Promise((resolve, reject) => {
    // Whether the certificate is trusted is for the API server to say; here it counts which one it is.
    const socket = connect({ host: target, port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    socket.setTimeout(timeout, () => socket.destroy(new Error(`no answer within ${timeout} ms`)));
    socket.once('secureConnect', () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      resolve(fingerprint256);
    });
    socket.on('error', reject);
  });
}
