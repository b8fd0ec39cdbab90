import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { problemOfManagers } from '../managed-fields/managers.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import { setManagers } from '../registry/track-managers.ts';

/**
 * Restores the managed fields of an object when the mutating phase made them invalid, and warns the client.
 *
 * @param before the managed fields before that phase
 */
export function keepValidManagers(
  { operation, object, warnings }: AdmissionAttributes,
  before: ManagedFieldsEntry[] | undefined,
): undefined {
  const after = operation === 'CONNECT' ? undefined : object?.metadata.managedFields;
  if (!object || !after || after === before) return;
  const problem = problemOfManagers(after);
  if (problem === undefined) return;
  setManagers(object, before);
  warnings.push(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}
