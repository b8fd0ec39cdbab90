import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type ListenOptions, Listener } from '../server/listener.ts';

/** Serves `/healthz`, which answers as long as the process can, and `/readyz`. */
export class HealthServer extends Listener {
  /** @param problems what keeps the manager from being ready, in words; empty when it is. */
  constructor(options: ListenOptions, problems: () => string[]) {
    super(
      'health probes',
      createServer((request, response) => answer(request, response, problems)),
      options,
    );
  }
}

function answer(request: IncomingMessage, response: ServerResponse, problems: () => string[]): void {
  const path = request.url?.split('?')[0];
  if (path === '/healthz') {
    reply(response, 200, 'ok');
  } else if (path === '/readyz') {
    const found = problems();
    if (found.length === 0) reply(response, 200, 'ok');
    else reply(response, 500, found.map((problem) => `not ready: ${problem}`).join('\n'));
  } else {
    reply(response, 404, 'not found');
  }
}

function reply(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
