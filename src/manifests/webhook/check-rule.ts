import { closestName } from 'ots-apimachinery/closest-name';
import type { ReportProblem, WebhookPath } from './report-problem.ts';
import type { WebhookRule } from './webhook-configuration.ts';

const operationNames = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];
const scopes = ['Cluster', 'Namespaced', '*'];

/** Checks which requests a rule names (validateRuleWithOperations of the API server). */
export function checkRule(rule: WebhookRule, path: WebhookPath, report: ReportProblem): void {
  for (const field of ['apiGroups', 'apiVersions', 'operations', 'resources'] as const) {
    const items = rule[field] ?? [];
    const at = [...path, field];
    if (items.length === 0) report(rule[field] ? at : path, rule[field] ? 'is empty' : `has no ${field}`);
    if (field !== 'resources' && items.length > 1 && items.includes('*'))
      report(at, 'has * and other items', '* means all of them: remove it or the others');
    for (const [index, item] of items.entries()) {
      const isValid = field === 'apiGroups' ? !/[\s/]/.test(item) : item !== '' && !/\s/.test(item);
      if (!isValid) report([...at, index], describeInvalidItem(item), itemHint(field, item));
    }
  }
  for (const [index, operation] of (rule.operations ?? []).entries()) {
    if (operationNames.includes(operation) || /^$|\s/.test(operation)) continue;
    const suggestion = closestName(operation, operationNames);
    const hint = suggestion ? `did you mean ${suggestion}?` : `it is any of ${operationNames.join(', ')}`;
    report([...path, 'operations', index], `cannot have ${operation}`, hint);
  }
  if (rule.scope !== undefined && !scopes.includes(rule.scope))
    report([...path, 'scope'], `cannot be ${rule.scope}`, `it is one of ${scopes.join(', ')}`);
  checkResources(rule.resources ?? [], [...path, 'resources'], report);
}

function describeInvalidItem(item: string): string {
  return item === '' ? 'has an empty item' : `has the item '${item}'`;
}

function itemHint(field: string, item: string): string {
  if (field === 'apiGroups' && item.includes('/')) return 'the version of a group belongs in versions';
  return 'separate items with semicolons, or write a list: [a, b]';
}

/**
 * Rejects an item that another item covers. The API server does so only for some orders of the items, ots for
 * every order.
 */
function checkResources(resources: readonly string[], path: WebhookPath, report: ReportProblem): void {
  for (const [index, item] of resources.entries()) {
    const at = [...path, index];
    const covering = itemsThatCover(item).find((broader) => resources.includes(broader));
    if (resources.indexOf(item) < index) report(at, `has ${item} twice`, 'remove one');
    else if (covering) report(at, `has ${item} beside ${covering}, which covers it`, 'remove one of them');
    else if (item !== item.toLowerCase()) {
      const hint = 'resources are plurals in lower case, like deployments';
      report(at, `has ${item}, which is not the name of a resource`, hint);
    }
  }
}

function itemsThatCover(item: string): string[] {
  const slash = item.indexOf('/');
  if (slash === -1) return item === '*' ? ['*/*'] : ['*', '*/*'];
  const broader = [`${item.slice(0, slash)}/*`, `*${item.slice(slash)}`, '*/*'];
  return broader.filter((other) => other !== item);
}
