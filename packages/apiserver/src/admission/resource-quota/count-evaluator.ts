import { type Amounts, countOf } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

/** Kinds that quotas counted by their plain names before `count/…` existed. */
const oldNames = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** The name under which a quota counts all objects of a resource: `count/deployments.apps`. */
function countName(group: string, plural: string): string {
  return `count/${plural}${group === '' ? '' : `.${group}`}`;
}

/** Counts the objects of a resource. */
export function countEvaluator(group: string, plural: string): Evaluator {
  const names = [countName(group, plural), ...(group === '' && oldNames.has(plural) ? [plural] : [])];
  const usage: Amounts = new Map(names.map((name) => [name, countOf(1)]));
  return {
    tracks: (name) => names.includes(name),
    handles: ({ operation, target }) => operation === 'CREATE' && target.subresource === '',
    isInScope: () => false,
    usageOf: () => usage,
  };
}
