import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../json/json-object.ts';
import type { ApiObject } from '../json/api-object.ts';
import { InstallError } from './install-error.ts';
import { withoutServiceConversion } from './without-service-conversion.ts';

const manifestExtensions = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads the CustomResourceDefinitions of files and directories, in YAML or JSON. Skips other kinds and subdirectories. Where a
 * Service converts between the versions of a kind, the definition gets the strategy None, because no Service can be reached.
 *
 * @throws {InstallError} for a path that does not exist, and for a file that cannot be parsed
 */
export async function loadCrds(paths: readonly string[]): Promise<ApiObject[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const objects = (await Promise.all(files.map(readManifest))).flat();
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(withoutServiceConversion);
}

async function filesOf(file: string): Promise<string[]> {
  try {
    const info = await stat(file);
    if (!info.isDirectory()) return [file];
    const names = await readdir(file);
    return names
      .filter((name) => manifestExtensions.has(path.extname(name)))
      .toSorted()
      .map((name) => path.join(file, name));
  } catch (error) {
    throw new InstallError(
      'CRD_PATH',
      `There are no CustomResourceDefinitions at ${path.resolve(file)}`,
      'Generate them with ots manifests, or correct the path.',
      error,
    );
  }
}

async function readManifest(file: string): Promise<ApiObject[]> {
  // Imported lazily: a server without definitions does not need the parser.
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(await readFile(file, 'utf8'), { merge: true });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw malformed(file, error.message, error);
    const value: unknown = document.toJS();
    if (value === null) return [];
    if (!isObject(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') {
      throw malformed(file, 'a document has no apiVersion and kind');
    }
    const metadata = isObject(value['metadata']) ? value['metadata'] : {};
    return [{ ...value, apiVersion: value['apiVersion'], kind: value['kind'], metadata }];
  });
}

function malformed(file: string, detail: string, cause?: unknown): InstallError {
  return new InstallError(
    'CRD_FILE',
    `${path.resolve(file)} is not a manifest: ${detail}`,
    'Correct the file.',
    cause,
  );
}
