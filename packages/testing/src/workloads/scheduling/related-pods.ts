import { type LabelMatcher, labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { ReplicaSet, StatefulSet } from 'ots-kubernetes/apps/v1';
import { Service } from 'ots-kubernetes/core/v1';
import { type Cache, controllerOf } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';

/** The pods that belong together with a pod: its Services and its controller select them. @returns undefined if nothing selects the pod */
export function relatedPods(pod: CachedPod, cache: Cache): LabelMatcher | undefined {
  const { namespace, labels = {} } = pod.metadata;
  const { kind, name = '' } = controllerOf(pod) ?? {};
  const key = { name, namespace };
  const controller =
    kind === 'ReplicaSet'
      ? cache.get(ReplicaSet, key)
      : kind === 'StatefulSet'
        ? cache.get(StatefulSet, key)
        : undefined;
  const ofServices = cache
    .list(Service, { namespace })
    .map(({ spec }) => Object.entries(spec?.selector ?? {}))
    .filter((pairs) => pairs.length > 0 && pairs.every(([label, value]) => labels[label] === value))
    .flat()
    .map(([label, value]) => ({ key: label, operator: 'In', values: [value] }) as const);
  const requirements = [...ofServices, ...selectorRequirements(controller?.spec?.selector ?? {})];
  return requirements.length > 0 ? labelMatcher(requirements) : undefined;
}
