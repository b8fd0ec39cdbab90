import type { Service } from 'ots-kubernetes/core/v1';
import { warningsForIp } from '../../validation/warnings-for-addresses.ts';

/** Warnings for the writer of a Service. */
export function warningsForService({ metadata, spec = {} }: Service): string[] {
  const { type, clusterIPs = [], externalIPs = [], loadBalancerIP, sessionAffinity } = spec;
  const isHeadless = type === 'ClusterIP' && spec.clusterIP === 'None';
  const hints = 'service.kubernetes.io/topology-aware-hints';
  const notes: [boolean, string][] = [
    [isHeadless && Boolean(loadBalancerIP), 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless && externalIPs.length > 0, 'spec.externalIPs is ignored for headless services'],
    [isHeadless && sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
  ];
  const others: [boolean, string][] = [
    [
      externalIPs.length > 0 && !isHeadless && type !== 'ExternalName',
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
  ];
  const last: [boolean, string][] = [
    [
      type === 'ExternalName' && externalIPs.length > 0,
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ],
    [
      type !== 'ExternalName' && Boolean(spec.externalName),
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return [
    ...(metadata.annotations?.[hints] === undefined
      ? []
      : [`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...(isHeadless ? [] : clusterIPs.flatMap((ip, index) => warningsForIp(`spec.clusterIPs[${index}]`, ip))),
    ...applicable(notes),
    ...externalIPs.flatMap((ip, index) => warningsForIp(`spec.externalIPs[${index}]`, ip)),
    ...applicable(others),
    ...(loadBalancerIP ? warningsForIp('spec.loadBalancerIP', loadBalancerIP) : []),
    ...applicable(last),
  ];
}

function applicable(notes: readonly [boolean, string][]): string[] {
  return notes.filter(([applies]) => applies).map(([, text]) => text);
}
