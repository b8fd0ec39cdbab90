import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { dnsLabel, labelValue, type NameRule, qualifiedName, subdomain } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, duplicate, required, tooMany } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { protocols } from '../protocols.ts';
import { validateSliceAddress } from './validate-slice-address.ts';

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;

/**
 * Validates an EndpointSlice.
 *
 * @param old undefined when it is new; its endpoints are accepted as they are
 */
export function validateEndpointSlice(slice: EndpointSlice, old: EndpointSlice | undefined): FieldError[] {
  const endpoints = slice.endpoints ?? [];
  const isKept = old && jsonEqual(slice.endpoints, old.endpoints);
  return [
    ...requireChoice('addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6']),
    ...validatePorts(slice.ports ?? []),
    ...(isKept ? [] : validateEndpoints(endpoints, slice.addressType)),
  ];
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxPorts) return [tooMany('ports', ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    const isTwice = names.has(name);
    names.add(name);
    return [
      ...(name === '' ? [] : errorsOfRule(`${path}.name`, name, dnsLabel)),
      ...(isTwice ? [duplicate(`${path}.name`, name)] : []),
      ...requireChoice(`${path}.protocol`, protocol, protocols),
      ...(appProtocol === undefined ? [] : errorsOfRule(`${path}.appProtocol`, appProtocol, qualifiedName)),
    ];
  });
}

function validateEndpoints(endpoints: readonly Endpoint[], addressType: string): FieldError[] {
  if (endpoints.length > maxEndpoints) return [tooMany('endpoints', endpoints.length, maxEndpoints)];
  return endpoints.flatMap((endpoint, index) =>
    validateEndpoint(endpoint, addressType, `endpoints[${index}]`),
  );
}

function validateEndpoint(endpoint: Endpoint, addressType: string, path: string): FieldError[] {
  const { nodeName, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const field = `${path}.addresses`;
  return [
    ...(addresses.length === 0 ? [required(field, 'must contain at least 1 address')] : []),
    ...(addresses.length > maxAddresses ? [tooMany(field, addresses.length, maxAddresses)] : []),
    ...addresses.flatMap((address, index) => validateSliceAddress(address, addressType, { field, index })),
    ...(nodeName === undefined ? [] : errorsOfRule(`${path}.nodeName`, nodeName, subdomain)),
    ...(hostname === undefined ? [] : errorsOfRule(`${path}.hostname`, hostname, dnsLabel)),
    ...(hints ? validateHints(hints, `${path}.hints`) : []),
  ];
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: string): FieldError[] {
  if (forZones.length > maxHints) return [tooMany(`${path}.forZones`, forZones.length, maxHints)];
  return [
    ...validateHintNames(forZones, `${path}.forZones`, labelValue),
    ...(forNodes.length > maxHints
      ? [tooMany(`${path}.forNodes`, forNodes.length, maxHints)]
      : validateHintNames(forNodes, `${path}.forNodes`, subdomain)),
  ];
}

function validateHintNames(hints: readonly { name: string }[], path: string, rule: NameRule): FieldError[] {
  return hints.flatMap(({ name }, index) => {
    const field = `${path}[${index}].name`;
    const isTwice = hints.slice(0, index).some((other) => other.name === name);
    return [...(isTwice ? [duplicate(field, name)] : []), ...errorsOfRule(field, name, rule)];
  });
}
