import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type LocalConnection, connectTcp } from './connect-tcp.ts';
import { headerFields } from './header-fields.ts';

/** Connects to an HTTP server of this process, without a socket. */
export function connectHttp(answer: (request: Request) => Promise<Response>): LocalConnection {
  const http = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, answer);
  });
  return connectTcp((server) => http.emit('connection', server));
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const { status, headers, body } = await answer(await requestOf(incoming));
    outgoing.writeHead(status, [...headers].flat());
    if (body) await pipeline(Readable.fromWeb(body), outgoing);
    else outgoing.end();
  } catch (error) {
    // A body that fails ends early.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: headerFields(headers),
    ...(hasBody && { body: await buffer(incoming) }),
  });
}
