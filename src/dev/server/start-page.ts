import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OtsError } from '../../errors/ots-error.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import type { DevAction } from '../model/dev-action.ts';
import type { DevChange } from '../model/dev-change.ts';
import type { DevState } from '../model/dev-state.ts';
import { readAsset } from './assets.ts';
import { checkSender, pathBelow } from './check-request.ts';
import { EventStreams } from './event-streams.ts';
import { HttpError, replyJson, setSecurityHeaders } from './http-reply.ts';
import { parseAction } from './parse-action.ts';
import { readJsonBody } from './read-body.ts';

/** The session that the page shows. */
export interface PageOptions {
  state(): DevState;
  /** @returns what ends the subscription */
  subscribe(listener: (change: DevChange) => void): () => void;
  /** Does what a person asked for. An {@link OtsError} says that it is not possible now. */
  act(action: DevAction): Promise<void>;
  /** Only this machine reaches the page. */
  readonly host: '127.0.0.1';
  /** Default: a free one. */
  readonly port?: number;
}

export interface Page {
  /** Where the page is. Its path is a secret: who knows it can do everything that the page can. Ends with a slash. */
  readonly url: string;
  /** Tells the readers that the session has ended, and stops listening. */
  close(): Promise<void>;
}

/** How long readers have to receive what was sent. */
const closeMs = 500;

/**
 * Serves the page of a session, and its state, changes and actions as JSON.
 *
 * @throws {OtsError} `PAGE_PORT` if it cannot listen on the port
 */
export async function startPage(options: PageOptions): Promise<Page> {
  const token = randomBytes(24).toString('base64url');
  const streams = new EventStreams();
  const server = createServer((request, response) => void handle(request, response));
  const { host, port = 0 } = options;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    streams.end();
    throw new OtsError('PAGE_PORT', `The page cannot listen on ${host}:${port}: ${reasonOf(error)}`, {
      hint: 'Choose another port.',
      cause: error,
    });
  }
  const unsubscribe = options.subscribe((change) => streams.send(change));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response);
    try {
      checkSender(request);
      const path = pathBelow(token, request.url ?? '');
      if (path === undefined) throw new HttpError(404, 'Not found', 'Use the URL that ots dev prints.');
      await route(path, request, response);
    } catch (error) {
      refuse(response, error);
    }
  }

  async function route(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === 'api/actions') {
      allow(request, response, 'POST');
      await act(await readJsonBody(request));
      response.writeHead(204).end();
      return;
    }
    const asset = await readAsset(path);
    if (!asset && path !== 'api/state' && path !== 'api/events') throw new HttpError(404, 'Not found');
    allow(request, response, 'GET');
    if (asset) response.writeHead(200, { 'Content-Type': asset.type }).end(asset.content);
    else if (path === 'api/state') replyJson(response, 200, options.state());
    else streams.add(response, options.state());
  }

  async function act(body: string): Promise<void> {
    const action = parseAction(body);
    try {
      await options.act(action);
    } catch (error) {
      if (error instanceof OtsError) throw new HttpError(409, error.message, error.hint);
      throw error;
    }
  }

  async function close(): Promise<void> {
    unsubscribe();
    streams.end();
    const ended = once(server, 'close');
    server.close();
    const timer = setTimeout(() => server.closeAllConnections(), closeMs);
    await ended;
    clearTimeout(timer);
  }

  let closed: Promise<void> | undefined;
  const { port: listening } = server.address() as AddressInfo;
  return { url: `http://${host}:${listening}/${token}/`, close: () => (closed ??= close()) };
}

/** @throws {HttpError} 405 */
function allow(request: IncomingMessage, response: ServerResponse, method: string): void {
  if (request.method === method) return;
  response.setHeader('Allow', method);
  throw new HttpError(405, `The method is not ${method}`);
}

/** The status is that of the error, and 500 for one that nothing expected. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, hint } = error instanceof HttpError ? error : { status: 500, hint: undefined };
  // The rest of a body that was refused is not read.
  response.setHeader('Connection', 'close');
  replyJson(response, status, { message: reasonOf(error), ...(hint !== undefined && { hint }) });
}
