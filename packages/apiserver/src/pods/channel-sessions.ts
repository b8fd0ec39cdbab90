import type { Socket } from 'node:net';
import type { Pod } from 'ots-kubernetes/core/v1';
import { type ChannelProtocol, Channels } from '../streams/channels.ts';
import type { ConnectPort } from './pod-streams.ts';
import { forwardPort } from './port-forward.ts';
import { type Command, type CommandOptions, runCommand } from './remote-command.ts';

/** The channels of a command. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Runs a command for a client that has a channel for each purpose, and closes the connection. */
export function runOverChannels(
  socket: Socket,
  protocol: ChannelProtocol,
  command: Command,
  { stdin, stdout, stderr, tty }: CommandOptions,
): void {
  const gone = new AbortController();
  const readable = [...(stdin ? [channel.stdin] : []), ...(tty ? [channel.resize] : [])];
  const channels = new Channels(socket, protocol, { count: 5, readable, closed: () => gone.abort() });
  const streamOf = (name: keyof typeof channel) => channels.stream(channel[name]);
  channels.greet(channel[stdout ? 'stdout' : stderr ? 'stderr' : 'error']);
  const streams = {
    error: streamOf('error'),
    ...(stdin && { stdin: streamOf('stdin') }),
    ...(stdout && { stdout: streamOf('stdout') }),
    ...(stderr && { stderr: streamOf('stderr') }),
    ...(tty && { resize: streamOf('resize') }),
  };
  void runCommand(command, streams, { tty, signal: gone.signal }).then(() => channels.end());
}

/**
 * Forwards one connection to each port, for a client that has two channels for each: one for the bytes, one for an error. The first
 * two bytes of both are the port. Closes the connection when all are over.
 */
export function forwardOverChannels(
  socket: Socket,
  protocol: ChannelProtocol,
  { connect, pod, ports }: { connect: ConnectPort; pod: Pod; ports: readonly number[] },
): void {
  const readable = ports.map((_, index) => 2 * index);
  const channels = new Channels(socket, protocol, { count: 2 * ports.length, readable, closed: () => {} });
  const forwarded = ports.map((port, index) => {
    const [data, error] = [channels.stream(2 * index), channels.stream(2 * index + 1)];
    const greeting = Buffer.from([port & 0xff, port >> 8]);
    data.write(greeting);
    error.write(greeting);
    return forwardPort(connect, pod, { port, data, error });
  });
  void Promise.all(forwarded).then(() => channels.end());
}
