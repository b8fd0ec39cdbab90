import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { WebhookAddress } from './client-config.ts';
import type { LocalService } from './service-endpoints.ts';
import { transportMessage } from './transport-message.ts';
import { WebhookCallError } from './webhook-call-error.ts';

export const deadlineExceeded = 'context deadline exceeded';
const unreadable = 'unexpected error when reading response body';
/** A real server reads responses of any size. This one lives in the process of a test. */
const maxResponseBytes = 64 * 1024 * 1024;
const tooLarge = new WebhookCallError(`the response is larger than ${maxResponseBytes} bytes`);

/** Where a request goes. */
export interface Place {
  /** As messages show it. */
  url: string;
  /** Where to connect. */
  endpoint: string;
}

export interface Response {
  code: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The message of kube-apiserver about a request that did not get a response. */
export function notSent(url: string, reason: string): WebhookCallError {
  return new WebhookCallError(`Post "${url}": ${reason}`);
}

/**
 * Sends one request to a webhook: over a network, or to a Service of this process.
 *
 * @param body JSON. Undefined for a GET.
 * @param signal gives up
 * @throws {WebhookCallError} when no response comes, or not all of it
 */
export async function sendRequest(
  { address, signal }: { address: WebhookAddress; signal: AbortSignal },
  place: Place,
  body: string | undefined,
): Promise<Response> {
  const failures: Failures = {
    unsent: (error) => notSent(place.url, signal.aborted ? deadlineExceeded : transportMessage(error)),
    unread: (error) => {
      const reason = signal.aborted ? deadlineExceeded : 'unexpected EOF';
      const problem = `${unreadable}. Please retry. Original error: ${reason}`;
      return new WebhookCallError(problem, { cause: error });
    },
  };
  const { local, endpoint = '' } = address;
  // A redirect may lead elsewhere.
  return local && new URL(place.endpoint).host === new URL(endpoint).host
    ? sendLocally(local, { place, body, signal, failures })
    : sendOverNetwork(address, { place, body, signal, failures });
}

/** One request. */
interface Attempt {
  place: Place;
  body: string | undefined;
  signal: AbortSignal;
  failures: Failures;
}

function headersOf(body: string | undefined): Record<string, string> {
  return {
    accept: 'application/json, */*',
    'accept-encoding': 'gzip',
    'user-agent': 'kube-apiserver-admission',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
    }),
  };
}

function methodOf(body: string | undefined): string {
  return body === undefined ? 'GET' : 'POST';
}

async function sendLocally(
  service: LocalService,
  { place, body, signal, failures }: Attempt,
): Promise<Response> {
  const { host, pathname, search } = new URL(place.endpoint);
  const headers = { host, ...headersOf(body) };
  try {
    const response = await service.exchange({
      method: methodOf(body),
      path: `${pathname}${search}`,
      headers,
      body: body ?? null,
      signal,
    });
    return await received(response.status, response.headers, response.body, failures);
  } catch (error) {
    if (error instanceof WebhookCallError) throw error;
    throw failures.unsent(error instanceof Error ? error : new Error(String(error)));
  }
}

async function sendOverNetwork(
  { ca, serverName }: WebhookAddress,
  { place, body, signal, failures }: Attempt,
): Promise<Response> {
  const isSecure = place.endpoint.startsWith('https:');
  const options = {
    method: methodOf(body),
    headers: headersOf(body),
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
  try {
    return await exchange(request, body, failures);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** What an error means before and after the response begins. */
interface Failures {
  unsent: (error: Error) => WebhookCallError;
  unread: (error?: Error) => WebhookCallError;
}

function exchange(request: ClientRequest, body: string | undefined, failures: Failures): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    request.on('error', (error) => isAnswered || reject(failures.unsent(error)));
    request.on('response', (incoming) => {
      isAnswered = true;
      const { statusCode = 0, headers } = incoming;
      resolve(received(statusCode, headers, incoming, failures));
    });
    request.end(body);
  });
}

/** Reads the body of a response. Events cost a fraction of what an iterator of the stream costs. */
function received(
  code: number,
  headers: IncomingHttpHeaders,
  incoming: Readable,
  { unread }: Failures,
): Promise<Response> {
  return new Promise((resolve, reject) => {
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
}

function unzipped(incoming: Readable): Readable {
  return pipeline(incoming, createGunzip(), () => {});
}

const secureAgent = new HttpsAgent({ keepAlive: true });
const plainAgent = new HttpAgent({ keepAlive: true });
