import { randomInt } from 'node:crypto';
import { createObject } from '../registry/create.ts';
import { decodeContinue } from '../registry/continue-token.ts';
import { type Deleted, deleteObject, deleteRecord } from '../registry/delete.ts';
import { type ListOptions, type Page, checkListParameters, listObjects } from '../registry/list.ts';
import type { Machinery } from '../registry/machinery.ts';
import { patchObject } from '../registry/patch.ts';
import { apiVersionOf, keyOf, resourceName } from '../registry/resource.ts';
import { type Selection, parseSelection } from '../registry/selection.ts';
import type { Target } from '../registry/target.ts';
import { replaceObject } from '../registry/update.ts';
import { parseWatchStart } from '../registry/watch.ts';
import { jsonOf } from '../registry/views.ts';
import { badRequest, methodNotAllowed, notFound, verbNotSupported } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { decodePatched, readObject } from './decode-body.ts';
import { readBoolean, readDeleteOptions, readInteger, readWriteOptions } from './options.ts';
import { asPatchError, readPatch } from './read-patch.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { type Reply, type StreamingReply, json } from './reply.ts';
import { streamWatch } from './watch-stream.ts';

/** What a request for objects is handled with. */
export interface ObjectContext {
  machinery: Machinery;
  request: ApiRequest;
  target: Target;
  /** Milliseconds between the bookmarks of a watch. */
  bookmarkInterval: number;
}

const verbOfMethod = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
]);

type Handler = (context: ObjectContext) => Reply | StreamingReply | Promise<Reply | StreamingReply>;

const collectionHandlers = new Map<string, { verb: string; handle: Handler }>([
  ['GET', { verb: 'list', handle: listOrWatch }],
  ['POST', { verb: 'create', handle: create }],
  ['DELETE', { verb: 'deletecollection', handle: deleteCollection }],
]);
const objectHandlers = new Map<string, { verb: string; handle: Handler }>([
  ['GET', { verb: 'get', handle: get }],
  ['PUT', { verb: 'update', handle: update }],
  ['PATCH', { verb: 'patch', handle: patch }],
  ['DELETE', { verb: 'delete', handle: remove }],
]);

/**
 * Handles a request for objects.
 *
 * @throws {StatusError} when it is refused
 */
export async function handleObjects(context: ObjectContext): Promise<Reply | StreamingReply> {
  const { target, request } = context;
  const { resource, name, subresource } = target;
  const handler = (name === '' ? collectionHandlers : objectHandlers).get(request.method);
  const verbs =
    subresource === ''
      ? resource.verbs
      : resource.subresources.find((known) => known.name === subresource)?.verbs;
  if (!handler || !verbs?.includes(handler.verb)) throw notAllowed(context);
  // Over all namespaces there is nothing but the list.
  if (name === '' && resource.scope === 'Namespaced' && target.namespace === '' && handler.verb !== 'list') {
    throw resource.custom ? new PageNotFoundError() : methodNotAllowed();
  }
  const reply = await handler.handle(context);
  if (typeof reply === 'function' || resource.warning === undefined) return reply;
  return { ...reply, warnings: [resource.warning, ...(reply.warnings ?? [])] };
}

/** Custom resources are refused in other words than built-in ones. */
function notAllowed({ request: { method }, target: { resource, name } }: ObjectContext): Error {
  if (!resource.custom) return methodNotAllowed();
  if (name === '' && (method === 'PUT' || method === 'PATCH')) return badRequest('name must be provided');
  return verbNotSupported(resourceName(resource), verbOfMethod.get(method) ?? method.toLowerCase());
}

function get({ target }: ObjectContext): Reply {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  return { code: 200, contentType: 'application/json', body: jsonOf(resource, record) };
}

async function create({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = readWriteOptions(request, 'CreateOptions');
  const { object, warnings } = await readObject(request, target.resource, options.fieldValidation);
  return json(201, createObject(machinery, target, object, options), warnings);
}

async function update({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = readWriteOptions(request, 'UpdateOptions');
  const { object: sent, warnings } = await readObject(request, target.resource, options.fieldValidation);
  const { object, created } = replaceObject(machinery, target, sent, options);
  return json(created ? 201 : 200, object, warnings);
}

async function patch({ request, target }: ObjectContext): Promise<Reply> {
  const options = readWriteOptions(request, 'PatchOptions');
  let warnings: string[] = [];
  const decode = (value: unknown) => {
    try {
      const decoded = decodePatched(value, target.resource, options.fieldValidation);
      ({ warnings } = decoded);
      return decoded.object;
    } catch (error) {
      throw asPatchError(error, value);
    }
  };
  const object = patchObject(target, await readPatch(request), decode, options);
  return json(200, object, warnings);
}

async function remove({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = await readDeleteOptions(request);
  return json(200, deletionAnswer(target, deleteObject(machinery, target, options)));
}

/** Most kinds answer a Status once the object is gone; the object itself while something holds it back. */
function deletionAnswer({ resource, name }: Target, { object, gone }: Deleted): unknown {
  if (!gone || resource.strategy.answersDeletedObject) return object;
  const { group, plural } = resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group !== '' && { group }), kind: plural, uid: object.metadata.uid },
  };
}

async function deleteCollection({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = await readDeleteOptions(request);
  const listOptions = readListOptions(request, target);
  const { records, metadata } = listObjects(machinery, target, listOptions);
  for (const record of records) deleteRecord(machinery, target.resource, record, options);
  return listReply(target, { records, metadata });
}

function listOrWatch(context: ObjectContext): Reply | StreamingReply {
  const { machinery, request, target, bookmarkInterval } = context;
  const { query } = request;
  const isWatch = readBoolean(query, 'watch');
  checkListParameters(query, isWatch);
  const timeoutSeconds = readInteger(query, 'timeoutSeconds');
  if (!isWatch) return listReply(target, listObjects(machinery, target, readListOptions(request, target)));
  const sendInitialEvents = readBoolean(query, 'sendInitialEvents');
  return streamWatch(machinery, target, {
    selection: readSelection(request, target),
    start: sendInitialEvents ? undefined : parseWatchStart(query.get('resourceVersion') ?? ''),
    // A server that is not told ends watches after 30 to 60 minutes, so that not all clients come back at once.
    timeoutSeconds: timeoutSeconds > 0 ? timeoutSeconds : randomInt(1800, 3600),
    bookmarks: readBoolean(query, 'allowWatchBookmarks'),
    bookmarkInterval,
    warnings: target.resource.warning === undefined ? [] : [target.resource.warning],
  });
}

function readListOptions(request: ApiRequest, target: Target): ListOptions {
  const { query } = request;
  const continueToken = query.get('continue') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (continueToken !== '' && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return {
    selection: readSelection(request, target),
    isFiltered: Boolean(query.get('labelSelector') || query.get('fieldSelector')),
    limit: readInteger(query, 'limit'),
    continueFrom: continueToken === '' ? undefined : decodeContinue(continueToken),
    resourceVersion,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}

function readSelection({ query }: ApiRequest, { resource }: Target): Selection {
  return parseSelection(resource, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '');
}

/** Puts the texts of the items together: each was made once for all lists and watches. */
function listReply({ resource }: Target, { records, metadata }: Page): Reply {
  // The items of built-in lists carry no type: it stands in front of their text, always in the same way.
  const typed = resource.custom
    ? 0
    : `"apiVersion":"${apiVersionOf(resource)}","kind":"${resource.kind}",`.length;
  const items = records.map((record) => `{${jsonOf(resource, record).slice(1 + typed)}`).join(',');
  const head = JSON.stringify({
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: resource.custom ? { continue: '', ...metadata } : metadata,
  });
  return { code: 200, contentType: 'application/json', body: `${head.slice(0, -1)},"items":[${items}]}` };
}
