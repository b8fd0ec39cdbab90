import { randomUUID } from 'node:crypto';
import type { ClientConnection, HttpRequest, HttpResponse, WholeRequest } from './http-message.ts';
import type { LocalConnection } from './local-connection.ts';
import type { CallResponse } from './local-exchange.ts';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { OpenApiPages } from './openapi-pages.ts';
import { openIdPage } from './openid-pages.ts';
import type { Faults } from '../faults/faults.ts';
import type { Machinery } from '../registry/machinery.ts';
import { internalError, methodNotAllowed } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { FlowClassifier } from '../flow-control/flow-classifier.ts';
import { Access } from './access.ts';
import { AggregatedDiscovery } from './aggregated-discovery.ts';
import { ApiRequest } from './api-request.ts';
import { checkTimeout } from './check-timeout.ts';
import { FrameSink } from './frame-sink.ts';
import { coreVersions, groupDocument, groupList, resourceList } from './discovery.ts';
import { setFlowHeaders } from './flow-headers.ts';
import { handleObjects } from './handle-objects.ts';
import { handlePage } from './handle-page.ts';
import { checkDeclared, mediaTypes, negotiate, negotiateError } from './negotiate.ts';
import { ObservedRequest, type RequestObserver } from './recorded-request.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { type Reply, type StreamingReply, json, text } from './reply.ts';
import { type Route, route } from './route.ts';
import { UpgradeResponse } from './upgrade-response.ts';
import { encodeReply, wantsPretty, type ReplyPreferences, writeReply } from './write-reply.ts';
import { acceptWebSocket, asksForWebSocket } from '../web-socket/handshake.ts';

interface RequestHandlerOptions {
  bookmarkInterval: number;
  faults: Faults;
  observer?: RequestObserver | undefined;
}

/** Answers every request: routes its path, calls the handler, and writes the answer. */
export class RequestHandler {
  readonly #machinery: Machinery;
  readonly #access: Access;
  readonly #flows: FlowClassifier;
  readonly #bookmarkInterval: number;
  readonly #discovery: AggregatedDiscovery;
  readonly #openApi: OpenApiPages;
  readonly #observer: RequestObserver | undefined;
  readonly #faults: Faults;

  /**
   * @param options.bookmarkInterval milliseconds between the bookmarks of a watch
   * @param options.observer receives every request
   */
  constructor(machinery: Machinery, { bookmarkInterval, faults, observer }: RequestHandlerOptions) {
    this.#machinery = machinery;
    this.#faults = faults;
    this.#observer = observer;
    this.#access = new Access(machinery);
    this.#flows = new FlowClassifier(machinery.registry);
    this.#bookmarkInterval = bookmarkInterval;
    this.#discovery = new AggregatedDiscovery(machinery.registry);
    this.#openApi = new OpenApiPages(machinery.registry);
  }

  /** Never rejects: every error becomes an answer. */
  async handle(incoming: HttpRequest, response: HttpResponse): Promise<void> {
    // A client that disconnects is not a server error.
    response.on('error', () => response.destroy());
    const reply = await this.#reply(incoming, response);
    if (response.destroyed) return;
    // Nothing reads the rest of a refused body, so the connection cannot be reused.
    if (!incoming.complete) response.setHeader('Connection', 'close');
    await send(response, reply);
  }

  /** Answers a request of this process. Never rejects. Only an answer that takes time needs a stream. */
  async handleLocal(incoming: WholeRequest, connection: LocalConnection): Promise<void> {
    const reply = await this.#reply(incoming, connection);
    if (connection.closed) return;
    if (typeof reply === 'function' || reply.rest) await send(connection.stream(), reply);
    else connection.complete(await encodeOrRefuse(reply, preferencesOf(incoming)));
  }

  /**
   * Answers a request of this process that has one answer, without what only a connection needs.
   *
   * @returns undefined, with nothing done, if that would differ: requests are recorded, a fault changes this one, or it is a watch
   */
  async call(incoming: WholeRequest): Promise<CallResponse | undefined> {
    if (this.#observer) return undefined;
    let reply: Reply | StreamingReply;
    try {
      const request = this.#authorized(incoming, undefined, undefined);
      if (this.#faults.isActive && this.#faults.changes(request)) return undefined;
      reply = await this.#handle(request, incoming);
    } catch (error) {
      reply = errorReply(error);
    }
    if (typeof reply === 'function' || reply.rest) return undefined;
    const { code: status, body, object, headers } = reply;
    return { status, body, object, retryAfter: headers?.['Retry-After'] };
  }

  async #reply(incoming: HttpRequest, connection: ClientConnection): Promise<Reply | StreamingReply> {
    const { headers } = incoming;
    connection.setHeader('Audit-Id', headers['audit-id'] ?? randomUUID());
    const observed = this.#observer && new ObservedRequest(this.#observer, this.#machinery.clock);
    let reply: Reply | StreamingReply;
    try {
      reply = await this.#answer(incoming, connection, observed);
    } catch (error) {
      reply = { type: negotiateError(headers.accept ?? ''), ...errorReply(error) };
    }
    observed?.end(reply.code ?? 200);
    return reply;
  }

  /**
   * Upgrades a watch to a WebSocket, or a connection to a pod to another protocol, if the request asks for it.
   *
   * @param socket the socket of the request, of which only the head was read
   * @returns false to answer the request normally: it asks for something else, or is a watch that is refused
   */
  async handleSocket(incoming: IncomingMessage, socket: Socket): Promise<boolean> {
    try {
      const asked = new ApiRequest(incoming);
      if (isPodConnection(asked)) {
        await this.handle(incoming, new UpgradeResponse(incoming, socket)).catch(() => socket.destroy());
        return true;
      }
      if (!asksForWebSocket(incoming) || !isWatch(asked)) return false;
      const observed = this.#observer && new ObservedRequest(this.#observer, this.#machinery.clock);
      const reply = await this.#answer(incoming, undefined, observed);
      if (typeof reply !== 'function' || !reply.toSink) return false;
      observed?.end(101);
      if (acceptWebSocket(incoming, socket)) reply.toSink(new FrameSink(socket));
      return true;
    } catch {
      return false;
    }
  }

  /** @param connection undefined for WebSockets */
  async #answer(
    incoming: HttpRequest,
    connection: ClientConnection | undefined,
    observed: ObservedRequest | undefined,
  ): Promise<Reply | StreamingReply> {
    const request = this.#authorized(incoming, connection, observed);
    if (!this.#faults.isActive) return this.#handle(request, incoming);
    // No WebSocket then: the request gets its answer without one.
    if (!connection && this.#faults.prevents(request)) throw new Error('a fault prevents the watch');
    return this.#faults.inject(request, (cached) => this.#handle(request, incoming, cached));
  }

  /**
   * Learns what is asked for, and by whom.
   *
   * @param connection receives headers about the request. Undefined where the answer has none.
   * @param observed learns what is asked for
   * @throws {StatusError} for a client who is not known, or may not do that
   */
  #authorized(
    incoming: HttpRequest,
    connection: ClientConnection | undefined,
    observed: ObservedRequest | undefined,
  ): ApiRequest {
    const request = new ApiRequest(incoming, { connection, audit: observed?.annotations });
    if (observed) observed.request = request;
    if (!isWatch(request)) checkTimeout(request.query);
    request.user = this.#access.clientOf(incoming);
    request.user = this.#access.actingUser(request.user, incoming);
    if (connection) setFlowHeaders(connection, request, this.#flows);
    this.#access.authorize(request);
    return request;
  }

  /** @param cached the revision of what reads show that accept any state. Default: the newest. */
  async #handle(
    request: ApiRequest,
    incoming: HttpRequest,
    cached?: number,
  ): Promise<Reply | StreamingReply> {
    const page =
      handlePage(request) ?? openIdPage(request, this.#machinery.tokens) ?? this.#openApi.answer(request);
    if (page) return page;
    const found = route(request.segments, this.#machinery.registry);
    if (found.type !== 'objects') return this.#discover(request, found, incoming);
    const context = {
      machinery: this.#machinery,
      request,
      target: found,
      bookmarkInterval: this.#bookmarkInterval,
      faults: this.#faults,
      cached,
    };
    return handleObjects(context);
  }

  #discover(request: ApiRequest, found: Exclude<Route, { type: 'objects' }>, incoming: HttpRequest): Reply {
    const { registry } = this.#machinery;
    // In kube-apiserver the lists of groups, and those of custom resources, come from another component, which
    // accepts any method.
    const isDeclared =
      found.type === 'core-versions' || (found.type === 'resources' && registry.isBuiltInGroup(found.group));
    if (isDeclared && request.method !== 'GET') throw methodNotAllowed();
    if (isDeclared) checkDeclared(request.accept, mediaTypes);
    if (found.type === 'core-versions' || found.type === 'groups') {
      const root = found.type === 'groups' ? 'apis' : 'api';
      const aggregated = this.#discovery.answer(request, root);
      if (aggregated) return aggregated;
    }
    const { type } = negotiate(request.accept, {});
    return { ...json(200, this.#document(found, incoming)), type };
  }

  #document(found: Exclude<Route, { type: 'objects' }>, { headers }: HttpRequest): object {
    const { registry } = this.#machinery;
    if (found.type === 'core-versions') return coreVersions(headers.host ?? '');
    if (found.type === 'groups') return groupList(registry);
    if (found.type === 'group') return groupDocument(registry, found.group);
    return resourceList(registry, found.group, found.version);
  }
}

async function send(response: HttpResponse, reply: Reply | StreamingReply): Promise<void> {
  if (typeof reply === 'function') reply(response);
  else await writeOrRefuse(response, reply, preferencesOf(response.req));
}

function preferencesOf(incoming: HttpRequest): ReplyPreferences {
  const acceptsGzip = /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '');
  return { pretty: wantsPretty(incoming), gzip: acceptsGzip };
}

const plain: ReplyPreferences = { pretty: false, gzip: false };

/** Indentation can make an answer too long for a JavaScript string. */
async function writeOrRefuse(
  response: HttpResponse,
  reply: Reply,
  preferences: ReplyPreferences,
): Promise<void> {
  try {
    await writeReply(response, reply, preferences);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else await writeReply(response, errorReply(error), plain);
  }
}

function encodeOrRefuse(reply: Reply, preferences: ReplyPreferences): ReturnType<typeof encodeReply> {
  return encodeReply(reply, preferences).catch((error: unknown) => encodeReply(errorReply(error), plain));
}

/** The subresources of a pod to which clients connect by another protocol than HTTP. */
const podConnections = new Set(['attach', 'exec', 'portforward']);

/** Whether the path is that of a connection, such as `/api/v1/namespaces/default/pods/a/exec`. */
function isPodConnection({ segments }: ApiRequest): boolean {
  return segments.length === 7 && segments[4] === 'pods' && podConnections.has(segments[6] ?? '');
}

/** Whether the answer continues as long as the client wants. */
function isWatch({ segments, query }: ApiRequest): boolean {
  return query.has('watch') || segments.includes('watch');
}

function errorReply(error: unknown): Reply {
  if (error instanceof StatusError) {
    const { retryAfterSeconds } = error.status.details ?? {};
    const reply = json(error.status.code, error.status, error.warnings);
    return retryAfterSeconds === undefined
      ? reply
      : { ...reply, headers: { 'Retry-After': `${retryAfterSeconds}` } };
  }
  if (error instanceof PageNotFoundError) return text(404, '404 page not found\n');
  if (error instanceof URIError) return { ...text(400, '400 Bad Request'), headers: { Connection: 'close' } };
  const { status } = internalError(error instanceof Error ? error.message : String(error));
  return json(status.code, status);
}
