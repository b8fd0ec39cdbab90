import type { Resolution } from '../source/module-graph.ts';
import { isKubernetesPackage } from '../schema/builtin-types.ts';

/** Whether a name means KubernetesObject, which the interfaces of kinds extend. */
export function isKubernetesObject(resolution: Resolution): boolean {
  return (
    resolution.kind === 'package' &&
    resolution.name === 'KubernetesObject' &&
    isKubernetesPackage(resolution.specifier)
  );
}
