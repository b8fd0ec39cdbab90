import type { OwnerReference } from 'ots-kubernetes';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';

/**
 * Removes duplicate owner references. Changes the object.
 *
 * @param warnings receives the warnings for the writer
 * @param isPatched whether the references come from a patch: a server checks those later, and says so
 */
export function keepUniqueOwners({ metadata }: ApiObject, warnings: string[] = [], isPatched = false): void {
  const { ownerReferences } = metadata;
  if (!ownerReferences || ownerReferences.length < 2) return;
  const unique: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const reference of ownerReferences) {
    if (unique.some((known) => jsonEqual(known, reference))) repeated.push(reference.uid);
    else unique.push(reference);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = unique;
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${isPatched ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
