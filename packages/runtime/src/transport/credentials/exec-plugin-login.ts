import { isatty } from 'node:tty';
import type { Clock } from '../../clock/clock.ts';
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

/** Plugins ask an identity provider over the network; one that hangs must not hang the operator forever. */
const pluginTimeout = 60_000;
/** A person may have to find a second factor first. */
const interactiveTimeout = 5 * 60_000;

const standardInput = 0;

export interface ExecPluginLoginOptions {
  exec: ExecPluginConfig;
  config: ConnectionConfig;
  clock: Clock;
  caText: () => string | undefined;
}

/** What a credential plugin hands out, kept until it expires or the server refuses it. */
export class ExecPluginLogin implements LoginSource {
  readonly #options: ExecPluginLoginOptions;
  readonly #closing = new AbortController();
  #credential: ExecCredential | undefined;
  #login: Login = { headers: {} };
  #running: Promise<void> | undefined;

  constructor(options: ExecPluginLoginOptions) {
    this.#options = options;
  }

  /** Requests that come together wait for one run; a request that is given up does not end it for the others. */
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
