import type { Duplex } from 'node:stream';
import type { Pod } from 'ots-kubernetes/core/v1';
import type { ClientStream } from '../streams/client-stream.ts';
import type { ConnectPort } from './pod-streams.ts';

/** A connection that a client forwards to a port: its bytes, and where the server reports an error. */
export interface ForwardedConnection {
  readonly port: number;
  readonly data: ClientStream;
  readonly error: ClientStream;
}

/** Connects a client to a port of a pod, until the pod ends the connection or the client is gone. It never rejects. */
export async function forwardPort(
  connect: ConnectPort,
  { metadata }: Pod,
  { port, data, error }: ForwardedConnection,
): Promise<void> {
  const gone = new AbortController();
  data.once('gone', () => gone.abort());
  // The client sends nothing there.
  error.resume();
  try {
    await exchange(data, await connect(port, gone.signal), gone.signal);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    error.write(`error forwarding port ${port} to pod ${metadata?.name}, uid ${metadata?.uid}: ${message}`);
  }
  // Without a reader, what the client still sends would stop the whole connection.
  data.resume();
  data.end();
  error.end();
}

/**
 * Copies in both directions until the pod has sent everything, or the client is gone.
 *
 * @throws {Error} when the connection to the pod fails
 */
async function exchange(client: ClientStream, pod: Duplex, gone: AbortSignal): Promise<void> {
  client.pipe(pod);
  pod.pipe(client, { end: false });
  try {
    await new Promise<void>((resolve, reject) => {
      // A listener stays: an error after the end is of no interest, and must not end the process.
      pod.on('error', reject).on('end', resolve).on('close', resolve);
      if (gone.aborted) resolve();
      else gone.addEventListener('abort', () => resolve());
    });
  } finally {
    pod.destroy();
  }
}
