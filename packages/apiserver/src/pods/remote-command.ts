import { escapeHtml } from '../json/go-json.ts';
import type { ClientStream } from '../streams/client-stream.ts';
import { internalError } from '../status/errors.ts';
import type { ContainerStreams, OutputStream } from './pod-streams.ts';
import { TerminalSizes } from './terminal-sizes.ts';

/** What a client asks for. */
export interface CommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never with `tty`. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams that a client has opened for a command. */
export interface CommandStreams {
  readonly error: ClientStream;
  readonly stdin?: ClientStream | undefined;
  readonly stdout?: ClientStream | undefined;
  readonly stderr?: ClientStream | undefined;
  readonly resize?: ClientStream | undefined;
}

/** How the error stream tells how a command ended: as a Status in the words of a server that translates the protocol, or of a kubelet. */
export type StatusForm = 'v5' | 'v4' | 'text';

/** What runs, and how the client learns its end. */
export interface Command {
  /** @throws {Error} with the message of an InternalError */
  readonly run: (streams: ContainerStreams) => Promise<number>;
  readonly form: StatusForm;
}

/** Runs a command, and tells the client how it ended. It never rejects. */
export async function runCommand(
  { run, form }: Command,
  { stdin, stdout, stderr, resize, error }: CommandStreams,
  { tty, signal }: { tty: boolean; signal: AbortSignal },
): Promise<void> {
  const container = {
    stdin,
    stdout: outputTo(stdout),
    stderr: outputTo(stderr),
    tty,
    resizes: new TerminalSizes(resize),
    signal,
  };
  const status = await run(container).then(exitStatus, (failure: Error) =>
    failureStatus(failure.message, form),
  );
  // The client ends when it knows how the command ended, so it must have everything else before.
  await Promise.all([stdout, stderr].map(endStream));
  const text = form === 'text' ? status.message : escapeHtml(JSON.stringify(status));
  if (text !== undefined) error.write(text);
  await endStream(error);
}

const dropped: OutputStream = { write: () => Promise.resolve() };

function outputTo(stream: ClientStream | undefined): OutputStream {
  if (!stream) return dropped;
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (bytes.length === 0 || stream.writableEnded) resolve();
        else stream.write(bytes, () => resolve());
      }),
  };
}

async function endStream(stream: ClientStream | undefined): Promise<void> {
  if (stream) await new Promise<void>((resolve) => stream.end(resolve));
}

/** A status without a kind, as the error stream has it. */
interface CommandStatus {
  readonly metadata: object;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly [field: string]: unknown;
}

/** A server that translates wraps what the kubelet tells. */
function failureStatus(message: string, form: StatusForm): CommandStatus {
  const { status } = internalError(form === 'v5' ? internalError(message).message : message);
  const { kind: _kind, apiVersion: _version, ...rest } = status;
  return rest;
}

function exitStatus(exitCode: number): CommandStatus {
  // As an operating system does it.
  const code = exitCode & 0xff;
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
  };
}
