import { goQuote } from 'ots-apimachinery/go/go-quote';
import {
  type Check,
  type CheckedPod,
  type Violation,
  containers,
  containersOf,
  containersWhere,
  distinct,
  plural,
  quoted,
  settersOf,
} from '../check.ts';

const reason = 'seccompProfile';
const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';
const confining = new Set(['Localhost', 'RuntimeDefault']);

/** Before 1.19, annotations stated the profile. */
export const seccompAnnotations: Check = (pod) => {
  const keys = [podAnnotation, ...containersOf(pod).map(({ name }) => `${containerAnnotation}${name}`)];
  const bad = keys.flatMap((key) => {
    const value = Object.hasOwn(pod.annotations, key) ? pod.annotations[key] : undefined;
    return value === undefined || isConfining(value) ? [] : `${key}=${goQuote(value)}`;
  });
  if (bad.length === 0) return undefined;
  const listed = distinct(bad);
  return { reason, detail: `forbidden ${plural('annotation', listed.length)} ${listed.join(', ')}` };
};

export const seccompProfile: Check = (pod) => unconfined(pod);

export const requiredSeccompProfile: Check = (pod) => {
  const bad = unconfined(pod);
  if (bad || pod.spec.securityContext?.seccompProfile) return bad;
  const silent = containersWhere(pod, (context) => context.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

function unconfined(pod: CheckedPod): Violation | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const isSetByPod = ofPod !== undefined && !confining.has(ofPod.type);
  const names = containersWhere(
    pod,
    ({ seccompProfile: profile }) => profile !== undefined && !confining.has(profile.type),
  );
  if (!isSetByPod && names.length === 0) return undefined;
  const profiles = [
    ofPod,
    ...containersOf(pod).map(({ securityContext }) => securityContext?.seccompProfile),
  ];
  const types = profiles.flatMap((profile) => profile?.type ?? []).filter((type) => !confining.has(type));
  return {
    reason,
    detail: `${settersOf(isSetByPod, names)} must not set securityContext.seccompProfile.type to ${quoted(distinct(types))}`,
  };
}

function isConfining(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}
