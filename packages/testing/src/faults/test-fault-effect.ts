import type { FaultAnswer, FaultEffect } from 'ots-apiserver';
import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from 'ots-runtime';
import type { FaultedVerb } from './faulted-requests.ts';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import { checkFields } from './check-fields.ts';

/** What happens to the requests of a fault: one of these. */
export type TestFaultEffect =
  /**
   * The server refuses the request with the Status that kube-apiserver sends, or with its text: `Conflict` (409) for updates, patches
   * and deletions, `Expired` (410) for lists and watches, `TooManyRequests` (429), `InternalError` (500), `ServiceUnavailable` (503)
   * and `Timeout` (504) for all. `retryAfterSeconds` is the `Retry-After` header of a 429 (default 1) or 503 (default none).
   */
  | { readonly answer: FaultAnswer; readonly retryAfterSeconds?: number }
  /**
   * Before the server handles the request, or after, when a write is stored, it says nothing for 60 s and then answers 504. Clients
   * with shorter timeouts give up before.
   */
  | { readonly timeout: 'before' | 'after' }
  /** The connection breaks before the server handles the request, or after, when a write is stored. */
  | { readonly disconnect: 'before' | 'after' }
  /** The server begins to handle the request later. A duration, or milliseconds. */
  | { readonly latency: Duration | number }
  /** Gets and lists with a `resourceVersion`, which accept a cached state, see that of the moment in which the fault was added. */
  | { readonly stale: true }
  /**
   * Watches that are open, and later ones: the connection breaks (`drop`), nothing arrives any more, not even its end (`half-open`),
   * or they end with an ERROR event, 410 (`expire`).
   */
  | { readonly watch: 'drop' | 'half-open' | 'expire' }
  /**
   * Events of watches come later by a time (`delay`), or those of this time come together and in another order (`reorder`): the events
   * of one object keep theirs, as in a real cluster.
   */
  | { readonly watch: 'delay' | 'reorder'; readonly by: Duration | number };

/** The answers, and which requests get them in a cluster. Undefined for all. */
const verbsOfAnswer: Readonly<Record<FaultAnswer, readonly FaultedVerb[] | undefined>> = {
  Conflict: ['update', 'patch', 'delete'],
  Expired: ['list', 'watch'],
  InternalError: undefined,
  ServiceUnavailable: undefined,
  Timeout: undefined,
  TooManyRequests: undefined,
};
const answersWithRetryAfter: readonly FaultAnswer[] = ['ServiceUnavailable', 'TooManyRequests'];

/** The fields that each kind of effect may have. */
const fields: Readonly<Record<string, readonly string[]>> = {
  answer: ['answer', 'retryAfterSeconds'],
  timeout: ['timeout'],
  disconnect: ['disconnect'],
  latency: ['latency'],
  stale: ['stale'],
  watch: ['watch', 'by'],
};

/** The verbs that an effect can change; undefined for all requests. */
export function verbsOf(effect: TestFaultEffect): readonly FaultedVerb[] | undefined {
  if ('answer' in effect) return verbsOfAnswer[effect.answer];
  if ('stale' in effect) return ['get', 'list'];
  return 'watch' in effect ? ['watch'] : undefined;
}

/**
 * What a fault does, as the server knows it.
 *
 * @throws {TestEnvironmentError} when it is not an effect; {UsageError} (of ots-runtime) for what is not a duration
 */
export function effectOf(effect: TestFaultEffect): FaultEffect {
  const [kind, ...others] = Object.keys(fields).filter((field) => field in effect);
  if (kind === undefined || others.length > 0) throw notAFault(effect, `Use one of ${listed(fields)}.`);
  checkFields(`a fault with ${kind}`, effect, fields[kind]!);
  if ('latency' in effect) return { latencyMs: toMilliseconds(effect.latency) };
  if ('answer' in effect) {
    if (!(effect.answer in verbsOfAnswer))
      throw notAFault(effect, `The answer is one of ${listed(verbsOfAnswer)}.`);
    checkRetryAfter(effect);
  } else if ('watch' in effect) return watchEffectOf(effect);
  else if ('stale' in effect) {
    if (!effect.stale) throw notAFault(effect, 'Set stale to true, or leave out the fault.');
  } else if (!['before', 'after'].includes('timeout' in effect ? effect.timeout : effect.disconnect))
    throw notAFault(effect, "Use 'before' or 'after'.");
  return effect;
}

function watchEffectOf(effect: Extract<TestFaultEffect, { watch: unknown }>): FaultEffect {
  if ('by' in effect) {
    if (effect.watch === 'delay' || effect.watch === 'reorder')
      return { watch: effect.watch, milliseconds: toMilliseconds(effect.by) };
  } else if (['drop', 'half-open', 'expire'].includes(effect.watch)) return effect;
  throw notAFault(
    effect,
    "The watch is one of drop, half-open and expire, or delay and reorder with a time, such as { watch: 'delay', by: '1s' }.",
  );
}

function checkRetryAfter(effect: Extract<TestFaultEffect, { answer: unknown }>): void {
  const { answer, retryAfterSeconds: seconds } = effect;
  if (seconds === undefined) return;
  if (!answersWithRetryAfter.includes(answer))
    throw notAFault(effect, `Use retryAfterSeconds with ${answersWithRetryAfter.join(' or ')}.`);
  if (!Number.isInteger(seconds) || seconds < 0)
    throw notAFault(effect, 'Set retryAfterSeconds to whole seconds, or to 0 for no header.');
}

function listed(record: object): string {
  return Object.keys(record).join(', ');
}

function notAFault(effect: TestFaultEffect, hint: string): Error {
  return new TestEnvironmentError(`${JSON.stringify(effect)} is not a fault`, hint);
}
