import { type AddressInfo, type Socket, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { Transport } from '../transport.ts';

test.each<[string, string, string[]]>([
  ['a proxy with TLS', 'https://', []],
  ['a SOCKS proxy', 'socks5://', []],
  ['a server behind a proxy', 'http://', ['HTTP/1.1 200 OK\r\n\r\n']],
  ['a server behind a SOCKS proxy', 'socks5://', ['\x05\0', '\x05\0\0\x01\0\0\0\0\0\0']],
])('a client that closes ends a handshake that %s never finishes', async (_, scheme, said) => {
  const sockets: Socket[] = [];
  let chunks = 0;
  const answers = [...said];
  const listener = createServer((socket) => {
    sockets.push(socket);
    socket
      .on('error', () => {})
      .on('data', () => {
        chunks += 1;
        const answer = answers.shift();
        if (answer !== undefined) socket.write(answer);
      });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = `localhost:${(listener.address() as AddressInfo).port}`;
  const transport = new Transport({ server: 'https://api.example', proxyUrl: `${scheme}${address}` });
  const answer = transport.request({ method: 'GET', path: '/' }).catch((error: unknown) => error);
  await eventually(() => chunks > said.length);
  await transport.close();
  expect(await answer).toMatchObject({ code: 'CONNECTION_FAILED' });
  await eventually(() => sockets.every((socket) => socket.destroyed), 'the end of the connection');
  listener.close();
});
