import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type Duplex, Readable, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Connects to an HTTP server of this process, without a socket. @returns the side of the client */
export function connectHttp(answer: (request: Request) => Promise<Response>): Duplex {
  const [client, server] = duplexPair();
  const http = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, answer);
  });
  http.emit('connection', server);
  return client;
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const response = await answer(await requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch (error) {
    outgoing.writeHead(500);
    outgoing.end(error instanceof Error ? error.message : String(error));
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value] as [string, string]),
  );
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: fields,
    ...(hasBody && { body: await buffer(Readable.from(incoming)) }),
  });
}
