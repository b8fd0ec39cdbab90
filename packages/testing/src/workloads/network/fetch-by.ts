import { Readable } from 'node:stream';
import type { ExchangeRequest, ExchangeResponse } from 'ots-apiserver';
import { headerFields } from './header-fields.ts';

/** Statuses whose responses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const withoutBody = new Set([204, 205, 304]);

/**
 * A `fetch` that sends requests another way. It does not follow redirects.
 *
 * @param send sends a request whose body has been read
 */
export function fetchBy(
  send: (url: URL, request: ExchangeRequest) => Promise<ExchangeResponse>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = request.body && Buffer.from(await request.arrayBuffer());
    const { method, signal } = request;
    const headers = {
      host: url.host,
      ...Object.fromEntries(request.headers),
      ...(body && { 'content-length': `${body.length}` }),
    };
    const sent = { method, path: `${url.pathname}${url.search}`, headers, body, signal };
    try {
      return responseOf(await send(url, sent), method);
    } catch (cause) {
      signal.throwIfAborted();
      throw new TypeError('fetch failed', { cause });
    }
  };
}

function responseOf({ status, headers, body }: ExchangeResponse, method: string): Response {
  const hasBody = method !== 'HEAD' && !withoutBody.has(status);
  if (!hasBody) body.resume();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of fetch and of node:stream/web describe the same class
  const content = hasBody ? (Readable.toWeb(body) as ConstructorParameters<typeof Response>[0]) : null;
  return new Response(content, { status, headers: headerFields(headers) });
}
