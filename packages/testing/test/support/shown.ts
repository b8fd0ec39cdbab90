import type { RecordedRequest } from 'ots-apiserver';
import { inOrder } from '../../../apiserver/test/support/in-order.ts';
import { masked } from '../../../apiserver/test/support/masked.ts';

/** Names end with five characters that the server chose. */
const generated = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|[^a-z0-9-])/g;

/** Without random names, times and uids. */
export function mask<T>(value: T): T {
  return JSON.parse(JSON.stringify(masked(value)).replaceAll(generated, '-<random>')) as T;
}

const controllerPrefix = 'system:serviceaccount:kube-system:';
const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** An object without what differs from run to run. */
export function shownObject(object: any): unknown {
  const { kind, metadata, spec, status, ...rest } = object;
  const { name, labels, annotations, generation, finalizers, deletionTimestamp } = metadata;
  return mask({
    ...(kind && { kind }),
    name,
    labels,
    annotations,
    generation,
    finalizers,
    isDeleting: deletionTimestamp !== undefined,
    owners: ownersOf(metadata),
    managers: managersOf(metadata),
    ...rest,
    ...(rest.endpoints && { endpoints: rest.endpoints.toSorted(byAddress) }),
    apiVersion: undefined,
    spec,
    status,
  });
}

/** The real controller writes the endpoints of a slice in a random order. */
function byAddress(a: any, b: any): number {
  return a.addresses[0] < b.addresses[0] ? -1 : 1;
}

/** What controllers decide about a pod. */
export function shownPod({ metadata, spec, status }: any): unknown {
  const { name, generateName, labels, annotations, finalizers, deletionTimestamp } = metadata;
  const ready = status.conditions?.find(({ type }: any) => type === 'Ready')?.status;
  return mask({
    name,
    generateName,
    labels,
    annotations,
    finalizers,
    isDeleting: deletionTimestamp !== undefined,
    owners: ownersOf(metadata),
    managers: managersOf(metadata),
    image: spec.containers[0].image,
    phase: status.phase,
    ready,
  });
}

/** What an operator sees of an event. */
export function shownEvent(event: any): unknown {
  const { involvedObject, type, reason, message, count, source, reportingComponent, metadata } = event;
  const { kind, name, apiVersion } = involvedObject;
  const about = `${apiVersion} ${kind} ${name}`;
  return mask({
    about,
    said: `${type} ${reason}: ${message}`,
    count,
    source,
    reportingComponent,
    managers: managersOf(metadata),
  });
}

/** Their workers handle several objects of one test at the same time, so the order of their writes is a matter of chance. */
const parallel = ['replicaset-controller', 'endpoint-controller', 'endpointslice-controller'];

/**
 * What each controller wrote, in its order, once in a row. Without what depends on timing alone: how often it wrote a status on the way
 * to the one that the story records, and conflicts on that way.
 */
export function shownWrites(
  requests: readonly RecordedRequest[],
  namespace: string,
): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const { user, verb, resource, subresource, namespace: where, name, code } of requests) {
    if (where !== namespace || !user.startsWith(controllerPrefix) || !writes.has(verb)) continue;
    if (resource === 'events' || subresource === 'status' || code === 409) continue;
    // The embedded server collects garbage itself, without requests.
    if (user === `${controllerPrefix}generic-garbage-collector`) continue;
    const line = mask(`${verb} ${resource} ${verb === 'create' ? '' : name}`).trim();
    const own = (lines[user.slice(controllerPrefix.length)] ??= []);
    if (own.at(-1) !== line) own.push(line);
  }
  for (const controller of parallel) {
    if (lines[controller]) lines[controller] = [...new Set(lines[controller])].toSorted();
  }
  return inOrder(lines);
}

function ownersOf({ ownerReferences = [] }: any): unknown {
  return ownerReferences.map(({ kind, name, controller, blockOwnerDeletion }: any) =>
    [kind, name, controller && 'controller', blockOwnerDeletion && 'blocks'].filter(Boolean).join(' '),
  );
}

function managersOf({ managedFields = [] }: any): unknown {
  const managers = managedFields.map(({ manager, operation, subresource }: any) =>
    [manager, operation, subresource].filter(Boolean).join(' '),
  );
  return managers.filter((manager: string) => !manager.startsWith('conformance')).toSorted();
}
