import { randomInt } from 'node:crypto';
import type { ApiObject } from '../objects/api-object.ts';
import { applyObject } from '../registry/apply.ts';
import { createObject } from '../registry/create.ts';
import { decodeContinue } from '../registry/continue-token.ts';
import { type Deleted, deleteObject, deleteRecord } from '../registry/delete.ts';
import {
  type ListOptions,
  type Page,
  checkListParameters,
  listObjects,
  untilListable,
} from '../registry/list.ts';
import type { Machinery } from '../registry/machinery.ts';
import { patchObject } from '../registry/patch.ts';
import { apiVersionOf, keyOf, resourceName } from '../registry/resource.ts';
import { type Selection, parseSelection } from '../registry/selection.ts';
import type { Target } from '../registry/target.ts';
import { replaceObject } from '../registry/update.ts';
import { checkWatchedName, findWatchStart } from '../registry/watch.ts';
import { jsonOf, viewOf } from '../registry/views.ts';
import { badRequest, methodNotAllowed, notFound, verbNotSupported } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { applyPatch } from './apply-patch.ts';
import { readObject } from './decode-body.ts';
import { readDeleteOptions } from './delete-options.ts';
import { readBoolean, readInteger, readWriteOptions } from './options.ts';
import { conversionError, parseConfiguration } from './parse-configuration.ts';
import { readPatch } from './read-patch.ts';
import { negotiateObjects } from './negotiate-objects.ts';
import { type Presentation, presentEvents, presentList, presentObject, presentReply } from './present.ts';
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

/** A request whose answer has a form. */
interface FormedContext extends ObjectContext {
  /** None for objects as they are. */
  presentation: Presentation | undefined;
}

type Handler = (context: FormedContext) => Reply | StreamingReply | Promise<Reply | StreamingReply>;

const writeVerbs = new Set(['create', 'update', 'patch', 'delete']);

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
  const handler = (name === '' || target.isWatch ? collectionHandlers : objectHandlers).get(request.method);
  const verbs =
    subresource === ''
      ? resource.verbs
      : resource.subresources.find((known) => known.name === subresource)?.verbs;
  if (!handler || !verbs?.includes(handler.verb)) throw notAllowed(context);
  // Over all namespaces there is nothing but the list.
  if (name === '' && resource.scope === 'Namespaced' && target.namespace === '' && handler.verb !== 'list') {
    throw resource.custom ? new PageNotFoundError() : methodNotAllowed();
  }
  const { type, presentation } = negotiateObjects(context, handler.verb);
  const reply = await handler.handle({ ...context, presentation });
  if (typeof reply === 'function') return reply;
  const presented = writeVerbs.has(handler.verb) ? presentReply(reply, presentation) : reply;
  if (resource.warning === undefined) return { ...presented, type };
  return { ...presented, type, warnings: [resource.warning, ...(reply.warnings ?? [])] };
}

/** Custom resources are refused in other words than built-in ones. */
function notAllowed({ request: { method }, target: { resource, name } }: ObjectContext): Error {
  if (!resource.custom) return methodNotAllowed();
  if (name === '' && (method === 'PUT' || method === 'PATCH')) return badRequest('name must be provided');
  return verbNotSupported(resourceName(resource), verbOfMethod.get(method) ?? method.toLowerCase());
}

function get({ target, presentation }: FormedContext): Reply {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  const text = () => jsonOf(resource, record);
  const body = presentation
    ? presentObject(presentation, { object: viewOf(resource, record), json: text })
    : text();
  return { code: 200, contentType: 'application/json', body };
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

async function patch(context: ObjectContext): Promise<Reply> {
  const { machinery, request, target } = context;
  const { type, source } = await readPatch(request, target.resource);
  if (type === 'apply') return applyPatched(context, source);
  const options = readWriteOptions(request, 'PatchOptions');
  let warnings: string[] = [];
  const apply = (old: ApiObject) => {
    const patched = applyPatch({ type, source }, old, target.resource, options.fieldValidation);
    ({ warnings } = patched);
    return patched.object;
  };
  return json(200, patchObject(machinery, target, apply, options), warnings);
}

function applyPatched({ machinery, request, target }: ObjectContext, source: string): Reply {
  const options = readWriteOptions(request, 'PatchOptions', true);
  const { value, problems } = parseConfiguration(source);
  const configuration = {
    value,
    force: options.force,
    // What is odd about the text is looked at once the configuration could be applied.
    check() {
      if (problems.length === 0 || options.fieldValidation !== 'Strict') return;
      const lines = problems.map((problem) => `\n  ${problem}`).join('');
      throw badRequest(`error strict decoding YAML: ${conversionError} unmarshal errors:${lines}`);
    },
  };
  const { object, created } = applyObject(machinery, target, configuration, options);
  return json(created ? 201 : 200, object, options.fieldValidation === 'Warn' ? problems : []);
}

async function remove({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = await readDeleteOptions(request);
  const deleted = deleteObject(machinery, target, options);
  const isAccepted = !deleted.gone && options.orphanDependents === false;
  return json(isAccepted ? 202 : 200, deletionAnswer(target, deleted));
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

async function deleteCollection({ machinery, request, target, presentation }: FormedContext): Promise<Reply> {
  const options = await readDeleteOptions(request);
  const listOptions = readListOptions(request, target);
  const { records, metadata } = listObjects(machinery, target, listOptions);
  for (const record of records) deleteRecord(machinery, target.resource, record, options);
  return listReply(target, { records, metadata }, presentation);
}

async function listOrWatch(context: FormedContext): Promise<Reply | StreamingReply> {
  const { machinery, request, target, bookmarkInterval, presentation } = context;
  const { query } = request;
  const isWatch = target.isWatch || readBoolean(query, 'watch');
  checkListParameters(query, isWatch);
  const timeoutSeconds = readInteger(query, 'timeoutSeconds');
  readInteger(query, 'limit');
  if (!isWatch) {
    const options = readListOptions(request, target);
    await untilListable(machinery, options);
    const page = listObjects(machinery, target, options);
    return listReply(target, page, presentation);
  }
  const sendInitialEvents = query.has('sendInitialEvents')
    ? readBoolean(query, 'sendInitialEvents')
    : undefined;
  const selection = readSelection(request, target);
  checkWatchedName(target, selection);
  return streamWatch(machinery, target, {
    selection,
    ...findWatchStart(machinery, query.get('resourceVersion') ?? '', sendInitialEvents),
    // A server that is not told ends watches after 30 to 60 minutes, so that not all clients come back at once.
    timeoutSeconds: timeoutSeconds > 0 ? timeoutSeconds : randomInt(1800, 3600),
    bookmarks: readBoolean(query, 'allowWatchBookmarks'),
    bookmarkInterval,
    ...(presentation && { present: presentEvents(presentation) }),
    warnings: target.resource.warning === undefined ? [] : [target.resource.warning],
  });
}

function readListOptions(request: ApiRequest, target: Target): ListOptions {
  const { query } = request;
  const continueToken = query.get('continue') ?? '';
  const continueFrom = continueToken === '' ? undefined : decodeContinue(continueToken);
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (continueFrom && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return {
    selection: readSelection(request, target),
    isFiltered: Boolean(query.get('labelSelector') || query.get('fieldSelector')),
    limit: readInteger(query, 'limit'),
    continueFrom,
    resourceVersion,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}

function readSelection({ query }: ApiRequest, { resource }: Target): Selection {
  return parseSelection(resource, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '');
}

/** Puts the texts of the items together: each was made once for all lists and watches. */
function listReply(
  { resource }: Target,
  { records, metadata }: Page,
  presentation: Presentation | undefined,
): Reply {
  if (presentation) {
    const body = presentList(presentation, { records, metadata });
    return { code: 200, contentType: 'application/json', body };
  }
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
