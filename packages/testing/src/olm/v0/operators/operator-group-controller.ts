import { isDeepStrictEqual } from 'node:util';
import { Namespace, ServiceAccount } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type Reconciler,
  type Request,
  setCondition,
  removeCondition,
} from 'ots-runtime';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { labelSelectorMatcher } from '../../../workloads/pods/label-selector-matcher.ts';
import { retryRefusals } from '../../../workloads/retry-refusals.ts';
import { OperatorGroup } from '../kinds.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';

/** Says which namespaces OperatorGroups select. */
export function addOperatorGroupController(context: V0Context): void {
  const { manager, clock, cache } = context;
  const all = (namespace?: string): Request[] =>
    cache
      .list(OperatorGroup, { namespace })
      .map(({ metadata }) => ({ name: metadata.name!, namespace: metadata.namespace }));
  new ControllerBuilder(manager)
    .for(OperatorGroup)
    .watches(OperatorGroup, ({ metadata }) => all(metadata.namespace))
    .watches(Namespace, () => all())
    .watchesMetadata(ServiceAccount, ({ metadata }) => all(metadata.namespace))
    .complete(retryRefusals(new OperatorGroupReconciler(context), clock));
}

class OperatorGroupReconciler implements Reconciler {
  readonly #context: V0Context;

  constructor(context: V0Context) {
    this.#context = context;
  }

  async reconcile({ name, namespace }: Request): Promise<void> {
    const { cache, client, live, now, clock } = this.#context;
    const group = cache.get(OperatorGroup, { name, namespace });
    if (!group) return;
    const status = group.status ? thawed(group.status) : { lastUpdated: now() };
    const namespaces = this.#targets(group);
    if (!isDeepStrictEqual(status.namespaces, namespaces)) status.lastUpdated = now();
    status.namespaces = namespaces;
    const account = group.spec?.serviceAccountName;
    const found = account && (await live.get(ServiceAccount, { namespace, name: account }));
    if (found) {
      const uid = found.metadata.uid!;
      status.serviceAccountRef = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        name: account,
        namespace: namespace!,
        uid,
      };
    } else delete status.serviceAccountRef;
    const time = new Date(clock.epoch());
    const conditions =
      cache.list(OperatorGroup, { namespace }).length > 1
        ? setCondition(status.conditions, multiple, time)
        : removeCondition(status.conditions, multiple.type);
    if (conditions.length > 0) status.conditions = conditions;
    else delete status.conditions;
    if (isDeepStrictEqual(group.status, status)) return;
    await client.status.update(OperatorGroup, { ...thawed(group), status });
  }

  /** The empty name is all namespaces. */
  #targets({ spec, metadata }: DeepReadonly<OperatorGroup>): string[] {
    const { cache } = this.#context;
    const { targetNamespaces = [], selector } = spec ?? {};
    if (targetNamespaces.length > 0) return targetNamespaces.toSorted();
    if (!selector || (!selector.matchLabels && !selector.matchExpressions)) return [''];
    const selects = labelSelectorMatcher(selector as LabelSelector);
    const selected = cache.list(Namespace).filter((each) => selects(each.metadata.labels));
    return selected.map((each) => each.metadata.name ?? metadata.namespace!).toSorted();
  }
}

const multiple = {
  type: 'MultipleOperatorGroup',
  status: 'True',
  reason: 'MultipleOperatorGroupsFound',
  message: 'Multiple OperatorGroup found in the same namespace',
} as const;
