import type { LabelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import {
  type Client,
  type DeepReadonly,
  controllerOf,
  controllerReference,
  isInvalid,
  isNotFound,
} from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { attemptAll } from './attempt-all.ts';

/** What a controller may adopt and release. */
export interface Claim<T extends KubernetesObject, Owner extends KubernetesObject> {
  readonly kind: Kind<T>;
  /** Those that the owner controls, and orphans of its namespace. */
  readonly candidates: readonly DeepReadonly<T>[];
  readonly ownerKind: Kind<Owner>;
  readonly owner: DeepReadonly<Owner>;
  readonly selects: LabelMatcher;
  /** Whether the owner can use an object that it selects. Default: any. */
  readonly accepts?: (object: DeepReadonly<T>) => boolean;
  /** Those that an adopted object gets, and a released one loses. Default none. */
  readonly finalizers?: readonly string[];
}

/** How a claim reads and writes. */
export interface ClaimClients {
  /** Writes in the name of the controller. */
  readonly client: Client;
  /** Reads from the server. */
  readonly live: Client;
}

/**
 * Decides which objects belong to a controller, as the ControllerRefManager of Kubernetes does: it adopts orphans that it selects and
 * releases what it no longer selects, unless it is being deleted.
 *
 * @returns the objects that the owner controls now, in their order
 * @throws the first error of the server, after all objects were tried
 */
export async function claim<T extends KubernetesObject, Owner extends KubernetesObject>(
  clients: ClaimClients,
  claimed: Claim<T, Owner>,
): Promise<DeepReadonly<T>[]> {
  const check = once(() => checkOwner(clients.live, claimed));
  const kept: DeepReadonly<T>[] = [];
  const adoptOne = async (object: DeepReadonly<T>): Promise<void> => {
    await check();
    kept.push(await adopt(clients.client, claimed, object));
  };
  await attemptAll(claimed.candidates, (object) => {
    const relation = relationTo(claimed, object);
    if (relation === 'own') kept.push(object);
    if (relation === 'to adopt') return unlessGone(adoptOne(object));
    return relation === 'to release' ? unlessGone(release(clients.client, claimed, object)) : undefined;
  });
  return kept;
}

/** What an owner has to do with an object. */
function relationTo<T extends KubernetesObject, Owner extends KubernetesObject>(
  { owner, selects, accepts = () => true }: Claim<T, Owner>,
  object: DeepReadonly<T>,
): 'own' | 'to adopt' | 'to release' | 'none' {
  const controller = controllerOf(object);
  if (controller && controller.uid !== owner.metadata.uid) return 'none';
  const isSelected = selects(object.metadata.labels) && accepts(object);
  if (controller && isSelected) return 'own';
  if (owner.metadata.deletionTimestamp !== undefined) return 'none';
  if (controller) return 'to release';
  return isSelected && object.metadata.deletionTimestamp === undefined ? 'to adopt' : 'none';
}

async function unlessGone(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** An owner that is deleted by now must not adopt: the garbage collector has decided already. */
async function checkOwner<T extends KubernetesObject, Owner extends KubernetesObject>(
  live: Client,
  { ownerKind, owner }: Claim<T, Owner>,
): Promise<void> {
  const { name = '', namespace, uid } = owner.metadata;
  const { metadata } = await live.getOrThrow<KubernetesObject>(ownerKind, { name, namespace });
  if (metadata.uid !== uid)
    throw new Error(
      `original ${ownerKind.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`,
    );
  if (metadata.deletionTimestamp !== undefined)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
}

async function adopt<T extends KubernetesObject, Owner extends KubernetesObject>(
  client: Client,
  { kind, owner, finalizers }: Claim<T, Owner>,
  object: DeepReadonly<T>,
): Promise<DeepReadonly<T>> {
  const { uid } = object.metadata;
  const metadata = { uid, ownerReferences: [controllerReference(owner)], ...(finalizers && { finalizers }) };
  return patch(client, kind, object, { metadata });
}

async function release<T extends KubernetesObject, Owner extends KubernetesObject>(
  client: Client,
  { kind, owner, finalizers }: Claim<T, Owner>,
  object: DeepReadonly<T>,
): Promise<void> {
  const metadata = {
    uid: object.metadata.uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }],
    ...(finalizers && { '$deleteFromPrimitiveList/finalizers': finalizers }),
  };
  try {
    await patch(client, kind, object, { metadata });
  } catch (error) {
    // Another object has the name by now.
    if (!isInvalid(error)) throw error;
  }
}

async function patch<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  { metadata: { name = '', namespace } }: DeepReadonly<T>,
  body: object,
): Promise<DeepReadonly<T>> {
  const patched = await client.patch<KubernetesObject>(kind, { name, namespace }, body, {
    type: 'strategic',
  });
  return patched as DeepReadonly<T>;
}

/** Calls a function at most once. */
function once<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= call());
}
