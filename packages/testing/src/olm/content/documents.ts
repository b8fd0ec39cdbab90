import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { decodeYaml } from 'ots-apiserver/decoding';

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** Content that OLM cannot use. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

const extensions = ['.yaml', '.yml', '.json'];

/**
 * The objects in the YAML and JSON files of a directory and those below, by the order of their paths. Reading is synchronous: files are not
 * part of the time of a cluster.
 *
 * @throws {ContentError} when the directory is missing, or a file is neither YAML nor JSON
 */
export function documentsIn(directory: string): JsonObject[] {
  return filesIn(directory).flatMap((file) => documentsOf(readFileSync(file, 'utf8'), file));
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => extensions.includes(path.extname(name)))
      .toSorted()
      .map((name) => path.join(directory, name));
  } catch {
    throw new ContentError(`${directory} is not a directory`);
  }
}

/**
 * The objects of a text: YAML documents, or JSON values one after the other.
 *
 * @param source names it in errors
 * @throws {ContentError} when it is neither YAML nor JSON
 */
export function documentsOf(text: string, source: string): JsonObject[] {
  const parts = text.trimStart().startsWith('{') ? jsonValues(text) : text.split(/^---(?=\s|$)/m);
  return parts.flatMap((part) => {
    try {
      const value = decodeYaml(part).value ?? undefined;
      if (value === undefined) return [];
      if (isObject(value)) return [value];
    } catch (error) {
      throw new ContentError(`${source}: ${(error as Error).message}`);
    }
    throw new ContentError(`${source}: ${JSON.stringify(part.slice(0, 40))} is not an object`);
  });
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Cuts values apart that are objects: a brace in a string does not count. */
function jsonValues(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token !== '}' || (depth -= 1) > 0) continue;
    values.push(text.slice(start, index + 1));
    start = index + 1;
  }
  return text.slice(start).trim() === '' ? values : [...values, text.slice(start)];
}
