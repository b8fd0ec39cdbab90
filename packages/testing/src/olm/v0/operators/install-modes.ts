import type { DeepReadonly } from 'ots-runtime';
import type { ClusterServiceVersion } from '../kinds.ts';

/**
 * Why an operator cannot watch namespaces, in the words of OLM; undefined if it can.
 *
 * @param targets the namespaces; the empty name for all
 */
export function unsupportedTargets(
  { metadata, spec }: DeepReadonly<ClusterServiceVersion>,
  targets: readonly string[],
): string | undefined {
  const supports = (mode: string) =>
    (spec.installModes ?? []).some(({ type, supported }) => type === mode && supported);
  const unless = (mode: string, what: string) =>
    supports(mode) ? undefined : `${mode} InstallModeType not supported, cannot configure to watch ${what}`;
  if (targets.length > 1)
    return (
      unless('MultiNamespace', `${targets.length} namespaces`) ??
      (targets.includes(metadata.namespace!) ? unless('OwnNamespace', 'own namespace') : undefined)
    );
  const [target] = targets;
  if (target === metadata.namespace) return unless('OwnNamespace', 'own namespace');
  return target === ''
    ? unless('AllNamespaces', 'all namespaces')
    : unless('SingleNamespace', 'one namespace');
}
