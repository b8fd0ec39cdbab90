import { resourceName } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { badRequest, methodNotAllowed, verbNotSupported } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { asksForWatch } from './list-or-watch.ts';
import { negotiateObjects } from './negotiate-objects.ts';
import { answerHandlers } from './answer-handlers.ts';
import type { Handlers, ObjectContext, Verb } from './object-context.ts';
import { objectHandlers } from './object-handlers.ts';
import { PageNotFoundError } from './page-not-found-error.ts';
import { presentReply } from './present.ts';
import type { Reply, StreamingReply } from './reply.ts';
import { subresourceHandlers } from './subresource-handlers.ts';

const collectionVerbs = new Map<string, Verb>([
  ['GET', 'list'],
  ['POST', 'create'],
  ['DELETE', 'deletecollection'],
]);
const objectVerbs = new Map<string, Verb>([
  ['GET', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);
/** Clients can create things below an object that are not objects of a collection. */
const subresourceVerbs = new Map<string, Verb>([...objectVerbs, ['POST', 'create']]);
const writeVerbs = new Set<Verb>(['create', 'update', 'patch', 'delete']);

/**
 * Handles a request for objects.
 *
 * @throws {StatusError} when it is refused
 */
export async function handleObjects(context: ObjectContext): Promise<Reply | StreamingReply> {
  const { target, request } = context;
  const { resource, name } = target;
  if (isProxied(target)) return (await proxies()).proxyRequest(context);
  const verb = verbsOfMethods(target).get(request.method);
  const { verbs, handlers } = endpointOf(target);
  const handle = verb && verbs.includes(verb) ? handlers[verb] : undefined;
  if (!verb || !handle) throw notAllowed(context);
  // Across all namespaces there is only the list.
  if (name === '' && resource.scope === 'Namespaced' && target.namespace === '' && verb !== 'list') {
    throw resource.custom ? new PageNotFoundError() : methodNotAllowed();
  }
  const { type, presentation } = negotiateObjects(context, verb);
  const { warnings, audit } = request;
  if (resource.warning !== undefined) {
    warnings.push(resource.warning);
    // A watch is recorded when it begins, and kube-apiserver adds this when it ends.
    if (verb !== 'list' || !asksForWatch(context)) audit?.add('k8s.io/deprecated', 'true');
  }
  try {
    const isWrite = writeVerbs.has(verb);
    if (isWrite && resource.strategy.loadFor) await resource.strategy.loadFor(await request.body());
    const reply = await handle({ ...context, presentation });
    if (typeof reply === 'function') return reply;
    const presented = isWrite ? presentReply(reply, presentation) : reply;
    return Object.assign(presented, { type, warnings });
  } catch (error) {
    // A refusal still carries the warnings collected before it.
    if (error instanceof StatusError) error.warnings = warnings;
    throw error;
  }
}

/** Whether what the object leads to handles the request: any method, in formats of its own. */
function isProxied({ subresource, isWatch }: Target): boolean {
  return subresource === 'proxy' && !isWatch;
}

/** Most servers get no request for a proxy. */
const proxies = () => import('./proxy-request.ts');

function verbsOfMethods({ name, subresource, isWatch }: Target): ReadonlyMap<string, Verb> {
  if (name === '' || isWatch) return collectionVerbs;
  return subresource === '' ? objectVerbs : subresourceVerbs;
}

/** The handlers of the endpoint that a request addresses. */
function endpointOf({ resource, subresource }: Target): { verbs: readonly string[]; handlers: Handlers } {
  if (subresource === '') {
    return { verbs: resource.verbs, handlers: resource.answer ? answerHandlers(resource) : objectHandlers };
  }
  const { verbs = [] } = resource.subresources.find(({ name }) => name === subresource) ?? {};
  return { verbs, handlers: subresourceHandlers(subresource) };
}

const verbOfMethod = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
]);

/** Custom resources are refused in other words than built-in ones. */
function notAllowed({ request: { method }, target: { resource, name } }: ObjectContext): Error {
  if (!resource.custom) return methodNotAllowed();
  if (name === '' && (method === 'PUT' || method === 'PATCH')) return badRequest('name must be provided');
  return verbNotSupported(resourceName(resource), verbOfMethod.get(method) ?? method.toLowerCase());
}
