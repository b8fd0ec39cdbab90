import { LineCounter, isMap, parseAllDocuments } from 'yaml';
import type { Document, YAMLError } from 'yaml';
import type { ComparedCrd, ComparedVersion } from './compared-crd.ts';
import { isYamlTooDeep } from '../source/yaml-nesting.ts';
import { BaselineError, isObject, readSchema } from './read-schema.ts';

/** An earlier definition and its place in its file. */
export interface Baseline {
  readonly crd: ComparedCrd;
  readonly path: string;
  /** 1-based line on which the document begins. */
  readonly line: number;
  readonly sourceLine: string;
}

/**
 * Reads the CustomResourceDefinitions of a YAML file and skips other documents.
 *
 * @param path names the file in errors
 * @throws BaselineError if the file is not valid YAML or a definition in it is invalid
 */
export function readBaseline(path: string, text: string): Baseline[] {
  const lines = new LineCounter();
  return parse(path, text, lines).flatMap((document) => {
    const value = toPlain(path, document);
    if (!isObject(value) || value['kind'] !== 'CustomResourceDefinition') return [];
    const start = isMap(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
    const { line } = lines.linePos(start);
    const sourceLine = text.split(/\r?\n/)[line - 1] ?? '';
    return [{ crd: readCrd(`${path}:${line}`, value), path, line, sourceLine }];
  });
}

function parse(path: string, text: string, lineCounter: LineCounter): Document.Parsed[] {
  if (isYamlTooDeep(text)) throw new BaselineError(path, 'cannot be read: it is nested too deeply');
  let error: YAMLError | undefined;
  try {
    const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false });
    if ('empty' in documents) return [];
    error = documents.flatMap((document) => document.errors)[0];
    if (!error) return documents;
  } catch (cause) {
    throw new BaselineError(
      path,
      `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  const { line, col } = lineCounter.linePos(error.pos[0]);
  throw new BaselineError(`${path}:${line}:${col}`, `is not valid YAML: ${error.message.split('\n')[0]}`);
}

function toPlain(path: string, document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // Aliases that expand too far, or are undefined.
    throw new BaselineError(
      path,
      `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function readCrd(at: string, value: Record<string, unknown>): ComparedCrd {
  const { spec } = value;
  const fail = (what: string): never => {
    throw new BaselineError(at, `is not a CustomResourceDefinition: ${what}`);
  };
  if (!isObject(spec)) return fail('it has no spec');
  const { group, names, scope, versions } = spec;
  if (typeof group !== 'string' || typeof scope !== 'string') return fail('spec needs a group and a scope');
  if (!isObject(names) || typeof names['kind'] !== 'string' || typeof names['plural'] !== 'string')
    return fail('spec.names needs a kind and a plural');
  if (!Array.isArray(versions)) return fail('spec.versions is not a list');
  const { kind, plural, listKind } = names;
  return {
    spec: {
      group,
      scope,
      names: { kind, plural, ...(typeof listKind === 'string' ? { listKind } : {}) },
      versions: versions.map((version) => readVersion(at, version)),
      ...(isObject(spec['conversion']) ? { conversion: spec['conversion'] } : {}),
      ...(spec['preserveUnknownFields'] === true ? { preserveUnknownFields: true } : {}),
    },
  };
}

function readVersion(at: string, value: unknown): ComparedVersion {
  if (!isObject(value) || typeof value['name'] !== 'string')
    throw new BaselineError(at, 'is not a CustomResourceDefinition: a version has no name');
  const { name, schema, subresources, selectableFields } = value;
  const root = isObject(schema) ? schema['openAPIV3Schema'] : undefined;
  return {
    name,
    served: value['served'] === true,
    storage: value['storage'] === true,
    schema: { openAPIV3Schema: readSchema(at, root ?? {}, '') },
    ...(isObject(subresources) ? { subresources } : {}),
    ...(Array.isArray(selectableFields)
      ? { selectableFields: selectableFields.filter((field) => isObject(field) && 'jsonPath' in field) }
      : {}),
  };
}
