import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { headerName } from '../../validation/text-rules.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateNonNegative } from '../../validation/validate-number.ts';
import { validatePort } from '../../validation/port-rules.ts';

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;

/** The fields of each kind of handler, in the order in which a server checks them. */
const kinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/**
 * Validates a probe of a container.
 *
 * @param purpose the purpose of the probe: some settings apply to one purpose only
 */
export function validateProbe(
  probe: Probe,
  purpose: 'liveness' | 'readiness' | 'startup',
  path: string,
): FieldError[] {
  const { successThreshold, terminationGracePeriodSeconds: grace } = probe;
  const numbers = [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const;
  const errors = [
    ...validateHandler(probe, undefined, path),
    ...numbers.flatMap((name) => validateNonNegative(`${path}.${name}`, probe[name])),
  ];
  const graceField = `${path}.terminationGracePeriodSeconds`;
  if (grace !== undefined && grace <= 0) errors.push(invalid(graceField, grace, 'must be greater than 0'));
  if (purpose === 'readiness' && grace !== undefined)
    errors.push(invalid(graceField, grace, 'must not be set for readinessProbes'));
  if (purpose !== 'readiness' && successThreshold !== undefined && successThreshold !== 1)
    errors.push(invalid(`${path}.successThreshold`, successThreshold, 'must be 1'));
  return errors;
}

/** Validates the lifecycle handlers. `stopSignal` is not supported: its feature gate is off. */
export function validateLifecycle(
  { postStart, preStop }: Lifecycle,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  return [
    ...(postStart ? validateHandler(postStart, gracePeriod, `${path}.postStart`) : []),
    ...(preStop ? validateHandler(preStop, gracePeriod, `${path}.preStop`) : []),
  ];
}

function validateHandler(handler: Handler, gracePeriod: number | undefined, path: string): FieldError[] {
  const [first, ...others] = kinds.filter((kind) => handler[kind] !== undefined);
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...validateAction(handler, first, gracePeriod, `${path}.${first}`),
    ...others.map((kind) => forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type')),
  ];
}

function validateAction(
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  kind: (typeof kinds)[number],
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  switch (kind) {
    case 'exec':
      return exec?.command?.length ? [] : [required(`${path}.command`)];
    case 'httpGet':
      return httpGet ? validateHttpGet(httpGet, path) : [];
    case 'tcpSocket':
      return validatePort(tcpSocket?.port ?? 0, `${path}.port`);
    case 'grpc':
      return validatePort(grpc?.port ?? 0, `${path}.port`);
    default:
      return validateSleep(sleep?.seconds ?? 0, gracePeriod, path);
  }
}

function validateHttpGet(
  { path: target, port, scheme, httpHeaders }: HTTPGetAction,
  path: string,
): FieldError[] {
  return [
    ...(target ? [] : [required(`${path}.path`)]),
    ...validatePort(port ?? 0, `${path}.port`),
    ...validateChoice(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']),
    ...(httpHeaders ?? []).flatMap(({ name }) => errorsOfRule(`${path}.httpHeaders`, name ?? '', headerName)),
  ];
}

function validateSleep(seconds: number, gracePeriod: number | undefined, path: string): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, detail)];
}
