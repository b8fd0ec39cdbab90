import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { Pod } from 'ots-kubernetes/core/v1';
import { forwardOverChannels, runOverChannels } from '../pods/channel-sessions.ts';
import { unreachable } from '../built-in/pods/subresources/kubelet-address.ts';
import type { AttachStreams, ConnectPort, RunCommand } from '../pods/pod-streams.ts';
import type { Command, CommandOptions, StatusForm } from '../pods/remote-command.ts';
import { forwardOverSpdy, runOverSpdy } from '../pods/spdy-sessions.ts';
import type { ChannelProtocol } from '../streams/channels.ts';
import { tunnelOf } from '../streams/tunnel.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { readBoolean } from './options.ts';
import { type Reply, type StreamingReply, text } from './reply.ts';
import { upgradeToSpdy, upgradeToWebSocket } from './upgrade.ts';

/** What a client connects to, or why it cannot. */
export type ConnectionTarget<Found> =
  | { readonly found: Found }
  /** The words of the kubelet. */
  | { readonly refused: string }
  /** The address of a kubelet that is not in this process. */
  | { readonly unreachable: KubeletAddress };

/** The subprotocol in which a client ends its channels. kube-apiserver answers it itself, so the connection opens in any case. */
const v5 = 'v5.channel.k8s.io';

/** The subprotocols of commands that the kubelet knows, by how the client learns the end of a command. */
const commandForms: Readonly<Record<string, StatusForm>> = {
  '': 'text',
  'channel.k8s.io': 'text',
  'base64.channel.k8s.io': 'text',
  'v4.channel.k8s.io': 'v4',
  'v4.base64.channel.k8s.io': 'v4',
};
const forwardProtocols = ['', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];

/** The versions of commands over SPDY, the best one first. */
const spdyCommands: readonly string[] = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io'];
const spdyForward = 'portforward.k8s.io';
const tunnelPrefix = 'SPDY/3.1+';

/** How many ports fit into the channels of a WebSocket: each needs two of 255. */
const maxChannelPorts = 127;

/** What a client wants with a process of a container. */
export interface ProcessOfPod {
  readonly action: 'exec' | 'attach';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What the client receives before the message of a command that fails. */
const failures = {
  exec: 'error executing command in container',
  attach: 'error attaching to container',
} as const;

/**
 * Connects a client to a process of a container.
 *
 * @param process what the client wants with which process
 * @throws {StatusError} 500 for a node that the server cannot reach
 */
export function connectCommand(
  request: ApiRequest,
  target: ConnectionTarget<RunCommand | AttachStreams>,
  process: ProcessOfPod,
): Reply | StreamingReply {
  const options = readOptions(request);
  if (isWebSocket(request) && offeredBy(request).includes(v5)) {
    return upgradeToWebSocket(request, [v5], (socket, name) =>
      runOverChannels(
        socket,
        channelProtocol(name),
        commandOverV5(target, options, process, request),
        options,
      ),
    );
  }
  if ('unreachable' in target) throw notReached(target.unreachable);
  if (!hasStream(options)) return text(400, noStream);
  if ('refused' in target) return text(500, target.refused);
  const run = named(target.found, process);
  if (isWebSocket(request)) {
    return upgradeToWebSocket(request, Object.keys(commandForms), (socket, name) =>
      runOverChannels(socket, channelProtocol(name), { run, form: commandForms[name] ?? 'text' }, options),
    );
  }
  return upgradeToSpdy(request, spdyCommands, (socket, version) =>
    runOverSpdy(
      socket,
      { run, form: version === spdyCommands[0] ? 'v4' : 'text' },
      {
        ...options,
        // Before version 3 a client could not send the size of its terminal.
        canResize: version !== 'v2.channel.k8s.io',
      },
    ),
  );
}

const noStream = 'you must specify at least 1 of stdin, stdout, stderr';

/**
 * kube-apiserver answers this protocol in the place of the kubelet, and opens the connection first. So a refusal comes over the
 * connection, and errors of a command are wrapped once more.
 */
function commandOverV5(
  target: ConnectionTarget<RunCommand | AttachStreams>,
  options: CommandOptions,
  process: ProcessOfPod,
  { query }: ApiRequest,
): Command {
  if ('unreachable' in target) {
    const url = kubeletUrl(target.unreachable, process, query);
    return refusing(`error sending request: Post ${goQuote(url)}: ${dialError(target.unreachable)}`);
  }
  if (!hasStream(options)) return refusing(`unable to upgrade connection: ${noStream}`);
  if ('refused' in target) return refusing(`unable to upgrade connection: ${target.refused}`);
  return { run: named(target.found, process), form: 'v5' };
}

function refusing(message: string): Command {
  return { run: () => Promise.reject(new Error(message)), form: 'v4' };
}

/** Puts what has failed before the message of an error. */
function named(run: RunCommand | AttachStreams, { action }: ProcessOfPod): Command['run'] {
  return async (streams) => {
    try {
      return (await run(streams)) ?? 0;
    } catch (error) {
      throw new Error(`${failures[action]}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  };
}

interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

function notReached(address: KubeletAddress): StatusError {
  return new StatusError(500, undefined, `error dialing backend: ${dialError(address)}`);
}

function dialError({ host, port }: KubeletAddress): string {
  return `dial tcp ${host}:${port}: ${unreachable}`;
}

/** The names of the options at the kubelet, in the order of its URL. */
const kubeletOptions = { error: 'stderr', input: 'stdin', output: 'stdout', tty: 'tty' } as const;

/** The URL that kube-apiserver asks, with its options as they are sent. */
function kubeletUrl(
  { host, port }: KubeletAddress,
  { action, namespace, pod, container }: ProcessOfPod,
  query: URLSearchParams,
): string {
  const options = new URLSearchParams();
  if (action === 'exec') for (const word of query.getAll('command')) options.append('command', word);
  for (const [name, option] of Object.entries(kubeletOptions))
    if (readBoolean(query, option)) options.append(name, '1');
  const search = options.size === 0 ? '' : `?${options.toString()}`;
  return `https://${host}:${port}/${action}/${namespace}/${pod}/${container}${search}`;
}

/**
 * Connects a client to the ports of a pod.
 *
 * @throws {StatusError} 500 for a node that the server cannot reach
 */
export function connectPorts(
  request: ApiRequest,
  target: ConnectionTarget<ConnectPort>,
  pod: Pod,
): Reply | StreamingReply {
  if ('unreachable' in target) throw notReached(target.unreachable);
  if ('refused' in target) return text(500, target.refused);
  const { found: connect } = target;
  if (!isWebSocket(request))
    return upgradeToSpdy(request, [spdyForward], (socket) => forwardOverSpdy(socket, connect, pod));
  const tunnels = offeredBy(request).filter((name) => name.startsWith(tunnelPrefix));
  if (tunnels.length > 0) {
    return upgradeToWebSocket(request, [`${tunnelPrefix}${spdyForward}`], (socket) =>
      forwardOverSpdy(tunnelOf(socket), connect, pod),
    );
  }
  const ports = request.query.getAll('ports').map(Number);
  const wrong = wrongPort(ports);
  if (wrong !== undefined) return text(400, wrong);
  return upgradeToWebSocket(request, forwardProtocols, (socket, name) =>
    forwardOverChannels(socket, channelProtocol(name), { connect, pod, ports }),
  );
}

function wrongPort(ports: readonly number[]): string | undefined {
  if (ports.length === 0) return 'query parameter "port" is required';
  if (ports.length > maxChannelPorts) return `a WebSocket has channels for ${maxChannelPorts} ports`;
  const wrong = ports.find((port) => port < 1 || port > 0xffff);
  if (wrong === undefined) return undefined;
  return wrong < 1
    ? `port "${wrong}" must be > 0`
    : `unable to parse "${wrong}" as a port: strconv.ParseUint: parsing "${wrong}": value out of range`;
}

function readOptions({ query }: ApiRequest): CommandOptions {
  const tty = readBoolean(query, 'tty');
  return {
    stdin: readBoolean(query, 'stdin'),
    stdout: readBoolean(query, 'stdout'),
    stderr: readBoolean(query, 'stderr') && !tty,
    tty,
  };
}

function hasStream({ stdin, stdout, stderr }: CommandOptions): boolean {
  return stdin || stdout || stderr;
}

function isWebSocket(request: ApiRequest): boolean {
  return request.header('upgrade').toLowerCase() === 'websocket';
}

function offeredBy(request: ApiRequest): string[] {
  return request
    .header('sec-websocket-protocol')
    .split(',')
    .map((name) => name.trim());
}

function channelProtocol(name: string): ChannelProtocol {
  return { name, isBase64: name.includes('base64'), canEnd: name === v5 };
}
