import type { CertificateSigningRequestCondition } from 'ots-kubernetes/certificates/v1';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../../status/field-error.ts';

/** Faults that conditions may keep, because they had them before. */
interface ConditionTolerance {
  approvedAndDenied: boolean;
  sameTypes: boolean;
  noTypes: boolean;
}

type Condition = CertificateSigningRequestCondition;

const field = 'status.conditions';
const onlyTrue: readonly string[] = ['Approved', 'Denied', 'Failed'];

/** Validates the conditions of a request: it is approved or denied, and that is final. */
export function validateCsrConditions(
  conditions: readonly Condition[],
  old: readonly Condition[],
): FieldError[] {
  const tolerance = toleranceOf(old);
  const types = conditions.map(({ type }) => type);
  return conditions.flatMap(({ type, status }, index) => [
    ...(type === '' && !tolerance.noTypes ? [required(`${field}[${index}].type`)] : []),
    ...validateStatus(status, type, `${field}[${index}].status`),
    ...(isBoth(types.slice(0, index + 1), type) && !tolerance.approvedAndDenied
      ? [invalid(field, type, 'Approved and Denied conditions are mutually exclusive')]
      : []),
    ...(types.indexOf(type) < index && !tolerance.sameTypes
      ? [duplicate(`${field}[${index}].type`, type)]
      : []),
  ]);
}

function toleranceOf(old: readonly Condition[]): ConditionTolerance {
  const types = old.map(({ type }) => type);
  return {
    approvedAndDenied: types.includes('Approved') && types.includes('Denied'),
    sameTypes: new Set(types).size < types.length,
    noTypes: types.includes(''),
  };
}

/** Whether a condition denies an approved request, or approves a denied one. */
function isBoth(types: readonly string[], type: string): boolean {
  if (type === 'Approved') return types.includes('Denied');
  return type === 'Denied' && types.includes('Approved');
}

function validateStatus(status: string, type: string, at: string): FieldError[] {
  const allowed = onlyTrue.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') return [required(at)];
  return allowed.includes(status) ? [] : [notSupported(at, status, allowed)];
}
