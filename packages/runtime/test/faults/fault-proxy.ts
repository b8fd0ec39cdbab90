import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ConnectionConfig } from '../../src/kubeconfig/connection-config.ts';
import type { Fault } from './fault.ts';
import { type FaultName, faults, unauthorized } from './faults.ts';
import { type ProxiedRequest, isWatch } from './proxied-request.ts';
import { servingCertificate } from './serving-certificate.ts';

/** One connection of a client. */
interface Connection {
  readonly socket: Socket;
  /** Whether its TLS handshake is in progress. */
  isOpening: boolean;
  /** The request in progress. */
  request: ProxiedRequest | undefined;
  /** Half open: nothing passes in either direction, and neither side is notified. */
  isDead: boolean;
}

/** How a connection can end: with a reset, with a FIN in the middle, or silently. */
export type Breakage = 'reset' | 'finish' | 'half-open';

/** Sees the requests that reach the server, and its responses. */
export interface ProxyObserver {
  /** The proxy forwards a request to the server. */
  passed?(request: ProxiedRequest): void;
  /** The server has responded, even if the response does not reach the client. */
  responded?(request: ProxiedRequest, body: Buffer, status: number): void;
}

interface Exchange {
  connection: Connection;
  request: ProxiedRequest;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  response: http.ServerResponse;
}

/**
 * A proxy between an operator and an API server that does what networks, load balancers and overloaded servers do. A test turns
 * faults on and off by name, and breaks connections.
 *
 * It is not `server.faults` of ots-apiserver, because the storms also run against a real kube-apiserver, which has no faults on demand,
 * and because most of them are about the bytes on the wire: TLS, resets, packets that vanish, lines in pieces, responses that are not
 * those of Kubernetes. What an operator does when its server itself refuses, forgets or delays is tested in ots-testing, with
 * `environment.faults`.
 */
export class FaultProxy {
  /** How to reach the server through the proxy. */
  readonly connection: ConnectionConfig;
  /** The proxy responds with 401 to requests without this token. If undefined, it checks no token. */
  token: string | undefined;
  /** The largest page that informers get: small, so even a list of a few objects has many pages. */
  pageSize = 7;
  readonly #server: ConnectionConfig;
  readonly #http: http.Server | https.Server;
  readonly #agent: http.Agent;
  readonly #connections = new Map<number, Connection>();
  readonly #faults = new Map<FaultName, Fault>();
  readonly #affected = new Map<FaultName, number>();
  readonly #observers: ProxyObserver[] = [];
  readonly #port: number;
  #listener: Server;
  #isUnreachable = false;

  /**
   * @param server the server to forward requests to
   * @param isSecure whether to speak TLS; by default, if the server does
   */
  static async start(
    server: ConnectionConfig,
    isSecure: boolean = server.server.startsWith('https'),
  ): Promise<FaultProxy> {
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new FaultProxy(server, listener, isSecure);
  }

  private constructor(server: ConnectionConfig, listener: Server, isSecure: boolean) {
    this.#server = server;
    this.#listener = listener;
    this.#port = (listener.address() as AddressInfo).port;
    listener.on('connection', this.#accept);
    const listen = (request: http.IncomingMessage, response: http.ServerResponse): void =>
      void this.#handle(request, response);
    const address = `127.0.0.1:${this.#port}`;
    this.#agent = server.server.startsWith('https')
      ? new https.Agent({ keepAlive: true, ca: server.caData })
      : new http.Agent({ keepAlive: true });
    if (isSecure) {
      const { ca, ...pair } = servingCertificate();
      this.#http = https.createServer(pair, listen);
      this.connection = { server: `https://${address}`, caData: ca };
    } else {
      this.#http = http.createServer(listen);
      this.connection = { server: `http://${address}` };
    }
    // Only tests end connections.
    this.#http.keepAliveTimeout = 0;
    this.#http.requestTimeout = 0;
    // Without this, the server would keep its side of a connection until it has responded to a client that is gone.
    this.#http.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      const connection = this.#connections.get(socket.remotePort!);
      if (connection) connection.isOpening = false;
      socket.once('end', () => socket.destroy());
    });
    this.#http.on('clientError', (_, socket) => socket.destroy());
  }

  /** How many connections there are. */
  get connections(): number {
    return [...this.#connections.values()].filter(({ socket }) => !socket.destroyed).length;
  }

  /** How many watches are open. */
  get watches(): number {
    return this.#live.filter(({ request }) => request && isWatch(request)).length;
  }

  /** Whether something is in flight that will arrive. Skipping time now would make it time out. */
  get isBusy(): boolean {
    const holding = [...this.#faults.values()].filter(({ holds }) => holds);
    return this.#live.some(({ request, isOpening }) =>
      request ? !isWatch(request) && !holding.some(({ concerns }) => concerns(request)) : isOpening,
    );
  }

  observe(observer: ProxyObserver): void {
    this.#observers.push(observer);
  }

  /**
   * Switches to a certificate of a new authority, like a server that was restarted with it: open connections end.
   *
   * @returns the authority, PEM
   */
  rotate(): string {
    const { ca, ...pair } = servingCertificate();
    (this.#http as https.Server).setSecureContext(pair);
    this.break('reset');
    return ca;
  }

  /** How many requests a fault has affected. */
  affected(name: FaultName): number {
    return this.#affected.get(name) ?? 0;
  }

  turnOn(...names: FaultName[]): void {
    for (const name of names) this.#faults.set(name, faults[name]);
  }

  /** Also resets the connections that the faults still affect. */
  turnOff(...names: FaultName[]): void {
    const ending = names.map((name) => faults[name] as Fault);
    for (const name of names) this.#faults.delete(name);
    for (const { request, socket } of this.#live) {
      if (request && ending.some(({ concerns }) => concerns(request))) socket.resetAndDestroy();
    }
  }

  /** Breaks open connections: those with such a request in progress, or all. */
  break(how: Breakage, which?: (request: ProxiedRequest) => boolean): void {
    for (const connection of this.#live) {
      const { request, socket } = connection;
      if (which && !(request && which(request))) continue;
      if (how === 'reset') socket.resetAndDestroy();
      else if (how === 'finish') socket.destroy();
      else connection.isDead = true;
    }
  }

  /** Refuses new connections until `accept` is called. Open ones stay. */
  refuse(): void {
    if (this.#listener.listening) this.#listener.close();
  }

  /** Until `accept` is called, new connections seem to open, but nothing passes. Open ones die silently. */
  vanish(): void {
    this.#isUnreachable = true;
    this.break('half-open');
  }

  /** Accepts new connections again. */
  async accept(): Promise<void> {
    this.#isUnreachable = false;
    if (this.#listener.listening) return;
    this.#listener = createServer(this.#accept);
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
  }

  /** Ends all faults. Connections that died silently stay dead: the operator must notice. */
  async heal(): Promise<void> {
    this.turnOff(...this.#faults.keys());
    await this.accept();
  }

  close(): void {
    this.refuse();
    for (const { socket } of this.#connections.values()) socket.destroy();
    this.#agent.destroy();
    this.#http.close();
  }

  get #live(): Connection[] {
    return [...this.#connections.values()].filter(({ isDead }) => !isDead);
  }

  readonly #accept = (socket: Socket): void => {
    const port = socket.remotePort!;
    const isDead = this.#isUnreachable;
    const isOpening = this.#http instanceof https.Server;
    const connection: Connection = { socket, isOpening, request: undefined, isDead };
    this.#connections.set(port, connection);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#connections.get(port) === connection) this.#connections.delete(port);
    });
    // Read it anyway: otherwise its end would go unnoticed.
    if (connection.isDead) socket.resume();
    else this.#http.emit('connection', socket);
  };

  async #handle(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.on('error', () => {});
    const connection = this.#connections.get(incoming.socket.remotePort!);
    if (!connection) return;
    const { method = '', headers } = incoming;
    const request: ProxiedRequest = {
      method,
      url: new URL(incoming.url ?? '', 'http://server'),
      userAgent: headers['user-agent'] ?? '',
      authorization: headers.authorization,
    };
    connection.request = request;
    response.on('close', () => (connection.request = undefined));
    try {
      const body = await buffer(incoming);
      if (!connection.isDead) await this.#respond({ connection, request, headers, body, response });
    } catch {
      if (!connection.isDead) connection.socket.resetAndDestroy();
    }
  }

  async #respond(exchange: Exchange): Promise<void> {
    const { connection, request, response } = exchange;
    const active = this.#affect(request);
    const respond = active.find((fault) => fault.respond)?.respond;
    if (respond) return respond(response);
    if (this.token !== undefined && request.authorization !== `Bearer ${this.token}`) {
      return unauthorized(response);
    }
    for (const observer of this.#observers) observer.passed?.(request);
    const upstream = await this.#forward(exchange);
    const { statusCode = 500 } = upstream;
    for (const observer of this.#observers) observer.responded?.(request, exchange.body, statusCode);
    if (active.some(({ losesResponse }) => losesResponse)) return void connection.socket.resetAndDestroy();
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = upstream.headers;
    if (connection.isDead) return;
    response.writeHead(statusCode, headers);
    response.flushHeaders();
    let body: AsyncIterable<Buffer> = upstream;
    for (const { shape } of active) if (shape) body = shape(body);
    for await (const chunk of body) {
      if (!connection.isDead && !response.write(chunk) && !response.destroyed) {
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    }
    upstream.destroy();
    if (!connection.isDead) response.end();
  }

  #affect(request: ProxiedRequest): Fault[] {
    const active = [...this.#faults].filter(([, { concerns }]) => concerns(request));
    for (const [name] of active) this.#affected.set(name, this.affected(name) + 1);
    return active.map(([, fault]) => fault);
  }

  #target({ url: { pathname, search } }: ProxiedRequest): string {
    return pathname + search.replace(/\blimit=\d{3,}/, `limit=${this.pageSize}`);
  }

  async #forward({ request, headers, body, response }: Exchange): Promise<http.IncomingMessage> {
    const { server, token } = this.#server;
    const send = server.startsWith('https') ? https.request : http.request;
    const { connection: _, host: __, authorization: ___, ...forwarded } = headers;
    const outgoing = send(new URL(this.#target(request), server), {
      method: request.method,
      headers: { ...forwarded, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      agent: this.#agent,
    });
    response.on('close', () => response.writableFinished || outgoing.destroy());
    outgoing.end(body);
    const [upstream] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    outgoing.on('error', () => {});
    return upstream;
  }
}
