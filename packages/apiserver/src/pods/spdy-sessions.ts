import type { Duplex } from 'node:stream';
import type { Pod } from 'ots-kubernetes/core/v1';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import type { ClientStream } from '../streams/client-stream.ts';
import type { ConnectPort } from './pod-streams.ts';
import { type ForwardedConnection, forwardPort } from './port-forward.ts';
import { type Command, type CommandOptions, runCommand } from './remote-command.ts';

/** How long in milliseconds a client can take to create the streams that belong together, and to close a connection that is over. */
const patienceMs = 30_000;

/** The purpose of a stream. */
type StreamType = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

/**
 * Runs a command for a client that creates a stream for each purpose. When the command has ended, the client closes the connection: it
 * may not have read everything yet.
 */
export function runOverSpdy(
  carrier: Duplex,
  command: Command,
  { stdin, stdout, stderr, tty, canResize }: CommandOptions & { canResize: boolean },
): void {
  const expected = new Set<string>([
    'error',
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    ...(stderr ? ['stderr'] : []),
    ...(tty && canResize ? ['resize'] : []),
  ]);
  const streams: Partial<Record<StreamType, ClientStream>> = {};
  const gone = new AbortController();
  const endLater = () => setTimeout(() => connection.end(), patienceMs).unref();
  let late = endLater();
  const connection = new SpdyConnection(carrier, {
    accept: (stream, headers) => {
      const type = headers.get('streamtype') ?? '';
      if (!expected.delete(type)) return false;
      Object.assign(streams, { [type]: stream });
      const { error } = streams;
      if (expected.size > 0 || !error) return true;
      clearTimeout(late);
      // The reply to the last stream comes first.
      queueMicrotask(() => {
        void runCommand(command, { ...streams, error }, { tty, signal: gone.signal }).then(() => {
          if (!gone.signal.aborted) late = endLater();
        });
      });
      return true;
    },
    close: () => {
      clearTimeout(late);
      gone.abort();
    },
  });
  connection.start();
}

/** Forwards connections for a client that creates two streams for each: one for the bytes, one for an error. */
export function forwardOverSpdy(carrier: Duplex, connect: ConnectPort, pod: Pod): void {
  const halves = new Map<string, Half>();
  const connection = new SpdyConnection(carrier, {
    accept: (stream, headers, id) => {
      const port = portOf(headers.get('port'));
      const type = headers.get('streamtype');
      if (port === undefined || (type !== 'data' && type !== 'error')) return false;
      // A client without request IDs creates the error stream first.
      const request = headers.get('requestid') ?? `${type === 'error' ? id : id - 2}`;
      const half = halves.get(request);
      if (!half) {
        halves.set(
          request,
          waitForOther(stream, type, () => halves.delete(request)),
        );
        return true;
      }
      if (half.type === type) return false;
      clearTimeout(half.late);
      halves.delete(request);
      const [data, error] = type === 'data' ? [stream, half.stream] : [half.stream, stream];
      queueMicrotask(() => void forwardPort(connect, pod, { port, data, error }));
      return true;
    },
    close: () => {
      for (const { late } of halves.values()) clearTimeout(late);
    },
  });
  connection.start();
}

/** The first of the two streams of a forwarded connection. */
interface Half {
  readonly stream: ClientStream;
  readonly type: keyof Omit<ForwardedConnection, 'port'>;
  readonly late: NodeJS.Timeout;
}

function waitForOther(stream: ClientStream, type: Half['type'], forget: () => void): Half {
  const late = setTimeout(() => {
    forget();
    if (type === 'error') stream.write('timed out waiting for streams');
    stream.resume();
    stream.end();
  }, patienceMs);
  late.unref();
  stream.once('gone', () => {
    clearTimeout(late);
    forget();
  });
  return { stream, type, late };
}

function portOf(text = ''): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 0x10000 ? port : undefined;
}
