import type { Kind } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import { groupOf } from '../objects/group-of.ts';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';
import { requestKey } from '../controller/request-key.ts';
import type { Request } from '../controller/reconciler.ts';
import type { Cause, ObjectCause } from '../reasons/cause.ts';
import { shardOfUid } from './shard-of-uid.ts';
import { shardOf } from './shard-of.ts';
import type { ShardMember } from './shard-member.ts';
import type { Shard } from './shard.ts';
import type { ShardingOptions } from './sharding-options.ts';

export interface ControllerShardsOptions {
  member: Pick<ShardMember, 'shard' | 'onGain'>;
  by: ShardingOptions['by'];
  /** That of the objects that requests name; undefined if they need not be of one kind. */
  primary: Kind | undefined;
  /** Has the objects of the primary kind. */
  cache: Pick<Cache, 'informer'>;
}

/** Knows which requests of one controller this process works on. */
export class ControllerShards {
  readonly #options: ControllerShardsOptions;

  constructor(options: ControllerShardsOptions) {
    this.#options = options;
  }

  /**
   * The shard of a request if this process owns it; undefined if it does not.
   * @param causes why the request was queued.
   */
  shard(request: Request, causes: readonly Cause[]): Shard | undefined {
    const number = this.#numberOf(request, causes);
    return number === undefined ? undefined : this.#options.member.shard(number);
  }

  /**
   * Calls back when this process owns more shards.
   * @param listener receives a test of the requests that are in one of them.
   * @returns a function that ends that.
   */
  onGain(listener: (isGained: (request: Request) => boolean) => void): () => void {
    return this.#options.member.onGain((shards) =>
      listener((request) => shards.has(this.#numberOf(request, []) ?? -1)),
    );
  }

  /** Undefined if another replica may have the object, so this one cannot know its UID. */
  #numberOf(request: Request, causes: readonly Cause[]): number | undefined {
    const { cluster, name, namespace } = request;
    const { by } = this.#options;
    // Equal names in different clusters are different objects, and the cache has only those of the own cluster.
    if (cluster !== undefined)
      return shardOf(by === 'namespace' ? `${cluster}//${namespace ?? name}` : requestKey(request));
    if (by === 'namespace') return shardOf(namespace ?? name);
    const uid = this.#uidOf(request, causes);
    if (uid !== undefined) return shardOfUid(uid);
    // Without an object, all members agree on its name. In a part of all objects, many are not there that do exist.
    return this.#isDivided ? undefined : shardOf(keyText(request));
  }

  get #isDivided(): boolean {
    const { primary, cache } = this.#options;
    return primary !== undefined && cache.informer(primary).ownership !== undefined;
  }

  /** An object that is gone belongs to its last owner, as long as an event that names its UID is known. */
  #uidOf(request: ObjectKey, causes: readonly Cause[]): string | undefined {
    const { primary, cache } = this.#options;
    if (!primary) return undefined;
    const found = cache.informer(primary).get(request)?.metadata.uid;
    if (found !== undefined) return found;
    const named = causes.map((cause) => ('object' in cause ? uidIn(cause, primary, request) : undefined));
    return named.findLast((uid) => uid !== undefined);
  }
}

/** The UID of the requested object, if the cause is about it or about an object that it owns. */
function uidIn({ kind, object }: ObjectCause, primary: Kind, request: ObjectKey): string | undefined {
  const { uid, ownerReferences = [] } = object.metadata;
  if (kind === primary && keyText(keyOf(object)) === keyText(request)) return uid;
  return ownerReferences.find(
    (owner) =>
      owner.name === request.name &&
      owner.kind === primary.kind &&
      groupOf(owner.apiVersion) === primary.group,
  )?.uid;
}
