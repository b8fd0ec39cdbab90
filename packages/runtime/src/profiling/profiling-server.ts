import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { Listener, requestTarget } from '../server/listener.ts';
import { serverLimits } from '../server/server-limits.ts';
import { cpuProfile, heapProfile, heapSnapshot } from './profiles.ts';

/** Where profiles are served. */
export interface ProfilingOptions {
  /** 0 takes any free port. */
  port: number;
  /**
   * `127.0.0.1` by default, which `kubectl port-forward` reaches. A heap snapshot contains every Secret and token of the
   * process: do not expose it to the network.
   */
  host?: string | undefined;
}

/** How to record a profile, and its file name. */
interface ProfileKind {
  /** The file extension that Chrome DevTools expects. */
  extension: string;
  take: (milliseconds: number, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array | string>>;
}

const kinds: ReadonlyMap<string, ProfileKind> = new Map([
  ['/debug/pprof/profile', { extension: 'cpuprofile', take: cpuProfile }],
  ['/debug/pprof/heap', { extension: 'heapprofile', take: heapProfile }],
  ['/debug/pprof/heapsnapshot', { extension: 'heapsnapshot', take: heapSnapshot }],
]);

const index = `profiles of this process, for the developer tools of Chrome:
/debug/pprof/profile?seconds=30   processor time (.cpuprofile)
/debug/pprof/heap?seconds=30      memory that is allocated meanwhile and still in use (.heapprofile)
/debug/pprof/heapsnapshot         all objects (.heapsnapshot); the process pauses while it is taken
`;

const defaultSeconds = 30;
const maxSeconds = 600;

/**
 * Serves heap and CPU profiles under the paths of Go's pprof, one at a time; a client that hangs up ends its profile.
 * The profiler slows the process down, and a heap snapshot stops it for seconds when the heap is large: longer than
 * `renewDeadline`, and the leadership is lost.
 */
export class ProfilingServer extends Listener {
  readonly #logger: Logger;
  #busy = false;

  constructor({ port, host = '127.0.0.1' }: ProfilingOptions, logger: Logger) {
    super(
      'profiling',
      // Never rejects: a failure becomes the response, or ends it.
      createServer(serverLimits, (request, response) => void this.#respond(request, response)),
      { port, host },
    );
    this.#logger = logger;
  }

  /** Does not wait for a profile in progress: it may take ten minutes, and would delay the end of the process. */
  override async close(): Promise<void> {
    this.closeNow();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = requestTarget(request.url);
    if (request.method !== 'GET') return reply(response, 405, 'only GET is served\n');
    if (path === '/debug/pprof' || path === '/debug/pprof/') return reply(response, 200, index);
    const kind = kinds.get(path);
    if (!kind) return reply(response, 404, 'not found; see /debug/pprof/\n');
    const seconds = Number(query.get('seconds') ?? defaultSeconds);
    if (!(seconds > 0 && seconds <= maxSeconds)) {
      return reply(response, 400, `seconds must be more than 0 and at most ${maxSeconds}\n`);
    }
    if (this.#busy) return reply(response, 409, 'another profile is running\n');
    this.#busy = true;
    try {
      await this.#serve(kind, seconds * 1000, response);
    } finally {
      this.#busy = false;
    }
  }

  async #serve(
    { extension, take }: ProfileKind,
    milliseconds: number,
    response: ServerResponse,
  ): Promise<void> {
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    this.#logger.info({ profile: extension }, 'taking a profile');
    try {
      const profile = await take(milliseconds, hungUp.signal);
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.${extension}`;
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-disposition': `attachment; filename="${name}"`,
      });
      await pipeline(profile, response);
    } catch (error) {
      if (hungUp.signal.aborted) return;
      this.#logger.warn({ profile: extension, reason: errorMessage(error) }, 'profile failed');
      if (response.headersSent) response.destroy();
      else reply(response, 500, 'the profile failed; see the log\n');
    }
  }
}

function reply(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
