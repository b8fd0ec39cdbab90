import type { Job } from 'ots-kubernetes/batch/v1';
import type { FieldError } from '../../status/field-error.ts';
import { invalidState } from '../validation/invalid-state.ts';
import { hasCondition } from './job-conditions.ts';
import type { Specified } from './specified.ts';

const conditionTypes = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'] as const;
type Conditions = Record<(typeof conditionTypes)[number], boolean>;

/** Checks that the conditions of a job are consistent, and that final ones stay. */
export function validateJobConditions(job: Specified<Job>, old: Specified<Job>): FieldError[] {
  const now = conditionsOf(job);
  const before = conditionsOf(old);
  const areFailuresChanged = job.status?.failedIndexes !== old.status?.failedIndexes;
  const contradictions: [boolean, string][] = [
    ...contradictionsOf(now, before, areFailuresChanged),
    [
      job.spec.successPolicy !== undefined && now.Complete && !now.SuccessCriteriaMet,
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ],
    ...(['Failed', 'Complete', 'FailureTarget'] as const).map((type): [boolean, string] => [
      before[type] && !now[type],
      `cannot disable the terminal ${type}=True condition`,
    ]),
    [
      before.SuccessCriteriaMet && !now.SuccessCriteriaMet,
      'cannot disable the SuccessCriteriaMet=True condition',
    ],
    [
      before.Complete && !before.SuccessCriteriaMet && now.SuccessCriteriaMet,
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
    ],
  ];
  return contradictions.flatMap(([isWrong, detail]) =>
    isWrong ? [invalidState('status.conditions', detail)] : [],
  );
}

function conditionsOf(job: Specified<Job>): Conditions {
  const entries = conditionTypes.map((type) => [type, hasCondition(job, type)] as const);
  return Object.fromEntries(entries) as Conditions;
}

function contradictionsOf(
  now: Conditions,
  before: Conditions,
  areFailuresChanged: boolean,
): [boolean, string][] {
  const changes = (...types: (keyof Conditions)[]): boolean =>
    types.some((type) => now[type] !== before[type]);
  const { Complete, Failed, FailureTarget, SuccessCriteriaMet } = now;
  return [
    [
      changes('Complete', 'Failed') && Complete && Failed,
      'cannot set Complete=True and Failed=true conditions',
    ],
    [
      changes('Complete', 'FailureTarget') && Complete && FailureTarget,
      'cannot set Complete=True and FailureTarget=true conditions',
    ],
    [
      (changes('Failed') || areFailuresChanged) && Failed && !FailureTarget,
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      changes('Complete', 'SuccessCriteriaMet') && Complete && !SuccessCriteriaMet,
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [SuccessCriteriaMet && Failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    [
      SuccessCriteriaMet && FailureTarget,
      'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ],
  ];
}
