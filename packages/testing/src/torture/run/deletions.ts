import type { Snapshot } from 'ots-apiserver';
import type { DeepReadonly, KubernetesObject, LocalExchange } from 'ots-runtime';
import { storedObjects } from '../../convergence/cluster-state.ts';
import { type ObservedWrite, describeWrite, observedWrite } from '../../convergence/observed-write.ts';
import { describeRequest } from '../../simulation/describe-request.ts';
import type { KnownObject, Sight } from './sight.ts';

/** A deletion that was decided on another object. */
export interface StrayDeletion {
  /** Such as `statefulsets.apps default/db`. */
  readonly object: string;
  /** The kind that the operator reconciles, such as `Broker`, if it does not know the owner. Absent if it does not know the object itself. */
  readonly owner?: string;
}

/** Knows what one life of an operator deletes. */
export interface DeletionObserver {
  /** It has deleted an object, and only knew another one of that name, or another owner of that name. */
  strayed(deletion: StrayDeletion): void;
  /** The server has refused a deletion because the object is not the one in its precondition. @param object such as `pods default/db-0` */
  prevented(object: string): void;
}

/** What deletions happen in. */
export interface DeletionSurroundings {
  /** Takes one of the cluster. */
  readonly snapshot: () => Snapshot;
  /** The kind that the operator reconciles: what it does with children depends on it. */
  readonly reconciled: string;
  readonly observer: DeletionObserver;
}

type Stored = DeepReadonly<KubernetesObject>;

/**
 * Lets an exchange report deletions that hit another object than the operator knows.
 *
 * A deletion by name of what the operator has never read does not count: names follow from the object that it reconciles. One of several
 * objects does not count either: it says which objects it means by their labels.
 *
 * @param sight what the operator has received, which learns from the responses
 */
export function observeDeletions(
  exchange: LocalExchange,
  sight: Sight,
  { snapshot, reconciled, observer }: DeletionSurroundings,
): LocalExchange {
  return async (request) => {
    const write = request.method === 'DELETE' ? observedWrite(request) : undefined;
    const deletion = write?.verb === 'delete' && write.isMain ? write : undefined;
    // What the operator knows when it decides.
    const stray = deletion && strayOf(deletion, sight, snapshot(), reconciled);
    const response = await exchange(request);
    const { content, status } = response;
    if (content) sight.receive(content);
    else if (describeRequest(request).verb !== 'watch') sight.receiveUnread();
    if (stray && status < 300 && content?.includes(stray.uid)) observer.strayed(stray);
    if (deletion && status === 409 && /UID in (?:the )?precondition/.test(String(content)))
      observer.prevented(objectOf(deletion));
    return response;
  };
}

/** @returns undefined for what the operator knows, or what is not there */
function strayOf(
  deletion: ObservedWrite,
  sight: Sight,
  snapshot: Snapshot,
  reconciled: string,
): (StrayDeletion & { uid: string }) | undefined {
  const target = storedObjects(snapshot, deletion.collection).find(
    ({ metadata: { namespace = '', name } }) => namespace === deletion.namespace && name === deletion.name,
  );
  if (!target) return undefined;
  const { uid = '' } = target.metadata;
  const object = objectOf(deletion);
  if (sight.knowsOnlyAnother(knownAs(target))) return { object, uid };
  const owner = ownerOf(target, snapshot, reconciled);
  return owner && sight.knowsOnlyAnother(knownAs(owner)) ? { object, uid, owner: owner.kind } : undefined;
}

/** Such as `statefulsets.apps default/db`. */
function objectOf(deletion: ObservedWrite): string {
  const text = describeWrite(deletion);
  return text.slice(text.indexOf(' ') + 1);
}

/** The controller of an object; undefined if it is of another kind, or if it is gone or goes: then the object has to go, too. */
function ownerOf({ metadata }: Stored, { tables }: Snapshot, wanted: string): Stored | undefined {
  const uid = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === wanted)?.uid;
  if (uid === undefined) return undefined;
  for (const records of tables.values()) {
    const record = records.find(({ object }) => object.metadata.uid === uid);
    if (record) return record.object.metadata.deletionTimestamp ? undefined : record.object;
  }
  return undefined;
}

function knownAs({ kind, metadata: { namespace, name = '', uid = '' } }: Stored): KnownObject {
  return { kind, namespace, name, uid };
}
