import { containerOf, podOf } from '../built-in/pods/subresources/container-of.ts';
import { kubeletAddress, unreachable } from '../built-in/pods/subresources/kubelet-address.ts';
import { refuseProxy } from '../built-in/pods/subresources/proxy-target.ts';
import type { LogOptions } from '../pods/pod-streams.ts';
import { badRequest, invalidObject } from '../status/errors.ts';
import { type FieldError, forbidden, invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { admitConnection } from './connect-options.ts';
import type { Handler, Handlers, ObjectContext } from './object-context.ts';
import { readBoolean, readInteger } from './options.ts';
import type { Reply, StreamingReply } from './reply.ts';
import { streamLog } from './stream-log.ts';

/** The log of a pod. Empty until the pod has a node. */
export const logHandlers: Handlers = { get: readLog };

export const execHandlers: Handlers = connectBy('PodExecOptions', checkContainer);

export const attachHandlers: Handlers = connectBy('PodAttachOptions', checkContainer);

export const portForwardHandlers: Handlers = connectBy('PodPortForwardOptions', ({ request }) => {
  for (const port of request.query.getAll('ports')) checkPort(port);
});

export const proxyHandlers: Handlers = {
  get: proxy,
  create: proxy,
  update: proxy,
  patch: proxy,
  delete: proxy,
};

async function proxy(context: ObjectContext): Promise<never> {
  const { machinery, target } = context;
  await admitConnection(context, `${target.resource.kind}ProxyOptions`);
  return refuseProxy(machinery, target);
}

function checkContainer({ request, target }: ObjectContext): void {
  containerOf(podOf(target), request.query.get('container') ?? '');
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

/** Checks a connection that would be forwarded to the kubelet of the pod. */
function connectBy(kind: string, check: (context: ObjectContext) => void): Handlers {
  const connect: Handler = async (context) => {
    const { machinery, request, target } = context;
    await admitConnection(context, kind);
    check(context);
    const { nodeName = '' } = podOf(target).spec ?? {};
    if (nodeName === '') throw badRequest(`pod ${target.name} does not have a host assigned`);
    const { host, port } = kubeletAddress(machinery, target, nodeName);
    if (!asksForUpgrade(request)) throw badRequest('Upgrade request required');
    throw new StatusError(500, undefined, `error dialing backend: dial tcp ${host}:${port}: ${unreachable}`);
  };
  return { get: connect, create: connect };
}

function asksForUpgrade(request: ApiRequest): boolean {
  return /\bupgrade\b/i.test(request.header('connection')) && request.header('upgrade') !== '';
}
