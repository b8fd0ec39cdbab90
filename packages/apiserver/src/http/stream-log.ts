import { Readable, pipeline } from 'node:stream';
import type { Pod } from 'ots-kubernetes/core/v1';
import type { LogOptions, PodStreams } from '../pods/pod-streams.ts';
import { badRequest } from '../status/errors.ts';
import type { HttpResponse } from './http-message.ts';
import type { StreamingReply } from './reply.ts';

/**
 * Sends the log of a container as it arrives, until it ends or the client is gone.
 *
 * @returns undefined when no kubelet of this process runs the pod
 * @throws {StatusError} 400 when the container has no such log
 */
export function streamLog(
  streams: PodStreams,
  { pod, container }: { pod: Pod; container: string },
  options: Omit<LogOptions, 'signal'>,
): StreamingReply | undefined {
  const gone = new AbortController();
  const log = logOf(() => streams.log(pod, container, { ...options, signal: gone.signal }));
  if (!log) return undefined;
  return (response: HttpResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.flushHeaders();
    // First: a log that waits for its container ends only by the signal.
    response.once('close', () => gone.abort());
    // A log that fails ends early, as the log of a kubelet that fails does.
    pipeline(Readable.from(log, { objectMode: false }), response, () => gone.abort());
  };
}

function logOf(read: () => AsyncIterable<Buffer> | undefined): AsyncIterable<Buffer> | undefined {
  try {
    return read();
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}
