import { parseCronSchedule } from 'ots-apimachinery/cron/cron-schedule';
import { timeZoneProblem } from 'ots-apimachinery/cron/time-zone';
import type { CronJob, CronJobSpec } from 'ots-kubernetes/batch/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { requireChoice } from '../validation/validate-choice.ts';
import { validateNonNegative } from '../validation/validate-number.ts';

import { setPatternDefaults } from './set-job-defaults.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';

import { validateJobSpec } from './validate-job-spec.ts';
import { warningsForJob } from './warnings-for-job.ts';

/** A controller appends the time, 11 characters, to the name, and the result must be a label. */
const maxNameLength = 52;

/** CronJobs. */
export class CronJobStrategy extends TemplatedStrategy {
  protected override readonly templatePath = 'spec.jobTemplate.spec.template';

  protected override templateOf({ spec }: Specified<CronJob>): PodTemplateSpec | undefined {
    return spec.jobTemplate.spec?.template;
  }

  override setDefaults(object: Specified<CronJob>): void {
    super.setDefaults(object);
    const { spec } = object;
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    // Jobs get their other defaults when they are created.
    if (spec.jobTemplate.spec) setPatternDefaults(spec.jobTemplate.spec);
  }

  override validate({ metadata: { name = '' }, spec }: Specified<CronJob>): FieldError[] {
    const isLong = Buffer.byteLength(name) > maxNameLength;
    return [
      ...validateSpec(spec),
      ...(isLong ? [invalid('metadata.name', name, `must be no more than ${maxNameLength} characters`)] : []),
    ];
  }

  protected override warningsForWork(
    object: Specified<CronJob>,
    old: Specified<CronJob> | undefined,
  ): string[] {
    return warningsForJob(object.spec.jobTemplate.spec, 'spec.jobTemplate.spec', object, old);
  }

  override warningsFor(object: Specified<CronJob>, old: Specified<CronJob> | undefined): string[] {
    const warnings = super.warningsFor(object, old);
    if (!old || !object.spec.schedule.includes('TZ')) return warnings;
    return [
      ...warnings,
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ];
  }

  override validateUpdate({ spec }: Specified<CronJob>, old: Specified<CronJob>): FieldError[] {
    return validateSpec(spec, old.spec);
  }
}

function validateSpec(spec: CronJobSpec, old?: CronJobSpec): FieldError[] {
  const { timeZone, schedule } = spec;
  return [
    ...(schedule ? validateSchedule(spec, old?.schedule) : [required('spec.schedule')]),
    ...validateNonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(timeZone === undefined || (old && old.timeZone === timeZone) ? [] : validateTimeZone(timeZone)),
    ...requireChoice('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...validateJobTemplate(spec),
    ...validateNonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...validateNonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ];
}

/** Time zones in a schedule are only accepted where they existed before. */
function validateSchedule({ schedule, timeZone }: CronJobSpec, old = ''): FieldError[] {
  const field = 'spec.schedule';
  const errors = syntaxErrors(schedule);
  if (!schedule.includes('TZ')) return errors;
  const isKept = old.includes('TZ');
  if (isKept && timeZone === undefined) return errors;
  const detail = isKept
    ? 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [...errors, invalid(field, schedule, detail)];
}

function syntaxErrors(schedule: string): FieldError[] {
  try {
    parseCronSchedule(schedule);
    return [];
  } catch (error) {
    if (error instanceof SyntaxError) return [invalid('spec.schedule', schedule, error.message)];
    throw error;
  }
}

function validateTimeZone(name: string): FieldError[] {
  const field = 'spec.timeZone';
  if (name === '') return [invalid(field, name, 'timeZone must be nil or non-empty string')];
  const parts = name.split('/');
  if (!parts.every((part) => /^[A-Za-z.\-_0-9+]{1,14}$/.test(part) && !/^(-.*|\.\.?)$/.test(part)))
    return [invalid(field, name, `unknown time zone ${name}`)];
  const problem = timeZoneProblem(name);
  return [
    ...(name.toLowerCase() === 'local'
      ? [
          invalid(
            field,
            name,
            'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
          ),
        ]
      : []),
    ...(problem === undefined ? [] : [invalid(field, name, problem)]),
  ];
}

function validateJobTemplate({ jobTemplate: { spec } }: CronJobSpec): FieldError[] {
  if (!spec) return [];
  const path = 'spec.jobTemplate.spec';
  const { selector, manualSelector } = spec;
  return [
    ...validateJobSpec(spec, path),
    ...(selector
      ? [invalid(`${path}.selector`, showSelector(selector), '`selector` will be auto-generated')]
      : []),
    ...(manualSelector ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}
