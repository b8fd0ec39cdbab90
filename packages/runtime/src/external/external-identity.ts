import type { KubernetesObject } from 'ots-kubernetes';
import { conditionsOf } from '../conditions/condition-true.ts';
import { findCondition } from '../conditions/find-condition.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The identity of the external resource of an object. */
export const idAnnotation = 'runtime.ots/external-id';
/** When the last creation began. Without an identity, its result is not known. */
export const createStartedAnnotation = 'runtime.ots/external-create-started';
/** When the external resource with an assigned ID was created. */
export const createdAnnotation = 'runtime.ots/external-created';
/** When the API last refused to create one with an assigned ID. */
export const createFailedAnnotation = 'runtime.ots/external-create-failed';

/** As DNS labels (RFC 1123), which most APIs accept as names. */
const maxIdentityLength = 63;
/** How long an API may not show what it has created, or a call may be on its way that the process has given up. */
const maxHiddenMs = 30_000;

type AnyObject = DeepReadonly<KubernetesObject>;

/** The stored identity; undefined when none is known. */
export function storedIdentity({ metadata }: AnyObject): string | undefined {
  // An empty annotation is what is left when a person deletes the value.
  return metadata.annotations?.[idAnnotation] || undefined;
}

/** An identity that no other object ever has: `<name>-<uid>`, with as much of the name as there is room for. */
export function uniqueIdentity({ metadata: { name = '', uid = '' } }: AnyObject): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxIdentityLength - uid.length - 1)
    .replace(/^-+|-+$/g, '');
  return readable ? `${readable}-${uid}` : uid;
}

/** When the creation began of which it is unknown whether it made something; undefined when there is none. */
export function unknownCreate(object: AnyObject): string | undefined {
  if (storedIdentity(object) !== undefined) return undefined;
  return object.metadata.annotations?.[createStartedAnnotation] || undefined;
}

/**
 * True if the external resource of the object was created so recently that the API may not show it yet. Not if it has been seen since.
 * @param now in milliseconds since 1970.
 */
export function mayBeHidden(object: AnyObject, now: number): boolean {
  const { [createdAnnotation]: ended, [createStartedAnnotation]: started } =
    object.metadata.annotations ?? {};
  const created = Date.parse(ended ?? started ?? '');
  if (!(now - created < maxHiddenMs)) return false;
  const ready = findCondition(conditionsOf(object), 'Ready');
  if (!ready || ready.reason === 'Creating') return true;
  if (ready.reason === 'Deleting') return false;
  // Conditions have no fractions of seconds.
  return Date.parse(ready.lastTransitionTime) < Math.floor(created / 1000) * 1000;
}
