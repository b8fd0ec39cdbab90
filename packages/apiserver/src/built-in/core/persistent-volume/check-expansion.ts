import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { forbidden } from '../../../status/errors.ts';
import { StorageClasses } from './storage-classes.ts';

/**
 * Admits a larger claim only if its class allows expansion.
 *
 * @throws {StatusError} 403
 */
export function checkExpansion(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  classes: StorageClasses,
): void {
  if (nanosOf(sizeOf(claim)) <= nanosOf(sizeOf(old))) return;
  const refuse = (detail: string) =>
    forbidden({ group: '', name: 'persistentvolumeclaims' }, claim.metadata.name ?? '', detail);
  if (old.status?.phase !== 'Bound') throw refuse('Only bound persistent volume claims can be expanded');
  const name = StorageClasses.of(claim);
  if (name !== StorageClasses.of(old) || !classes.canExpand(name)) {
    throw refuse(
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }
}

function sizeOf({ spec }: PersistentVolumeClaim): string | number {
  return spec?.resources?.requests?.['storage'] ?? 0;
}
