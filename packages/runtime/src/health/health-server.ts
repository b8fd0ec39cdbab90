import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type ListenOptions, Listener, requestTarget } from '../server/listener.ts';
import { serverLimits } from '../server/server-limits.ts';
import type { HealthChecks } from './health-checks.ts';
import { healthText } from './health-text.ts';

export interface Endpoints {
  /** Whether the process can work at all; if not, the kubelet restarts it. */
  healthz: HealthChecks;
  /** Whether the process can do its work now. */
  readyz: HealthChecks;
}

/**
 * Serves `/healthz` and `/readyz` as controller-runtime and the API server do: all checks, or one at `/readyz/<name>`;
 * `?verbose` lists them, `?exclude=<name>` leaves one out.
 */
export class HealthServer extends Listener {
  constructor(options: ListenOptions, endpoints: Endpoints) {
    const respond = (request: IncomingMessage, response: ServerResponse): void => {
      // Never rejects: an error of a check is a result.
      void handleProbe(request, response, endpoints);
    };
    super('health probes', createServer(serverLimits, respond), options);
  }
}

async function handleProbe(
  request: IncomingMessage,
  response: ServerResponse,
  endpoints: Endpoints,
): Promise<void> {
  const { path, query } = requestTarget(request.url);
  const [endpoint, name, ...rest] = path.split('/').filter((part) => part !== '');
  if ((endpoint !== 'healthz' && endpoint !== 'readyz') || rest.length > 0)
    return reply(response, 404, 'not found\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return reply(response, 405, 'only GET and HEAD are served\n');
  }
  const checks = endpoints[endpoint];
  if (name !== undefined && !checks.names.includes(name))
    return reply(response, 404, `no check is named ${name}\n`);
  const excluded = name === undefined ? query.getAll('exclude') : [];
  const names = name === undefined ? checks.names.filter((each) => !excluded.includes(each)) : [name];
  const hungUp = new AbortController();
  response.once('close', () => hungUp.abort());
  const results = await checks.run(names, hungUp.signal);
  const failed = results.some(({ problem }) => problem !== undefined);
  const verbose = query.has('verbose');
  const text = healthText({ endpoint, results, excluded, known: checks.names, verbose });
  reply(response, failed ? 500 : 200, text);
}

function reply(response: ServerResponse, code: number, text: string): void {
  response
    .writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .end(text);
}
