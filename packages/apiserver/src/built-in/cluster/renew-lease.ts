import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { FaultedRequest } from '../../faults/fault.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { type Machinery, timestamp } from '../../registry/machinery.ts';
import { noteOwnWrite } from '../../registry/own-write.ts';

/** Who renews which Lease. */
export interface LeaseRenewal {
  readonly namespace: string;
  readonly name: string;
  /** Such as `2026-01-01T00:00:10.000000Z`. */
  readonly renewTime: string;
  /** The user who renews it. */
  readonly user: string;
  /** The field manager of the user. */
  readonly manager: string;
}

/**
 * Stores what a client would store that sets `spec.renewTime` of its Lease, without a request. It costs a small part of one.
 *
 * @returns false, with nothing done, if the Lease does not exist or the manager does not own the field yet
 */
export function renewLease(machinery: Machinery, renewal: LeaseRenewal): boolean {
  const { namespace, name, renewTime, user, manager } = renewal;
  const resource = machinery.registry.find('coordination.k8s.io', 'v1', 'leases');
  const key = `${namespace}/${name}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the table has
  const lease = resource?.table.get(key)?.object as (ApiObject & Lease) | undefined;
  const { managedFields = [] } = lease?.metadata ?? {};
  const own = managedFields.find((entry) => entry.manager === manager && ownsRenewTime(entry.fieldsV1));
  if (!resource || !lease || !own) return false;
  const time = timestamp(machinery);
  const fields = managedFields.map((entry) => (entry === own ? { ...entry, time } : entry));
  const record = resource.table.put(key, {
    ...lease,
    metadata: { ...lease.metadata, managedFields: fields },
    spec: { ...lease.spec, renewTime },
  });
  noteOwnWrite(machinery, 'update', { resource, subresource: '' }, record, {
    user: { name: user, groups: [] },
  });
  return true;
}

/** The request of a client that renews its Lease, for the faults that select it. */
export function requestFor({ namespace, name, user }: LeaseRenewal): FaultedRequest {
  const group = 'coordination.k8s.io';
  return { verb: 'patch', group, resource: 'leases', subresource: '', namespace, name, user };
}

function ownsRenewTime(fields: object | undefined): boolean {
  const { 'f:spec': spec } = (fields ?? {}) as { 'f:spec'?: object };
  return spec !== undefined && 'f:renewTime' in spec;
}
