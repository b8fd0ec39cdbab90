import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** What kube-proxy makes of a Service: connections go to the replicas in turn. */
export class Service implements AsyncDisposable {
  /** The ports of the replicas on this machine. */
  readonly endpoints: number[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  private constructor() {
    this.#server = createServer((client) => this.#forward(client));
  }

  static async open(): Promise<Service> {
    const service = new Service();
    await new Promise<void>((resolve) => void service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  #forward(client: Socket): void {
    const port = this.endpoints[this.#connections % this.endpoints.length];
    this.#connections += 1;
    if (port === undefined) return void client.destroy();
    const replica = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, replica],
      [replica, client],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
