import { StatusError } from '../status/status-error.ts';
import { type AcceptClause, parseAccept } from './parse-accept.ts';

/** Another form of an object that a client requests with `as=`. */
export interface Transformation {
  kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  /** Whether the client prefers protobuf, in which list items do not state their type. */
  prefersProtobuf?: true;
}

/** The format of an answer. */
export interface Representation {
  type: 'json' | 'yaml';
  as?: Transformation;
}

/** What a path can answer with. */
export interface Capabilities {
  /** Whether objects can be shown as tables and as metadata only. */
  transforms?: boolean;
  /** Whether tables are excluded. */
  noTables?: boolean;
  /** Whether the answer is a watch: YAML cannot be streamed. */
  isWatch?: boolean;
}

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
/** The media types of most paths. */
export const mediaTypes: readonly string[] = [json, yaml, protobuf];
/** The additional media types of paths that support watch. */
export const streamTypes: readonly string[] = [`${json};stream=watch`, `${protobuf};stream=watch`];
const kinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const apiVersions = ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'] as const;

/**
 * Chooses the format of an answer. A client that prefers protobuf decodes an answer by its content type, so it
 * gets JSON.
 *
 * @param accept the Accept header
 * @throws {StatusError} 406
 */
export function negotiate(accept: string, abilities: Capabilities): Representation {
  if (accept === '' || accept === json) return { type: 'json' };
  const found = choose(parseAccept(accept), abilities);
  if (!found) throw onlyAccepted(mediaTypes);
  if (abilities.isWatch && found.type === 'yaml') throw onlyAccepted(streamTypes);
  return found;
}

/**
 * Checks the media types alone. The paths of built-in resources declare theirs, and that is checked first.
 *
 * @param declared the declared media types of the path
 * @throws {StatusError} 406
 */
export function checkDeclared(accept: string, declared: readonly string[]): void {
  if (accept === '' || (accept === json && declared.includes(json))) return;
  // The only supported wildcard is the one for any type.
  const isOffered = parseAccept(accept).some(({ type }) => type === '*/*' || declared.includes(type));
  if (isOffered) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${declared.join(', ')}`;
  throw new StatusError(406, 'NotAcceptable', message, {});
}

/** The format of a refusal, which is sent even to a client that accepts no format. */
export function negotiateError(accept: string): Representation['type'] {
  const found = choose(parseAccept(accept), {});
  return found?.type ?? 'json';
}

/** Refuses a form that an object does not support. */
export function notAcceptable(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message);
}

function onlyAccepted(types: readonly string[]): StatusError {
  return notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
}

function choose(clauses: readonly AcceptClause[], abilities: Capabilities): Representation | undefined {
  for (const { type, parameters } of clauses) {
    const stream = parameters.get('stream') ?? '';
    for (const offered of typesOf(type)) {
      if (stream !== '' && (stream !== 'watch' || offered === yaml)) continue;
      const form = offered === yaml ? 'yaml' : 'json';
      if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return { type: form };
      const as = abilities.transforms ? transformationOf(parameters) : undefined;
      if (as && (as.kind !== 'Table' || (offered !== protobuf && !abilities.noTables)))
        return { type: form, as: offered === protobuf ? { ...as, prefersProtobuf: true } : as };
    }
  }
  return undefined;
}

function typesOf(type: string): readonly string[] {
  return type === '*/*' || type === 'application/*'
    ? mediaTypes
    : mediaTypes.filter((offered) => offered === type);
}

function transformationOf(parameters: AcceptClause['parameters']): Transformation | undefined {
  const kind = kinds.find((known) => known === parameters.get('as'));
  const apiVersion = apiVersions.find(
    (known) => known === `${parameters.get('g') ?? ''}/${parameters.get('v') ?? ''}`,
  );
  return kind && apiVersion && { kind, apiVersion };
}
