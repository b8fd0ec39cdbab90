import type {
  CrossVersionObjectReference,
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscalerSpec,
} from 'ots-kubernetes/autoscaling/v2';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { validateChoice } from '../validation/validate-choice.ts';
import { validatePositive } from '../validation/validate-number.ts';
import { validateNonNegativeQuantity } from '../validation/validate-quantity.ts';
import { apiVersionProblem, validateReference } from './validate-scaled-reference.ts';
import { validateMetric } from './validate-metric.ts';

const maxPeriodSeconds = 1800;
const maxWindowSeconds = 3600;
const path = 'spec';

/**
 * Validates the spec of an autoscaler.
 *
 * @param old the spec before an update, whose faults may stay
 */
export function validateAutoscaler(
  spec: HorizontalPodAutoscalerSpec,
  old?: HorizontalPodAutoscalerSpec,
): FieldError[] {
  const { behavior, metrics = [], scaleTargetRef: target } = spec;
  const { scaleUp, scaleDown } = behavior ?? {};
  const isOldWrong = (old?.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' && object && apiVersionProblem(object.describedObject, true) !== undefined,
  );
  return [
    ...validateReplicas(spec, old),
    ...validateReference(target, `${path}.scaleTargetRef`, targetRule(target, old?.scaleTargetRef)),
    ...metrics.flatMap((metric, index) =>
      validateMetric(metric, `${path}.metrics[${index}]`, isOldWrong ? 'any' : 'optional group'),
    ),
    ...validateZero(spec),
    ...(scaleUp ? validateRules(scaleUp, `${path}.behavior.scaleUp`) : []),
    ...(scaleDown ? validateRules(scaleDown, `${path}.behavior.scaleDown`) : []),
  ];
}

function targetRule(
  target: CrossVersionObjectReference,
  old: CrossVersionObjectReference | undefined,
): 'any' | 'optional group' | 'group' {
  if (old && old.apiVersion === target.apiVersion && old.kind === target.kind) return 'any';
  return target.kind === 'ReplicationController' ? 'optional group' : 'group';
}

function validateReplicas(
  { minReplicas, maxReplicas }: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): FieldError[] {
  const minimum = old?.minReplicas === 0 ? 0 : 1;
  const field = `${path}.maxReplicas`;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < minimum)
    errors.push(invalid(`${path}.minReplicas`, minReplicas, `must be greater than or equal to ${minimum}`));
  if (maxReplicas === 0) errors.push(required(field, 'must be set and greater than 0'));
  if (maxReplicas < 0) errors.push(invalid(field, maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalid(field, maxReplicas, 'must be greater than or equal to `minReplicas`'));
  return errors;
}

function validateZero({ minReplicas, metrics = [] }: HorizontalPodAutoscalerSpec): FieldError[] {
  const wakes = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas !== 0 || wakes) return [];
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbidden(`${path}.metrics`, detail)];
}

function validateRules(rules: HPAScalingRules, field: string): FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  return [
    ...validateWindow(window, `${field}.stabilizationWindowSeconds`),
    ...(selectPolicy === undefined
      ? []
      : validateChoice(`${field}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min'])),
    ...(policies.length === 0 ? [required(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
    ...(tolerance === undefined ? [] : validateNonNegativeQuantity(`${field}.tolerance`, tolerance)),
  ];
}

function validateWindow(window: number | undefined, field: string): FieldError[] {
  if (window === undefined || (window >= 0 && window <= maxWindowSeconds)) return [];
  const limit = window < 0 ? 'greater than or equal to zero' : `less than or equal to ${maxWindowSeconds}`;
  return [invalid(field, window, `must be ${limit}`)];
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, field: string): FieldError[] {
  return [
    ...validateChoice(`${field}.type`, type, ['Percent', 'Pods']),
    ...validatePositive(`${field}.value`, value),
    ...validatePositive(`${field}.periodSeconds`, periodSeconds),
    ...(periodSeconds > maxPeriodSeconds
      ? [
          invalid(
            `${field}.periodSeconds`,
            periodSeconds,
            `must be less than or equal to ${maxPeriodSeconds}`,
          ),
        ]
      : []),
  ];
}
