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

/** In the words of kube-apiserver for what RBAC denies. */
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
  /** As when the server sheds load. */
  'too many requests': { concerns: any, answer: refuse(429, 'TooManyRequests', { 'retry-after': '1' }) },
  /** The same without Retry-After. */
  'too many requests, no advice': { concerns: any, answer: refuse(429, 'TooManyRequests') },
  /** As a load balancer without a server behind it, that does not speak the language of Kubernetes. */
  'bad gateway': {
    concerns: any,
    answer: (response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502</html>'),
  },
  unavailable: { concerns: any, answer: refuse(503, 'ServiceUnavailable') },
  'failing writes': { concerns: isWrite, answer: refuse(500, 'InternalError') },
  'failing lists': { concerns: isList, answer: refuse(500, 'InternalError') },
  /** As of a role that lacks the right. */
  'forbidden lists': { concerns: isList, answer: forbid },
  'failing later pages': { concerns: isLaterPage, answer: refuse(500, 'InternalError') },
  /** A page token that is forgotten: the collection has to be read as a whole. */
  'expired later pages': { concerns: isLaterPage, answer: refuse(410, 'Expired') },
  'refused watches': { concerns: isWatch, answer: refuse(500, 'InternalError') },
  'expired watches': { concerns: isWatch, answer: refuse(410, 'Expired') },
  /** Requests are accepted, and no response ever arrives. */
  'no answer': { concerns: any, answer: () => {}, holds: true },
  /** Writes are done, and the connection breaks before the response: the client cannot know. */
  'lost answers': { concerns: isWrite, losesAnswer: true },
  /** Watches are open, and nothing comes: no event, no bookmark, no end. */
  'silent watches': { concerns: isWatch, shape: silence },
  /** Each byte is a packet of its own: every line and every character arrives in pieces. */
  'single bytes': { concerns: isWatch, shape: singleBytes },
  'slow lists': { concerns: isList, shape: smallPieces },
  /** Ends in the middle of a line, in good order as far as HTTP can tell. */
  'truncated lines': { concerns: isWatch, shape: truncated },
  /** As an intermediary that writes its own into the stream. */
  'garbage lines': { concerns: isWatch, shape: (body) => withLines(body, () => '<!doctype html>\n') },
  /** Every line twice. */
  'lines twice': { concerns: isWatch, shape: (body) => withLines(body, (line) => line) },
  /** After each event a bookmark of the first event's version: out of order, and twice the same. */
  'old bookmarks': { concerns: isWatch, shape: oldBookmarks },
} as const satisfies Record<string, Fault>;

/** As of a token that the server does not know, or no longer. */
export const unauthorized = refuse(401, 'Unauthorized');

export type FaultName = keyof typeof faults;

// oxlint-disable-next-line require-yield -- what it yields is nothing
async function* silence(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) void chunk;
}

async function* singleBytes(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield* pieces(chunk, 1);
}

async function* smallPieces(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield* pieces(chunk, 101);
}

/** One a turn of the event loop, or the socket would join them. */
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

/** With their newlines. */
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
