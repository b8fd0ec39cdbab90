import type { JobSpec } from 'ots-kubernetes/batch/v1';
import { type FieldError, invalid, notSupported, required, tooLong } from '../../status/field-error.ts';
import { validatePodTemplate } from '../pods/validate-pod-template.ts';
import { validateDomainPrefixedPath } from '../validation/validate-domain-prefixed-path.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { validateIndexedJob } from './validate-indexed-job.ts';
import { validatePodFailurePolicy } from './validate-pod-failure-policy.ts';
import { showSuccessPolicy, validateSuccessPolicy } from './validate-success-policy.ts';

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;
const maxManagerLength = 63;

/**
 * Validates a job's spec except for its selector.
 *
 * @param path `spec`, or that of a CronJob's template
 */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  return [
    ...counts.flatMap((name) => validateNonNegative(`${path}.${name}`, spec[name])),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec.managedBy, `${path}.managedBy`),
    ...validateMode(spec, path),
    ...validatePolicies(spec, path),
    ...validatePodTemplate(spec.template, `${path}.template`),
    ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function validateManager(managedBy: string | undefined, field: string): FieldError[] {
  if (managedBy === undefined) return [];
  return [
    ...validateDomainPrefixedPath(field, managedBy),
    ...(Buffer.byteLength(managedBy) > maxManagerLength ? [tooLong(field, maxManagerLength)] : []),
  ];
}

function validateMode(spec: JobSpec, path: string): FieldError[] {
  const mode: string = spec.completionMode ?? 'NonIndexed';
  switch (mode) {
    case 'Indexed':
      return validateIndexedJob(spec, path);
    case 'NonIndexed':
      return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
        .filter((name) => spec[name] !== undefined)
        .map((name) => invalid(`${path}.${name}`, spec[name], 'requires indexed completion mode'));
    default:
      return [notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed'])];
  }
}

function validatePolicies(spec: JobSpec, path: string): FieldError[] {
  const { podFailurePolicy, successPolicy, completionMode } = spec;
  return [
    ...(podFailurePolicy ? validatePodFailurePolicy(podFailurePolicy, spec, `${path}.podFailurePolicy`) : []),
    ...(successPolicy && completionMode === 'Indexed'
      ? validateSuccessPolicy(successPolicy, spec.completions ?? 0, `${path}.successPolicy`)
      : []),
    ...(successPolicy && completionMode !== 'Indexed'
      ? [
          invalid(
            `${path}.successPolicy`,
            showSuccessPolicy(successPolicy),
            'requires indexed completion mode',
          ),
        ]
      : []),
    ...validateReplacement(spec, `${path}.podReplacementPolicy`),
  ];
}

function validateReplacement(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  field: string,
): FieldError[] {
  if (policy === undefined) return [];
  const choices = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return choices.includes(policy) ? [] : [notSupported(field, policy, choices)];
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const policy: string = template.spec?.restartPolicy ?? '';
  switch (policy) {
    case '':
    case 'Always':
      return [required(field, 'valid values: "OnFailure", "Never"')];
    case 'Never':
      return [];
    case 'OnFailure': {
      const detail = 'only "Never" is supported when podFailurePolicy is specified';
      return podFailurePolicy ? [invalid(field, policy, detail)] : [];
    }
    default:
      return [notSupported(field, policy, ['OnFailure', 'Never'])];
  }
}
