import type { PriorityClass } from 'ots-kubernetes/scheduling/v1';
import { forbidden as forbiddenObject } from '../../status/errors.ts';
import { type FieldError, forbidden, notSupported, required } from '../../status/field-error.ts';
import type { Table } from '../../storage/table.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../registry/built-in-strategy.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';

const maxUserPriority = 1_000_000_000;
const policies: readonly unknown[] = ['PreemptLowerPriority', 'Never'];
const systemValues = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** PriorityClasses: named priorities of pods. One of them may be the default. */
export class PriorityClassStrategy extends BuiltInStrategy {
  readonly #table: Table;

  constructor(traits: BuiltInTraits, table: Table) {
    super(traits);
    this.#table = table;
  }

  override setDefaults(object: BuiltInObject<PriorityClass>): void {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  }

  override prepareForCreate(object: BuiltInObject<PriorityClass>): void {
    super.prepareForCreate(object);
    object.metadata.generation = 1;
  }

  override validate(object: BuiltInObject<PriorityClass>): FieldError[] {
    const errors = [...validateName(object), ...validatePolicy(object)];
    if (errors.length === 0) this.#checkDefault(object);
    return errors;
  }

  override validateUpdate(
    object: BuiltInObject<PriorityClass>,
    old: BuiltInObject<PriorityClass>,
  ): FieldError[] {
    const errors = [
      ...(object.value === old.value ? [] : [forbidden('value', 'may not be changed in an update.')]),
      ...validateImmutable('preemptionPolicy', object.preemptionPolicy, old.preemptionPolicy),
    ];
    if (errors.length === 0) this.#checkDefault(object);
    return errors;
  }

  /** @throws {StatusError} 403 when another class is the default */
  #checkDefault({ metadata, globalDefault }: BuiltInObject<PriorityClass>): void {
    const other = globalDefault
      ? this.#table
          .list()
          .find(({ key, object }) => key !== metadata.name && object['globalDefault'] === true)
      : undefined;
    if (!other) return;
    const detail = `PriorityClass ${other.key} is already marked as default. Only one default can exist`;
    const resource = { group: 'scheduling.k8s.io', name: 'priorityclasses' };
    throw forbiddenObject(resource, metadata.name ?? '', detail);
  }
}

function validateName({
  metadata,
  value = 0,
  globalDefault = false,
}: BuiltInObject<PriorityClass>): FieldError[] {
  const { name = '' } = metadata;
  if (!name.startsWith('system-')) {
    return value > maxUserPriority
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${maxUserPriority}`)]
      : [];
  }
  const fault = systemFault(name, value, globalDefault);
  return fault === undefined
    ? []
    : [
        forbidden(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${fault}`,
        ),
      ];
}

function systemFault(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = systemValues.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePolicy({ preemptionPolicy }: PriorityClass): FieldError[] {
  if (policies.includes(preemptionPolicy)) return [];
  return (preemptionPolicy as string) === ''
    ? [required('preemptionPolicy')]
    : [notSupported('preemptionPolicy', preemptionPolicy, policies)];
}
