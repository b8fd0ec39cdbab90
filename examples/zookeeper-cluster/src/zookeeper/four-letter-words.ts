// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { connect as connectTo } from 'node:net';
import { Duplex } from 'node:stream';

/** Opens a connection to a member, as `connect` of `node:net` does. */
export type Connect = (port: number, host: string) => Duplex;

const modes = ['leader', 'follower', 'observer', 'standalone'] as const;

/** The state of a member that serves clients. */
export interface ServerState {
  readonly version: string;
  readonly mode: (typeof modes)[number];
}

/** How long a member may take to answer. */
const timeout = 5000;

/** Connects over the network. */
export const connectBySocket: Connect = (port, host) => {
  const socket = connectTo(port, host);
  socket.setTimeout(timeout, () => socket.destroy(new Error(`${host} does not answer`)));
  return socket;
};

/**
 * Asks a member for its state with the four-letter word `srvr` (https://zookeeper.apache.org/doc/r3.9.3/zookeeperAdmin.html#sc_zkCommands).
 * @returns undefined if it does not answer, or waits for a majority.
 */
export async function askState(
  connect: Connect,
  host: string,
  signal: AbortSignal,
): Promise<ServerState | undefined> {
  try {
    return parseState(await askWord(connect(2181, host), 'srvr', signal));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** @returns undefined for a member that does not serve clients, which says only that. */
export function parseState(answer: string): ServerState | undefined {
  const version = /^Zookeeper version: ([0-9.]+)/m.exec(answer)?.[1];
  const said = /^Mode: (\w+)$/m.exec(answer)?.[1];
  const mode = modes.find((each) => each === said);
  return version === undefined || mode === undefined ? undefined : { version, mode };
}

/** A member answers a word and closes the connection. */
function askWord(socket: Duplex, word: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const abort = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('data', (chunk: Buffer) => (answer += String(chunk)));
    socket.once('error', reject);
    socket.once('end', () => resolve(answer));
    socket.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('the connection is closed'));
    });
    socket.write(word);
  });
}
