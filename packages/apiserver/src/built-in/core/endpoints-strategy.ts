import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from 'ots-kubernetes/core/v1';
import { dnsLabel, qualifiedName, subdomain } from 'ots-apimachinery/names';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { requireChoice } from '../validation/validate-choice.ts';
import { validateEndpointIp } from '../validation/validate-endpoint-ip.ts';
import { validateIp } from '../validation/validate-ip.ts';
import { validatePort } from '../validation/port-rules.ts';
import { warningsForIp } from '../validation/warnings-for-addresses.ts';
import { protocols } from './protocols.ts';

/** Endpoints: what was stored once stays valid until it changes. */
export class EndpointsStrategy extends BuiltInStrategy {
  override setDefaults({ subsets = [] }: BuiltInObject<Endpoints>): void {
    for (const { ports = [] } of subsets) for (const port of ports) port.protocol ||= 'TCP';
  }

  override validate({ subsets = [] }: BuiltInObject<Endpoints>): FieldError[] {
    return subsets.flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`));
  }

  override validateUpdate(object: BuiltInObject<Endpoints>, old: BuiltInObject<Endpoints>): FieldError[] {
    return jsonEqual(object.subsets, old.subsets) ? [] : this.validate(object);
  }

  override warningsFor({ metadata, subsets = [] }: BuiltInObject<Endpoints>): string[] {
    // A client that corrects the addresses gets no warning about them.
    if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
    return subsets.flatMap((subset, index) =>
      (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
        (subset[list] ?? []).flatMap(({ ip }, at) =>
          warningsForIp(`subsets[${index}].${list}[${at}].ip`, ip),
        ),
      ),
    );
  }
}

function validateSubset(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  path: string,
): FieldError[] {
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...addresses.flatMap((address, index) => validateAddress(address, `${path}.addresses[${index}]`)),
    ...notReadyAddresses.flatMap((address, index) =>
      validateAddress(address, `${path}.notReadyAddresses[${index}]`),
    ),
    ...ports.flatMap((port, index) =>
      validateEndpointPort(port, ports.length > 1, `${path}.ports[${index}]`),
    ),
  ];
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, path: string): FieldError[] {
  return [
    ...validateIp(ip, `${path}.ip`),
    ...(hostname ? errorsOfRule(`${path}.hostname`, hostname, dnsLabel) : []),
    ...(nodeName === undefined ? [] : errorsOfRule(`${path}.nodeName`, nodeName, subdomain)),
    ...validateEndpointIp(ip, `${path}.ip`),
  ];
}

function validateEndpointPort(
  { name, port, protocol, appProtocol }: EndpointPort,
  needsName: boolean,
  path: string,
): FieldError[] {
  return [
    ...(needsName && !name ? [required(`${path}.name`)] : []),
    ...(name ? errorsOfRule(`${path}.name`, name, dnsLabel) : []),
    ...validatePort(port, `${path}.port`),
    ...requireChoice(`${path}.protocol`, protocol, protocols),
    ...(appProtocol === undefined ? [] : errorsOfRule(`${path}.appProtocol`, appProtocol, qualifiedName)),
  ];
}
