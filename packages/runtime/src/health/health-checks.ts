import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { untilAborted } from '../signals/until-aborted.ts';

/**
 * Checks whether something works. It returns a problem in words, which every client of the probe port can read, or
 * nothing if there is none. If it throws, the check also fails, but the error only goes to the log: its message may
 * contain secrets.
 *
 * @param signal aborts when the result is no longer needed: the caller hung up, or 5 s have passed, which counts as a
 *   failure.
 */
export type HealthCheck = (
  signal: AbortSignal,
) => string | undefined | void | Promise<string | undefined | void>;

/** The result of one check. */
export interface CheckResult {
  name: string;
  /** Why it failed, without internal details; undefined when it succeeded. */
  problem: string | undefined;
}

const timeout = 5000;
const late = (): Error => new Error(`no result within ${timeout / 1000} s`);
/** Names are parts of paths. */
const namePattern = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** The checks behind one endpoint, such as `/readyz`. */
export class HealthChecks {
  readonly #endpoint: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  #failing = '';

  constructor(endpoint: string, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @throws {UsageError} when the name is taken, or cannot be part of a path. */
  add(name: string, check: HealthCheck): void {
    if (!namePattern.test(name)) {
      throw new UsageError(
        `${JSON.stringify(name)} cannot be the name of a health check`,
        'Use letters, digits, dots, dashes and underscores: it is part of a path.',
      );
    }
    if (this.#checks.has(name)) {
      throw new UsageError(
        `Two checks of ${this.#endpoint} are named ${name}`,
        'Give one of them another name.',
      );
    }
    this.#checks.set(name, check);
  }

  get names(): string[] {
    return [...this.#checks.keys()].toSorted();
  }

  /** Runs the checks with these names at the same time, and logs when the set of failing checks changes. */
  async run(names: readonly string[], signal: AbortSignal): Promise<CheckResult[]> {
    const results = await Promise.all(names.map((name) => this.#run(name, signal)));
    if (names.length === this.#checks.size && !signal.aborted) this.#log(results);
    return results;
  }

  async #run(name: string, signal: AbortSignal): Promise<CheckResult> {
    const check = this.#checks.get(name)!;
    try {
      const problem = await withDeadline(this.#clock, timeout, signal, late, (deadline) =>
        Promise.race([
          // In an async function, because a check may throw before it awaits anything.
          (async () => check(deadline))(),
          untilAborted(deadline).then(() => Promise.reject(deadline.reason)),
        ]),
      );
      // The type is string, but a check in an untyped program may return anything, and must not end the process.
      return { name, problem: problem ? errorMessage(problem) : undefined };
    } catch (error) {
      if (!signal.aborted)
        this.#logger.debug(
          { endpoint: this.#endpoint, check: name, reason: errorMessage(error) },
          'a health check threw',
        );
      return { name, problem: 'reason withheld' };
    }
  }

  /** Probes come every few seconds, so only changes are logged. */
  #log(results: readonly CheckResult[]): void {
    const failed = results.filter(({ problem }) => problem !== undefined);
    const failing = failed.map(({ name }) => name).join(', ');
    if (failing === this.#failing) return;
    this.#failing = failing;
    const problems = Object.fromEntries(failed.map(({ name, problem }) => [name, problem]));
    if (failing === '') this.#logger.info({ endpoint: this.#endpoint }, 'all health checks pass');
    else this.#logger.info({ endpoint: this.#endpoint, problems }, 'health checks fail');
  }
}
