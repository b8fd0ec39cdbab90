import type { ReportProblem, WebhookPath } from './report-problem.ts';
import type { WebhookRule } from './webhook-configuration.ts';

/**
 * Checks which requests a rule names, beyond what the API server checks: it accepts items that no request matches, and
 * some that others cover.
 */
export function checkRule(rule: WebhookRule, path: WebhookPath, report: ReportProblem): void {
  for (const field of ['apiGroups', 'apiVersions', 'operations', 'resources'] as const)
    for (const [index, item] of (rule[field] ?? []).entries()) {
      const isValid = field === 'apiGroups' ? !/[\s/]/.test(item) : item !== '' && !/\s/.test(item);
      if (!isValid) report([...path, field, index], describeInvalidItem(item), itemHint(field, item));
    }
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
