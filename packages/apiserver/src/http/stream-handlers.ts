import type { Pod } from 'ots-kubernetes/core/v1';
import { requestAttributes } from '../authorization/request-attributes.ts';
import { containerOf, podOf } from '../built-in/pods/subresources/container-of.ts';
import { kubeletAddress, unreachable } from '../built-in/pods/subresources/kubelet-address.ts';
import type { BuiltInObject } from '../json/built-in-object.ts';
import type { LogOptions } from '../pods/pod-streams.ts';
import { resourceName } from '../registry/resource.ts';
import { badRequest, forbidden as forbiddenObject, invalidObject } from '../status/errors.ts';
import { type FieldError, forbidden, invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { admitConnection } from './connect-options.ts';
import type { Handler, Handlers, ObjectContext } from './object-context.ts';
import { readBoolean, readInteger } from './options.ts';
import type { ConnectionTarget, ProcessOfPod } from './pod-connection.ts';
import type { Reply, StreamingReply } from './reply.ts';
import { streamLog } from './stream-log.ts';

/** The log of a pod. Empty until the pod has a node. */
export const logHandlers: Handlers = { get: readLog };

export const execHandlers: Handlers = connectBy('PodExecOptions', {
  check: checkContainer,
  find: ({ machinery, request }, pod) =>
    machinery.podStreams?.exec?.(pod, containerNameOf(request, pod), request.query.getAll('command')),
  connect: async (request, target, pod) =>
    (await connections()).connectCommand(request, target, processOf('exec', request, pod)),
});

export const attachHandlers: Handlers = connectBy('PodAttachOptions', {
  check: checkContainer,
  find: ({ machinery, request }, pod) => machinery.podStreams?.attach?.(pod, containerNameOf(request, pod)),
  connect: async (request, target, pod) =>
    (await connections()).connectCommand(request, target, processOf('attach', request, pod)),
});

export const portForwardHandlers: Handlers = connectBy('PodPortForwardOptions', {
  check: ({ request }) => {
    for (const port of request.query.getAll('ports')) checkPort(port);
  },
  find: ({ machinery }, pod) => machinery.podStreams?.portForward?.(pod),
  connect: async (request, target, pod) => (await connections()).connectPorts(request, target, pod),
});

function checkContainer({ request, target }: ObjectContext): void {
  containerNameOf(request, podOf(target));
}

function containerNameOf({ query }: ApiRequest, pod: BuiltInObject<Pod>): string {
  return containerOf(pod, query.get('container') ?? '');
}

function processOf(
  action: ProcessOfPod['action'],
  request: ApiRequest,
  pod: BuiltInObject<Pod>,
): ProcessOfPod {
  const { namespace = '', name = '' } = pod.metadata;
  return { action, namespace, pod: name, container: containerNameOf(request, pod) };
}

function readLog({ machinery, request, target }: ObjectContext): Reply | StreamingReply {
  const { namespace, name } = target;
  const errors = validateLogOptions(request.query);
  if (errors.length > 0) throw invalidObject({ group: '', name: 'PodLogOptions' }, name, errors);
  const pod = podOf(target);
  const container = containerOf(pod, request.query.get('container') ?? '');
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') return { code: 204, contentType: 'text/plain', body: '' };
  const streamed =
    machinery.podStreams &&
    streamLog(machinery.podStreams, { pod, container }, logOptions(machinery, request));
  if (streamed) return streamed;
  const { host, port } = kubeletAddress(machinery, target, nodeName);
  const url = `https://${host}:${port}/containerLogs/${namespace}/${name}/${container}`;
  throw new StatusError(500, undefined, `Get "${url}": ${unreachable}`);
}

function logOptions(
  { clock }: ObjectContext['machinery'],
  { query }: ApiRequest,
): Omit<LogOptions, 'signal'> {
  const numberOf = (name: string) => (query.has(name) ? readInteger(query, name) : undefined);
  const seconds = numberOf('sinceSeconds');
  const time = query.get('sinceTime') ?? '';
  const sinceTime = time === '' ? undefined : Date.parse(time);
  return {
    follow: readBoolean(query, 'follow'),
    previous: readBoolean(query, 'previous'),
    timestamps: readBoolean(query, 'timestamps'),
    tailLines: numberOf('tailLines'),
    limitBytes: numberOf('limitBytes'),
    since: seconds === undefined ? sinceTime : clock.epoch() - seconds * 1000,
  };
}

function validateLogOptions(query: URLSearchParams): FieldError[] {
  const [tail, limit, since] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) =>
    query.has(name) ? readInteger(query, name) : undefined,
  );
  const hasBoth = since !== undefined && query.has('sinceTime');
  return [
    ...(tail !== undefined && tail < 0
      ? [invalid('tailLines', tail, 'must be greater than or equal to 0')]
      : []),
    ...(limit !== undefined && limit < 1 ? [invalid('limitBytes', limit, 'must be greater than 0')] : []),
    ...(hasBoth ? [forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')] : []),
    ...(since !== undefined && !hasBoth && since < 1
      ? [invalid('sinceSeconds', since, 'must be greater than 0')]
      : []),
    ...(query.has('stream') ? [forbidden('stream', 'may not be specified')] : []),
  ];
}

function checkPort(port: string): void {
  if (!/^\d{1,9}$/.test(port))
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing "${port}": invalid syntax`);
}

/** Most servers get no request for a connection. */
const connections = () => import('./pod-connection.ts');

/** How a client connects to something of a pod. */
interface Connecting<Found> {
  /** @throws {StatusError} for a request that is not valid */
  readonly check: (context: ObjectContext) => void;
  /**
   * Asks the kubelet of this process.
   *
   * @returns undefined when no such kubelet runs the pod
   * @throws {Error} when the kubelet refuses
   */
  readonly find: (context: ObjectContext, pod: BuiltInObject<Pod>) => Found | undefined;
  readonly connect: (
    request: ApiRequest,
    target: ConnectionTarget<Found>,
    pod: BuiltInObject<Pod>,
  ) => Promise<Reply | StreamingReply>;
}

/** Connects a client to the kubelet of the pod. */
function connectBy<Found>(kind: string, { check, find, connect }: Connecting<Found>): Handlers {
  const handler: Handler = async (context) => {
    const { machinery, request, target } = context;
    await admitConnection(context, kind);
    authorizeConnection(context);
    check(context);
    const pod = podOf(target);
    const { nodeName = '' } = pod.spec ?? {};
    if (nodeName === '') throw badRequest(`pod ${target.name} does not have a host assigned`);
    const found = targetOf(() => find(context, pod)) ?? {
      unreachable: kubeletAddress(machinery, target, nodeName),
    };
    if (!request.canUpgrade) throw badRequest('Upgrade request required');
    return connect(request, found, pod);
  };
  return { get: handler, create: handler };
}

function targetOf<Found>(find: () => Found | undefined): ConnectionTarget<Found> | undefined {
  try {
    const found = find();
    return found && { found };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Checks that the user may create the subresource, whatever the method: a WebSocket begins with a GET.
 *
 * @throws {StatusError} 403
 */
function authorizeConnection({ machinery: { authorizer }, request, target }: ObjectContext): void {
  const attributes = requestAttributes(request.user, request);
  if (attributes.verb === 'create') return;
  const { allowed, reason } = authorizer.authorize({ ...attributes, verb: 'create' });
  if (!allowed) throw forbiddenObject(resourceName(target.resource), target.name, reason);
}
