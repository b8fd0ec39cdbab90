import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
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
 * @returns the object in the response
 * @throws {WebhookCallError} when the webhook cannot be reached, is too slow, or does not return an object
 */
export async function callWebhook(
  address: WebhookAddress,
  review: object,
  timeoutSeconds: number,
): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  const query = `?timeout=${timeoutSeconds}s`;
  const url = `${address.url}${query}`;
  if (address.unreachable !== undefined) throw notSent(url, address.unreachable);
  const target = { url, endpoint: `${address.endpoint ?? address.url}${query}` };
  return read(await sendWithRetries({ address, signal }, target, Buffer.from(JSON.stringify(review))));
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

async function sendWithRetries(call: Call, place: Place, body: Buffer): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await follow(call, place, body);
    const after = response.headers['retry-after'] ?? '';
    const mayRetry = response.code === 429 || response.code >= 500;
    if (!mayRetry || !/^\d+$/.test(after) || attempt === maxRetries) return response;
    try {
      await delay(Number(after) * 1000, undefined, { signal: call.signal });
    } catch {
      throw notSent(place.url, deadlineExceeded);
    }
  }
}

/** A redirect may keep the method and the body, or turn the request into a GET (RFC 9110, section 15.4). */
async function follow(call: Call, place: Place, body: Buffer): Promise<Response> {
  let [target, sent]: [Place, Buffer | undefined] = [place, body];
  for (let redirects = 1; ; redirects += 1) {
    const response = await send(call, target, sent);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.code) || location === undefined) return response;
    if (redirects === maxRedirects) throw notSent(location, `stopped after ${maxRedirects} redirects`);
    target = redirected(target, location);
    if (response.code < 307) sent = undefined;
  }
}

function redirected({ url, endpoint }: Place, location: string): Place {
  if (!URL.canParse(location, endpoint))
    throw notSent(url, `failed to parse Location header ${JSON.stringify(location)}: invalid URL`);
  const { href, protocol } = new URL(location, endpoint);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw notSent(href, `unsupported protocol scheme "${protocol.slice(0, -1)}"`);
  return { url: href, endpoint: href };
}

async function send(
  { address: { ca }, signal }: Call,
  place: Place,
  body: Buffer | undefined,
): Promise<Response> {
  const isSecure = place.endpoint.startsWith('https:');
  const options = {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'user-agent': 'kube-apiserver-admission',
      ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
    },
    agent: isSecure ? secureAgent : plainAgent,
    ...(isSecure && ca !== undefined && { ca }),
    signal,
  };
  const because = (error: Error) => (signal.aborted ? deadlineExceeded : transportMessage(error));
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(place.endpoint, options, resolve);
    // HTTP/1.1 keeps connections alive without saying so, and kube-apiserver does not say so.
    request.removeHeader('connection');
    request.on('error', (error) => reject(notSent(place.url, because(error)))).end(body);
  });
  try {
    return { code: incoming.statusCode ?? 0, headers: incoming.headers, body: await readAll(incoming) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof WebhookCallError) throw error;
    const reason = signal.aborted ? deadlineExceeded : 'unexpected EOF';
    throw new WebhookCallError(`${unreadable}. Please retry. Original error: ${reason}`, { cause: error });
  }
}

const secureAgent = new HttpsAgent({ keepAlive: true });
const plainAgent = new HttpAgent({ keepAlive: true });

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isCompressed = incoming.headers['content-encoding'] === 'gzip';
  const content = isCompressed ? pipeline(incoming, createGunzip(), () => {}) : incoming;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes)
      throw new WebhookCallError(`the response is larger than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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
