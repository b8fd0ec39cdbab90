import { isInteger } from '../json/exact-integer.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { type FieldError, invalid, notSupported } from '../status/field-error.ts';
import { checkDryRun, invalidOptions, isDryRun } from './dry-run.ts';

/** What happens to the dependents of a deleted object. */
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** The options of a deletion. */
export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy?: PropagationPolicy;
  /** The predecessor of `propagationPolicy`. Never set together with it. */
  orphanDependents?: boolean;
  /** How many seconds a pod has to terminate. Not negative. */
  gracePeriodSeconds?: number;
  preconditions: { uid?: string; resourceVersion?: string };
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

/**
 * Reads the options of a deletion.
 *
 * @param options the decoded options: every present field has its type
 * @throws {StatusError} 422 for invalid values
 */
export function toDeleteOptions(options: JsonObject): DeleteOptions {
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions } = options;
  const dryRun = Array.isArray(options['dryRun']) ? (options['dryRun'] as unknown[]) : [];
  const errors = [...checkPropagation(propagationPolicy, orphanDependents), ...checkDryRun(dryRun)];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return {
    dryRun: isDryRun(dryRun),
    ...(isPolicy(propagationPolicy) && { propagationPolicy }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
    // A negative period means the shortest one.
    ...(isInteger(gracePeriodSeconds) && {
      // The types of built-in kinds only have numbers.
      gracePeriodSeconds: gracePeriodSeconds < 0 ? 1 : (gracePeriodSeconds as number),
    }),
    preconditions: isObject(preconditions) ? preconditions : {},
  };
}

function isPolicy(value: unknown): value is PropagationPolicy {
  return typeof value === 'string' && policies.includes(value);
}

function checkPropagation(policy: unknown, orphanDependents: unknown): FieldError[] {
  if (policy === undefined) return [];
  const field = 'propagationPolicy';
  return [
    ...(orphanDependents === undefined
      ? []
      : [invalid(field, policy, 'orphanDependents and deletionPropagation cannot be both set')]),
    ...(isPolicy(policy) ? [] : [notSupported(field, policy, [...policies, 'nil'])]),
  ];
}
