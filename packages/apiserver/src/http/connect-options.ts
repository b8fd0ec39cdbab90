import type { ApiObject } from '../json/api-object.ts';
import { type AdmissionAttributes, admit } from '../registry/admission.ts';
import { bodyKind } from '../registry/body-kind.ts';
import type { Resource } from '../registry/resource.ts';
import { badRequest } from '../status/errors.ts';
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
    dryRun: false,
    options: undefined,
    object: connectOptions(kind, request.query),
    oldObject: undefined,
    warnings: request.warnings,
  };
  await admit(machinery, attributes);
}

const kinds = new Map<string, Resource>();

function kindOf(name: string): Resource {
  let kind = kinds.get(name);
  if (!kind) kinds.set(name, (kind = bodyKind('', 'v1', name)));
  return kind;
}

function connectOptions(kind: string, query: URLSearchParams): ApiObject {
  const options: ApiObject = { apiVersion: 'v1', kind, metadata: {} };
  for (const [name, field] of Object.entries(fieldsOf[kind] ?? {})) {
    if (!query.has(name)) continue;
    if (field === 'text') options[name] = query.get(name);
    else if (field === 'flag') options[name] = readBoolean(query, name);
    else options[name] = query.getAll(name).map((value) => (field === 'numbers' ? Number(value) : value));
  }
  return options;
}
