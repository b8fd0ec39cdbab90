import type { RecordedRequest } from 'ots-apiserver';
import { inOrder } from '../../../apiserver/test/support/in-order.ts';
import { masked } from '../../../apiserver/test/support/masked.ts';

/** Names end with five characters that the server chose. */
const generated = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|[^a-z0-9-])/g;

/** Names of the jobs of CronJobs have the minutes since 1970. */
const minutes = /-\d{8}(?=$|[^a-z0-9])/g;
/** A time in another time zone than UTC. */
const zoned = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=[+-]\d\d:\d\d)/g;

/** Without random names, times and uids. */
export function mask<T>(value: T): T {
  const text = JSON.stringify(masked(value))
    .replaceAll(generated, '-<random>')
    .replaceAll(minutes, '-<minutes>')
    .replaceAll(zoned, '<time>');
  return JSON.parse(text) as T;
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
    spec: spec?.claimRef ? { ...spec, claimRef: { ...spec.claimRef, resourceVersion: undefined } } : spec,
    status,
  });
}

/** As {@link shownObject}, but a template of pods, also that of a revision, is its image. */
export function shownBriefly(object: any): unknown {
  const { spec, data } = object;
  const brief = {
    ...(spec?.template && { spec: { ...spec, template: imageOf(spec.template) } }),
    ...(data?.spec?.template && { data: imageOf(data.spec.template) }),
  };
  return shownObject({ ...object, ...brief });
}

function imageOf({ spec: { containers } }: any): string {
  return containers[0].image;
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
    hostname: spec.hostname,
    image: spec.containers[0].image,
    env: spec.containers[0].env,
    phase: status.phase,
    ready,
  });
}

/** They look at everything again every 15 seconds and say the same again, so how often depends on how long a story takes. */
const repeating = new Set(['persistentvolume-controller', 'horizontal-pod-autoscaler']);
/** What the control plane does with a pod whose node is lost. */
export function shownBoundPod({ metadata, status }: any): unknown {
  const { name, deletionTimestamp, deletionGracePeriodSeconds, finalizers } = metadata;
  return mask({
    name,
    finalizers,
    isDeleting: deletionTimestamp !== undefined,
    deletionGracePeriodSeconds,
    managers: managersOf(metadata),
    status,
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
    ...(!repeating.has(source.component) && { count }),
    source,
    reportingComponent,
    managers: managersOf(metadata),
  });
}

/** Their workers handle several objects of one test at the same time, so the order of their writes is a matter of chance. */
const parallel = [
  'replicaset-controller',
  'endpoint-controller',
  'endpointslice-controller',
  'node-controller',
  'pod-garbage-collector',
];

/** It writes a status before and after it changes pods, which is how it counts each pod once. Pods it changes at the same time. */
const counting = 'job-controller';

/**
 * What each controller wrote, in its order, once in a row. Without what depends on timing alone: how often it wrote a status on the way
 * to the one that the story records, and conflicts on that way.
 */
export function shownWrites(requests: readonly RecordedRequest[]): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const { user, verb, resource, subresource, name, code } of requests) {
    if (!user.startsWith(controllerPrefix) || !writes.has(verb) || resource === 'events') continue;
    const controller = user.slice(controllerPrefix.length);
    if (code === 409 || (subresource === 'status' && controller !== counting)) continue;
    // The embedded server collects garbage itself, without requests.
    if (controller === 'generic-garbage-collector') continue;
    const about = subresource === '' ? resource : `${resource}/${subresource}`;
    const line = mask(`${verb} ${about} ${verb === 'create' ? '' : name}`).trim();
    const own = (lines[controller] ??= []);
    if (own.at(-1) !== line) own.push(line);
  }
  for (const controller of parallel) {
    if (lines[controller]) lines[controller] = [...new Set(lines[controller])].toSorted();
  }
  if (lines[counting]) lines[counting] = withPodsInTextOrder(lines[counting]);
  return inOrder(lines);
}

/** Writes of pods after each other are sorted. */
function withPodsInTextOrder(lines: readonly string[]): string[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && isAboutPod(line) && isAboutPod(last[0]!)) last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) => [...new Set(run)].toSorted());
}

function isAboutPod(line: string): boolean {
  return line.includes(' pods');
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
