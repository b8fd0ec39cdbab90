import type { EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { warningsForIp } from '../../validation/warnings-for-addresses.ts';
import { validateEndpointSlice } from './validate-endpoint-slice.ts';

const managedBy = 'endpointslice.kubernetes.io/managed-by';
const controllers = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

/** EndpointSlices: changed labels also increase the generation, because consumers select by them. */
export class EndpointSliceStrategy extends BuiltInStrategy {
  override setDefaults({ ports }: BuiltInObject<EndpointSlice>): void {
    for (const port of ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  }

  override prepareForCreate(object: BuiltInObject<EndpointSlice>): void {
    super.prepareForCreate(object);
    dropTopology(object);
  }

  override prepareForUpdate(object: BuiltInObject<EndpointSlice>, old: BuiltInObject<EndpointSlice>): void {
    super.prepareForUpdate(object, old);
    const { generation = 0 } = old.metadata;
    if (!jsonEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {}))
      object.metadata.generation = generation + 1;
    if (!jsonEqual(object.endpoints, old.endpoints)) dropTopology(object);
  }

  override validate(object: BuiltInObject<EndpointSlice>): FieldError[] {
    return validateEndpointSlice(object, undefined);
  }

  override validateUpdate(
    object: BuiltInObject<EndpointSlice>,
    old: BuiltInObject<EndpointSlice>,
  ): FieldError[] {
    return [
      ...validateEndpointSlice(object, old),
      ...validateImmutable('addressType', object.addressType, old.addressType),
    ];
  }

  override warningsFor(
    { metadata, addressType, endpoints }: BuiltInObject<EndpointSlice>,
    old: BuiltInObject<EndpointSlice> | undefined,
  ): string[] {
    const isCorrected = controllers.has(metadata.labels?.[managedBy] ?? '');
    const addresses = isCorrected ? [] : (endpoints ?? []).map((endpoint) => endpoint.addresses ?? []);
    return [
      ...(addressType === 'FQDN' && !old ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...addresses.flatMap((list, index) =>
        list.flatMap((address, at) => warningsForIp(`endpoints[${index}].addresses[${at}]`, address)),
      ),
    ];
  }
}

/** The field belongs to an older version, and this one cannot write it. */
function dropTopology({ endpoints }: BuiltInObject<EndpointSlice>): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}
