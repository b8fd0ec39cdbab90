import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * Something that happened to an object, or that it was there. It refers to the objects of the cache, which no code
 * changes: what differs between the two is found when a caller asks.
 */
export interface ObjectCause<T extends KubernetesObject = KubernetesObject> {
  readonly type: 'created' | 'updated' | 'deleted' | 'uncached' | 'start' | 'resync' | 'shard';
  readonly kind: Kind<T>;
  /** The state before the first of the updates; undefined for anything else. */
  readonly oldObject: DeepReadonly<T> | undefined;
  /** The state after the last event. */
  readonly object: DeepReadonly<T>;
  /** How many events it stands for. */
  readonly events: number;
  /** The name of the object's cluster; absent for the manager's own. */
  readonly cluster?: string | undefined;
}

/** Why a request was queued, before a caller asks. */
export type Cause =
  | ObjectCause
  | { readonly type: 'source'; readonly source: string | undefined }
  /** In milliseconds. */
  | { readonly type: 'requeue'; readonly after: number }
  | { readonly type: 'backoff'; readonly attempt: number; readonly error: unknown }
  | { readonly type: 'omitted'; readonly count: number };

/** How many causes are kept from the beginning and from the end. */
const keptAtEachEnd = 4;

/**
 * Adds a cause to those of a request that waits. Events of one object become one. The list stays short, and with it
 * what is kept of objects: the first and the last few, and between them how many others there were.
 */
export function addCause(causes: Cause[], cause: Cause): void {
  for (let index = causes.length - 1; index >= 0; index -= 1) {
    const merged = mergedCause(causes[index]!, cause);
    if (!merged) continue;
    causes[index] = merged;
    return;
  }
  causes.push(cause);
  const middle = causes[keptAtEachEnd]!;
  if (middle?.type === 'omitted') {
    if (causes.length <= 2 * keptAtEachEnd + 1) return;
    causes.splice(keptAtEachEnd, 2, { type: 'omitted', count: middle.count + 1 });
  } else if (causes.length > 2 * keptAtEachEnd) {
    causes.splice(keptAtEachEnd, 1, { type: 'omitted', count: 1 });
  }
}

/** Undefined if they are about different things. */
function mergedCause(first: Cause, second: Cause): Cause | undefined {
  if (!('object' in first) || !('object' in second)) return isSameSource(first, second) ? first : undefined;
  // The same object of two caches, such as with its metadata only, has two states that cannot be compared.
  if (first.kind !== second.kind || first.cluster !== second.cluster || !isSameObject(first, second))
    return undefined;
  const { object } = second;
  const isSameEvent = first.object === object && (second.type !== 'uncached' || first.type === 'uncached');
  // Two watches of one kind deliver the same event.
  if (isSameEvent) return first;
  const events = first.events + second.events;
  if (second.type === 'deleted' || second.type === 'uncached' || first.type === 'uncached')
    return { ...second, events };
  return { ...first, object, events };
}

function isSameSource(first: Cause, second: Cause): boolean {
  return first.type === 'source' && second.type === 'source' && first.source === second.source;
}

function isSameObject(first: ObjectCause, second: ObjectCause): boolean {
  if (second.oldObject !== undefined && second.oldObject === first.object) return true;
  const { uid } = first.object.metadata;
  return uid !== undefined && uid === second.object.metadata.uid;
}
