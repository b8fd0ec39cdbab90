import type { IntOrString } from 'ots-kubernetes';
import type { CachedDeployment } from './replica-set-list.ts';

/** A number, or a percentage of a total. */
export function scaledValue(value: IntOrString, total: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * total) / 100);
}

/** How many pods a Deployment may have beyond those that it asks for. */
function maxSurge(deployment: CachedDeployment): number {
  return fenceposts(deployment).surge;
}

/** How many of the pods that a Deployment asks for need not be available. */
export function maxUnavailable(deployment: CachedDeployment): number {
  return Math.min(fenceposts(deployment).unavailable, desiredReplicas(deployment));
}

/** How many pods a Deployment asks for. */
export function desiredReplicas({ spec }: CachedDeployment): number {
  return spec?.replicas ?? 1;
}

/** How many pods a Deployment may have during a rollout. */
export function maxReplicas(deployment: CachedDeployment): number {
  return desiredReplicas(deployment) + maxSurge(deployment);
}

/** If both are rounded to zero, nothing could move: then one pod may be unavailable. */
function fenceposts(deployment: CachedDeployment): { surge: number; unavailable: number } {
  const { type, rollingUpdate } = deployment.spec?.strategy ?? {};
  if (type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const total = desiredReplicas(deployment);
  const surge = scaledValue(rollingUpdate?.maxSurge ?? 0, total, Math.ceil);
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable ?? 0, total, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}
