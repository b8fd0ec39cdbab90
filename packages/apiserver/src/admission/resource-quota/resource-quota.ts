import type { ResourceQuota as Quota } from 'ots-kubernetes/core/v1';
import { systemUser } from '../../authentication/user-info.ts';
import type { ApiObject } from '../../json/api-object.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { type Resource, keyOf } from '../../registry/resource.ts';
import { writeFields } from '../../registry/write-fields.ts';
import type { StoredRecord } from '../../storage/stored-record.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { type Amounts, add, formatAmounts, increase, listAmounts, parseAmounts, pick } from './amounts.ts';
import { type Evaluator, selectorsOf } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';

/** The manager of the fields that admission writes. */
const statusWrite = { user: systemUser, dryRun: false, manager: 'kube-apiserver' };

/** A quota that counts the object of a request. */
interface Matched {
  readonly record: StoredRecord;
  readonly quota: Quota;
  readonly hard: Amounts;
  readonly used: Amounts;
}

/**
 * ResourceQuota: refuses what exceeds a quota of the namespace, and charges the quotas for the rest. A quota counts once
 * the quota controller has written its status.
 */
export class ResourceQuota implements AdmissionPlugin {
  readonly name = 'ResourceQuota';
  readonly #machinery: OwnMachinery;

  constructor(machinery: OwnMachinery) {
    this.#machinery = machinery;
  }

  handles(attributes: AdmissionAttributes): boolean {
    const { target, object } = attributes;
    if (!object || target.namespace === '' || target.resource.answer) return false;
    return (
      this.#recordsIn(target.namespace).length > 0 &&
      (evaluatorOf(target.resource)?.handles(attributes) ?? false)
    );
  }

  /** @throws {StatusError} 403 when the object lacks what a quota counts, or uses more than it allows */
  validate(attributes: AdmissionAttributes): undefined {
    const { target, object } = attributes;
    const evaluator = evaluatorOf(target.resource);
    if (!object || !evaluator) return;
    const matching = this.#recordsIn(target.namespace)
      .map(matchedOf)
      .filter(({ quota, hard }) => matches(evaluator, quota, hard, object));
    for (const matched of matching) checkCountable(attributes, evaluator, matched);
    const charged = matching.flatMap((matched) => this.#charge(attributes, evaluator, matched));
    if (!attributes.dryRun && !isTaken(attributes)) for (const write of charged) write();
  }

  /** @returns what records the new usage; nothing where it stays the same */
  #charge(attributes: AdmissionAttributes, evaluator: Evaluator, matched: Matched): (() => void)[] {
    const { object, oldObject, target } = attributes;
    const { quota, hard, used, record } = matched;
    const now = this.#machinery.now();
    const wasCounted = oldObject && matches(evaluator, quota, hard, oldObject);
    const before = wasCounted ? evaluator.usageOf(oldObject, now) : new Map();
    const usage = object ? evaluator.usageOf(object, now) : new Map();
    const requested = pick(increase(usage, before), new Set(hard.keys()));
    if (requested.size === 0) return [];
    const total = add(used, requested);
    const exceeded = [...requested.keys()].filter((name) => nanosIn(total, name) > nanosIn(hard, name));
    if (exceeded.length > 0 && target.subresource !== 'status') {
      const list = (amounts: Amounts) => listAmounts(amounts, exceeded);
      throw forbid(
        attributes,
        `exceeded quota: ${quota.metadata?.name}, requested: ${list(requested)}, used: ${list(used)}, limited: ${list(hard)}`,
      );
    }
    const status = { ...quota.status, used: formatAmounts(total) };
    const written = { resource: this.#quotas, subresource: 'status' };
    return [() => writeFields(this.#machinery, written, record, { status }, statusWrite)];
  }

  get #quotas(): Resource {
    const quotas = this.#machinery.registry.find('', 'v1', 'resourcequotas');
    if (!quotas) throw new Error('the table of built-in resources lacks resourcequotas');
    return quotas;
  }

  #recordsIn(namespace: string): StoredRecord[] {
    const { table } = this.#quotas;
    return table.size === 0 ? [] : table.list(`${namespace}/`);
  }
}

function matchedOf(record: StoredRecord): Matched {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const quota = record.object as unknown as Quota;
  const { hard, used } = quota.status ?? {};
  return { record, quota, hard: parseAmounts(hard), used: parseAmounts(used) };
}

function matches(evaluator: Evaluator, quota: Quota, hard: Amounts, object: ApiObject): boolean {
  return (
    [...hard.keys()].some((name) => evaluator.tracks(name)) &&
    selectorsOf(quota).every((selector) => evaluator.isInScope(object, selector))
  );
}

function checkCountable(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  { quota: { metadata }, hard, used }: Matched,
): void {
  const tracked = [...hard.keys()].filter((name) => evaluator.tracks(name));
  const missing = attributes.object && evaluator.missing?.(attributes.object, tracked);
  if (missing !== undefined) throw forbid(attributes, `failed quota: ${metadata?.name}: ${missing}`);
  if (tracked.every((name) => used.has(name))) return;
  const names = tracked.toSorted().join(',');
  throw forbid(attributes, `status unknown for quota: ${metadata?.name}, resources: ${names}`);
}

/** Whether the name of a new object is taken, so the request fails and must not count. */
function isTaken({ operation, target: { resource, namespace }, object }: AdmissionAttributes): boolean {
  const key = keyOf(resource, namespace, object?.metadata.name ?? '');
  return operation === 'CREATE' && resource.table.get(key) !== undefined;
}

function nanosIn(amounts: Amounts, name: string): bigint {
  return amounts.get(name)?.nanos ?? 0n;
}
