import type { Container, EphemeralContainer, PodSpec } from 'ots-kubernetes/core/v1';

/** A container of a pod, of any type, with its path. */
export interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** All containers of a pod: init containers, containers, and ephemeral containers. */
export function containersOf(spec: PodSpec, specPath = 'spec'): PlacedContainer[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `${specPath}.${list}[${index}]` })),
  );
}

/** Whether an init container keeps running beside the pod's containers. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}
