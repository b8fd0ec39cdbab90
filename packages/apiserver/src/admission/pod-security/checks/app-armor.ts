import { goQuote } from 'ots-apimachinery/go/go-quote';
import { type Check, containersOf, containersWhere, distinct, plural, quoted, settersOf } from '../check.ts';

const prefix = 'container.apparmor.security.beta.kubernetes.io/';
const confining = new Set(['RuntimeDefault', 'Localhost']);

export const appArmorProfile: Check = (pod) => {
  const ofPod = pod.spec.securityContext?.appArmorProfile;
  const isSetByPod = ofPod !== undefined && !confining.has(ofPod.type);
  const names = containersWhere(
    pod,
    ({ appArmorProfile: profile }) => profile !== undefined && !confining.has(profile.type),
  );
  const profiles = [
    ofPod,
    ...containersOf(pod).map(({ securityContext }) => securityContext?.appArmorProfile),
  ];
  const types = profiles.flatMap((profile) => profile?.type ?? []).filter((type) => !confining.has(type));
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(prefix) && !isConfining(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`);
  const values = [...distinct(types), ...annotations.toSorted()];
  if (values.length === 0) return undefined;
  const setters = [
    ...(isSetByPod || names.length > 0 ? [settersOf(isSetByPod, names)] : []),
    ...(annotations.length > 0 ? [plural('annotation', annotations.length)] : []),
  ];
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isConfining(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}
