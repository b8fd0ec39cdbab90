import { appendAll } from '../json/append-all.ts';
import { applyObject } from '../registry/apply.ts';
import { createObject } from '../registry/create.ts';
import { type Deleted, type Deletion, deleteObject } from '../registry/delete.ts';
import { deleteListed } from '../registry/delete-collection.ts';
import { listObjects } from '../registry/list.ts';
import { patchObject } from '../registry/patch.ts';
import { keyOf, resourceName } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { replaceObject } from '../registry/update.ts';
import { jsonOf, prepareView, renewView, viewOf } from '../registry/views.ts';
import { notFound } from '../status/errors.ts';
import { readObject } from './decode-body.ts';
import { readDeleteOptions } from './delete-options.ts';
import { listOrWatch, listReply, readListOptions } from './list-or-watch.ts';
import type { ApiRequest } from './api-request.ts';
import type { FormedContext, Handlers, ObjectContext } from './object-context.ts';
import { readWriteOptions } from './options.ts';
import { presentObject } from './present.ts';
import { type Reply, json } from './reply.ts';
import { updateHandlers } from './update-handlers.ts';

/** The handlers for the objects of a resource, their status, and other subresources that update the whole object. */
export const objectHandlers: Handlers = {
  list: listOrWatch,
  create,
  deletecollection: deleteCollection,
  get,
  ...updateHandlers({
    bodyOf: ({ resource }) => resource,
    replace: replaceObject,
    patch: patchObject,
    apply: applyObject,
  }),
  delete: remove,
};

function get({ target, request, cached, presentation }: FormedContext): Reply | Promise<Reply> {
  const { resource, namespace, name } = target;
  const { table } = resource;
  const key = keyOf(resource, namespace, name);
  const record = cached === undefined ? table.get(key) : table.getAt(cached, key);
  if (!record) throw notFound(resourceName(resource), name);
  const text = () => jsonOf(resource, record);
  const reply = () => {
    const body = presentation
      ? presentObject(presentation, { object: viewOf(resource, record), json: text })
      : text();
    return { code: 200, contentType: 'application/json', body };
  };
  // Like a real server, only a client that accepts any state gets what a webhook converted before.
  const prepare = request.query.get('resourceVersion') ? prepareView : renewView;
  const preparing = prepare(resource, record);
  return preparing ? preparing.then(reply) : reply();
}

async function create({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = readWriteOptions(request, 'CreateOptions');
  const { object, warnings } = await readObject(request, target.resource, options.fieldValidation);
  appendAll(options.warnings, warnings);
  return json(201, await createObject(machinery, target, object, options));
}

async function remove({ machinery, request, target }: ObjectContext): Promise<Reply> {
  const options = await readDeleteOptions(request);
  appendAll(request.warnings, target.resource.strategy.warningsForDeletion(options));
  const deleted = await deleteObject(machinery, target, options, deletionOf(request));
  const isAccepted = !deleted.gone && options.orphanDependents === false;
  return json(isAccepted ? 202 : 200, deletionAnswer(target, deleted));
}

function deletionOf(request: ApiRequest): Deletion {
  const { user, warnings, audit } = request;
  return { user, client: request, warnings, audit };
}

/** Most kinds return a Status once the object is gone, and the object while finalizers or a grace period keep it. */
function deletionAnswer({ resource, name }: Target, { object, gone }: Deleted): object {
  if (!gone || resource.strategy.returnsDeletedObject) return object;
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
  appendAll(request.warnings, target.resource.strategy.warningsForDeletion(options));
  const { records, metadata } = await listObjects(machinery, target, listOptions);
  await deleteListed(machinery, target, records, options, deletionOf(request));
  return listReply(target, { records, metadata }, presentation);
}
