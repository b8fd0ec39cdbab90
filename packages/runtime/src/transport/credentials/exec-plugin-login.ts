import { isatty } from 'node:tty';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../../clock/with-deadline.ts';
import {
  type ConnectionConfig,
  ConnectionConfigError,
  type ExecPluginConfig,
} from '../../kubeconfig/connection-config.ts';
import { unlessAborted } from '../../signals/until-aborted.ts';
import { bearer } from './bearer.ts';
import { type ExecCredential, execCredentialOf } from './exec-credential.ts';
import type { Login, LoginSource } from './login.ts';
import { runPlugin } from './run-plugin.ts';

/** Plugins call an identity provider over the network; a plugin that hangs must not block the operator forever. */
const pluginTimeout = 60_000;
/** The user may need time for a second factor. */
const interactiveTimeout = 5 * 60_000;

const standardInput = 0;

export interface ExecPluginLoginOptions {
  exec: ExecPluginConfig;
  config: ConnectionConfig;
  clock: Clock;
  caText: () => string | undefined;
}

/** Credentials from a plugin, kept until they expire or the server refuses them. */
export class ExecPluginLogin implements LoginSource {
  readonly #options: ExecPluginLoginOptions;
  readonly #closing = new AbortController();
  #credential: ExecCredential | undefined;
  #login: Login = { headers: {} };
  #running: Promise<void> | undefined;

  constructor(options: ExecPluginLoginOptions) {
    this.#options = options;
  }

  /** Concurrent requests share one run of the plugin; a canceled request does not end it for the others. */
  refresh(signal: AbortSignal): Promise<void> {
    const expiresAt = this.#credential?.expiresAt ?? Number.NEGATIVE_INFINITY;
    if (this.#options.clock.epoch() < expiresAt) return Promise.resolve();
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return unlessAborted(this.#running, signal);
  }

  current(): Login {
    return this.#login;
  }

  rejected(login: Login): Promise<boolean> {
    if (login === this.#login) this.#credential = undefined;
    return Promise.resolve(true);
  }

  close(): void {
    this.#closing.abort(new ConnectionConfigError('The client is closed', 'Create a new one.'));
  }

  async #run(): Promise<void> {
    const { exec, clock } = this.#options;
    const interactive = isInteractive(exec);
    const milliseconds = interactive ? interactiveTimeout : pluginTimeout;
    const output = await withDeadline(
      clock,
      milliseconds,
      this.#closing.signal,
      () => this.#timedOut(milliseconds),
      (signal) => runPlugin(exec, this.#info(interactive), interactive, signal),
    );
    const credential = execCredentialOf(output, exec);
    this.#login = {
      headers: credential.token ? bearer(credential.token) : {},
      keyPair: credential.keyPair,
    };
    this.#credential = credential;
  }

  #timedOut(milliseconds: number): ConnectionConfigError {
    return new ConnectionConfigError(
      `The credential plugin ${this.#options.exec.command} did not end within ${milliseconds / 1000} s`,
      'Run it by hand and check whether it waits for input: an operator cannot provide any.',
    );
  }

  /** https://kubernetes.io/docs/reference/config-api/client-authentication.v1/#client-authentication-k8s-io-v1-ExecCredentialSpec */
  #info(interactive: boolean): string {
    const { exec, config, caText } = this.#options;
    const authorities = caText();
    const cluster = exec.provideClusterInfo && {
      server: config.server,
      'tls-server-name': config.tlsServerName,
      'insecure-skip-tls-verify': config.insecureSkipTlsVerify,
      'certificate-authority-data': authorities && Buffer.from(authorities).toString('base64'),
      'proxy-url': config.proxyUrl,
      'disable-compression': config.disableCompression,
      config: exec.clusterConfig,
    };
    return JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: { ...(cluster && { cluster }), interactive },
    });
  }
}

function isInteractive({ command, interactiveMode = 'IfAvailable' }: ExecPluginConfig): boolean {
  if (interactiveMode === 'Never') return false;
  if (isatty(standardInput)) return true;
  if (interactiveMode === 'IfAvailable') return false;
  throw new ConnectionConfigError(
    `The credential plugin ${command} needs a terminal, but standard input is not one`,
    'Use a plugin, or options of it, that need no input (interactiveMode: Never).',
  );
}
