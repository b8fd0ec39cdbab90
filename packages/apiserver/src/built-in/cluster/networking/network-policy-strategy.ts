import type {
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from 'ots-kubernetes/networking/v1';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { type PeerTolerance, validatePeer } from './validate-peer.ts';
import { warningsForRange } from '../../validation/warnings-for-addresses.ts';
import { validatePolicyPort } from './validate-policy-port.ts';

const types: readonly unknown[] = ['Ingress', 'Egress'];

/** NetworkPolicies: the allowed traffic of some pods. */
export class NetworkPolicyStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<NetworkPolicy>): void {
    if (!spec) return;
    if (!spec.policyTypes?.length)
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    for (const { ports } of rulesOf(spec)) for (const port of ports) port.protocol ??= 'TCP';
  }

  override validate({ spec }: BuiltInObject<NetworkPolicy>): FieldError[] {
    return validateSpec(spec ?? {}, { invalidValues: false, cidrs: [] });
  }

  override validateUpdate(
    { spec }: BuiltInObject<NetworkPolicy>,
    old: BuiltInObject<NetworkPolicy>,
  ): FieldError[] {
    const selectorErrors = validateLabelSelector(old.spec?.podSelector ?? {}, 'spec.podSelector');
    return validateSpec(spec ?? {}, {
      invalidValues: selectorErrors.length > 0,
      cidrs: cidrsOf(old.spec ?? {}),
    });
  }

  override warningsFor({ spec }: BuiltInObject<NetworkPolicy>): string[] {
    return rulesOf(spec ?? {}).flatMap(({ path, side, peers }) =>
      peers.flatMap(({ ipBlock }, index) => {
        const field = `${path}.${side}[${index}].ipBlock`;
        if (!ipBlock) return [];
        return [
          ...warningsForRange(`${field}.cidr`, ipBlock.cidr),
          ...(ipBlock.except ?? []).flatMap((range, at) => warningsForRange(`${field}.except[${at}]`, range)),
        ];
      }),
    );
  }
}

function validateSpec(spec: NetworkPolicySpec, tolerance: PeerTolerance): FieldError[] {
  const { podSelector = {}, policyTypes = [] } = spec;
  return [
    ...validateLabelSelector(podSelector, 'spec.podSelector', tolerance),
    ...rulesOf(spec).flatMap(({ path, side, ports, peers }) => [
      ...ports.flatMap((port, index) => validatePolicyPort(port, `${path}.ports[${index}]`)),
      ...peers.flatMap((peer, index) => validatePeer(peer, `${path}.${side}[${index}]`, tolerance)),
    ]),
    ...(policyTypes.length > types.length
      ? [invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes')]
      : policyTypes.flatMap((type, index) =>
          types.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, types)],
        )),
  ];
}

/** The rules of both directions. */
function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): {
  path: string;
  side: string;
  ports: readonly NetworkPolicyPort[];
  peers: readonly NetworkPolicyPeer[];
}[] {
  return [
    ...ingress.map(({ ports = [], from = [] }, index) => {
      return { path: `spec.ingress[${index}]`, side: 'from', ports, peers: from };
    }),
    ...egress.map(({ ports = [], to = [] }, index) => {
      return { path: `spec.egress[${index}]`, side: 'to', ports, peers: to };
    }),
  ];
}

function cidrsOf(spec: NetworkPolicySpec): string[] {
  return rulesOf(spec).flatMap(({ peers }) =>
    peers.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr, ...(ipBlock.except ?? [])] : [])),
  );
}
