import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { isAlreadyExists, isApiError, isConflict } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import { AuthorityBundles } from './authority-bundles.ts';
import { CertificateError } from './certificate-error.ts';
import type { CertificateObserver } from './certificate-observer.ts';
import { CertificateSecret } from './certificate-secret.ts';
import type { CertificateSource } from './certificate-source.ts';
import { type CertificateState, bundleOf } from './certificate-state.ts';
import { checkPair } from './check-pair.ts';
import { nextState } from './next-state.ts';
import type { CompleteRotatorOptions } from './rotator-options.ts';

export interface RotatorDependencies {
  /** Reads from the server, not from a cache, and writes whether this replica leads or not. */
  client: Client;
  clock: Clock;
  logger: Logger;
  observer?: CertificateObserver | undefined;
}

/** How often to check the Secret and the objects that contain its authorities, in milliseconds. */
const interval = 10_000;
/** The delay between attempts to get a first certificate while the API server does not respond, in milliseconds. */
const retryInterval = 1000;
/** How long an API server may take to learn of a new authority from its webhook configurations, in milliseconds. */
const trustTime = 60_000;
/** Replicas that all lose the race for the Secret read the winner's; more rounds than replicas never help. */
const maxAttempts = 5;

/** Issues and renews the serving certificate; see `RotatorOptions`. Every replica runs one, leader or not. */
export class CertificateRotator implements CertificateSource {
  readonly #dependencies: RotatorDependencies;
  readonly #secret: CertificateSecret;
  readonly #bundles: AuthorityBundles;
  readonly #names: readonly string[];
  #state: CertificateState | undefined;
  /** The certificate that the server has accepted. */
  #served: CertificatePair | undefined;
  /** The authorities that all objects contain, and since when, on the monotonic clock. */
  #trusted: { bundle: string; since: number } | undefined;

  /** @throws {UsageError} if the options name no server. */
  constructor(options: CompleteRotatorOptions, dependencies: RotatorDependencies) {
    const { client, logger } = dependencies;
    const { secretName: name, namespace } = options;
    this.#dependencies = dependencies;
    this.#secret = new CertificateSecret(client, { name, namespace });
    this.#bundles = new AuthorityBundles(client, options, logger);
    this.#names = namesToServe(options);
  }

  async load(signal: AbortSignal): Promise<CertificatePair> {
    const { clock, logger } = this.#dependencies;
    for (;;) {
      try {
        this.#served = await this.#look(signal);
        return this.#served;
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error)) throw asCertificateError(error);
        logger.warn({ reason: errorMessage(error) }, 'no serving certificate yet; retrying');
      }
      await sleep(clock, retryInterval, signal);
      signal.throwIfAborted();
    }
  }

  async watch(changed: (pair: CertificatePair) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#dependencies;
    for (await sleep(clock, interval, signal); !signal.aborted; await sleep(clock, interval, signal)) {
      try {
        const pair = await this.#look(signal);
        if (pair.cert === this.#served?.cert && pair.key === this.#served.key) continue;
        await changed(pair);
        this.#served = pair;
        logger.info('serving certificate changed');
      } catch (error) {
        if (signal.aborted) return;
        logger.warn(
          { reason: errorMessage(error) },
          'cannot maintain the serving certificate; keeping the old one',
        );
      }
    }
  }

  /** Performs one check: updates whatever is due, and returns the pair to serve. */
  async #look(signal: AbortSignal): Promise<CertificatePair> {
    const { observer } = this.#dependencies;
    observer?.read();
    try {
      const { serving } = await this.#update(signal);
      observer?.serving(checkPair(serving));
      return serving;
    } catch (error) {
      observer?.failed();
      throw error;
    }
  }

  async #update(signal: AbortSignal): Promise<CertificateState> {
    const { clock } = this.#dependencies;
    const state = await this.#agree(signal);
    // Publish the authorities first, then serve what they signed.
    const bundle = bundleOf(state);
    const isNamed = await this.#bundles.ensure(bundle, signal);
    if (!isNamed) this.#trusted = undefined;
    else if (this.#trusted?.bundle !== bundle) this.#trusted = { bundle, since: clock.now() };
    this.#state = state;
    return state;
  }

  /** Brings the Secret up to date and returns its state. */
  async #agree(signal: AbortSignal): Promise<CertificateState> {
    const { clock, logger } = this.#dependencies;
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.#secret.read(signal);
      const { state, reason } = nextState({
        found: found.state,
        remembered: this.#state,
        names: this.#names,
        now: clock.epoch(),
        isTrusted: this.#isTrusted(found.state),
      });
      if (reason === undefined) return state;
      try {
        await this.#secret.write(state, found, signal);
        logger.info({ reason }, 'serving certificate Secret written');
        return state;
      } catch (error) {
        if (attempt === maxAttempts || !(isConflict(error) || isAlreadyExists(error))) throw error;
      }
    }
  }

  #isTrusted(state: CertificateState | undefined): boolean {
    if (!state || this.#trusted?.bundle !== bundleOf(state)) return false;
    return this.#dependencies.clock.now() - this.#trusted.since >= trustTime;
  }
}

function namesToServe({ serviceName, namespace, dnsNames = [] }: CompleteRotatorOptions): string[] {
  const service = `${serviceName}.${namespace}.svc`;
  // The API server uses the first of them.
  const services =
    serviceName === undefined ? [] : [service, `${service}.cluster.local`, `${serviceName}.${namespace}`];
  const names = [...services, ...dnsNames];
  if (names.length > 0) return names;
  throw new UsageError(
    'The certificate rotator has no DNS name',
    'Set serviceName to the Service of the webhooks, or dnsNames.',
  );
}

/** True for an error that may resolve itself: the server does not respond, or is overloaded. */
function mayPass(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return isApiError(error) && (error.status >= 500 || error.status === 429 || isConflict(error));
}

function asCertificateError(error: unknown): CertificateError {
  if (error instanceof CertificateError) return error;
  return new CertificateError(
    `The Secret of the serving certificate cannot be read or written: ${errorMessage(error)}`,
    'Grant get, create and update on Secrets in that namespace, and check that the namespace exists.',
    error,
  );
}
