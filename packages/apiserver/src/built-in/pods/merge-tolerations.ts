import type { Toleration } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../json/json-equal.ts';

/** Removes tolerations that another one covers; of equal ones the first stays. */
export function mergeTolerations(tolerations: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  tolerations.forEach((toleration, index) => {
    const isRedundant =
      merged.some((other) => contains(other, toleration)) ||
      tolerations
        .slice(index + 1)
        .some((other) => !jsonEqual(other, toleration) && contains(other, toleration));
    if (!isRedundant) merged.push(toleration);
  });
  return merged;
}

function contains(wide: Toleration, narrow: Toleration): boolean {
  if (jsonEqual(wide, narrow)) return true;
  const anyKey = !wide.key && wide.operator === 'Exists';
  if ((narrow.key ?? '') !== (wide.key ?? '') && !anyKey) return false;
  if (wide.effect && narrow.effect !== wide.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    const { tolerationSeconds: seconds } = narrow;
    if (seconds === undefined || seconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
}
