import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A SOCKS5 proxy (RFC 1928) for tests, to which every host is this machine. */
export async function startSocksProxy(login?: string) {
  const hosts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    track(client);
    void serve(client).catch(() => client.destroy());
  });

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }

  async function serve(client: Socket): Promise<void> {
    const [, count = 0] = await take(client, 2);
    const methods = [...(await take(client, count))];
    const method = login ? 2 : 0;
    client.write(Buffer.from([5, methods.includes(method) ? method : 255]));
    if (!methods.includes(method)) return;
    if (login && !(await isLoggedIn(client, login))) return;
    const [, , , kind] = await take(client, 4);
    const host = kind === 3 ? await text(client) : (await take(client, 4)).join('.');
    const port = (await take(client, 2)).readUInt16BE();
    hosts.push(host);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]));
      upstream.pipe(client).pipe(upstream);
    });
    track(upstream);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hosts,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isLoggedIn(client: Socket, login: string): Promise<boolean> {
  await take(client, 1);
  const given = `${await text(client)}:${await text(client)}`;
  client.write(Buffer.from([1, given === login ? 0 : 1]));
  return given === login;
}

async function text(client: Socket): Promise<string> {
  const [length = 0] = await take(client, 1);
  return (await take(client, length)).toString('utf8');
}

async function take(client: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const chunk = client.read(length) as Buffer | null;
    if (chunk) return chunk;
    await new Promise((resolve, reject) => {
      client.once('readable', resolve);
      client.once('close', () => reject(new Error('closed')));
    });
  }
}
