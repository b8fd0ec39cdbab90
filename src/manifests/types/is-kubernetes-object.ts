import type { Resolution } from '../source/module-graph.ts';
import { isKubernetesPackage } from '../schema/builtin-types.ts';

/** Returns whether a name refers to KubernetesObject, which the interfaces of kinds extend. */
export function isKubernetesObject(resolution: Resolution): boolean {
  return (
    resolution.kind === 'package' &&
    resolution.name === 'KubernetesObject' &&
    isKubernetesPackage(resolution.specifier)
  );
}
