import type { ControllerRevision } from 'ots-kubernetes/apps/v1';
import { isObject } from '../../json/json-object.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { validateNonNegative } from '../validation/validate-number.ts';

/** ControllerRevisions: past states of a StatefulSet or DaemonSet. */
export class ControllerRevisionStrategy extends BuiltInStrategy {
  override validate({ revision, data }: BuiltInObject<ControllerRevision>): FieldError[] {
    return [...validateNonNegative('revision', revision), ...validateData(data)];
  }

  override validateUpdate(
    { revision, data }: BuiltInObject<ControllerRevision>,
    old: BuiltInObject<ControllerRevision>,
  ): FieldError[] {
    return [...validateNonNegative('revision', revision), ...validateImmutable('data', data, old.data)];
  }
}

function validateData(data: unknown): FieldError[] {
  if (isObject(data)) return [];
  const isMissing = data === undefined || data === null;
  return [required('data', isMissing ? 'data is mandatory' : 'data must be a valid JSON object')];
}
