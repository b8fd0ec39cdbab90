import { RoleBinding } from 'ots-kubernetes/rbac/v1';
import { type Cache, ControllerBuilder, type DeepReadonly, type Request } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { retryRefusals } from '../../../workloads/retry-refusals.ts';
import { InstallPlan, OperatorGroup } from '../kinds.ts';
import type { V0Context } from '../v0-context.ts';
import { InstallPlanReconciler } from './install-plan-reconciler.ts';

/** Executes InstallPlans. */
export function addInstallPlanController(context: V0Context): void {
  const { manager, clock, cache } = context;
  const beside = ({ metadata }: DeepReadonly<KubernetesObject>) => plansIn(cache, metadata.namespace);
  new ControllerBuilder(manager)
    .for(InstallPlan)
    .watches(OperatorGroup, beside)
    // A plan may wait for rights.
    .watchesMetadata(RoleBinding, beside)
    .complete(retryRefusals(new InstallPlanReconciler(context), clock));
}

function plansIn(cache: Cache, namespace: string | undefined): Request[] {
  return cache
    .list(InstallPlan, { namespace })
    .filter(({ status }) => status?.phase === 'Installing')
    .map(({ metadata }) => ({ name: metadata.name!, namespace }));
}
