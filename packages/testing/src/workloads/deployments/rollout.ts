import { isDeepStrictEqual } from 'node:util';
import { type Client, isNotFound } from 'ots-runtime';
import { Deployment, ReplicaSet } from 'ots-kubernetes/apps/v1';
import type { EventSink } from '../event-sink.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { type Said, withCondition } from './conditions.ts';
import type { Status } from './deployment-status.ts';
import { type CachedDeployment, type CachedReplicaSet, byAge, replicasOf } from './replica-set-list.ts';
import { revisionAnnotation, revisionOf, sizeAnnotations } from './revisions.ts';

/** What one reconcile of a Deployment works with. */
export class Rollout {
  readonly context: WorkloadContext;
  readonly client: Client;
  readonly events: EventSink;
  /** As it was written last. */
  deployment: CachedDeployment;

  constructor(
    { context, client, events }: Pick<Rollout, 'context' | 'client' | 'events'>,
    deployment: CachedDeployment,
  ) {
    this.context = context;
    this.client = client;
    this.events = events;
    this.deployment = deployment;
  }

  /** In milliseconds since 1970. */
  get now(): number {
    return this.context.clock.epoch();
  }

  /** Writes the status and the annotations of the Deployment if they change. @returns whether they do */
  async write(status: Status, revision?: string): Promise<boolean> {
    const { metadata } = this.deployment;
    const annotations = {
      ...metadata.annotations,
      ...(revision !== undefined && { [revisionAnnotation]: revision }),
    };
    const isSame =
      isDeepStrictEqual(this.deployment.status ?? {}, status) &&
      isDeepStrictEqual(metadata.annotations ?? {}, annotations);
    if (isSame) return false;
    const changed = { ...this.deployment, metadata: { ...metadata, annotations }, status };
    this.deployment = await this.client.status.update(Deployment, changed);
    return true;
  }

  /** The status of the Deployment with another condition. */
  statusWith(said: Said): Status {
    const { status } = this.deployment;
    return { ...status, conditions: withCondition(status?.conditions ?? [], said, this.now) };
  }

  /** Sets the size of a ReplicaSet. @returns the ReplicaSet as it is stored then */
  async scale(set: CachedReplicaSet, replicas: number): Promise<CachedReplicaSet> {
    const before = replicasOf(set);
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.deployment) };
    if (before === replicas && isDeepStrictEqual(set.metadata.annotations, annotations)) return set;
    const scaled = await this.client.update(ReplicaSet, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec!, replicas },
    });
    if (before !== replicas) this.#recordScaling(set, before, replicas);
    return scaled;
  }

  /** Deletes the oldest ReplicaSets that are beyond the limit of the history and have no pods. */
  async cleanUp(old: readonly CachedReplicaSet[]): Promise<void> {
    const limit = this.deployment.spec?.revisionHistoryLimit;
    if (limit === undefined) return;
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const excess = alive.toSorted(byRevision).slice(0, Math.max(0, alive.length - limit));
    for (const { metadata, spec, status } of excess) {
      const { name = '', namespace, generation = 0 } = metadata;
      const isIdle = !status?.replicas && !spec?.replicas && generation <= (status?.observedGeneration ?? 0);
      if (!isIdle) continue;
      try {
        await this.client.delete(ReplicaSet, { name, namespace });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  #recordScaling({ metadata }: CachedReplicaSet, before: number, after: number): void {
    const direction = before < after ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${metadata.name} from ${before} to ${after}`;
    this.events.record(this.deployment, 'Normal', 'ScalingReplicaSet', message);
  }
}

function byRevision(a: CachedReplicaSet, b: CachedReplicaSet): number {
  const [revisionOfA, revisionOfB] = [revisionOf(a), revisionOf(b)];
  if (revisionOfA === undefined || revisionOfB === undefined) return byAge(a, b);
  if (revisionOfA === revisionOfB) return byAge(a, b);
  return revisionOfA < revisionOfB ? -1 : 1;
}
