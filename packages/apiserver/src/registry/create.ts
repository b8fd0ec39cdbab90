import { appendAll } from '../json/append-all.ts';
import type { ApiObject } from '../json/api-object.ts';
import { alreadyExists, badRequest, internalError, invalidObject } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { writeAttributes } from './admission.ts';
import { authorizeCreate } from './authorize-create.ts';
import { keepUniqueOwners } from './keep-unique-owners.ts';
import { type Machinery, timestamp } from './machinery.ts';
import { admitCreate } from './namespace-lifecycle.ts';
import { keyOf, kindName, resourceName } from './resource.ts';
import { noteOwnWrite } from './own-write.ts';
import type { Random } from '../random/random.ts';
import { randomSuffix } from './random-suffix.ts';
import { versionProblem } from './resource-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { trackConverted, trackManagers } from './track-managers.ts';
import { takesAnyFinalizer, validateMetadata } from '../metadata/validate-metadata.ts';
import { decodeUnstructured } from './unstructured.ts';
import { convertedView } from './views.ts';

const maxPrefixLength = 58;
const nameAttempts = 8;

/**
 * Stores a new object that admission allows.
 *
 * @param sent the decoded body, which becomes part of the store: the caller must not use it again
 * @returns the object as stored, in the version of the request
 * @throws {StatusError} when the server refuses it
 */
export async function createObject(
  machinery: Machinery,
  target: Target,
  sent: ApiObject,
  options: WriteOptions,
): Promise<ApiObject> {
  begin(machinery, target, sent, options);
  const tracking = trackConverted(machinery, target, { live: undefined, object: sent }, options);
  if (tracking) await tracking;
  const attributes = writeAttributes('CREATE', target, { object: sent }, options);
  const mutating = machinery.admission.mutate(attributes);
  if (mutating) await mutating;
  const { object } = attributes;
  keepUniqueOwners(object, options.warnings, true);
  setNamespace(target, object);
  complete(machinery, target, object, options);
  if (options.createsMissing) authorizeCreate(machinery, target, options);
  const validating = machinery.admission.validate(attributes);
  if (validating) await validating;
  const { resource } = target;
  checkNew(object, options);
  const decoded = decodeUnstructured(resource, object);
  const converting = resource.strategy.slowConversion?.toStorage(decoded);
  const stored = converting ? await converting : resource.strategy.toStorage(decoded);
  return convertedView(resource, insert(machinery, target, stored, options));
}

/**
 * Stores a new object of the server itself, without admission.
 *
 * @param object becomes part of the store: the caller must not use it again
 * @throws {StatusError} when the server refuses it
 */
export function createOwnObject(
  machinery: Machinery,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
): void {
  begin(machinery, target, object, options);
  trackManagers(machinery, target, { live: undefined, object }, options);
  complete(machinery, target, object, options);
  insert(machinery, target, target.resource.strategy.toStorage(object), options);
}

function begin(machinery: Machinery, target: Target, object: ApiObject, options: WriteOptions): void {
  setNamespace(target, object);
  admitCreate(machinery, target, object.metadata.name ?? '');
  dropSystemFields(object);
  keepUniqueOwners(object, options.warnings);
}

/** Sets what the server decides about a new object, and validates it. */
function complete(machinery: Machinery, target: Target, object: ApiObject, options: WriteOptions): void {
  const { resource } = target;
  const { strategy } = resource;
  strategy.checkWriter(object, undefined, { user: options.user, authorizer: machinery.authorizer, target });
  setSystemFields(machinery, target, object);
  if (object.metadata.uid === undefined) throw internalError('system metadata was not initialized');
  strategy.prepareForCreate(object);
  strategy.recordCreator(object, options.user);
  const { metadata } = object;
  const errors = [
    ...validateMetadata(metadata, strategy.nameRule, takesAnyFinalizer(resource)),
    ...strategy.validate(object),
  ];
  if (errors.length > 0) throw invalidObject(kindName(resource), metadata.name ?? '', errors);
  if (options.warnings) appendAll(options.warnings, strategy.warningsFor(object, undefined));
}

function checkNew({ metadata }: ApiObject, { dryRun }: WriteOptions): void {
  if (!dryRun && isVersion(metadata.resourceVersion)) {
    throw new StatusError(500, undefined, 'resourceVersion should not be set on objects to be created');
  }
}

/** @param object the object in its storage version */
function insert(
  machinery: Machinery,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
): StoredRecord {
  const { resource, namespace } = target;
  const { table } = resource;
  const name = object.metadata.name ?? '';
  const key = keyOf(resource, namespace, name);
  const existing = table.get(key);
  if (existing) {
    throw alreadyExists(
      resourceName(resource),
      name,
      existing.object.metadata.deletionTimestamp !== undefined,
    );
  }
  if (options.dryRun) return { key, revision: 0, object };
  const record = table.put(key, object);
  noteOwnWrite(machinery, 'create', target, record, options);
  return record;
}

/** Whether a text is the resource version of an existing object. A real server checks nothing else, and only in storage. */
function isVersion(text = ''): boolean {
  return text !== '' && versionProblem(text) === undefined && Number(text) > 0;
}

/**
 * Sets the object's namespace to that of the URL.
 *
 * @throws {StatusError} 400 when the object names another one
 */
export function setNamespace({ namespace, resource }: Target, { metadata }: ApiObject): void {
  if (resource.scope === 'Cluster') {
    delete metadata.namespace;
  } else if (metadata.namespace === undefined) {
    metadata.namespace = namespace;
  } else if (metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Clients cannot set these fields. */
export function dropSystemFields({ metadata }: ApiObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

function setSystemFields(machinery: Machinery, target: Target, { metadata }: ApiObject): void {
  metadata.uid = machinery.random.uuid();
  metadata.creationTimestamp = timestamp(machinery);
  if (metadata.generateName !== undefined && metadata.name === undefined) {
    metadata.name = generateName(machinery.random, target, metadata.generateName);
  }
}

/** After a few collisions the last name stays, and the creation fails because it exists. */
function generateName(random: Random, { resource, namespace }: Target, prefix: string): string {
  let name = '';
  for (let attempt = 0; attempt < nameAttempts; attempt += 1) {
    name = `${prefix.slice(0, maxPrefixLength)}${randomSuffix(random)}`;
    if (!resource.table.get(keyOf(resource, namespace, name))) break;
  }
  return name;
}
