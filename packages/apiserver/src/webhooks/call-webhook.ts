import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Readable, pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { jsonError, notStruct } from '../decoding/type-meta.ts';
import { jsonType } from '../decoding/mismatches.ts';
import { decodeJson } from '../json/decode-json.ts';
import { isObject } from '../json/json-object.ts';
import type { WebhookAddress } from './client-config.ts';
import { responseMessage } from './response-message.ts';
import { transportMessage } from './transport-message.ts';

/** A webhook could not be called, or its response cannot be used. The message is that of kube-apiserver. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
}

const maxRedirects = 10;
const maxRetries = 10;
const deadlineExceeded = 'context deadline exceeded';
const unreadable = 'unexpected error when reading response body';
/** A real server reads responses of any size. This one lives in the process of a test. */
const maxResponseBytes = 64 * 1024 * 1024;
const tooLarge = new WebhookCallError(`the response is larger than ${maxResponseBytes} bytes`);

interface Response {
  code: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** One call: what every attempt of it needs. */
interface Call {
  address: WebhookAddress;
  signal: AbortSignal;
}

/**
 * Sends a review to a webhook, with the rules of kube-apiserver's client: redirects are followed, and a response that
 * asks for a retry is retried.
 *
 * @param review an AdmissionReview or a ConversionReview
 * @param timeoutSeconds for everything together; the webhook reads it in the query
 * @param canceled ends the call, because the client of the request has given up. Default: nothing does
 * @returns the object in the response
 * @throws {WebhookCallError} when the webhook cannot be reached, is too slow, or does not return an object
 */
export async function callWebhook(
  address: WebhookAddress,
  review: object,
  timeoutSeconds: number,
  canceled?: AbortSignal,
): Promise<Record<string, unknown>> {
  const query = `?timeout=${timeoutSeconds}s`;
  const url = `${address.url}${query}`;
  if (address.unreachable !== undefined) throw notSent(url, address.unreachable);
  const target = { url, endpoint: `${address.endpoint ?? address.url}${query}` };
  const controller = new AbortController();
  const abort = () => controller.abort();
  // The time of the network, not of the cluster: a webhook responds over a socket. If the clock of a test counted, moving it by an
  // hour would fail every call that is open, and a webhook that does not respond would keep a request forever.
  const timer = setTimeout(abort, timeoutSeconds * 1000).unref();
  canceled?.addEventListener('abort', abort);
  if (canceled?.aborted) abort();
  try {
    return read(
      await sendWithRetries({ address, signal: controller.signal }, target, JSON.stringify(review)),
    );
  } finally {
    clearTimeout(timer);
    canceled?.removeEventListener('abort', abort);
  }
}

function notSent(url: string, reason: string): WebhookCallError {
  return new WebhookCallError(`Post "${url}": ${reason}`);
}

/** Where a request goes. */
interface Place {
  /** As messages show it. */
  url: string;
  /** Where to connect. */
  endpoint: string;
}

async function sendWithRetries(call: Call, place: Place, body: string): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await follow(call, place, body);
    const after = response.headers['retry-after'] ?? '';
    const mayRetry = response.code === 429 || response.code >= 500;
    if (!mayRetry || !/^\d+$/.test(after) || attempt === maxRetries) return response;
    try {
      await delay(Number(after) * 1000, undefined, { signal: call.signal, ref: false });
    } catch {
      throw notSent(place.url, deadlineExceeded);
    }
  }
}

/** A redirect may keep the method and the body, or turn the request into a GET (RFC 9110, section 15.4). */
async function follow(call: Call, place: Place, body: string): Promise<Response> {
  let [target, sent]: [Place, string | undefined] = [place, body];
  for (let redirects = 1; ; redirects += 1) {
    const response = await send(call, target, sent);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.code) || !location) return response;
    if (redirects === maxRedirects) throw notSent(location, `stopped after ${maxRedirects} redirects`);
    target = redirected(target, location);
    if (response.code < 307) sent = undefined;
  }
}

function redirected({ url, endpoint }: Place, location: string): Place {
  if (/^https?:\/\/(?:[/?#]|$)/i.test(location)) throw notSent(location, 'http: no Host in request URL');
  if (!URL.canParse(location, endpoint)) {
    const quoted = goQuote(location);
    throw notSent(
      url,
      `failed to parse Location header ${quoted}: parse ${quoted}: ${problemOfUrl(location)}`,
    );
  }
  const { href, protocol } = new URL(location, endpoint);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw notSent(href, `unsupported protocol scheme "${protocol.slice(0, -1)}"`);
  return { url: href, endpoint: href };
}

/** What Go's parser says about a URL. */
function problemOfUrl(text: string): string {
  if (/^\w+:\/\/\[[^\]]*$/.test(text)) return "missing ']' in host";
  const [, port] = /^\w+:\/\/[^/?#]*(:[^/?#:]*)/.exec(text) ?? [];
  return port === undefined ? 'invalid URL' : `invalid port ${goQuote(port)} after host`;
}

async function send(
  { address: { ca, serverName }, signal }: Call,
  place: Place,
  body: string | undefined,
): Promise<Response> {
  const isSecure = place.endpoint.startsWith('https:');
  const hasBody = body !== undefined;
  const options = {
    method: hasBody ? 'POST' : 'GET',
    headers: {
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'user-agent': 'kube-apiserver-admission',
      ...(hasBody && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
    agent: isSecure ? secureAgent : plainAgent,
    ...(isSecure && ca !== undefined && { ca }),
    ...(isSecure && serverName !== undefined && { servername: serverName }),
  };
  const request = (isSecure ? httpsRequest : httpRequest)(place.endpoint, options);
  // HTTP/1.1 keeps connections alive without saying so, and kube-apiserver does not say so.
  request.removeHeader('connection');
  // A process whose server has stopped does not wait for webhooks.
  request.on('socket', (socket) => socket.unref());
  // A listener costs less than the option `signal` of the request.
  const giveUp = () => request.destroy();
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  const because = (error: Error) => (signal.aborted ? deadlineExceeded : transportMessage(error));
  try {
    return await exchange(request, body, {
      unsent: (error) => notSent(place.url, because(error)),
      unread: (error) => {
        const reason = signal.aborted ? deadlineExceeded : 'unexpected EOF';
        const problem = `${unreadable}. Please retry. Original error: ${reason}`;
        return new WebhookCallError(problem, { cause: error });
      },
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** What an error means before and after the response begins. */
interface Failures {
  unsent: (error: Error) => WebhookCallError;
  unread: (error?: Error) => WebhookCallError;
}

/** Sends a request and reads its response. Events cost a fraction of what an iterator of the stream costs. */
function exchange(
  request: ClientRequest,
  body: string | undefined,
  { unsent, unread }: Failures,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    request.on('error', (error) => isAnswered || reject(unsent(error)));
    request.on('response', (incoming) => {
      isAnswered = true;
      const { statusCode: code = 0, headers } = incoming;
      const content = headers['content-encoding'] === 'gzip' ? unzipped(incoming) : incoming;
      const chunks: Buffer[] = [];
      let size = 0;
      content.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxResponseBytes) content.destroy(tooLarge);
      });
      content.on('end', () => resolve({ code, headers, body: Buffer.concat(chunks) }));
      content.on('error', (error) => reject(error === tooLarge ? error : unread(error)));
      content.on('close', () => content.readableEnded || reject(unread()));
    });
    request.end(body);
  });
}

function unzipped(incoming: IncomingMessage): Readable {
  return pipeline(incoming, createGunzip(), () => {});
}

const secureAgent = new HttpsAgent({ keepAlive: true });
const plainAgent = new HttpAgent({ keepAlive: true });

function read({ code, headers, body }: Response): Record<string, unknown> {
  const contentType = headers['content-type'] ?? 'application/json';
  if (!isMediaType(contentType)) throw new WebhookCallError('Internal error occurred: mime: no media type');
  if (code < 200 || code > 206)
    throw new WebhookCallError(responseMessage(code, headers['content-type'], body));
  if (body.length === 0)
    throw new WebhookCallError(
      `0-length response with status code: ${code} and content type: ${contentType}`,
    );
  const value = parse(body.toString('utf8')) ?? {};
  if (!isObject(value)) throw undecodable(notStruct(jsonType(value)));
  return value;
}

function isMediaType(contentType: string): boolean {
  return /^\s*[^\s/;]+(?:\/[^\s/;]+)?\s*(?:;|$)/.test(contentType);
}

/** A real server reads what does not look like JSON as YAML, where nothing is null and any other text a string. */
function parse(text: string): unknown {
  try {
    return decodeJson(text).value;
  } catch (error) {
    const start = text.trimStart();
    if (start === '') return null;
    const isJson = start.startsWith('{') || start.startsWith('[');
    throw undecodable(isJson && error instanceof Error ? error.message : notStruct('string'));
  }
}

function undecodable(reason: string): WebhookCallError {
  return new WebhookCallError(`${jsonError} ${reason}`);
}
