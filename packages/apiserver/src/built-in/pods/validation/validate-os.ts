import type { PodOS, PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';
import { containersOf } from '../containers-of.ts';

const ofPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const ofContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Checks that a pod for one operating system has no settings of the other. */
export function validateOs(spec: PodSpec, { name }: PodOS, path: string): FieldError[] {
  if (!name) return [required(`${path}.os.name`)];
  if (name === 'windows') return validateWindows(spec, path);
  return name === 'linux'
    ? validateLinux(spec, path)
    : [notSupported(`${path}.os`, name, ['linux', 'windows'])];
}

function validateLinux(spec: PodSpec, path: string): FieldError[] {
  const places = [
    { securityContext: spec.securityContext, path },
    ...containersOf(spec, path).map(({ container, path: place }) => ({
      securityContext: container.securityContext,
      path: place,
    })),
  ];
  return places
    .filter(({ securityContext }) => securityContext?.windowsOptions)
    .map(({ path: place }) =>
      forbidden(`${place}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'),
    );
}

function validateWindows(spec: PodSpec, path: string): FieldError[] {
  const { securityContext: context = {} } = spec;
  const flags = ['hostUsers', 'shareProcessNamespace'] as const;
  return [
    ...ofPod
      .filter((name) => context[name] !== undefined)
      .map((name) => refuse(`${path}.securityContext.${name}`)),
    ...(context.sysctls?.length ? [refuse(`${path}.securityContext.sysctls`)] : []),
    ...flags.filter((name) => spec[name] !== undefined).map((name) => refuse(`${path}.${name}`)),
    ...(['hostPID', 'hostIPC'] as const)
      .filter((name) => spec[name])
      .map((name) => refuse(`${path}.${name}`)),
    ...containersOf(spec, path).flatMap(({ container, path: place }) =>
      ofContainer
        .filter((name) => container.securityContext?.[name] !== undefined)
        .map((name) => refuse(`${place}.securityContext.${name}`)),
    ),
  ];
}

function refuse(field: string): FieldError {
  return forbidden(field, 'cannot be set for a windows pod');
}
