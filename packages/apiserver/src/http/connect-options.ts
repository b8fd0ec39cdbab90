import type { ApiObject } from '../json/api-object.ts';
import { type AdmissionAttributes, admit } from '../registry/admission.ts';
import { bodyKind } from '../registry/body-kind.ts';
import type { Resource } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { badRequest } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import type { ObjectContext } from './object-context.ts';
import { readBoolean } from './options.ts';

/** How a parameter of the query becomes a field. */
type Field = 'text' | 'texts' | 'flag' | 'numbers';

const stream: Record<string, Field> = {
  stdin: 'flag',
  stdout: 'flag',
  stderr: 'flag',
  tty: 'flag',
  container: 'text',
};
const fieldsOf: Record<string, Record<string, Field>> = {
  PodAttachOptions: stream,
  PodExecOptions: { ...stream, command: 'texts' },
  PodPortForwardOptions: { ports: 'numbers' },
};

/**
 * Asks admission about a connection to something behind an object.
 *
 * @param kind the kind of the connection's options, such as `PodExecOptions`
 * @throws {StatusError} when it is refused
 */
export async function admitConnection(
  { machinery, request, target }: ObjectContext,
  kind: string,
): Promise<void> {
  if (request.query.has('dryRun')) throw badRequest('dryRun is not supported');
  const attributes: AdmissionAttributes = {
    operation: 'CONNECT',
    target,
    name: target.name,
    kind: kindOf(kind),
    user: request.user,
    client: request,
    dryRun: false,
    options: undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options are the only object without metadata
    object: { kind, apiVersion: 'v1', ...connectOptions(request, target, kind) } as unknown as ApiObject,
    oldObject: undefined,
    warnings: request.warnings,
    audit: request.audit,
  };
  await admit(machinery, attributes);
}

/** Where the path of a proxied request begins: after `api/v1/nodes/name/proxy` and its form with a namespace. */
const proxiedAt = 5;
const proxiedInNamespaceAt = 7;

const kinds = new Map<string, Resource>();

function kindOf(name: string): Resource {
  let kind = kinds.get(name);
  if (!kind) kinds.set(name, (kind = bodyKind('', 'v1', name)));
  return kind;
}

/** The decoded paths of a proxy and behind it, which is empty for the proxy itself without a slash at the end. */
export function proxyPaths(
  { fullPath, segments }: ApiRequest,
  { namespace }: Target,
): { proxy: string; behind: string } {
  const begin = namespace === '' ? proxiedAt : proxiedInNamespaceAt;
  const slash = fullPath.endsWith('/') ? '/' : '';
  return { proxy: textOf(segments.slice(0, begin)), behind: textOf(segments.slice(begin)) + slash };
}

function textOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment}`).join('');
}

function connectOptions(request: ApiRequest, target: Target, kind: string): object {
  const { query } = request;
  const options: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fieldsOf[kind] ?? {})) {
    if (!query.has(name)) continue;
    if (field === 'text') options[name] = query.get(name);
    else if (field === 'texts') options[name] = query.getAll(name);
    else if (field === 'numbers') options[name] = query.getAll(name).map(Number);
    else if (readBoolean(query, name)) options[name] = true;
  }
  if (target.subresource !== 'proxy') return options;
  const { behind: path } = proxyPaths(request, target);
  return path === '' ? options : { path };
}
