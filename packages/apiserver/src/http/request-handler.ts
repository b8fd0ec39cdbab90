import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Machinery } from '../registry/machinery.ts';
import { internalError, methodNotAllowed } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { checkAccept } from './accept.ts';
import { ApiRequest } from './api-request.ts';
import { coreVersions, groupDocument, groupList, resourceList } from './discovery.ts';
import { handleObjects } from './handle-objects.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { type Reply, type StreamingReply, json, text, writeReply } from './reply.ts';
import { type Route, route } from './route.ts';
import { staticPages } from './static-pages.ts';

/** Answers every request: finds what its path stands for, lets it be handled, and writes the answer. */
export class RequestHandler {
  readonly #machinery: Machinery;
  readonly #bookmarkInterval: number;

  /** @param bookmarkInterval milliseconds between the bookmarks of a watch */
  constructor(machinery: Machinery, bookmarkInterval: number) {
    this.#machinery = machinery;
    this.#bookmarkInterval = bookmarkInterval;
  }

  /** Never rejects: whatever goes wrong becomes an answer. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that goes away is no fault of the server.
    response.on('error', () => response.destroy());
    let reply: Reply | StreamingReply;
    try {
      reply = await this.#answer(incoming);
    } catch (error) {
      reply = errorReply(error);
    }
    if (response.destroyed) return;
    // Nobody reads the rest of a body that was refused: the connection cannot be used again.
    if (!incoming.complete) response.setHeader('Connection', 'close');
    if (typeof reply === 'function') reply(response);
    else writeReply(response, reply);
  }

  async #answer(incoming: IncomingMessage): Promise<Reply | StreamingReply> {
    const request = new ApiRequest(incoming);
    const page = staticPages.get(request.path);
    if (page) return page();
    const found = route(request.segments, this.#machinery.registry);
    checkAccept(request.accept);
    if (found.type !== 'objects') return this.#discover(request, found, incoming);
    const context = {
      machinery: this.#machinery,
      request,
      target: found,
      bookmarkInterval: this.#bookmarkInterval,
    };
    return handleObjects(context);
  }

  #discover(
    { method }: ApiRequest,
    found: Exclude<Route, { type: 'objects' }>,
    incoming: IncomingMessage,
  ): Reply {
    const { registry } = this.#machinery;
    if (method !== 'GET') throw methodNotAllowed();
    if (found.type === 'core-versions') return json(200, coreVersions(incoming.headers.host ?? ''));
    if (found.type === 'groups') return json(200, groupList(registry));
    if (found.type === 'group') return json(200, groupDocument(registry, found.group));
    return json(200, resourceList(registry, found.group, found.version));
  }
}

function errorReply(error: unknown): Reply {
  if (error instanceof StatusError) {
    const { retryAfterSeconds } = error.status.details ?? {};
    const reply = json(error.status.code, error.status);
    return retryAfterSeconds === undefined
      ? reply
      : { ...reply, headers: { 'Retry-After': `${retryAfterSeconds}` } };
  }
  if (error instanceof PageNotFoundError) return text(404, '404 page not found\n');
  if (error instanceof URIError) return { ...text(400, '400 Bad Request'), headers: { Connection: 'close' } };
  const { status } = internalError(error instanceof Error ? error.message : String(error));
  return json(status.code, status);
}
