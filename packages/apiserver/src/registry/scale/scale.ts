import { subdomain } from 'ots-apimachinery/names';
import { cloneJson } from '../../json/clone-json.ts';
import { ResourceVersions } from '../resource-versions.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { setKey, isObject } from '../../json/json-object.ts';
import {
  badRequest,
  conflict,
  internalError,
  invalidObject,
  modified,
  notFound,
} from '../../status/errors.ts';
import { invalid } from '../../status/field-error.ts';
import { StatusError } from '../../status/status-error.ts';
import type { StoredRecord } from '../../storage/stored-record.ts';
import { type Configuration, mergeConfiguration } from '../apply.ts';
import { mayWait, retryChanged, writeAttributes } from '../admission.ts';
import { checkUid } from '../check-uid.ts';
import { setNamespace } from '../create.ts';
import type { Machinery } from '../machinery.ts';
import { type Resource, keyOf, kindName, resourceName } from '../resource.ts';
import { sentVersion } from '../sent-version.ts';
import type { Target, WriteOptions } from '../target.ts';
import { setManagers, trackManagers, writerOf } from '../track-managers.ts';
import { type Updated, checkName, commitUpdate, completeUpdate } from '../update.ts';
import { validateMetadata } from '../../metadata/validate-metadata.ts';
import { prepareUpdate, renewView, viewOf } from '../views.ts';
import { bodyKind } from '../body-kind.ts';
import { ScaleManagers } from './scale-managers.ts';
import { scaleOf } from './scale-of.ts';
import { type ScaleShape, scaleShapeOf } from './scale-shape.ts';

let kind: Resource | undefined;

/** The kind that clients read and write at `/scale`. */
export function scaleKind(): Resource {
  return (kind ??= bodyKind('autoscaling', 'v1', 'Scale'));
}

/** An object and its current Scale. */
interface Scaling {
  machinery: Machinery;
  target: Target;
  record: StoredRecord;
  shape: ScaleShape;
  managers: ScaleManagers;
  live: ApiObject;
}

/** Marks replicas that an object does not state: the smallest 32-bit integer. */
const unset = -(2 ** 31);

/**
 * Returns the Scale of an object.
 *
 * @throws {StatusError} 404; 500 when a custom resource does not state its desired replicas
 */
export async function getScale(target: Target): Promise<ApiObject> {
  const { resource } = target;
  const { record, shape } = find(target);
  await renewView(resource, record);
  const { scale, hasReplicas } = scaleOf(resource, shape, viewOf(resource, record));
  if (!hasReplicas) throw internalError(`the spec replicas field "${pathOf(target)}" does not exist`);
  return scale;
}

/**
 * Replaces the Scale of an object, which updates the object's replicas.
 *
 * @throws {StatusError} when the server refuses it
 */
export async function replaceScale(
  machinery: Machinery,
  target: Target,
  sent: ApiObject,
  options: WriteOptions,
): Promise<Updated> {
  const object = await retryChanged(async () => {
    const scale = mayWait(machinery, target) ? cloneJson(sent) : sent;
    checkName(target, scale.metadata.name);
    const scaling = await begin(machinery, target);
    setNamespace(target, scale);
    track(scaling, scale, options);
    checkUid(target, scale.metadata.uid, scaling.record, options);
    return store(scaling, scale, options);
  });
  return { object, created: false };
}

/**
 * Patches the Scale of an object.
 *
 * @throws {StatusError} when the patch does not fit, or the server refuses its result
 */
export async function patchScale(
  machinery: Machinery,
  target: Target,
  apply: (object: ApiObject) => ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  return retryChanged(async () => {
    const scaling = await begin(machinery, target);
    const scale = apply(scaling.live);
    track(scaling, scale, options);
    return storePatched(scaling, scale, options);
  });
}

/**
 * Applies a configuration to the Scale of an object.
 *
 * @throws {StatusError} 409 with the fields that others own; every error of an update
 */
export async function applyScale(
  machinery: Machinery,
  target: Target,
  configuration: Configuration,
  options: WriteOptions & { manager: string },
): Promise<Updated> {
  const object = await retryChanged(() => applyOnce(machinery, target, configuration, options));
  return { object, created: false };
}

async function applyOnce(
  machinery: Machinery,
  target: Target,
  configuration: Configuration,
  options: WriteOptions & { manager: string },
): Promise<ApiObject> {
  const scaling = await begin(machinery, target);
  const { live } = scaling;
  const { custom } = target.resource;
  if (custom && !live.metadata.managedFields)
    throw inconvertible('create manager for existing fields', 'live', '');
  const body = bodyOf(target);
  const writer = writerOf(machinery, body, options.manager);
  const scale = mergeConfiguration(body, writer, { configuration, live });
  if (custom && !jsonEqual(scale['spec'], live['spec'])) throw inconvertible('', 'new', target.name);
  configuration.check();
  return storePatched(scaling, scale, options);
}

/** kube-apiserver cannot convert the Scale of a custom resource, so it fails where it must compare or change one. */
function inconvertible(task: string, which: 'live' | 'new', name: string): StatusError {
  const convert = `failed to convert ${which} object (/${name}; autoscaling/v1, Kind=Scale) to proper version`;
  const reason = 'request to convert CR to an invalid group/version: autoscaling/v1';
  return new StatusError(500, undefined, `${task === '' ? '' : `failed to ${task}: `}${convert}: ${reason}`);
}

function find({ resource, namespace, name }: Target): { record: StoredRecord; shape: ScaleShape } {
  const shape = scaleShapeOf(resource);
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record || !shape) throw notFound(resourceName(resource), name);
  return { record, shape };
}

async function begin(machinery: Machinery, target: Target): Promise<Scaling> {
  const { record, shape } = find(target);
  const { resource } = target;
  const { order } = new ResourceVersions(machinery.registry, resource, '');
  const managers = new ScaleManagers(machinery.registry, resource, order);
  await prepareUpdate(resource, record);
  const { scale: live, hasReplicas } = scaleOf(resource, shape, viewOf(resource, record));
  if (!hasReplicas) live['spec'] = { replicas: unset };
  setManagers(live, managers.toScale(record.object.metadata.managedFields));
  return { machinery, target, record, shape, managers, live };
}

/** The same endpoint, with the kind of the body as its resource. */
function bodyOf(target: Target): Target {
  return { ...target, resource: scaleKind() };
}

function track({ machinery, target, live }: Scaling, object: ApiObject, options: WriteOptions): void {
  trackManagers(machinery, bodyOf(target), { live, object }, options);
}

function storePatched(scaling: Scaling, scale: ApiObject, options: WriteOptions): Promise<ApiObject> {
  const { target, record } = scaling;
  const { resource, name } = target;
  setNamespace(target, scale);
  checkName(target, scale.metadata.name);
  const { uid } = record.object.metadata;
  const sent = scale.metadata.uid;
  if (sent !== undefined && sent !== uid && !resource.custom) {
    const part = { group: resource.group, name: `${resource.plural}/scale` };
    throw conflict(
      part,
      name,
      `Precondition failed: UID in precondition: ${sent}, UID in object meta: ${uid}`,
    );
  }
  return store(scaling, scale, options);
}

/**
 * Stores the object with the replicas of a Scale.
 *
 * @returns the new Scale
 */
async function store(
  { machinery, target, record, shape, managers, live }: Scaling,
  sent: ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  const { resource, name } = target;
  const attributes = {
    ...writeAttributes('UPDATE', target, { object: sent, oldObject: live }, options),
    kind: scaleKind(),
  };
  const mutating = machinery.admission.mutate(attributes);
  if (mutating) await mutating;
  const scale = attributes.object;
  const replicas = replicasOf(scale);
  if (replicas === unset) throw badRequest(`the spec replicas field "${pathOf(target)}" cannot be empty`);
  if (!resource.custom) check(scale, name);
  const version = sentVersion(scale);
  if (version !== 0 && version !== record.revision) throw modified(resourceName(resource), name);
  const parent = cloneJson(viewOf(resource, record));
  setReplicas(parent, shape.specReplicas, replicas ?? 0);
  setManagers(parent, managers.toParent(parent.metadata.managedFields, scale.metadata.managedFields));
  const update = { machinery, target: { ...target, subresource: '' }, record, options };
  completeUpdate(update, parent);
  // Validation sees the Scales of both states of the object.
  const [before, after] = [viewOf(resource, record), parent].map(
    (state) => scaleOf(resource, shape, state).scale,
  );
  const validating = machinery.admission.validate({ ...attributes, object: after, oldObject: before });
  if (validating) await validating;
  return scaleOf(resource, shape, await commitUpdate(update, parent)).scale;
}

function check(scale: ApiObject, name: string): void {
  const replicas = replicasOf(scale) ?? 0;
  const errors = validateMetadata(scale.metadata, subdomain);
  if (replicas < 0) errors.push(invalid('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (errors.length > 0) throw invalidObject(kindName(scaleKind()), name, errors);
}

function replicasOf({ spec }: ApiObject): number | undefined {
  return isObject(spec) && typeof spec['replicas'] === 'number' ? spec['replicas'] : undefined;
}

/** @throws {StatusError} 400 when the path leads through a value that is not an object */
function setReplicas(object: ApiObject, path: readonly string[], replicas: number): void {
  let at: Record<string, unknown> = object;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(at, step) ? at[step] : undefined;
    if (next !== undefined && !isObject(next))
      throw badRequest(`value cannot be set because .${path.join('.')} is not a map[string]interface{}`);
    if (!next) setKey(at, step, {});
    at = at[step] as Record<string, unknown>;
  }
  setKey(at, path.at(-1) ?? '', replicas);
}

function pathOf({ resource }: Target): string {
  return resource.definition?.subresources?.scale?.specReplicasPath ?? '';
}
