import type { AppArmorProfile, PodSpec, SeccompProfile } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { containersOf } from '../containers-of.ts';
import { validateRelativePath } from './path-rules.ts';

type Annotations = Readonly<Record<string, string>>;

/** The annotations that set AppArmor profiles before there were fields. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Validates annotations with a meaning for pods.
 *
 * @param path the path of the annotations
 */
export function validatePodAnnotations(annotations: Annotations, spec: PodSpec, path: string): FieldError[] {
  return Object.entries(annotations).flatMap(([key, value]) => {
    if (key === mirror && !spec.nodeName)
      return [invalid(`${path}[${key}]`, value, 'must set spec.nodeName if mirror pod annotation is set')];
    if (key === deletionCost && !isInt32(value))
      return [invalid(`${path}[${key}]`, value, 'must be a 32bit integer')];
    if (key === seccompOfPod || key.startsWith(seccompPrefix))
      return validateSeccomp(value, `${path}.${key}`);
    if (key.startsWith(appArmorPrefix)) return validateAppArmor(key, value, spec, `${path}[${key}]`);
    return [];
  });
}

/** Validates annotations that are immutable after creation. */
export function validatePodAnnotationUpdates(annotations: Annotations, old: Annotations): FieldError[] {
  const keys = [...new Set([...Object.keys(annotations), ...Object.keys(old)])];
  return keys.flatMap((key) => {
    const subject = key === mirror ? 'mirror pod annotation' : 'AppArmor annotations';
    const isFixed = key === mirror || key.startsWith(appArmorPrefix);
    if (!isFixed || annotations[key] === old[key]) return [];
    const action = Object.hasOwn(old, key) ? 'remove or update' : 'add';
    return [forbidden(`metadata.annotations[${key}]`, `may not ${action} ${subject}`)];
  });
}

/** Checks that annotation and field state the same profile. */
export function validateProfilesMatch(annotations: Annotations, spec: PodSpec, path: string): FieldError[] {
  const pod = spec.securityContext;
  const ofPod = annotations[seccompOfPod];
  return [
    ...(pod?.seccompProfile && ofPod !== undefined
      ? matchSeccomp(ofPod, pod.seccompProfile, `${path}.securityContext.seccompProfile`)
      : []),
    ...containersOf(spec, path).flatMap(({ container, path: place }) => {
      const { name, securityContext } = container;
      const field = `${place}.securityContext`;
      const seccomp = annotations[`${seccompPrefix}${name}`];
      const appArmor = annotations[`${appArmorPrefix}${name}`];
      const profile = securityContext?.appArmorProfile ?? pod?.appArmorProfile;
      return [
        ...(securityContext?.seccompProfile && seccomp !== undefined
          ? matchSeccomp(seccomp, securityContext.seccompProfile, `${field}.seccompProfile`)
          : []),
        ...(profile && appArmor !== undefined && spec.os?.name !== 'windows'
          ? matchAppArmor(appArmor, profile, `${field}.appArmorProfile`)
          : []),
      ];
    }),
  ];
}

function matchSeccomp(
  annotation: string,
  { type, localhostProfile }: SeccompProfile,
  path: string,
): FieldError[] {
  const values: Record<string, string[]> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: ['runtime/default', 'docker/default'],
  };
  const mismatch = [forbidden(`${path}.type`, 'seccomp type in annotation and field must match')];
  if (type !== 'Localhost') return !values[type] || values[type].includes(annotation) ? [] : mismatch;
  if (!annotation.startsWith('localhost/')) return mismatch;
  if (annotation.slice('localhost/'.length) === localhostProfile) return [];
  return [forbidden(`${path}.localhostProfile`, 'seccomp profile in annotation and field must match')];
}

function matchAppArmor(
  annotation: string,
  { type, localhostProfile }: AppArmorProfile,
  path: string,
): FieldError[] {
  const values: Record<string, string> = { Unconfined: 'unconfined', RuntimeDefault: 'runtime/default' };
  const mismatch = [forbidden(`${path}.type`, 'apparmor type in annotation and field must match')];
  if (type !== 'Localhost') return !values[type] || values[type] === annotation ? [] : mismatch;
  if (!annotation.startsWith('localhost/')) return mismatch;
  if (annotation.slice('localhost/'.length) === localhostProfile) return [];
  return [forbidden(`${path}.localhostProfile`, 'apparmor profile in annotation and field must match')];
}

function validateSeccomp(profile: string, field: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith('localhost/'))
    return validateRelativePath(field, profile.slice('localhost/'.length));
  return [invalid(field, profile, 'must be a valid seccomp profile')];
}

function validateAppArmor(key: string, profile: string, spec: PodSpec, field: string): FieldError[] {
  const name = key.slice(appArmorPrefix.length);
  const exists = containersOf(spec).some(({ container }) => container.name === name);
  const isGood = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
  return [
    ...(exists ? [] : [invalid(field, name, 'container not found')]),
    ...(isGood ? [] : [invalid(field, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}

function isInt32(text: string): boolean {
  // Without plus and leading zeros, so all programs parse it the same way.
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}
