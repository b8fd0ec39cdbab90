import type { IPBlock, NetworkPolicyPeer } from 'ots-kubernetes/networking/v1';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isWithin, parseIpRange } from '../../validation/ip-range.ts';
import { validateCidr } from '../../validation/validate-cidr.ts';
import { type SelectorTolerance, validateLabelSelector } from '../../validation/validate-label-selector.ts';

/** Faults that a policy may keep, because it had them before. */
export interface PeerTolerance extends SelectorTolerance {
  cidrs: readonly string[];
}

/** Validates a peer of a NetworkPolicy: pods, namespaces, or addresses. */
export function validatePeer(peer: NetworkPolicyPeer, path: string, tolerance: PeerTolerance): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...(podSelector ? validateLabelSelector(podSelector, `${path}.podSelector`, tolerance) : []),
    ...(namespaceSelector
      ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, tolerance)
      : []),
    ...(ipBlock ? validateBlock(ipBlock, `${path}.ipBlock`, tolerance.cidrs) : []),
    ...(hasSelector || ipBlock ? [] : [required(path, 'must specify a peer')]),
    ...(hasSelector && ipBlock ? [forbidden(path, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function validateBlock({ cidr, except = [] }: IPBlock, path: string, known: readonly string[]): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`)];
  const errors = validateCidr(cidr, `${path}.cidr`, known);
  const range = parseIpRange(cidr);
  if (!range) return errors;
  return [
    ...errors,
    ...except.flatMap((text, index) => {
      const field = `${path}.except[${index}]`;
      const excepted = parseIpRange(text);
      return [
        ...validateCidr(text, field, known),
        ...(excepted && !isWithin(excepted, range)
          ? [invalid(field, text, 'must be a strict subset of `cidr`')]
          : []),
      ];
    }),
  ];
}
