import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';
import { InstallError } from './install-error.ts';

/** An object of a file. */
export interface Manifest {
  readonly object: ApiObject;
  /** The absolute path. */
  readonly file: string;
  /** The number of its document in the file, from 1. */
  readonly document: number;
}

/** Creates the error of a file that cannot be parsed. @param detail what is wrong with it */
type Malformed = (detail: string, cause?: unknown) => InstallError;

const manifestExtensions = new Set(['.yaml', '.yml', '.json']);

/** The manifests of a file, or of the files of a directory, sorted by name. Subdirectories do not count. @throws the error of the file system */
export async function manifestFiles(fileOrDirectory: string): Promise<string[]> {
  const absolute = path.resolve(fileOrDirectory);
  const info = await stat(absolute);
  if (!info.isDirectory()) return [absolute];
  const names = await readdir(absolute);
  return names
    .filter((name) => manifestExtensions.has(path.extname(name)))
    .toSorted()
    .map((name) => path.join(absolute, name));
}

/**
 * Reads the objects of a file, in YAML or JSON. Skips empty documents.
 *
 * @param file an absolute path
 * @throws {InstallError} with `code` when the file cannot be parsed, or a document is not an object of Kubernetes
 */
export async function readManifests(
  file: string,
  code: 'CRD_FILE' | 'MANIFEST_FILE' = 'MANIFEST_FILE',
): Promise<Manifest[]> {
  const malformed: Malformed = (detail, cause) =>
    new InstallError(code, `${file} is not a manifest: ${detail}`, 'Correct the file.', cause);
  const documents = await parseDocuments(await readFile(file, 'utf8'), malformed);
  return documents.flatMap((value, index) => {
    if (value === null) return [];
    if (!isObject(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') {
      throw malformed('a document has no apiVersion and kind');
    }
    const metadata = isObject(value['metadata']) ? value['metadata'] : {};
    const object = { ...value, apiVersion: value['apiVersion'], kind: value['kind'], metadata };
    return [{ object, file, document: index + 1 }];
  });
}

/** Parses the documents of a YAML text; null for an empty one. Values share nothing, even where the text uses aliases. */
export async function parseDocuments(text: string, malformed: Malformed): Promise<unknown[]> {
  // Imported lazily: a server without definitions does not need the parser.
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { merge: true, logLevel: 'error' });
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    const [error] = document.errors;
    if (error) throw malformed(error.message, error);
    try {
      return JSON.parse(JSON.stringify(document.toJS())) as unknown;
    } catch (cause) {
      throw malformed('its aliases are too many, or refer to themselves', cause);
    }
  });
}
