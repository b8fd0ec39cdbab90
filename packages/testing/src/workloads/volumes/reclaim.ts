import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { CachedVolume } from './claim.ts';
import { provisionedBy } from './volume-annotations.ts';

/** Who deletes the data of a volume: the controller, or its provisioner; or why it cannot be deleted. */
export type Deleter = 'controller' | 'provisioner' | { readonly problem: string };

/** Finds who deletes the data of a volume. */
export function deleterOf({ metadata, spec = {} }: CachedVolume): Deleter {
  const provisioner = metadata.annotations?.[provisionedBy];
  if (provisioner && !provisioner.startsWith('kubernetes.io/')) return 'provisioner';
  if (spec.csi) return 'provisioner';
  const { hostPath } = spec;
  if (hostPath) {
    const isTemporary = /\/tmp\/.+/.test(hostPath.path);
    const problem = `host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`;
    return isTemporary ? 'controller' : { problem };
  }
  const reason = spec.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  const problem = `error getting deleter volume plugin for volume ${goQuote(metadata.name!)}: ${reason}`;
  return { problem };
}
