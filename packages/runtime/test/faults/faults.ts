import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { isLaterPage, isList, isWatch, isWrite } from './proxied-request.ts';

const any = (): boolean => true;

function refuse(code: number, reason: string, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason };
    const body = JSON.stringify({ ...status, message: `${reason}, says the proxy` });
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** With the words of kube-apiserver for what RBAC denies. */
function forbid(response: ServerResponse): void {
  const [, , group, , resource] = response.req.url!.split(/[/?]/);
  const name = `${resource}.${group}`;
  const body = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message: `${name} is forbidden: User "operator" cannot list resource "${resource}" in API group "${group}" at the cluster scope`,
    details: { group, kind: resource },
  };
  response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What can be wrong between an operator and its API server, by name. */
export const faults = {
  /** A server that sheds load. */
  'too many requests': { concerns: any, respond: refuse(429, 'TooManyRequests', { 'retry-after': '1' }) },
  /** The same without Retry-After. */
  'too many requests, no advice': { concerns: any, respond: refuse(429, 'TooManyRequests') },
  /** A load balancer without a server behind it, whose responses are not those of Kubernetes. */
  'bad gateway': {
    concerns: any,
    respond: (response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502</html>'),
  },
  unavailable: { concerns: any, respond: refuse(503, 'ServiceUnavailable') },
  'failing writes': { concerns: isWrite, respond: refuse(500, 'InternalError') },
  'failing lists': { concerns: isList, respond: refuse(500, 'InternalError') },
  /** A role that lacks the permission. */
  'forbidden lists': { concerns: isList, respond: forbid },
  'failing later pages': { concerns: isLaterPage, respond: refuse(500, 'InternalError') },
  /** An expired page token: the client must read the whole collection. */
  'expired later pages': { concerns: isLaterPage, respond: refuse(410, 'Expired') },
  'refused watches': { concerns: isWatch, respond: refuse(500, 'InternalError') },
  'expired watches': { concerns: isWatch, respond: refuse(410, 'Expired') },
  /** Requests are accepted, and no response ever arrives. */
  'no responses': { concerns: any, respond: () => {}, holds: true },
  /** The server performs the writes, but the connection breaks before the response: the client cannot know. */
  'lost responses': { concerns: isWrite, losesResponse: true },
  /** Watches are open and silent: no event, no bookmark, no end. */
  'silent watches': { concerns: isWatch, shape: silence },
  /** Each byte is its own packet: every line and every character arrives in pieces. */
  'single bytes': { concerns: isWatch, shape: singleBytes },
  'slow lists': { concerns: isList, shape: smallPieces },
  /** The stream ends in the middle of a line, although the HTTP body is complete. */
  'truncated lines': { concerns: isWatch, shape: truncated },
  /** An intermediary that inserts its own lines into the stream. */
  'garbage lines': { concerns: isWatch, shape: (body) => withLines(body, () => '<!doctype html>\n') },
  /** Every line arrives twice. */
  'lines twice': { concerns: isWatch, shape: (body) => withLines(body, (line) => line) },
  /** After each event, two bookmarks with the version of the first event: out of order and repeated. */
  'old bookmarks': { concerns: isWatch, shape: oldBookmarks },
} as const satisfies Record<string, Fault>;

/** The response to a token that the server does not accept, or no longer accepts. */
export const unauthorized = refuse(401, 'Unauthorized');

export type FaultName = keyof typeof faults;

// oxlint-disable-next-line require-yield -- it must yield nothing
async function* silence(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) void chunk;
}

async function* singleBytes(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield* pieces(chunk, 1);
}

async function* smallPieces(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield* pieces(chunk, 101);
}

/** One per turn of the event loop: otherwise the socket would join them. */
async function* pieces(chunk: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < chunk.length; start += size) {
    yield chunk.subarray(start, start + size);
    await turn();
  }
}

async function* truncated(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let whole = 0;
  for await (const line of lines(body)) {
    whole += 1;
    if (whole <= 3) {
      yield Buffer.from(line);
    } else {
      yield Buffer.from(line).subarray(0, line.length / 2);
      return;
    }
  }
}

async function* withLines(
  body: AsyncIterable<Buffer>,
  lineAfter: (line: string) => string,
): AsyncGenerator<Buffer> {
  for await (const line of lines(body)) yield Buffer.from(line + lineAfter(line));
}

async function* oldBookmarks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bookmark: string | undefined;
  for await (const line of lines(body)) {
    const { apiVersion, kind, metadata } = (JSON.parse(line) as { object: Record<string, object> }).object;
    const { resourceVersion } = metadata as { resourceVersion: string };
    bookmark ??= `${JSON.stringify({ type: 'BOOKMARK', object: { apiVersion, kind, metadata: { resourceVersion } } })}\n`;
    yield Buffer.from(line + bookmark + bookmark);
  }
}

/** The lines of a body, with their newlines. */
async function* lines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.subarray(0, end + 1).toString();
      rest = rest.subarray(end + 1);
    }
  }
}
