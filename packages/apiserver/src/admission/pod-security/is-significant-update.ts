import type { Container, EphemeralContainer, PodSpec } from 'ots-kubernetes/core/v1';

/** Whether an update of a pod changes its images or containers: only then do the checks run again. */
export function isSignificantUpdate(spec: PodSpec, old: PodSpec): boolean {
  return (
    hasOtherImages(spec.containers, old.containers) ||
    hasOtherImages(spec.initContainers ?? [], old.initContainers ?? []) ||
    (spec.ephemeralContainers ?? []).some((container) => {
      const before = old.ephemeralContainers?.find(({ name }) => name === container.name);
      return before?.image !== container.image;
    })
  );
}

type AnyContainer = Container | EphemeralContainer;

function hasOtherImages(containers: readonly AnyContainer[], old: readonly AnyContainer[]): boolean {
  return (
    containers.length !== old.length || containers.some(({ image }, index) => image !== old[index]?.image)
  );
}
