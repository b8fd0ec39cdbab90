import type { Job } from 'ots-kubernetes/batch/v1';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { labelSelectorOf } from '../validation/label-selector-of.ts';
import { showLabels, showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';

const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];
const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const selectedLabel = 'batch.kubernetes.io/controller-uid';

/** Generates a selector for the pods of a job. Changes the job. */
export function generateSelector(job: Specified<Job>): void {
  const template = (job.spec.template.metadata ??= {});
  // In place: a job without labels of its own shares these.
  template.labels = Object.assign(template.labels ?? {}, { ...generatedLabels(job), ...template.labels });
  const { matchLabels } = job.spec.selector ?? {};
  job.spec.selector = {
    ...job.spec.selector,
    matchLabels: { [selectedLabel]: job.metadata.uid ?? '', ...matchLabels },
  };
}

/**
 * Checks that a job without a manual selector has the generated one, and its pods the labels.
 *
 * @param old the job before an update: jobs of old servers have labels without a prefix
 */
export function validateGeneratedSelector(job: Specified<Job>, old?: Specified<Job>): FieldError[] {
  const { selector, template, manualSelector } = job.spec;
  if (manualSelector || !selector) return [];
  const known = old?.spec.template.metadata?.labels;
  const hasPrefixes = !old || ['batch.kubernetes.io/job-name', selectedLabel].every((key) => known?.[key]);
  const expected = Object.fromEntries(
    Object.entries(generatedLabels(job)).filter(([key]) => hasPrefixes || !key.includes('/')),
  );
  const selects = labelSelectorOf(selector);
  return [
    ...Object.entries(expected).flatMap(([key, value]) =>
      validateLabel(template.metadata?.labels, key, value),
    ),
    ...(!selects || selects(expected)
      ? []
      : [invalid('spec.selector', showSelector(selector), '`selector` not auto-generated')]),
  ];
}

function generatedLabels({ metadata: { name = '', uid = '' } }: Specified<Job>): Record<string, string> {
  return Object.fromEntries([...uidLabels.map((key) => [key, uid]), ...nameLabels.map((key) => [key, name])]);
}

function validateLabel(
  labels: Record<string, string> | undefined,
  key: string,
  expected: string,
): FieldError[] {
  const field = `spec.template.metadata.labels[${key}]`;
  const detail = `must be '${expected}'`;
  if (labels?.[key] === undefined) return [required(field, detail)];
  return labels[key] === expected ? [] : [invalid(field, showLabels(labels), detail)];
}
