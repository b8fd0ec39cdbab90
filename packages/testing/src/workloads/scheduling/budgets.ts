import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import type { Cache } from 'ots-runtime';
import type { PlacedPod } from './cluster-state.ts';

/** The pods whose removal, in their order, PodDisruptionBudgets do not allow. A preemption may violate budgets, but avoids that. */
export function violatingPods(pods: readonly PlacedPod[], cache: Cache): Set<PlacedPod> {
  const budgets = cache.list(PodDisruptionBudget).flatMap(({ metadata, spec, status }) => {
    const requirements = selectorRequirements(spec?.selector ?? {});
    if (requirements.length === 0) return [];
    const { disruptionsAllowed = 0, disruptedPods = {} } = status ?? {};
    const { namespace } = metadata;
    return [{ namespace, disruptedPods, selects: labelMatcher(requirements), left: disruptionsAllowed }];
  });
  return new Set(
    pods.filter(({ pod: { metadata } }) => {
      let isViolating = false;
      for (const budget of budgets) {
        if (budget.namespace !== metadata.namespace || !budget.selects(metadata.labels)) continue;
        if (Object.hasOwn(budget.disruptedPods, metadata.name!)) continue;
        budget.left -= 1;
        if (budget.left < 0) isViolating = true;
      }
      return isViolating;
    }),
  );
}
