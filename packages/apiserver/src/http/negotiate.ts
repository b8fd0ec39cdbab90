import { StatusError } from '../status/status-error.ts';
import { type AcceptClause, parseAccept } from './parse-accept.ts';

/** Another form of an object that a client asks for with `as=`. */
export interface Transformation {
  kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  /** The client would rather have protobuf, in which the items of a list do not tell their type. */
  prefersProtobuf?: true;
}

/** The form of an answer. */
export interface Representation {
  type: 'json' | 'yaml';
  as?: Transformation;
}

/** What a path can answer with. */
export interface Abilities {
  /** Objects can be shown as tables and as their metadata. */
  transforms?: boolean;
  /** Among them are no tables. */
  noTables?: boolean;
  /** The answer is a watch: YAML is no stream. */
  isWatch?: boolean;
}

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
/** What most paths offer. */
export const mediaTypes: readonly string[] = [json, yaml, protobuf];
/** What paths that can be watched offer beside. */
export const streamTypes: readonly string[] = [`${json};stream=watch`, `${protobuf};stream=watch`];
const kinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const apiVersions = ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'] as const;

/**
 * Chooses the form of an answer. A client that prefers protobuf decodes an answer by its content type, so it gets JSON.
 *
 * @param accept the header
 * @throws {StatusError} 406
 */
export function negotiate(accept: string, abilities: Abilities): Representation {
  if (accept === '' || accept === json) return { type: 'json' };
  const found = choose(parseAccept(accept), abilities);
  if (!found) throw onlyAccepted(mediaTypes);
  if (abilities.isWatch && found.type === 'yaml') throw onlyAccepted(streamTypes);
  return found;
}

/**
 * Checks the media types alone. The paths of built-in resources are declared with those that they offer, which is looked at first.
 *
 * @param declared what the path is declared with
 * @throws {StatusError} 406
 */
export function checkDeclared(accept: string, declared: readonly string[]): void {
  if (accept === '' || accept === json) return;
  // Of wildcards only the one for anything is understood here.
  const isOffered = parseAccept(accept).some(({ type }) => type === '*/*' || declared.includes(type));
  if (isOffered) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${declared.join(', ')}`;
  throw new StatusError(406, 'NotAcceptable', message, {});
}

/** The form of a refusal, which is told even to a client that takes none. */
export function negotiateError(accept: string): Representation['type'] {
  const found = choose(parseAccept(accept), {});
  return found?.type ?? 'json';
}

/** Refuses a form that an object does not have. */
export function notAcceptable(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message);
}

function onlyAccepted(types: readonly string[]): StatusError {
  return notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
}

function choose(clauses: readonly AcceptClause[], abilities: Abilities): Representation | undefined {
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
