import type { ContainerPort, PodSpec } from 'ots-kubernetes/core/v1';
import { containersOf } from '../containers-of.ts';

interface PlacedPort {
  readonly port: ContainerPort;
  readonly place: string;
}

/** Warns about conflicting ports, in one container or in several. */
export function warningsForPorts(spec: PodSpec, path: string): string[] {
  const ports = containersOf(spec, path).flatMap(({ container, path: place }) =>
    (container.ports ?? []).map((port, index): PlacedPort => ({ port, place: `${place}.ports[${index}]` })),
  );
  return [
    ...ports.flatMap((placed, index) => [
      ...warningsForHostIp(placed),
      ...ports.slice(0, index).flatMap((other) => warningsForPair(placed, other)),
    ]),
    ...warningsForPortNames(ports),
  ];
}

function warningsForHostIp({ port, place }: PlacedPort): string[] {
  const { name = '', hostIP, hostPort, containerPort, protocol } = port;
  if (!hostIP || hostPort) return [];
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [`${place}: hostIP set without hostPort: ${shown}`];
}

function warningsForPair({ port, place }: PlacedPort, { port: other, place: where }: PlacedPort): string[] {
  if (port.containerPort !== other.containerPort || port.protocol !== other.protocol) return [];
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && host === otherHost) return [`${place}: duplicate port definition with ${where}`];
  if (host === 0 || otherHost === 0) return [`${place}: overlapping port definition with ${where}`];
  const isAmbiguous = host === otherHost && (ip === '') !== (otherIp === '');
  return isAmbiguous ? [`${place}: dangerously ambiguous port definition with ${where}`] : [];
}

function warningsForPortNames(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ port: { name }, place }) => {
    if (!name) return [];
    const other = first.get(name);
    if (other === undefined) first.set(name, place);
    if (other === undefined) return [];
    return [
      `${place}: duplicate port name "${name}" with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
