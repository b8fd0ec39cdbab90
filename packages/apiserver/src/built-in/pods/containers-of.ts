import type { Container, EphemeralContainer, PodSpec } from 'ots-kubernetes/core/v1';

/** A container of a pod, whatever it is for, and where it stands. */
export interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** All containers of a pod: those that prepare it, its own, and those that were added to look into it. */
export function containersOf(spec: PodSpec, specPath = 'spec'): PlacedContainer[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `${specPath}.${list}[${index}]` })),
  );
}

/** Whether a container that prepares a pod goes on beside its own containers. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}
