import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { conditionsOf } from '../conditions/condition-true.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
import { type WaitOptions, waitAt } from './wait-for.ts';

/** A client or a cache. */
export interface ObjectSource {
  /** Returns the object; undefined if it does not exist. */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<T | DeepReadonly<T> | undefined> | T | DeepReadonly<T> | undefined;
}

/** The options of `waitFor`, but with 250 ms between two reads by default. */
export type WaitForObjectOptions = Omit<WaitOptions, 'message'>;

/**
 * Reads the object until the predicate holds, and returns that state: `await waitForObject(client, Deployment, key,
 * conditionTrue('Available'), { timeout: '2m' })`.
 *
 * For tests, scripts and the start of a program. A reconciler should not wait: it returns, and is called again when the
 * object changes.
 * @param reader a client, or a manager's cache, which costs no requests.
 * @param predicate receives undefined while the object does not exist: `(object) => !object` waits for its deletion.
 * @throws {WaitTimeoutError} after `timeout`, with the stack of the call and the last state: only the conditions, because
 *   contents may be secret. Its `cause` is the error of the last read, if any. The signal's reason when it aborts.
 */
export async function waitForObject<T extends KubernetesObject>(
  reader: ObjectSource,
  kind: Kind<T>,
  key: ObjectKey,
  predicate: (object: DeepReadonly<T> | undefined) => boolean | Promise<boolean>,
  options: WaitForObjectOptions = {},
): Promise<DeepReadonly<T> | undefined> {
  let last: DeepReadonly<T> | undefined;
  const { found } = await waitAt(
    waitForObject,
    async (signal) => {
      last = (await reader.get(kind, key, { signal })) as DeepReadonly<T> | undefined;
      return (await predicate(last)) && { found: last };
    },
    {
      ...options,
      interval: options.interval ?? 250,
      message: () => `the condition on the ${kind.kind} ${keyText(key)} (${describe(last)})`,
    },
  );
  return found;
}

function describe(object: DeepReadonly<KubernetesObject> | undefined): string {
  if (!object) return 'the object does not exist';
  const states = conditionsOf(object).map(({ type, status, reason }) =>
    reason ? `${type}=${status} ${reason}` : `${type}=${status}`,
  );
  if (object.metadata.deletionTimestamp) states.unshift('being deleted');
  return states.length > 0 ? states.join(', ') : 'no conditions';
}
