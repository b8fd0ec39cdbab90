import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
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
  try {
    if (address.unreachable !== undefined) throw new Error(address.unreachable);
    const response = await sendWithRetries(
      { address, signal },
      `${address.endpoint ?? address.url}${query}`,
      Buffer.from(JSON.stringify(review)),
    );
    return read(response);
  } catch (error) {
    if (error instanceof WebhookCallError || !(error instanceof Error)) throw error;
    const reason = signal.aborted ? 'context deadline exceeded' : transportMessage(error, new Date());
    throw new WebhookCallError(`Post "${address.url}${query}": ${reason}`, { cause: error });
  }
}

async function sendWithRetries(call: Call, url: string, body: Buffer): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await follow(call, url, body);
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
    const mayRetry = response.code === 429 || response.code >= 500;
    if (!mayRetry || !Number.isInteger(seconds) || attempt === maxRetries) return response;
    await delay(seconds * 1000, undefined, { signal: call.signal });
  }
}

/** A redirect may keep the method and the body, or turn the request into a GET (RFC 9110, section 15.4). */
async function follow(call: Call, url: string, body: Buffer): Promise<Response> {
  let [target, sent]: [string, Buffer | undefined] = [url, body];
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(call, target, sent);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.code) || location === undefined) return response;
    if (redirects === maxRedirects) throw new Error(`stopped after ${maxRedirects} redirects`);
    target = new URL(location, target).href;
    if (response.code < 307) sent = undefined;
  }
}

function send(
  { address: { ca, serverName }, signal }: Call,
  url: string,
  body: Buffer | undefined,
): Promise<Response> {
  const isSecure = url.startsWith('https:');
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
    ...(isSecure && serverName !== undefined && { servername: serverName }),
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, (incoming) => {
      readAll(incoming).then((all) => {
        resolve({ code: incoming.statusCode ?? 0, headers: incoming.headers, body: all });
      }, reject);
    });
    // HTTP/1.1 keeps connections alive without saying so, and kube-apiserver does not say so.
    request.removeHeader('connection');
    request.once('error', reject).end(body);
  });
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
    if (size > maxResponseBytes) throw new Error(`the response is larger than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function read({ code, headers, body }: Response): Record<string, unknown> {
  const contentType = headers['content-type'] ?? 'application/json';
  if (code < 200 || code > 206) throw new WebhookCallError(responseMessage(code, contentType, body));
  if (body.length === 0)
    throw new WebhookCallError(
      `0-length response with status code: ${code} and content type: ${contentType}`,
    );
  let value: unknown;
  try {
    ({ value } = decodeJson(body.toString('utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WebhookCallError(`couldn't get version/kind; json parse error: ${reason}`, { cause: error });
  }
  if (!isObject(value))
    throw new WebhookCallError(`couldn't get version/kind; json parse error: not an object`);
  return value;
}
