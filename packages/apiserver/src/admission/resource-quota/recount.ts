import type { ResourceQuota } from 'ots-kubernetes/core/v1';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import { type Amounts, add, parseAmounts, pick, zero } from './amounts.ts';
import { type ScopeSelector, selectorsOf } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';

/**
 * Counts what the objects of a quota's namespace use of it.
 *
 * @returns an amount for everything that it limits and that can be counted; what it recorded before for the rest
 */
export function recount(registry: ResourceRegistry, quota: ResourceQuota, now: Date): Amounts {
  const limited = Object.keys(quota.spec?.hard ?? {});
  const { namespace = '' } = quota.metadata ?? {};
  const selectors = selectorsOf(quota);
  let used = parseAmounts(quota.status?.used);
  for (const resource of countable(registry)) {
    const tracked = limited.filter((name) => evaluatorOf(resource)?.tracks(name));
    if (tracked.length === 0) continue;
    const usage = usageIn(resource, namespace, selectors, now);
    const zeros: Amounts = new Map(tracked.map((name) => [name, zero]));
    used = new Map([...used, ...pick(add(zeros, usage), new Set(tracked))]);
  }
  return pick(used, new Set(limited));
}

/** One version of each resource whose objects belong to namespaces. */
function countable(registry: ResourceRegistry): Resource[] {
  const byTable = new Map(
    registry
      .all()
      .filter(({ scope, answer }) => scope === 'Namespaced' && !answer)
      .map((resource) => [resource.table, resource]),
  );
  return [...byTable.values()];
}

function usageIn(
  resource: Resource,
  namespace: string,
  selectors: readonly ScopeSelector[],
  now: Date,
): Amounts {
  const evaluator = evaluatorOf(resource);
  let sum: Amounts = new Map();
  for (const { object } of resource.table.list(`${namespace}/`)) {
    if (evaluator && selectors.every((selector) => evaluator.isInScope(object, selector)))
      sum = add(sum, evaluator.usageOf(object, now));
  }
  return sum;
}
