import type { ComponentUser } from '../../workloads/nodes/node-context.ts';

/** The namespace of OLM, whose catalogs are there for all namespaces. */
export const olmNamespace = 'olm';

/** Both programs of OLM v0 act as this ServiceAccount. */
export const olmUser: ComponentUser = {
  user: 'system:serviceaccount:olm:olm-operator-serviceaccount',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:olm'],
  fieldOwner: 'olm',
};

/** The source of the events of OLM v0. */
export const eventSource = { component: 'operator-lifecycle-manager' };

/** The label of everything that OLM creates. */
export const managed = { 'olm.managed': 'true' };

/** The annotation of a Subscription that an InstallPlan has created: the name of the plan. */
export const generatedBy = 'olm.generated-by';
