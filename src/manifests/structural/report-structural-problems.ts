import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { originKey } from '../schema/origin.ts';
import type { Origin } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';
import { structuralProblems } from './structural-problems.ts';

/**
 * Reports what the API server would reject in the schema of a kind.
 * @param kind the fallback location for errors
 * @returns whether there is nothing to report
 */
export function reportStructuralProblems(root: Schema, kind: Origin, diagnostics: Diagnostics): boolean {
  const problems = structuralProblems(root);
  for (const { trail, path, message, hint } of problems) {
    const { source, span } = trail.findLast((schema) => schema[originKey])?.[originKey] ?? kind;
    const where = path === '' ? '' : ` (at ${path})`;
    diagnostics.error(source, span, 'structural-schema', `${message}${where}`, hint);
  }
  return problems.length === 0;
}
