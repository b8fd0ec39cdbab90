import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from 'ots-kubernetes/policy/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { validateChoice } from '../validation/validate-choice.ts';
import { validateConditions } from '../validation/validate-conditions.ts';
import { type SelectorTolerance, validateLabelSelector } from '../validation/validate-label-selector.ts';
import { validateIntOrShare } from './int-or-percent.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { validateCounts } from './validate-replica-status.ts';

/** PodDisruptionBudgets. */
export class PodDisruptionBudgetStrategy extends BuiltInStrategy {
  override validate({ spec }: Specified<PodDisruptionBudget>): FieldError[] {
    return validateBudget(spec);
  }

  override validateUpdate(
    { spec }: Specified<PodDisruptionBudget>,
    { spec: { selector: old } }: Specified<PodDisruptionBudget>,
  ): FieldError[] {
    const invalidValues = old !== undefined && validateLabelSelector(old, '').length > 0;
    return validateBudget(spec, { invalidValues });
  }

  override validateStatusUpdate({ status }: Specified<PodDisruptionBudget>): FieldError[] {
    return [
      ...validateConditions(status?.conditions ?? [], 'status.conditions'),
      ...validateCounts(status ?? {}, [
        'disruptionsAllowed',
        'currentHealthy',
        'desiredHealthy',
        'expectedPods',
      ]),
    ];
  }
}

function validateBudget(spec: PodDisruptionBudgetSpec, tolerance?: SelectorTolerance): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(hasBoth
      ? [invalid('spec', showBudget(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...(['minAvailable', 'maxUnavailable'] as const).flatMap((name) =>
      spec[name] === undefined ? [] : validateIntOrShare(spec[name], `spec.${name}`),
    ),
    ...(selector ? validateLabelSelector(selector, 'spec.selector', tolerance) : []),
    ...(policy === undefined
      ? []
      : validateChoice('spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget'])),
  ];
}

/** In Go's internal notation. */
function showBudget(spec: PodDisruptionBudgetSpec): unknown {
  return {
    MinAvailable: spec.minAvailable ?? null,
    Selector: spec.selector ? showSelector(spec.selector) : null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
}
