import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from 'ots-kubernetes/batch/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import {
  type FieldError,
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { invalidState } from '../validation/invalid-state.ts';

const maxRules = 20;
const maxExitCodes = 255;
const maxPatterns = 20;

/** What rules refer to. */
interface JobFacts {
  readonly hasIndexLimit: boolean;
  readonly containers: ReadonlySet<string>;
}

/** Validates a job's pod failure policy. */
export function validatePodFailurePolicy(
  policy: PodFailurePolicy,
  spec: JobSpec,
  path: string,
): FieldError[] {
  const rules = policy.rules ?? [];
  const { containers = [], initContainers = [] } = spec.template.spec ?? {};
  const job: JobFacts = {
    hasIndexLimit: spec.backoffLimitPerIndex !== undefined,
    containers: new Set([...(containers ?? []), ...initContainers].map(({ name }) => name)),
  };
  return [
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, job, `${path}.rules[${index}]`)),
  ];
}

/** In Go's internal notation. */
export function showPodFailurePolicy({ rules }: PodFailurePolicy): unknown {
  return {
    Rules:
      rules?.map(({ action, onExitCodes: codes, onPodConditions }) => ({
        Action: action,
        OnExitCodes: codes
          ? { ContainerName: codes.containerName ?? null, Operator: codes.operator, Values: codes.values }
          : null,
        OnPodConditions:
          onPodConditions?.map(({ type, status }) => ({ Type: type, Status: status ?? '' })) ?? null,
      })) ?? null,
  };
}

function validateRule(rule: PodFailurePolicyRule, job: JobFacts, path: string): FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule;
  const hasPatterns = onPodConditions.length > 0;
  return [
    ...validateAction(rule.action, job, `${path}.action`),
    ...(onExitCodes ? validateExitCodes(onExitCodes, job, `${path}.onExitCodes`) : []),
    ...validatePatterns(onPodConditions, `${path}.onPodConditions`),
    ...(onExitCodes && hasPatterns
      ? [invalidState(path, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(!onExitCodes && !hasPatterns
      ? [invalidState(path, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ];
}

function validateAction(action: string, { hasIndexLimit }: JobFacts, field: string): FieldError[] {
  if (action === 'FailIndex' && !hasIndexLimit)
    return [invalid(field, action, 'requires the backoffLimitPerIndex to be set')];
  return choose(field, action, ['Count', 'FailIndex', 'FailJob', 'Ignore']);
}

/** A required choice; the error about a missing one lists the options. */
function choose(field: string, value: string, choices: readonly string[]): FieldError[] {
  if (value === '')
    return [required(field, `valid values: [${choices.map((choice) => `"${choice}"`).join(' ')}]`)];
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

function validatePatterns(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: string,
): FieldError[] {
  return [
    ...(patterns.length > maxPatterns ? [tooMany(path, patterns.length, maxPatterns)] : []),
    ...patterns.flatMap(({ type, status = '' }, index) => [
      ...errorsOfRule(`${path}[${index}].type`, type, qualifiedName),
      ...choose(`${path}[${index}].status`, status, ['False', 'True', 'Unknown']),
    ]),
  ];
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  { containers }: JobFacts,
  path: string,
): FieldError[] {
  const { operator, containerName } = requirement;
  const isKnown = containerName === undefined || containers.has(containerName);
  const detail = 'must be one of the container or initContainer names in the pod template';
  return [
    ...choose(`${path}.operator`, operator, ['In', 'NotIn']),
    ...(isKnown ? [] : [invalid(`${path}.containerName`, containerName, detail)]),
    ...validateCodes(requirement, `${path}.values`),
  ];
}

function validateCodes(
  { operator, values }: PodFailurePolicyOnExitCodesRequirement,
  path: string,
): FieldError[] {
  const codes = values ?? [];
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code);
  return [
    ...(codes.length === 0 ? [invalid(path, values ?? null, 'at least one value is required')] : []),
    ...(codes.length > maxExitCodes ? [tooMany(path, codes.length, maxExitCodes)] : []),
    ...codes.flatMap((code, index) =>
      operator === 'In' && code === 0
        ? [invalid(`${path}[${index}]`, code, 'must not be 0 for the In operator')]
        : [],
    ),
    ...validateUnique(codes, path),
    ...(isOrdered ? [] : [invalid(path, codes, 'must be ordered')]),
  ];
}

function validateUnique(codes: readonly number[], path: string): FieldError[] {
  const seen = new Set<number>();
  return codes.flatMap((code, index) => {
    if (seen.has(code)) return [duplicate(`${path}[${index}]`, code)];
    seen.add(code);
    return [];
  });
}
