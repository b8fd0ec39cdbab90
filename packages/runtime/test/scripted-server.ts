import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Exchange {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
  response: ServerResponse;
}

/** Handles a request. Doing nothing leaves it without a response. */
export type Script = (exchange: Exchange) => unknown;

/** An HTTP server that follows the scripts of a test, and records the requests. */
export class ScriptedServer {
  readonly exchanges: Exchange[] = [];
  /** Whether to handle a manager's check at startup that the server is reachable. */
  answersStart = false;
  readonly #server: Server;
  #script: Script;

  static async start(script: Script): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(script);
    await new Promise<void>((resolve) => scripted.#server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  set script(script: Script) {
    this.#script = script;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://server');
    const body = await text(request);
    if (this.answersStart && url.pathname === '/version') {
      return json(response, 200, { gitVersion: 'v1.35.0' });
    }
    const exchange: Exchange = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: body === '' ? undefined : JSON.parse(body),
      response,
    };
    this.exchanges.push(exchange);
    await this.#script(exchange);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function json(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function status(code: number, reason: string, message: string = reason): object {
  return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message };
}
