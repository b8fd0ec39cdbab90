import type { PodSchedulingGate, Toleration, TopologySpreadConstraint } from 'ots-kubernetes/core/v1';
import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { validatePositive } from '../../validation/validate-number.ts';
import { validateLabelKeys } from './validate-affinity.ts';

/** Validates tolerations. */
export function validateTolerations(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${path}[${index}]`));
}

function validateToleration(toleration: Toleration, path: string): FieldError[] {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
  return [
    ...(key === '' ? [] : errorsOfRule(`${path}.key`, key, qualifiedName)),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalid(
            `${path}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...validateTolerated(toleration, `${path}.operator`),
    ...(effect === ''
      ? []
      : validateChoice(`${path}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
  ];
}

function validateTolerated({ operator, value = '' }: Toleration, field: string): FieldError[] {
  // From a client's object, so it may be empty.
  const name: string = operator ?? '';
  switch (name) {
    case 'Equal':
    case '': {
      const messages = labelValue(value);
      return messages.length === 0 ? [] : [invalid(field, value, messages.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
    case 'Gt':
    case 'Lt':
      return [notSupported(field, name, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, name, ['Equal', 'Exists'])];
  }
}

/** Validates scheduling gates. */
export function validateSchedulingGates(gates: readonly PodSchedulingGate[], path: string): FieldError[] {
  return gates.flatMap(({ name }, index) => [
    ...errorsOfRule(`${path}[${index}]`, name, qualifiedName),
    ...(gates.slice(0, index).some((other) => other.name === name)
      ? [duplicate(`${path}[${index}]`, name)]
      : []),
  ]);
}

/** Validates topology spread constraints. */
export function validateSpread(constraints: readonly TopologySpreadConstraint[], path: string): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const { topologyKey, whenUnsatisfiable } = constraint;
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    const field = `${path}[${index}].{topologyKey, whenUnsatisfiable}`;
    return [
      ...validateConstraint(constraint, `${path}[${index}]`),
      ...(isRepeated ? [duplicate(field, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
    ];
  });
}

function validateConstraint(constraint: TopologySpreadConstraint, path: string): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = constraint;
  const policies = ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const;
  return [
    ...validatePositive(`${path}.maxSkew`, maxSkew),
    ...(topologyKey ? [] : [required(`${path}.topologyKey`, 'can not be empty')]),
    ...validateChoice(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
    ...validateMinDomains(constraint, `${path}.minDomains`),
    ...policies.flatMap((name) =>
      constraint[name] === undefined
        ? []
        : validateChoice(`${path}.${name}`, constraint[name], ['Honor', 'Ignore']),
    ),
    ...validateLabelKeys(constraint, path),
    ...(labelSelector ? validateLabelSelector(labelSelector, `${path}.labelSelector`) : []),
  ];
}

function validateMinDomains(
  { minDomains, whenUnsatisfiable }: TopologySpreadConstraint,
  field: string,
): FieldError[] {
  if (minDomains === undefined) return [];
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  return [
    ...validatePositive(field, minDomains),
    ...(whenUnsatisfiable === 'DoNotSchedule' ? [] : [invalid(field, minDomains, detail)]),
  ];
}
