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
  /** Carries the handshake of TLS. */
  isOpening: boolean;
  /** The request that it carries, until that is answered. */
  request: ProxiedRequest | undefined;
  /** Half open: nothing passes any more, in either direction, and nobody is told. */
  isDead: boolean;
}

/** How a connection can end: with a reset, with a FIN in the middle, or without a word. */
export type Breakage = 'reset' | 'finish' | 'half-open';

/** Who sees what gets through. */
export interface ProxyObserver {
  /** A request is passed on to the server. */
  passed?(request: ProxiedRequest): void;
  /** The server has answered it, whatever becomes of the answer. */
  answered?(request: ProxiedRequest, body: Buffer, status: number): void;
}

interface Exchange {
  connection: Connection;
  request: ProxiedRequest;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  response: http.ServerResponse;
}

/**
 * Stands between an operator and an API server, and does what networks, load balancers and overloaded servers do. It
 * speaks TLS when the server does, or when it is told to. Faults are turned on and off by name; connections are broken when a test says so.
 */
export class FaultProxy {
  /** How to reach the server through it. */
  readonly connection: ConnectionConfig;
  /** Requests that do not carry it are answered with 401; undefined to ask nobody. */
  token: string | undefined;
  /** Informers get no larger pages, so that the list of a few objects has many. */
  pageSize = 7;
  readonly #server: ConnectionConfig;
  readonly #http: http.Server | https.Server;
  readonly #agent: http.Agent;
  readonly #connections = new Map<number, Connection>();
  readonly #faults = new Map<FaultName, Fault>();
  readonly #suffered = new Map<FaultName, number>();
  readonly #observers: ProxyObserver[] = [];
  readonly #port: number;
  #listener: Server;
  #isUnreachable = false;

  /**
   * @param server the server to pass requests on to.
   * @param isSecure whether to speak TLS; by default as the server does.
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
    // When connections end is for tests to say.
    this.#http.keepAliveTimeout = 0;
    this.#http.requestTimeout = 0;
    // A client that has gone is not answered; the server would keep its side of the connection until then.
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

  /** True when something is on its way that will arrive: time that is skipped now would be missing there. */
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
   * Shows a certificate of a new authority from now on, as a server does that was started again with it: connections
   * that are open end.
   * @returns the authority, PEM.
   */
  rotate(): string {
    const { ca, ...pair } = servingCertificate();
    (this.#http as https.Server).setSecureContext(pair);
    this.break('reset');
    return ca;
  }

  /** How many requests a fault has been done to. */
  suffered(name: FaultName): number {
    return this.#suffered.get(name) ?? 0;
  }

  turnOn(...names: FaultName[]): void {
    for (const name of names) this.#faults.set(name, faults[name]);
  }

  /** Also ends what the faults hold up: connections that still suffer from them are reset. */
  turnOff(...names: FaultName[]): void {
    const ending = names.map((name) => faults[name] as Fault);
    for (const name of names) this.#faults.delete(name);
    for (const { request, socket } of this.#live) {
      if (request && ending.some(({ concerns }) => concerns(request))) socket.resetAndDestroy();
    }
  }

  /** Breaks connections that are open now: those that carry such a request, or all. */
  break(how: Breakage, which?: (request: ProxiedRequest) => boolean): void {
    for (const connection of this.#live) {
      const { request, socket } = connection;
      if (which && !(request && which(request))) continue;
      if (how === 'reset') socket.resetAndDestroy();
      else if (how === 'finish') socket.destroy();
      else connection.isDead = true;
    }
  }

  /** New connections are refused until `accept` is called; those that are open stay. */
  refuse(): void {
    if (this.#listener.listening) this.#listener.close();
  }

  /** New connections seem to be made, and carry nothing, until `accept` is called; those that are open die silently. */
  vanish(): void {
    this.#isUnreachable = true;
    this.break('half-open');
  }

  /** Takes new connections again. */
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
    // Read all the same, or its end would not be noticed.
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
      if (!connection.isDead) await this.#answer({ connection, request, headers, body, response });
    } catch {
      if (!connection.isDead) connection.socket.resetAndDestroy();
    }
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { connection, request, response } = exchange;
    const active = this.#afflict(request);
    const answer = active.find((fault) => fault.answer)?.answer;
    if (answer) return answer(response);
    if (this.token !== undefined && request.authorization !== `Bearer ${this.token}`) {
      return unauthorized(response);
    }
    for (const observer of this.#observers) observer.passed?.(request);
    const upstream = await this.#forward(exchange);
    const { statusCode = 500 } = upstream;
    for (const observer of this.#observers) observer.answered?.(request, exchange.body, statusCode);
    if (active.some(({ losesAnswer }) => losesAnswer)) return void connection.socket.resetAndDestroy();
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

  #afflict(request: ProxiedRequest): Fault[] {
    const active = [...this.#faults].filter(([, { concerns }]) => concerns(request));
    for (const [name] of active) this.#suffered.set(name, this.suffered(name) + 1);
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
