import type { RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Registry } from 'prom-client';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import type { Logger } from '../logging/logger.ts';
import { unlessAborted } from '../signals/until-aborted.ts';

const compress = promisify(gzip);
/** Longer than any scraper waits, in milliseconds. */
const timeout = 60_000;

/**
 * Serves all metrics of the registry in the text format of Prometheus, compressed if the client accepts it. Concurrent
 * scrapes share one collection, so a runaway scraper costs little. A collection that takes longer than a minute fails,
 * and the next scrape tries again.
 */
export function serveMetrics(registry: Registry, clock: Clock, logger: Logger): RequestListener {
  let collecting: Promise<string> | undefined;
  const collect = (): Promise<string> => {
    collecting ??= withDeadline(clock, timeout, undefined, tooLate, (signal) =>
      unlessAborted(registry.metrics(), signal),
    ).finally(() => {
      collecting = undefined;
    });
    return collecting;
  };
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply(response, 405, 'only GET and HEAD are served');
      return;
    }
    send(registry, collect, acceptsGzip(request.headers['accept-encoding']), response).catch(
      (error: unknown) => {
        logger.error({ err: error }, 'metrics could not be collected');
        reply(response, 500, 'metrics could not be collected');
      },
    );
  };
}

function tooLate(): Error {
  return new Error(`a metric was not collected within ${timeout / 1000} s`);
}

async function send(
  { contentType }: Registry,
  collect: () => Promise<string>,
  compressed: boolean,
  response: ServerResponse,
): Promise<void> {
  const text = await collect();
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
