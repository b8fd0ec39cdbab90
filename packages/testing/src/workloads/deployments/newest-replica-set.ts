import { isDeepStrictEqual } from 'node:util';
import { controllerReference, isAlreadyExists, isApiError, isControlledBy } from 'ots-runtime';
import { ReplicaSet } from 'ots-kubernetes/apps/v1';
import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { podTemplateHash } from '../pods/pod-template-hash.ts';
import { type Sets, hasDeadline } from './deployment-status.ts';
import { desiredReplicas, maxReplicas } from './limits.ts';
import {
  type CachedDeployment,
  type CachedReplicaSet,
  byAge,
  hashLabel,
  isSameTemplate,
  replicasOf,
  sumReplicas,
} from './replica-set-list.ts';
import { maxRevision, newestAnnotations, revisionAnnotation, sizeAnnotations } from './revisions.ts';
import type { Rollout } from './rollout.ts';

/** Finds the ReplicaSet with the template of a Deployment, brings its revision up to date, and writes that to the Deployment. */
export async function findNewest(rollout: Rollout, all: readonly CachedReplicaSet[]): Promise<Sets> {
  const { template } = rollout.deployment.spec ?? {};
  const newest = all.toSorted(byAge).find(({ spec }) => isSameTemplate(spec?.template, template));
  const old = all.filter((set) => set !== newest);
  return { newest: newest && (await refresh(rollout, newest, maxRevision(old) + 1n)), old };
}

/** As {@link findNewest}, and creates the ReplicaSet if it does not exist. */
export async function ensureNewest(
  rollout: Rollout,
  all: readonly CachedReplicaSet[],
): Promise<Sets & { newest: CachedReplicaSet }> {
  const { newest, old } = await findNewest(rollout, all);
  return { newest: newest ?? (await create(rollout, old)), old };
}

/** How many pods the newest ReplicaSet shall have: as many as there is room for. */
export function newestReplicas(
  deployment: CachedDeployment,
  all: readonly CachedReplicaSet[],
  current: number,
): number {
  const desired = desiredReplicas(deployment);
  if (deployment.spec?.strategy?.type === 'Recreate') return desired;
  const room = maxReplicas(deployment) - sumReplicas(all);
  return room <= 0 ? current : current + Math.min(room, desired - current);
}

async function refresh(
  rollout: Rollout,
  newest: CachedReplicaSet,
  revision: bigint,
): Promise<CachedReplicaSet> {
  const { deployment } = rollout;
  const annotations = newestAnnotations(deployment, newest.metadata.annotations, revision);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const isCurrent =
    isDeepStrictEqual(newest.metadata.annotations ?? {}, annotations) &&
    (newest.spec?.minReadySeconds ?? 0) === minReadySeconds;
  if (!isCurrent) {
    const metadata = { ...newest.metadata, annotations };
    return rollout.client.update(ReplicaSet, {
      ...newest,
      metadata,
      spec: { ...newest.spec!, minReadySeconds },
    });
  }
  await rollout.write(statusWithProgress(rollout, newest), annotations[revisionAnnotation]);
  return newest;
}

/** A Deployment that begins to care about progress counts from now. */
function statusWithProgress(rollout: Rollout, { metadata: { name } }: CachedReplicaSet) {
  const { deployment } = rollout;
  const isKnown = deployment.status?.conditions?.some(({ type }) => type === 'Progressing');
  if (!hasDeadline(deployment) || isKnown) return deployment.status ?? {};
  const message = `Found new replica set "${name}"`;
  return rollout.statusWith({ type: 'Progressing', status: 'True', reason: 'FoundNewReplicaSet', message });
}

async function create(rollout: Rollout, old: readonly CachedReplicaSet[]): Promise<CachedReplicaSet> {
  const { deployment, events } = rollout;
  const revision = maxRevision(old) + 1n;
  const wanted = replicaSetOf(deployment, old, revision);
  const { name } = wanted.metadata;
  let created: CachedReplicaSet;
  try {
    created = await rollout.client.create(ReplicaSet, wanted);
  } catch (error) {
    if (isAlreadyExists(error)) return collide(rollout, wanted, revision, error);
    if (isApiError(error) && !isNamespaceTerminating(error)) await fail(rollout, wanted, error);
    throw error;
  }
  const replicas = replicasOf(created);
  if (replicas > 0) {
    const message = `Scaled up replica set ${name} from 0 to ${replicas}`;
    events.record(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  const message = `Created new replica set "${name}"`;
  const status = hasDeadline(deployment)
    ? rollout.statusWith({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message })
    : (deployment.status ?? {});
  await rollout.write(status, `${revision}`);
  return created;
}

function replicaSetOf(
  deployment: CachedDeployment,
  old: readonly CachedReplicaSet[],
  revision: bigint,
): CachedReplicaSet {
  const { metadata, spec, status } = deployment;
  const { name = '', namespace } = metadata;
  const template = spec?.template ?? {};
  const hash = podTemplateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name.slice(0, maxDnsSubdomainLength - hash.length - 1)}-${hash}`,
      ...(namespace !== undefined && { namespace }),
      ownerReferences: [controllerReference(deployment)],
      labels,
      annotations: { ...newestAnnotations(deployment, {}, revision), ...sizeAnnotations(deployment) },
    },
    spec: {
      replicas: newestReplicas(deployment, old, 0),
      minReadySeconds: spec?.minReadySeconds ?? 0,
      selector: { ...spec?.selector, matchLabels: { ...spec?.selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** Something has the name already: a ReplicaSet that the cache did not show, or another one with the same hash. */
async function collide(
  rollout: Rollout,
  { metadata: { name = '', namespace } }: CachedReplicaSet,
  revision: bigint,
  error: Error,
): Promise<CachedReplicaSet> {
  const { deployment, context } = rollout;
  const existing = context.manager.cache.get(ReplicaSet, { name, namespace });
  if (existing && isControlledBy(existing, deployment)) {
    if (isSameTemplate(existing.spec?.template, deployment.spec?.template)) {
      await rollout.write(deployment.status ?? {}, `${revision}`);
      return existing;
    }
  }
  const { status } = deployment;
  if (existing) await rollout.write({ ...status, collisionCount: (status?.collisionCount ?? 0) + 1 });
  throw error;
}

async function fail(rollout: Rollout, { metadata: { name } }: CachedReplicaSet, error: Error): Promise<void> {
  const { deployment } = rollout;
  const reason = 'ReplicaSetCreateError';
  const message = `Failed to create new replica set "${name}": ${error.message}`;
  rollout.events.record(deployment, 'Warning', reason, message);
  if (hasDeadline(deployment))
    await rollout.write(rollout.statusWith({ type: 'Progressing', status: 'False', reason, message }));
}
