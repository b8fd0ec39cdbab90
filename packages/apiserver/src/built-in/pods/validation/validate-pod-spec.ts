import type { PodResourceClaim, PodSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel, qualifiedName, subdomain } from 'ots-apimachinery/names';
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validateLabels } from '../../validation/validate-label-selector.ts';
import { validateRange } from '../../validation/validate-number.ts';
import { containersOf } from '../containers-of.ts';
import { validateAffinity } from './validate-affinity.ts';
import { validateContainers } from './validate-containers.ts';
import { validateDns } from './validate-dns.ts';
import { validateOs } from './validate-os.ts';
import { validatePodResources } from './validate-pod-resources.ts';
import { validateResources } from './validate-resources.ts';
import { validateSchedulingGates, validateSpread, validateTolerations } from './validate-scheduling.ts';
import { validatePodSecurityContext } from './validate-security-context.ts';
import { validateVolumes } from './validate-volumes.ts';

const maxDeadlineSeconds = 2_147_483_647;

/**
 * Validates the spec of a pod or of a template.
 *
 * @param pod the name of the pod; empty in a template
 * @param path the path of the spec
 */
export function validatePodSpec(spec: PodSpec, pod: string, path: string): FieldError[] {
  const volumes = validateVolumes(spec.volumes ?? [], pod, `${path}.volumes`);
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter(Boolean));
  const context = {
    volumes: volumes.good,
    claims,
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers ?? true,
    gracePeriod: spec.terminationGracePeriodSeconds,
  };
  return [
    ...volumes.errors,
    ...validateResourceClaims(spec.resourceClaims ?? [], `${path}.resourceClaims`),
    ...validateContainers(spec, context, path),
    ...validatePodResources(spec, claims, path),
    ...requireChoice(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...validateRange(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, maxDeadlineSeconds),
    ...validateDns(spec, path),
    ...(spec.securityContext ? validatePodSecurityContext(spec.securityContext, spec, path) : []),
    ...validateHostNamespaces(spec, pod, path),
    ...validatePlacement(spec, path),
    ...validateNames(spec, path),
    ...(spec.overhead ? validateResources({ limits: spec.overhead }, new Set(), `${path}.overhead`) : []),
    ...(spec.os ? validateOs(spec, spec.os, path) : []),
    ...validateFileKeys(spec, path),
  ];
}

/** Validates scheduling constraints. */
function validatePlacement(spec: PodSpec, path: string): FieldError[] {
  return [
    ...validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`),
    ...(spec.affinity ? validateAffinity(spec.affinity, `${path}.affinity`) : []),
    ...validateSchedulingGates(spec.schedulingGates ?? [], `${path}.schedulingGates`),
    ...validateSpread(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
    ...validateTolerations(spec.tolerations ?? [], `${path}.tolerations`),
    ...(spec.preemptionPolicy === undefined
      ? []
      : requireChoice(`${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ];
}

/** Validates names of other objects. */
function validateNames(spec: PodSpec, path: string): FieldError[] {
  const names = ['serviceAccountName', 'nodeName', 'priorityClassName'] as const;
  const { runtimeClassName, readinessGates = [] } = spec;
  return [
    ...names.flatMap((name) => (spec[name] ? errorsOfRule(`${path}.${name}`, spec[name], subdomain) : [])),
    ...(runtimeClassName === undefined
      ? []
      : errorsOfRule(`${path}.runtimeClassName`, runtimeClassName, subdomain)),
    ...readinessGates.flatMap(({ conditionType }, index) =>
      errorsOfRule(`${path}.readinessGates[${index}].conditionType`, conditionType ?? '', qualifiedName),
    ),
  ];
}

/** Validates host namespaces. In a template host ports do not have their defaults yet. */
function validateHostNamespaces(spec: PodSpec, pod: string, path: string): FieldError[] {
  const { hostUsers, hostNetwork } = spec;
  const errors: FieldError[] = [];
  const refuse = (field: string) => forbidden(`${path}.${field}`, 'when `hostUsers` is false');
  if (hostUsers === false) {
    if (hostNetwork) errors.push(refuse('hostNetwork'));
    if (spec.hostPID) errors.push(refuse('HostPID'));
    if (spec.hostIPC) errors.push(refuse('HostIPC'));
    for (const { container, path: place } of containersOf(spec, path))
      if (container.volumeDevices?.length)
        errors.push(forbidden(`${place}.volumeDevices`, 'when `hostUsers` is false'));
  }
  return hostNetwork ? [...errors, ...validateHostPorts(spec, pod !== '', path)] : errors;
}

function validateHostPorts({ containers }: PodSpec, isPod: boolean, path: string): FieldError[] {
  return (containers ?? []).flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ hostPort = 0, containerPort }, index) => {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) return [];
      const field = `${path}.containers[${at}].ports[${index}].hostPort`;
      return [invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

function validateResourceClaims(claims: readonly PodResourceClaim[], path: string): FieldError[] {
  return claims.flatMap((claim, index) => {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const field = `${path}[${index}]`;
    const errors: FieldError[] = [];
    const shown = {
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    };
    if (name === '') errors.push(required(`${field}.name`));
    else if (claims.slice(0, index).some((other) => other.name === name))
      errors.push(duplicate(`${field}.name`, name));
    else errors.push(...errorsOfRule(`${field}.name`, name, dnsLabel));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      errors.push(
        invalid(
          field,
          shown,
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      );
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(
        invalid(field, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'),
      );
    return [
      ...errors,
      ...(resourceClaimName === undefined
        ? []
        : errorsOfRule(`${field}.resourceClaimName`, resourceClaimName, subdomain)),
      ...(resourceClaimTemplateName === undefined
        ? []
        : errorsOfRule(`${field}.resourceClaimTemplateName`, resourceClaimTemplateName, subdomain)),
    ];
  });
}

/** Checks that files with variables are in emptyDir volumes. */
function validateFileKeys(spec: PodSpec, path: string): FieldError[] {
  return containersOf(spec, path).flatMap(({ container, path: place }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      const volumeName = valueFrom?.fileKeyRef?.volumeName;
      if (!valueFrom?.fileKeyRef) return [];
      const field = `${place}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = spec.volumes?.findLast(({ name }) => name === volumeName);
      if (!volume) return [notFound(field, volumeName ?? '')];
      return volume.emptyDir
        ? []
        : [invalid(field, volumeName, 'referenced volume must be of type emptyDir')];
    }),
  );
}
