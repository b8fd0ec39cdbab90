import type { Container, LifecycleHandler, Probe } from 'ots-kubernetes/core/v1';
import { type Check, containers, containersOf, distinct, plural, quoted } from '../check.ts';

export const hostNamespaces: Check = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural('volume', names.length)} ${quoted(names)}` };
};

export const hostPorts: Check = (pod) => {
  const bad = containersOf(pod).filter(({ ports }) => ports?.some(({ hostPort }) => hostPort));
  if (bad.length === 0) return undefined;
  const ports = bad.flatMap((container) => (container.ports ?? []).flatMap(({ hostPort }) => hostPort || []));
  const numbers = distinct(ports.map(String));
  const names = bad.map(({ name }) => name);
  return {
    reason: 'hostPort',
    detail: `${containers(names)} ${use(names)} ${plural('hostPort', numbers.length)} ${numbers.join(', ')}`,
  };
};

export const hostProbesAndLifecycle: Check = (pod) => {
  const bad = containersOf(pod).filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = distinct(bad.map(({ name }) => name));
  const hosts = distinct(bad.flatMap(hostsOf));
  return {
    reason: 'probe or lifecycle host',
    detail: `${containers(names)} ${use(names)} ${plural('probe or lifecycle host', hosts.length)} ${quoted(hosts)}`,
  };
};

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] {
  const actions: (Probe | LifecycleHandler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return actions.flatMap((action) => [action?.httpGet?.host || [], action?.tcpSocket?.host || []].flat());
}

export function use(names: readonly string[]): string {
  return names.length === 1 ? 'uses' : 'use';
}
