import { claimEvaluator } from './claim-evaluator.ts';
import { countEvaluator } from './count-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

const special = new Map<string, Evaluator>([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
]);
/** Quotas never count these. */
const ignored = new Set(['', 'events.k8s.io']);

/** The evaluator of a resource; undefined where quotas count nothing. */
export function evaluatorOf({ group, plural }: { group: string; plural: string }): Evaluator | undefined {
  if (plural === 'events' && ignored.has(group)) return undefined;
  return (group === '' ? special.get(plural) : undefined) ?? countEvaluator(group, plural);
}
