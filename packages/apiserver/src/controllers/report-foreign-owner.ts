import type { OwnerReference } from 'ots-kubernetes';
import type { ApiObject } from '../json/api-object.ts';
import { createOwnObject } from '../registry/create.ts';
import { type Machinery, timestamp } from '../registry/machinery.ts';
import { StatusError } from '../status/status-error.ts';
import { ownWrite } from './write-object.ts';

const component = 'garbage-collector-controller';

/**
 * Reports in an Event that an owner is in another namespace, and therefore not an owner. If the Event cannot be
 * stored it is dropped, as in a real cluster.
 */
export function reportForeignOwner(machinery: Machinery, dependent: ApiObject, owner: OwnerReference): void {
  const resource = machinery.registry.find('', 'v1', 'events');
  if (!resource) return;
  const { apiVersion, kind, metadata } = dependent;
  const { name = '', namespace = '', uid } = metadata;
  const now = timestamp(machinery);
  const place = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${suffixOf(machinery)}` },
    involvedObject: { apiVersion, kind, name, uid, ...(namespace && { namespace }) },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${place} does not exist in namespace "${namespace}"`,
    type: 'Warning',
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    eventTime: null,
    count: 1,
    reportingComponent: component,
    reportingInstance: '',
  };
  const target = { resource, namespace: namespace || 'default', name: '', subresource: '' };
  try {
    createOwnObject(machinery, target, event, ownWrite);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

/** The time in nanoseconds, whose last digits are random. */
function suffixOf({ clock, random }: Machinery): string {
  const milliseconds = BigInt(Math.trunc(clock.epoch()));
  return (milliseconds * 1_000_000n + BigInt(random.integer(0, 1_000_000))).toString(16);
}
