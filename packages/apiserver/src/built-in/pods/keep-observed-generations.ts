import type { PodStatus } from 'ots-kubernetes/core/v1';

/** Keeps `observedGeneration` for a writer that does not know the field. Changes the status. */
export function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  if (old.observedGeneration) status.observedGeneration ||= old.observedGeneration;
  // A type can occur several times: the conditions are matched in order.
  const left = [...(old.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const index = left.findIndex(({ type }) => type === condition.type);
    const [before] = index < 0 ? [] : left.splice(index, 1);
    if (before?.observedGeneration) condition.observedGeneration ||= before.observedGeneration;
  }
}
