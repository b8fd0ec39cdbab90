import type { Fault, FaultAnswer, FaultEffect, FaultSelection, FaultedRequest, Faults } from 'ots-apiserver';
import type { Duration } from 'ots-kubernetes';
import { toMilliseconds } from 'ots-runtime';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

/** The verbs of requests, as RBAC names them. */
const requestVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
] as const;

/** Which requests a fault changes: those for which all of this is true. Default: all requests. */
export interface FaultedRequests {
  /** As RBAC names them, such as `update`. Default: all. */
  readonly verbs?: readonly (typeof requestVerbs)[number][];
  /**
   * The plural, such as `deployments` for the objects themselves and `deployments/status` for a subresource. A group may follow, such
   * as `deployments.apps` or `deployments/status.apps`. Default: all paths, also those outside of resources such as `/version`.
   */
  readonly resource?: string;
  /** Of the object. Requests that create an object have none. Default: all. */
  readonly name?: string;
  /** Default: all. */
  readonly namespace?: string;
  /** Such as `system:serviceaccount:system:controller-manager`. Default: all. */
  readonly user?: string;
  /** How many requests. Default: all, until the fault is removed. */
  readonly times?: number;
}

/** What happens to these requests: one of these. */
export type TestFaultEffect =
  /**
   * The server refuses the request with the Status that kube-apiserver sends, or with its text. `retryAfterSeconds` is the
   * `Retry-After` header of a 429 (default 1) or 503 (default none).
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

const answers: readonly string[] = [
  'Conflict',
  'Expired',
  'InternalError',
  'ServiceUnavailable',
  'Timeout',
  'TooManyRequests',
] satisfies FaultAnswer[];

const kinds = ['answer', 'timeout', 'disconnect', 'latency', 'stale', 'watch'] as const;

/** Makes the server of a test environment fail. */
export class TestFaults {
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /**
   * Adds a fault, after those that exist. A request that several select is changed by all of them in this order, up to the first that
   * prevents an answer. Requests must be allowed to come so far: RBAC refuses others first.
   *
   * ```ts
   * using fault = environment.faults.add({ verbs: ['update'], times: 1 }, { answer: 'Conflict' });
   * ```
   *
   * @returns the fault, which counts its `hits` and ends with `remove()`, or at the end of a block with `using`
   * @throws {TestEnvironmentError} for a resource that the server does not serve and what is not a fault; {UsageError} (of ots-runtime)
   *   for what is not a duration
   */
  add(requests: FaultedRequests, effect: TestFaultEffect): Fault {
    const checked = effectOf(effect);
    const selection = this.#selectionOf(requests);
    const { verbs } = requests;
    const affected = 'watch' in checked ? ['watch'] : 'stale' in checked ? ['get', 'list'] : undefined;
    if (verbs && affected && !verbs.some((verb) => affected.includes(verb)))
      throw wrong(
        `The fault ${JSON.stringify(effect)} changes none of the verbs ${verbs.join(', ')}`,
        `Select ${affected.join(' or ')}.`,
      );
    return this.#faults.add(selection, checked);
  }

  /**
   * Forgets the history like a compaction of etcd: every watch ends with an ERROR event (410), none resumes from before, and no page
   * of a list continues.
   */
  compact(): void {
    this.#faults.compact();
  }

  /** Removes all faults: what waits goes on, and watches that are half open break. */
  clear(): void {
    this.#faults.clear();
  }

  #selectionOf({ verbs, resource, name, namespace, user, times }: FaultedRequests): FaultSelection {
    const unknown = verbs?.find((verb) => !requestVerbs.includes(verb));
    if (unknown !== undefined || verbs?.length === 0)
      throw wrong(
        `${JSON.stringify(unknown ?? verbs)} is not a verb`,
        `Use some of ${requestVerbs.join(', ')}.`,
      );
    if (times !== undefined && !(Number.isInteger(times) && times > 0))
      throw wrong(`A fault cannot change ${times} requests`, 'Set times to a positive integer.');
    const wanted = resource === undefined ? undefined : parseResource(resource);
    if (wanted && !this.#faults.serves(wanted))
      throw wrong(
        `The server serves no resource ${JSON.stringify(resource)}`,
        "Use its plural, such as 'deployments', 'deployments.apps' or 'deployments/status', and install its definition first.",
      );
    const selects = (asked: FaultedRequest) =>
      (verbs === undefined || verbs.some((verb) => verb === asked.verb)) &&
      is(wanted?.resource, asked.resource) &&
      is(wanted?.subresource, asked.subresource) &&
      is(wanted?.group, asked.group) &&
      is(name, asked.name) &&
      is(namespace, asked.namespace) &&
      is(user, asked.user);
    return { selects, times };
  }
}

function is(value: string | undefined, actual: string): boolean {
  return value === undefined || value === actual;
}

/** @param text such as `deployments/status.apps` */
function parseResource(text: string): { group: string | undefined; resource: string; subresource: string } {
  const dot = text.indexOf('.');
  const names = dot === -1 ? text : text.slice(0, dot);
  const [resource = '', subresource = ''] = names.split('/');
  return { group: dot === -1 ? undefined : text.slice(dot + 1), resource, subresource };
}

function effectOf(effect: TestFaultEffect): FaultEffect {
  const given = kinds.filter((kind) => kind in effect);
  if (given.length === 1) {
    if ('latency' in effect) return { latencyMs: toMilliseconds(effect.latency) };
    if ('by' in effect) {
      if (effect.watch === 'delay' || effect.watch === 'reorder')
        return { watch: effect.watch, milliseconds: toMilliseconds(effect.by) };
    } else if (isEffect(effect)) return effect;
  }
  throw wrong(
    `${JSON.stringify(effect)} is not a fault`,
    `Use one of ${kinds.join(', ')}, such as { answer: 'Conflict' } or { watch: 'delay', by: '1s' }.`,
  );
}

function isEffect(effect: Exclude<TestFaultEffect, { latency: unknown } | { by: unknown }>): boolean {
  if ('answer' in effect) return answers.includes(effect.answer) && !((effect.retryAfterSeconds ?? 0) < 0);
  if ('stale' in effect) return effect.stale;
  if ('watch' in effect) return ['drop', 'half-open', 'expire'].includes(effect.watch);
  return ['before', 'after'].includes('timeout' in effect ? effect.timeout : effect.disconnect);
}

function wrong(problem: string, hint: string): TestEnvironmentError {
  return new TestEnvironmentError(problem, hint);
}
