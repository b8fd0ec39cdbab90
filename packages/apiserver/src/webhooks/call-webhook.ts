import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { jsonError, notStruct } from '../decoding/type-meta.ts';
import { jsonType } from '../decoding/mismatches.ts';
import { decodeJson } from '../json/decode-json.ts';
import { isObject } from '../json/json-object.ts';
import type { WebhookAddress } from './client-config.ts';
import { responseMessage } from './response-message.ts';
import { type Place, type Response, deadlineExceeded, notSent, sendRequest } from './send-request.ts';
import { WebhookCallError } from './webhook-call-error.ts';

/** A process whose server has stopped does not wait for webhooks. */
const networkClock: Clock = {
  ...systemClock,
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
};

const maxRedirects = 10;
const maxRetries = 10;

/** One call: what every attempt of it needs. */
interface Call {
  address: WebhookAddress;
  clock: Clock;
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
  // The time of the network, not of the cluster, for a webhook that responds over a socket. If the clock of a test counted, moving it
  // by an hour would fail every call that is open, and a webhook that does not respond would keep a request forever.
  const clock = address.local?.clock ?? networkClock;
  const timer = clock.setTimeout(abort, timeoutSeconds * 1000);
  canceled?.addEventListener('abort', abort);
  if (canceled?.aborted) abort();
  try {
    return read(
      await sendWithRetries({ address, clock, signal: controller.signal }, target, JSON.stringify(review)),
    );
  } finally {
    clock.clearTimeout(timer);
    canceled?.removeEventListener('abort', abort);
  }
}

async function sendWithRetries(call: Call, place: Place, body: string): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await follow(call, place, body);
    const after = response.headers['retry-after'] ?? '';
    const mayRetry = response.code === 429 || response.code >= 500;
    if (!mayRetry || !/^\d+$/.test(after) || attempt === maxRetries) return response;
    await elapsed(call, Number(after) * 1000);
    if (call.signal.aborted) throw notSent(place.url, deadlineExceeded);
  }
}

/** Waits for a while, or until the call is over. */
function elapsed({ clock, signal }: Call, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** A redirect may keep the method and the body, or turn the request into a GET (RFC 9110, section 15.4). */
async function follow(call: Call, place: Place, body: string): Promise<Response> {
  let [target, sent]: [Place, string | undefined] = [place, body];
  for (let redirects = 1; ; redirects += 1) {
    const response = await sendRequest(call, target, sent);
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
