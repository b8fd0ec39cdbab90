import type { PodSpec, PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { warningsForIp } from '../../validation/warnings-for-addresses.ts';
import { containersOf } from '../containers-of.ts';
import { warningsForContainers } from './warnings-for-containers.ts';
import { warningsForOverlaps } from './warnings-for-overlaps.ts';
import { warningsForPlacement } from './warnings-for-placement.ts';
import { warningsForPorts } from './warnings-for-ports.ts';
import { warningsForVolumes } from './warnings-for-volumes.ts';

const deprecatedAnnotations = new Map([
  ['scheduler.alpha.kubernetes.io/critical-pod', 'v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'v1.11+; use the "sysctls" field instead'],
]);
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';

/**
 * Warnings for the writer of a pod, or of a pod template.
 *
 * @param path the path of the template, such as `spec.template`; empty for a pod
 */
export function warningsForPodTemplate({ metadata, spec }: PodTemplateSpec, path: string): string[] {
  if (!spec) return [];
  const prefix = path === '' ? '' : `${path}.`;
  const specPath = `${prefix}spec`;
  return [
    ...warningsForPlacement(spec, specPath),
    ...warningsForAnnotations(metadata?.annotations ?? {}, spec, `${prefix}metadata.annotations`),
    ...warningsForVolumes(spec, specPath),
    ...warningsForOverlaps(spec),
    ...warningsForNames(spec, specPath),
    ...warningsForContainers(spec, specPath),
    ...warningsForPorts(spec, specPath),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${specPath}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      warningsForIp(`${specPath}.dnsConfig.nameservers[${index}]`, address),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      warningsForIp(`${specPath}.hostAliases[${index}].ip`, ip),
    ),
  ];
}

function warningsForAnnotations(annotations: Record<string, string>, spec: PodSpec, path: string): string[] {
  const seccomp = [
    ...(spec.securityContext?.seccompProfile ? [] : [seccompOfPod]),
    ...containersOf(spec)
      .filter(({ container }) => !container.securityContext?.seccompProfile)
      .map(({ container }) => `${seccompPrefix}${container.name}`),
  ];
  return [
    ...[...deprecatedAnnotations]
      .filter(([key]) => Object.hasOwn(annotations, key))
      .map(([key, message]) => `${path}[${key}]: non-functional in ${message}`),
    ...seccomp
      .filter((key) => Object.hasOwn(annotations, key))
      .map((key) => `${path}[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`),
  ];
}

/** Duplicate names and addresses. */
function warningsForNames({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): string[] {
  const secrets = imagePullSecrets.map(({ name }) => name ?? '');
  return [
    ...repeated(hostAliases.map(({ ip }) => ip)).map(
      ([index, ip]) => `${path}.hostAliases[${index}].ip: duplicate ip "${ip}"`,
    ),
    ...repeated(secrets).map(
      ([index, name]) => `${path}.imagePullSecrets[${index}].name: duplicate name "${name}"`,
    ),
    ...secrets.flatMap((name, index) =>
      name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

function repeated(names: readonly string[]): [index: number, name: string][] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [[index, name]] : []));
}
