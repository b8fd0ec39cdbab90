import type { SELinuxOptions } from 'ots-kubernetes/core/v1';
import { type Check, containersOf, containersWhere, distinct, plural, quoted, settersOf } from '../check.ts';

const types10 = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
export const seLinuxOptions10 = checkOf(new Set(types10));
export const seLinuxOptions31 = checkOf(new Set([...types10, 'container_engine_t']));

function checkOf(allowed: ReadonlySet<string>): Check {
  const isBad = ({ type = '', user = '', role = '' }: SELinuxOptions = {}) =>
    !allowed.has(type) || user !== '' || role !== '';
  return (pod) => {
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const names = containersWhere(pod, (context) => isBad(context.seLinuxOptions));
    if (!isBad(ofPod) && names.length === 0) return undefined;
    const all = [ofPod, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)];
    const types = distinct(all.map((options) => options?.type ?? '').filter((type) => !allowed.has(type)));
    const faults = [
      ...(types.length > 0 ? [`${plural('type', types.length)} ${quoted(types)}`] : []),
      ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
      ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${settersOf(isBad(ofPod), names)} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
    };
  };
}
