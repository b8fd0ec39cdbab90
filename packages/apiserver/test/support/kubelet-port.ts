import { type Socket, connect } from 'node:net';
import { type Server, createServer } from 'node:tls';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';

/** The names of options at a kubelet, and those at the API server. */
const options: Readonly<Record<string, string>> = {
  command: 'command',
  error: 'stderr',
  input: 'stdin',
  output: 'stdout',
  tty: 'tty',
  port: 'ports',
};

/** The path at the API server for a path at a kubelet, such as `/exec/default/a/app?command=ls&output=1`. */
function serverPath(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://kubelet');
  const [, action = '', namespace, pod, container] = pathname.split('/');
  const query = new URLSearchParams(container === undefined ? {} : { container });
  for (const [name, value] of searchParams) query.append(options[name] ?? name, value);
  return `/api/v1/namespaces/${namespace}/pods/${pod}/${action.toLowerCase()}?${query.toString()}`;
}

/**
 * The port of a kubelet, as kube-apiserver connects to it. Behind it is an embedded server: so a real server and kubectl speak to the
 * code that answers for kubelets.
 *
 * @param port where the embedded server listens, without TLS
 */
export async function openKubeletPort(port: number): Promise<{ port: number; close: () => void }> {
  const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'] });
  const sockets = new Set<Socket>();
  const server: Server = createServer({ cert, key }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    socket.once('data', (head: Buffer) => {
      const text = head.toString('latin1');
      const rewritten = text.replace(/^(\S+) (\S+)/, (_, method, path) => `${method} ${serverPath(path)}`);
      const backend = connect(port, '127.0.0.1');
      backend.on('error', () => socket.destroy());
      backend.write(rewritten, 'latin1');
      socket.pipe(backend).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the kubelet has no port');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: address.port, close };
}
