import type { RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from '../logging/logger.ts';

const compress = promisify(gzip);

/**
 * Serves a text that is made for each request, compressed if the client accepts it.
 * @param what for messages, such as `metrics`.
 */
export function serveText(
  what: string,
  contentType: string,
  read: () => Promise<string>,
  logger: Logger,
): RequestListener {
  return ({ method, headers }, response) => {
    if (method !== 'GET' && method !== 'HEAD') {
      reply(response, 405, 'only GET and HEAD are served');
      return;
    }
    send(contentType, read, acceptsGzip(headers['accept-encoding']), response).catch((error: unknown) => {
      logger.error({ err: error }, `${what} could not be collected`);
      reply(response, 500, `${what} could not be collected`);
    });
  };
}

async function send(
  contentType: string,
  read: () => Promise<string>,
  compressed: boolean,
  response: ServerResponse,
): Promise<void> {
  const text = await read();
  const body = compressed ? await compress(text) : text;
  response
    .writeHead(200, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      vary: 'accept-encoding',
      ...(compressed && { 'content-encoding': 'gzip' }),
    })
    .end(body);
}

/** RFC 9110, 12.5.3: a quality of 0 excludes an encoding. */
function acceptsGzip(header = ''): boolean {
  return header.split(',').some((offer) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(offer));
}

/** Responds with a line of text, unless a response has already begun. */
export function reply(response: ServerResponse, code: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(code === 401 && { 'www-authenticate': 'Bearer' }),
    ...(code === 429 && { 'retry-after': '1' }),
    ...(code === 405 && { allow: 'GET, HEAD' }),
  };
  response.writeHead(code, headers).end(`${text}\n`);
}
