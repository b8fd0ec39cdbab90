import type { DeepReadonly } from 'ots-runtime';
import type {
  CatalogSource,
  InstallPlan,
  Subscription,
  SubscriptionCondition,
  SubscriptionStatus,
} from '../kinds.ts';

/** Sets a condition. @returns whether it was different */
export function setSubscriptionCondition(
  status: SubscriptionStatus,
  condition: SubscriptionCondition,
): boolean {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  const isSame =
    before?.status === condition.status &&
    (before.reason ?? '') === (condition.reason ?? '') &&
    (before.message ?? '') === (condition.message ?? '');
  if (isSame) return false;
  if (index === -1) conditions.push(condition);
  else conditions[index] = condition;
  return true;
}

/** Removes conditions. @returns whether one was there */
export function removeSubscriptionConditions(
  status: SubscriptionStatus,
  ...types: readonly string[]
): boolean {
  const kept = (status.conditions ?? []).filter(({ type }) => !types.includes(type));
  const isChanged = kept.length !== (status.conditions ?? []).length;
  status.conditions = kept;
  return isChanged;
}

/**
 * Notes which catalogs are healthy: that means that what serves them exists, not that it answers.
 *
 * @param catalogs those that the namespace sees
 */
export function noteCatalogHealth(
  { spec }: DeepReadonly<Subscription>,
  status: SubscriptionStatus,
  catalogs: readonly { readonly source: DeepReadonly<CatalogSource>; readonly healthy: boolean }[],
  now: string,
): void {
  const before = status.catalogHealth ?? [];
  const health = catalogs.map(({ source, healthy }) => ({
    catalogSourceRef: {
      apiVersion: source.apiVersion,
      kind: source.kind,
      name: source.metadata.name!,
      namespace: source.metadata.namespace!,
      uid: source.metadata.uid!,
    },
    healthy,
    lastUpdated: now,
  }));
  const targeted = catalogs.find(
    ({ source: { metadata } }) =>
      metadata.name === spec.source && metadata.namespace === spec.sourceNamespace,
  );
  const subject = `targeted catalogsource ${spec.sourceNamespace}/${spec.source}`;
  const isHealthy = targeted !== undefined && catalogs.every(({ healthy }) => healthy);
  const changes = health.some(
    (each, index) =>
      before[index]?.catalogSourceRef.uid !== each.catalogSourceRef.uid ||
      before[index]?.healthy !== each.healthy,
  );
  const problem = !targeted ? `${subject} missing` : targeted.healthy ? '' : `${subject} unhealthy`;
  const base = isHealthy
    ? ({
        status: 'False',
        reason: 'AllCatalogSourcesHealthy',
        message: 'all available catalogsources are healthy',
      } as const)
    : ({ status: 'True', reason: 'UnhealthyCatalogSourceFound', message: problem } as const);
  const condition = {
    type: 'CatalogSourcesUnhealthy',
    ...base,
    ...(health.length === 0 && {
      reason: 'NoCatalogSourcesFound',
      message: 'dependency resolution requires at least one catalogsource',
    }),
    lastTransitionTime: now,
  };
  if (!setSubscriptionCondition(status, condition) && !changes && health.length === before.length) return;
  status.catalogHealth = health;
  status.lastUpdated = now;
}

/** Notes how far the InstallPlan is that a Subscription refers to. */
export function noteInstallPlan(
  status: SubscriptionStatus,
  plan: DeepReadonly<InstallPlan> | undefined,
  now: string,
): void {
  if (!status.installPlanRef) return;
  const stale = ['InstallPlanMissing', 'InstallPlanPending', 'InstallPlanFailed'];
  const condition = installPlanCondition(plan, now);
  const removed = removeSubscriptionConditions(status, ...stale.filter((type) => type !== condition?.type));
  const set = condition !== undefined && setSubscriptionCondition(status, condition);
  if (removed || set) status.lastUpdated = now;
}

function installPlanCondition(
  plan: DeepReadonly<InstallPlan> | undefined,
  now: string,
): SubscriptionCondition | undefined {
  const always = { status: 'True', lastTransitionTime: now } as const;
  if (!plan) return { type: 'InstallPlanMissing', reason: 'ReferencedInstallPlanNotFound', ...always };
  const { phase = '', conditions = [] } = plan.status ?? {};
  const installed = conditions.find(({ type }) => type === 'Installed');
  const message = installed?.message ?? '';
  if (phase === 'Complete') return undefined;
  if (phase === 'Failed')
    return {
      type: 'InstallPlanFailed',
      reason: installed?.reason ?? 'InstallPlanFailed',
      message,
      ...always,
    };
  return { type: 'InstallPlanPending', reason: phase || 'InstallPlanNotYetReconciled', message, ...always };
}
