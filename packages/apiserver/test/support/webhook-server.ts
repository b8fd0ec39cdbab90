import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type SelfSignedOptions,
  selfSignedCertificate,
} from 'ots-apimachinery/certificates/self-signed-certificate';

/** A call of a webhook. */
export interface WebhookCall {
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The AdmissionReview. */
  readonly review: any;
  /** Answers it. */
  readonly response: ServerResponse;
}

/** Decides about a call: returns what to merge into the `response` of the review, or answers `call.response` itself. */
type WebhookHandler = (call: WebhookCall) => unknown;

/** A server of webhooks with its own certificate. It allows everything unless a test says otherwise. */
export class WebhookServer {
  readonly calls: WebhookCall[] = [];
  readonly #server: Server;
  readonly #handlers = new Map<string, WebhookHandler>();
  readonly #certificate: string;

  private constructor(server: Server, certificate: string) {
    this.#server = server;
    this.#certificate = certificate;
  }

  static async start(certificate: Partial<SelfSignedOptions> = {}): Promise<WebhookServer> {
    const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'], ...certificate });
    const server = createServer({ cert, key });
    const webhooks = new WebhookServer(server, cert);
    server.on('request', (request, response) => void webhooks.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return webhooks;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get caBundle(): string {
    return Buffer.from(this.#certificate).toString('base64');
  }

  /** The `clientConfig` of a webhook at a path. */
  clientConfig(path: string): object {
    return { url: `https://127.0.0.1:${this.port}${path}`, caBundle: this.caBundle };
  }

  /** Sets what happens at a path. */
  handle(path: string, handler: WebhookHandler): void {
    this.#handlers.set(path, handler);
  }

  /** The calls since the last time, without those about requests of the server itself. */
  takeCalls(): WebhookCall[] {
    const isOfServer = ({ review }: WebhookCall) =>
      review?.request?.userInfo?.username === 'system:apiserver';
    return this.calls.splice(0).filter((call) => !isOfServer(call));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString('utf8');
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '', headers } = request;
    const review: unknown = body === '' ? undefined : JSON.parse(body);
    const call = { path, query, method, headers, review, response };
    this.calls.push(call);
    const decision = await (this.#handlers.get(path) ?? (() => ({})))(call);
    if (decision !== undefined) answerReview(call, decision);
  }
}

/** Sends a review back with a response: allowed, unless the decision says otherwise. */
function answerReview({ review, response }: WebhookCall, decision: unknown): void {
  // A redirected request may have lost its body.
  const { apiVersion, kind, request } = review ?? {};
  const answer = {
    apiVersion,
    kind,
    response: { uid: request?.uid, allowed: true, ...(decision as object) },
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
}

/** The part of a response that patches the object. */
export function patchedBy(operations: unknown): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { patchType: 'JSONPatch', patch };
}
