import type { LocalRequest } from 'ots-runtime';
import { describeRequest, isReading } from '../simulation/describe-request.ts';

/** A write of the operator, other than what does not belong to the state of a cluster: events, leases and questions. */
export interface ObservedWrite {
  readonly verb: string;
  /** With the subresource and the group, such as `myapps/status.example.com`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the content. Empty if it has none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of all objects of the resource in all namespaces, such as `/apis/apps/v1/deployments`. */
  readonly collection: string;
  /** Whether it writes to the objects themselves, and not to a subresource. */
  readonly isMain: boolean;
  /** Who owns the fields that it writes. */
  readonly fieldManager: string;
  /** The beginning of the user agent, after which the server names the owner of the fields if the request does not. */
  readonly program: string;
}

const notState = /^(?:events|leases|\w+reviews)(?:\/|\.|$)/;

/** The write that a request asks for; undefined for other requests and dry runs. */
export function observedWrite(request: LocalRequest): ObservedWrite | undefined {
  const { verb, resource, namespace, name, userAgent } = describeRequest(request);
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  if (isReading(verb) || notState.test(resource) || searchParams.has('dryRun')) return undefined;
  const [, root = '', plural = '', subresource] =
    /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+(?=\/[^/]+))?\/([^/]+)(?:\/[^/]+(?:\/(.+))?)?$/.exec(
      pathname,
    ) ?? [];
  const { apiVersion = '', kind = '', metadata = {} } = contentOf(request.body);
  return {
    verb,
    resource,
    namespace,
    name: name || (metadata.name ?? `${metadata.generateName ?? ''}*`),
    apiVersion,
    kind,
    collection: `${root}/${plural}`,
    isMain: subresource === undefined,
    fieldManager: searchParams.get('fieldManager') ?? '',
    program: userAgent.split('/', 1)[0]!,
  };
}

interface Content {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string; generateName?: string };
}

function contentOf(body: string | null): Content {
  const content: unknown = JSON.parse(body ?? '{}');
  // A JSON patch is a list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a client sends objects
  return Array.isArray(content) ? {} : (content as Content);
}

/** What was written, such as `patch myapps/status.example.com default/web`. */
export function describeWrite({
  verb,
  resource,
  namespace,
  name,
}: Pick<ObservedWrite, 'verb' | 'resource' | 'namespace' | 'name'>): string {
  return `${verb} ${resource} ${namespace && `${namespace}/`}${name}`;
}
