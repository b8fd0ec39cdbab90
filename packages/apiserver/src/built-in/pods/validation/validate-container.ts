import type { Container, ContainerPort, ContainerResizePolicy } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { portName, portNumber } from '../../validation/port-rules.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validateEnv, validateEnvFrom } from './validate-env.ts';
import { type Volumes, validateMounts } from './validate-mounts.ts';
import { validateResources } from './validate-resources.ts';
import { validateSecurityContext } from './validate-security-context.ts';

/** What a container can refer to, and settings of its pod. */
export interface PodContext {
  readonly volumes: Volumes;
  /** The names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  readonly restartPolicy: string | undefined;
  /** Whether the pod uses the user namespace of its node. */
  readonly hostUsers: boolean;
  readonly gracePeriod: number | undefined;
}

/** Validates what all types of containers share. */
export function validateContainer(container: Container, pod: PodContext, path: string): FieldError[] {
  const { name, image, securityContext } = container;
  return [
    ...(name ? errorsOfRule(`${path}.name`, name, dnsLabel) : [required(`${path}.name`)]),
    ...(image ? [] : [required(`${path}.image`)]),
    ...requireChoice(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(container.ports ?? [], `${path}.ports`),
    ...validateEnv(container.env ?? [], `${path}.env`),
    ...validateEnvFrom(container.envFrom ?? [], `${path}.envFrom`),
    ...validateMounts(container, pod.volumes, path),
    ...requireChoice(`${path}.imagePullPolicy`, container.imagePullPolicy, [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...validateResources(container.resources ?? {}, pod.claims, `${path}.resources`),
    ...validateResizePolicies(container.resizePolicy ?? [], pod.restartPolicy, `${path}.resizePolicy`),
    ...(securityContext
      ? validateSecurityContext(securityContext, pod.hostUsers, `${path}.securityContext`)
      : []),
  ];
}

function validatePorts(ports: readonly ContainerPort[], path: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => validatePort(port, names, `${path}[${index}]`));
}

/** @param names the names of the previous ports; receives that of this one */
function validatePort(
  { name = '', containerPort, hostPort = 0, protocol }: ContainerPort,
  names: Set<string>,
  path: string,
): FieldError[] {
  const errors = name === '' ? [] : errorsOfRule(`${path}.name`, name, portName);
  if (errors.length === 0 && names.has(name)) errors.push(duplicate(`${path}.name`, name));
  else if (errors.length === 0 && name !== '') names.add(name);
  if (containerPort === 0) errors.push(required(`${path}.containerPort`));
  else errors.push(...validateNumber(containerPort, `${path}.containerPort`));
  if (hostPort !== 0) errors.push(...validateNumber(hostPort, `${path}.hostPort`));
  return [...errors, ...requireChoice(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP'])];
}

function validateNumber(port: number, field: string): FieldError[] {
  return portNumber(port).map((message) => invalid(field, port, message));
}

function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  podPolicy: string | undefined,
  path: string,
): FieldError[] {
  return policies.flatMap(({ resourceName, restartPolicy }, index) => [
    ...(policies.slice(0, index).some((other) => other.resourceName === resourceName)
      ? [duplicate(`${path}[${index}]`, resourceName)]
      : []),
    ...requireChoice(path, resourceName, ['cpu', 'memory']),
    ...requireChoice(path, restartPolicy, ['NotRequired', 'RestartContainer']),
    ...(podPolicy === 'Never' && restartPolicy !== 'NotRequired'
      ? [invalid(path, restartPolicy ?? '', "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
      : []),
  ]);
}
