import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { ConnectionConfigError, type ExecPluginConfig } from '../../kubeconfig/connection-config.ts';
import { printable } from '../../kubeconfig/printable.ts';

/** In bytes. An ExecCredential with a certificate chain has a few KB. */
const maxOutput = 1024 * 1024;

/**
 * Runs a credential plugin, without a shell, and returns its standard output. Its standard error goes to that of this
 * process: it may be a question to the user, or a secret that must not appear in our errors.
 * @param info the `ExecCredential` to pass to it, as JSON.
 * @param interactive whether the plugin receives the standard input of this process.
 * @throws {ConnectionConfigError} when it cannot be started, fails or prints too much; the signal's reason when the
 *   signal aborts, which kills the plugin.
 */
export async function runPlugin(
  plugin: ExecPluginConfig,
  info: string,
  interactive: boolean,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = start(plugin, info, interactive);
  const { stdout } = child;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    const stop = (reason: unknown): void => {
      // Destroy the pipe too: a child of the plugin may keep its other end open after the plugin has ended.
      child.kill('SIGKILL');
      stdout.destroy();
      end(() => reject(reason));
    };
    const abort = (): void => stop(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxOutput) stop(failed(plugin, `printed more than ${maxOutput} bytes`));
    });
    child.on('error', (error) => end(() => reject(notStarted(plugin, error))));
    child.on('close', (code, killer) => {
      const how = killer === null ? `exited with code ${code}` : `was killed by ${killer}`;
      end(() => (code === 0 ? resolve(Buffer.concat(chunks).toString('utf8')) : reject(failed(plugin, how))));
    });
  });
}

/** @throws {ConnectionConfigError} when Node refuses the arguments: a NUL byte, or more text than a process accepts. */
function start(
  plugin: ExecPluginConfig,
  info: string,
  interactive: boolean,
): ChildProcessByStdio<null, Readable, null> {
  const added = (plugin.env ?? []).map(({ name, value }) => [name, value] as const);
  try {
    return spawn(plugin.command, plugin.args ?? [], {
      env: { ...process.env, ...Object.fromEntries(added), KUBERNETES_EXEC_INFO: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      windowsHide: true,
    });
  } catch (error) {
    throw notStarted(plugin, error as Error);
  }
}

/** Omits the original error: Node quotes the arguments in it, which may be secret. */
function notStarted({ command, installHint }: ExecPluginConfig, error: Error): ConnectionConfigError {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') {
    return new ConnectionConfigError(
      `The credential plugin ${command} cannot be started (${code ?? error.name})`,
      'Check that it is an executable file, and its arguments and variables in the kubeconfig.',
    );
  }
  return new ConnectionConfigError(
    `The credential plugin ${command} is not installed`,
    printable(installHint ?? '') || `Install it and check that it is in PATH. A pod needs it in its image.`,
  );
}

function failed({ command }: ExecPluginConfig, how: string): ConnectionConfigError {
  return new ConnectionConfigError(
    `The credential plugin ${command} ${how}`,
    'Its output is on the standard error of this process. Run it by hand with the arguments of the kubeconfig.',
  );
}
