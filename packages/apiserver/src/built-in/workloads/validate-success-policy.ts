import type { SuccessPolicy, SuccessPolicyRule } from 'ots-kubernetes/batch/v1';
import { type FieldError, invalid, required, tooLong, tooMany } from '../../status/field-error.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { countIndexes } from './index-intervals.ts';

const maxRules = 20;
const maxIndexesLength = 64 * 1024;

/**
 * Validates the success policy of an indexed job.
 *
 * @param completions the number of indexes
 */
export function validateSuccessPolicy(
  policy: SuccessPolicy,
  completions: number,
  path: string,
): FieldError[] {
  const rules = policy.rules ?? [];
  const detail = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(`${path}.rules`, detail)] : []),
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, completions, `${path}.rules[${index}]`)),
  ];
}

/** In Go's internal notation. */
export function showSuccessPolicy({ rules }: SuccessPolicy): unknown {
  return {
    Rules:
      rules?.map(({ succeededIndexes, succeededCount }) => ({
        SucceededIndexes: succeededIndexes ?? null,
        SucceededCount: succeededCount ?? null,
      })) ?? null,
  };
}

function validateRule(rule: SuccessPolicyRule, completions: number, path: string): FieldError[] {
  const { succeededIndexes, succeededCount } = rule;
  if (succeededIndexes === undefined && succeededCount === undefined)
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  const { total, errors } = readIndexes(succeededIndexes, completions, `${path}.succeededIndexes`);
  return [...errors, ...validateCount(succeededCount, completions, total, `${path}.succeededCount`)];
}

function readIndexes(
  indexes: string | undefined,
  completions: number,
  field: string,
): { total: number | undefined; errors: FieldError[] } {
  if (indexes === undefined) return { total: undefined, errors: [] };
  const errors = Buffer.byteLength(indexes) > maxIndexesLength ? [tooLong(field, maxIndexesLength)] : [];
  try {
    return { total: countIndexes(indexes, completions), errors };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      total: 0,
      errors: [...errors, invalid(field, indexes, `error parsing succeededIndexes: ${error.message}`)],
    };
  }
}

function validateCount(
  count: number | undefined,
  completions: number,
  total: number | undefined,
  field: string,
): FieldError[] {
  if (count === undefined) return [];
  const limits: [number | undefined, string][] = [
    [completions, 'the number of specified completions'],
    [total, 'the number of indexes in the specified succeededIndexes field'],
  ];
  return [
    ...validateNonNegative(field, count),
    ...limits.flatMap(([limit, meaning]) =>
      limit !== undefined && count > limit
        ? [invalid(field, count, `must be less than or equal to ${limit} (${meaning})`)]
        : [],
    ),
  ];
}
