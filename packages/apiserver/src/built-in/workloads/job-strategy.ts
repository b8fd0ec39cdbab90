import type { Job } from 'ots-kubernetes/batch/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import type { DeleteOptions } from '../../registry/delete-options.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { validateLabelSelector } from '../validation/validate-label-selector.ts';
import { generateSelector, validateGeneratedSelector } from './job-selector.ts';
import { setJobDefaults } from './set-job-defaults.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateJobChanges } from './validate-job-changes.ts';
import { validateJobSpec } from './validate-job-spec.ts';
import { validateJobStatus } from './validate-job-status.ts';
import { validateSelected } from './validate-selector.ts';
import { warningsForJob } from './warnings-for-job.ts';

/** Jobs. */
export class JobStrategy extends TemplatedStrategy {
  protected override templateOf({ spec }: Specified<Job>): PodTemplateSpec | undefined {
    return spec.template;
  }

  override setDefaults(object: Specified<Job>): void {
    super.setDefaults(object);
    setLabels(object);
    setJobDefaults(object.spec);
  }

  override prepareForCreate(object: Specified<Job>): void {
    super.prepareForCreate(object);
    if (!object.spec.manualSelector) generateSelector(object);
  }

  /** A real server sets defaults again when it reads a job: then the generated labels become those of the job. */
  override toStorage(object: Specified<Job>): Specified<Job> {
    setLabels(object);
    return object;
  }

  protected override warningsForWork(object: Specified<Job>, old: Specified<Job> | undefined): string[] {
    return warningsForJob(object.spec, 'spec', object, old);
  }

  override warningsForDeletion({ propagationPolicy, orphanDependents }: DeleteOptions): string[] {
    if (propagationPolicy !== undefined || orphanDependents !== undefined) return [];
    return [
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    ];
  }

  override validate(object: Specified<Job>): FieldError[] {
    return [...validateGeneratedSelector(object), ...validateJob(object), ...validateHostNames(object)];
  }

  override validateUpdate(object: Specified<Job>, old: Specified<Job>): FieldError[] {
    const errors = validateJob(object);
    return [
      ...validateGeneratedSelector(object, old),
      ...errors,
      ...validateHostNames(object),
      // A server checks this twice and reports it twice.
      ...errors,
      ...validateJobChanges(object, old),
    ];
  }

  override validateStatusUpdate(object: Specified<Job>, old: Specified<Job>): FieldError[] {
    return validateJobStatus(object, old);
  }
}

/** Gives a job without labels those of its pods: the same object, not a copy, so generated labels reach both. */
function setLabels({ metadata, spec }: Specified<Job>): void {
  const labels = spec.template.metadata?.labels;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

function validateJob({ spec }: Specified<Job>): FieldError[] {
  const { selector, template } = spec;
  return [
    ...validateJobSpec(spec, 'spec'),
    ...(selector ? validateLabelSelector(selector, 'spec.selector') : [required('spec.selector')]),
    ...validateSelected(selector, template),
  ];
}

/** Pods of an indexed job have the name of the job and their index. */
function validateHostNames({ metadata: { name = '' }, spec }: Specified<Job>): FieldError[] {
  const { completionMode, completions = 0 } = spec;
  const lastHostname = `${name}-${completions - 1}`;
  if (completionMode !== 'Indexed' || completions <= 0 || dnsLabel(lastHostname).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${lastHostname}`;
  return [invalid('metadata.name', name, detail)];
}
