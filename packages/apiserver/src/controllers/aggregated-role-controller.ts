import type { ClusterRole, PolicyRule } from 'ots-kubernetes/rbac/v1';
import { labelSelectorOf } from '../built-in/validation/label-selector-of.ts';
import { cloneJson } from '../json/clone-json.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { WorkQueue } from './work-queue.ts';
import { writeObject } from './write-object.ts';

/** Fills in the rules of ClusterRoles with an `aggregationRule`: those of the roles that it selects, by name. */
export class AggregatedRoleController {
  readonly #machinery: Machinery;
  readonly #roles: Resource;
  readonly #queue: WorkQueue<void>;
  readonly #unsubscribe: () => void;

  /** @param roles the resource of the ClusterRoles */
  constructor(machinery: Machinery, roles: Resource) {
    this.#machinery = machinery;
    this.#queue = new WorkQueue(machinery.clock, () => this.#sync());
    this.#roles = roles;
    this.#unsubscribe = roles.table.subscribers.add('', () => this.#queue.add('', undefined));
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  /** Roles may select roles that are aggregated, too. Rules only add up, so this ends. */
  #sync(): void {
    let hasChanged = true;
    while (hasChanged) hasChanged = this.#syncAll();
  }

  /** @returns whether a role changed */
  #syncAll(): boolean {
    let hasChanged = false;
    const records = this.#roles.table.list();
    for (const record of records) {
      const { aggregationRule, rules } = roleOf(record);
      if (!aggregationRule) continue;
      const aggregated = aggregate(record, aggregationRule.clusterRoleSelectors ?? [], records);
      if (areEqual(rules ?? [], aggregated)) continue;
      writeObject(this.#machinery, this.#roles, record, { rules: cloneJson(aggregated) });
      hasChanged = true;
    }
    return hasChanged;
  }
}

function aggregate(
  aggregating: StoredRecord,
  selectors: NonNullable<NonNullable<ClusterRole['aggregationRule']>['clusterRoleSelectors']>,
  records: readonly StoredRecord[],
): PolicyRule[] {
  const aggregated = new Map<string, PolicyRule>();
  for (const selector of selectors) {
    const isSelected = labelSelectorOf(selector);
    for (const record of records) {
      if (record.key === aggregating.key || !isSelected?.(record.object.metadata.labels)) continue;
      for (const rule of roleOf(record).rules ?? []) {
        const text = textOf(rule);
        if (!aggregated.has(text)) aggregated.set(text, rule);
      }
    }
  }
  return [...aggregated.values()];
}

function areEqual(a: readonly PolicyRule[], b: readonly PolicyRule[]): boolean {
  return a.length === b.length && a.every((rule, index) => textOf(rule) === textOf(b[index]!));
}

/** Rules never change, and the bootstrap roles of all servers in a process share theirs. */
const texts = new WeakMap<PolicyRule, string>();

/** Equal rules have equal texts, in whatever order their fields are. */
function textOf(rule: PolicyRule): string {
  const known = texts.get(rule);
  if (known !== undefined) return known;
  const { apiGroups, resources, verbs, resourceNames, nonResourceURLs } = rule;
  const text = JSON.stringify([apiGroups, resources, verbs, resourceNames, nonResourceURLs]);
  texts.set(rule, text);
  return text;
}

function roleOf({ object }: StoredRecord): Pick<ClusterRole, 'rules' | 'aggregationRule'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored roles are decoded and valid
  return object as unknown as ClusterRole;
}
