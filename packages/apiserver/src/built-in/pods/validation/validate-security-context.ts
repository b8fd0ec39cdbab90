import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from 'ots-kubernetes/core/v1';
import {
  type FieldError,
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../status/field-error.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateRange } from '../../validation/validate-number.ts';
import { validateRelativePath } from './path-rules.ts';

const maxId = 2_147_483_647;
const profiles = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const sysctlName = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const maxSysctlLength = 253;
const maxAppArmorProfileLength = 4095;

/** Validates the security context of a container, except for Windows options. */
export function validateSecurityContext(
  context: SecurityContext,
  hostUsers: boolean,
  path: string,
): FieldError[] {
  const { runAsUser, runAsGroup, procMount, seccompProfile, appArmorProfile } = context;
  return [
    ...validateRange(`${path}.runAsUser`, runAsUser, 0, maxId),
    ...validateRange(`${path}.runAsGroup`, runAsGroup, 0, maxId),
    ...(procMount === undefined
      ? []
      : validateChoice(`${path}.procMount`, procMount, ['Default', 'Unmasked'])),
    ...(hostUsers && procMount === 'Unmasked'
      ? [invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...(seccompProfile ? validateSeccomp(seccompProfile, `${path}.seccompProfile`) : []),
    ...validateEscalation(context, path),
    ...(appArmorProfile ? validateAppArmor(appArmorProfile, `${path}.appArmorProfile`) : []),
  ];
}

function validateEscalation(context: SecurityContext, path: string): FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return [];
  const refuse = (what: string) =>
    invalid(path, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(privileged ? [refuse('`privileged` to true')] : []),
    ...(capabilities?.add ?? [])
      .filter((name) => name === 'CAP_SYS_ADMIN')
      .map(() => refuse('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}

/** Validates the security context of a pod, except for Windows options. */
export function validatePodSecurityContext(
  context: PodSecurityContext,
  spec: PodSpec,
  specPath: string,
): FieldError[] {
  const path = `${specPath}.securityContext`;
  const { seccompProfile, appArmorProfile } = context;
  const ids = ['fsGroup', 'runAsUser', 'runAsGroup'] as const;
  return [
    ...ids.flatMap((name) => validateRange(`${path}.${name}`, context[name], 0, maxId)),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateRange(`${path}.supplementalGroups[${index}]`, group, 0, maxId),
    ),
    ...(spec.shareProcessNamespace && spec.hostPID
      ? [
          invalid(
            `${path}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...validateSysctls(context.sysctls ?? [], spec, `${path}.sysctls`),
    ...validatePolicies(context, path),
    ...(seccompProfile ? validateSeccomp(seccompProfile, `${path}.seccompProfile`) : []),
    ...(appArmorProfile ? validateAppArmor(appArmorProfile, `${path}.appArmorProfile`) : []),
  ];
}

const policies = [
  ['fsGroupChangePolicy', ['Always', 'OnRootMismatch']],
  ['supplementalGroupsPolicy', ['Merge', 'Strict']],
  // The feature gate of the other value (MountOption) is off.
  ['seLinuxChangePolicy', ['Recursive']],
] as const;

function validatePolicies(context: PodSecurityContext, path: string): FieldError[] {
  return policies.flatMap(([name, choices]) =>
    context[name] === undefined ? [] : validateChoice(`${path}.${name}`, context[name], choices),
  );
}

function validateSysctls(sysctls: readonly Sysctl[], spec: PodSpec, path: string): FieldError[] {
  return sysctls.flatMap(({ name }, index) => {
    const field = `${path}[${index}].name`;
    const isTaken = sysctls.slice(0, index).some((other) => other.name === name);
    return [...validateSysctlName(name, isTaken, field), ...validateHostSysctl(name, spec, field)];
  });
}

function validateSysctlName(name: string, isTaken: boolean, field: string): FieldError[] {
  if (name === '') return [required(field)];
  if (name.length > maxSysctlLength || !new RegExp(`^${sysctlName}$`).test(name)) {
    const detail = `must have at most ${maxSysctlLength} characters and match regex ^${sysctlName}$`;
    return [invalid(field, name, detail)];
  }
  return isTaken ? [duplicate(field, name)] : [];
}

/** Refuses sysctls of a namespace that the pod shares with its node. */
function validateHostSysctl(sysctl: string, { hostNetwork, hostIPC }: PodSpec, field: string): FieldError[] {
  const name = sysctl.replaceAll('/', '.');
  if (hostNetwork && name.startsWith('net.'))
    return [invalid(field, sysctl, "may not be specified when 'hostNetwork' is true")];
  if (hostIPC && /^(kernel\.shm|kernel\.msg|kernel\.sem$|fs\.mqueue\.)/.test(name))
    return [invalid(field, sysctl, "may not be specified when 'hostIPC' is true")];
  return [];
}

function validateSeccomp(profile: SeccompProfile, path: string): FieldError[] {
  const { type, localhostProfile } = profile;
  const field = `${path}.localhostProfile`;
  const errors = validateProfileType(type, 'seccompProfile', path);
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return errors;
    return [...errors, invalid(field, shown(profile), 'can only be set when seccomp type is Localhost')];
  }
  if (localhostProfile === undefined)
    return [...errors, required(field, 'must be set when seccomp type is Localhost')];
  return [...errors, ...validateRelativePath(field, localhostProfile)];
}

/** A profile as messages show it, with Go's field names. */
function shown({ type, localhostProfile }: SeccompProfile): unknown {
  return { Type: type ?? '', LocalhostProfile: localhostProfile };
}

function validateAppArmor({ type, localhostProfile }: AppArmorProfile, path: string): FieldError[] {
  const field = `${path}.localhostProfile`;
  if (type !== 'Localhost') {
    const errors = validateProfileType(type, 'appArmorProfile', path);
    if (errors.length > 0 || localhostProfile === undefined) return errors;
    return [invalid(field, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  }
  if (!localhostProfile) return [required(field, 'must be set when AppArmor type is Localhost')];
  return [
    ...(localhostProfile.trim() === localhostProfile
      ? []
      : [invalid(field, localhostProfile, 'must not be padded with whitespace')]),
    ...(localhostProfile.length > maxAppArmorProfileLength ? [tooLong(field, maxAppArmorProfileLength)] : []),
  ];
}

function validateProfileType(type: string | undefined, name: string, path: string): FieldError[] {
  if (!type) return [required(`${path}.type`, `type is required when ${name} is set`)];
  return profiles.includes(type) ? [] : [notSupported(`${path}.type`, type, profiles)];
}
