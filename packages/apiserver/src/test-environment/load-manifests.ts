import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../json/json-object.ts';
import type { ApiObject } from '../json/api-object.ts';
import { TestEnvironmentError } from './test-environment-error.ts';

const manifestExtensions = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads the CustomResourceDefinitions of files and of directories (not of what lies deeper). Other kinds in them are left out.
 *
 * @throws {TestEnvironmentError} for a path that does not exist, and for a file that cannot be parsed
 */
export async function loadCrds(paths: readonly string[]): Promise<ApiObject[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const objects = (await Promise.all(files.map(readManifest))).flat();
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
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
    throw new TestEnvironmentError(
      'OTS_CRD_PATH',
      `There are no CustomResourceDefinitions at ${path.resolve(file)}.`,
      "Generate them first ('npx ots manifests'), or correct the path in 'crds'.",
      error,
    );
  }
}

async function readManifest(file: string): Promise<ApiObject[]> {
  // Who brings no files does not wait for the parser.
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

function malformed(file: string, detail: string, cause?: unknown): TestEnvironmentError {
  return new TestEnvironmentError(
    'OTS_CRD_FILE',
    `${path.resolve(file)} is no manifest: ${detail}.`,
    'Correct the file.',
    cause,
  );
}
