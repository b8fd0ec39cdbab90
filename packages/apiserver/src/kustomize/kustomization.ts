import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InstallError } from '../client/install-error.ts';
import { parseDocuments } from '../client/read-manifests.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';

/** The names that kustomize looks for, in its order. */
const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A change to the objects that a target selects. */
export interface Patch {
  /** How errors call it, such as `patches[0]`. */
  readonly field: string;
  readonly kind: RegExp;
  readonly name: RegExp;
  /** Operations of a JSON patch, or a strategic merge patch. */
  readonly change: readonly unknown[] | JsonObject;
}

/** Another image for the containers that use the image `name`. */
export interface ImageChange {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
}

/** A `kustomization.yaml`, checked. */
export interface Kustomization {
  readonly directory: string;
  readonly file: string;
  /** A component changes what its parent has collected; a Kustomization stands alone. */
  readonly isComponent: boolean;
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly configurations: readonly string[];
  readonly namespace: string | undefined;
  readonly namePrefix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly patches: readonly Patch[];
  readonly images: readonly ImageChange[];
}

/** The kustomization file of a directory and its text. Undefined if it has none. */
export async function findKustomization(
  directory: string,
): Promise<{ file: string; text: string } | undefined> {
  for (const name of fileNames) {
    const file = path.join(directory, name);
    try {
      return { file, text: await readFile(file, 'utf8') };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}

/**
 * Reads a kustomization file.
 *
 * @throws {InstallError} when it cannot be parsed, or has a field or value that is not supported
 */
export async function readKustomization(file: string, text: string): Promise<Kustomization> {
  const documents = await parseDocuments(text, (detail, cause) => kustomizationError(file, detail, cause));
  const [fields] = documents;
  if (documents.length !== 1 || !isObject(fields))
    throw kustomizationError(file, 'it is not one document with fields');
  const reader = new FieldReader(file, fields, '');
  reader.only('apiVersion', 'kind', ...Object.keys(supported));
  const kind = reader.text('kind') ?? 'Kustomization';
  if (kind !== 'Kustomization' && kind !== 'Component')
    throw kustomizationError(file, `the kind ${kind} is not supported`);
  const directory = path.dirname(file);
  return {
    directory,
    file,
    isComponent: kind === 'Component',
    resources: reader.texts('resources'),
    components: reader.texts('components'),
    configurations: reader.texts('configurations'),
    namespace: reader.text('namespace'),
    namePrefix: reader.text('namePrefix') ?? '',
    labels: Object.assign({}, ...reader.entries('labels').map(readLabels)) as Record<string, string>,
    patches: await Promise.all(reader.entries('patches').map((entry) => readPatch(entry, directory))),
    images: reader.entries('images').map(readImage),
  };
}

/** The fields of a kustomization, with those of their entries. */
const supported = {
  resources: [],
  components: [],
  configurations: [],
  namespace: [],
  namePrefix: [],
  labels: ['pairs'],
  patches: ['patch', 'path', 'target'],
  images: ['name', 'newName', 'newTag'],
};

export function kustomizationError(file: string, detail: string, cause?: unknown): InstallError {
  return new InstallError(
    'KUSTOMIZATION',
    `${file} cannot be installed: ${detail}`,
    'Correct it, or install the output of kubectl kustomize.',
    cause,
  );
}

/** Reads the fields of an object and says which one is wrong. */
class FieldReader {
  readonly file: string;
  readonly path: string;
  readonly #fields: JsonObject;

  /** @param prefix what the paths of the fields begin with */
  constructor(file: string, fields: JsonObject, prefix: string) {
    this.file = file;
    this.path = prefix;
    this.#fields = fields;
  }

  only(...names: string[]): void {
    const unknown = Object.keys(this.#fields).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw this.error(unknown, `is not supported; supported are ${names.join(', ')}`);
  }

  text(name: string): string | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw this.error(name, 'is not a text');
    return value;
  }

  texts(name: string): string[] {
    return this.#list(name).map((value, index) => {
      if (typeof value !== 'string') throw this.error(`${name}[${index}]`, 'is not a text');
      return value;
    });
  }

  /** The objects of a list. */
  entries(name: keyof typeof supported): FieldReader[] {
    return this.#list(name).map((value, index) => {
      const field = `${this.path}${name}[${index}]`;
      if (!isObject(value)) throw kustomizationError(this.file, `${field} is not an object`);
      const entry = new FieldReader(this.file, value, `${field}.`);
      entry.only(...supported[name]);
      return entry;
    });
  }

  object(name: string): FieldReader | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined) return undefined;
    if (!isObject(value)) throw this.error(name, 'is not an object');
    return new FieldReader(this.file, value, `${this.path}${name}.`);
  }

  /** Texts by their names. */
  pairs(): Record<string, string> {
    return Object.fromEntries(Object.keys(this.#fields).map((name) => [name, this.text(name) ?? '']));
  }

  error(name: string, problem: string): InstallError {
    return kustomizationError(this.file, `${this.path}${name} ${problem}`);
  }

  #list(name: string): unknown[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value)) throw this.error(name, 'is not a list');
    return value;
  }
}

function readLabels(entry: FieldReader): Record<string, string> {
  return entry.object('pairs')?.pairs() ?? {};
}

function readImage(entry: FieldReader): ImageChange {
  const [name, newName, newTag] = ['name', 'newName', 'newTag'].map((field) => entry.text(field));
  if (name === undefined) throw entry.error('name', 'is missing');
  return { name, ...(newName !== undefined && { newName }), ...(newTag !== undefined && { newTag }) };
}

async function readPatch(entry: FieldReader, directory: string): Promise<Patch> {
  const [inline, file] = [entry.text('patch'), entry.text('path')];
  const target = entry.object('target');
  if ((inline === undefined) === (file === undefined)) throw entry.error('patch', 'or path is required');
  if (!target) throw entry.error('target', 'is missing');
  target.only('kind', 'name');
  const source = inline ?? (await readText(entry, path.join(directory, file ?? '')));
  const [change] = await parseDocuments(source, (detail, cause) =>
    kustomizationError(entry.file, `${entry.path}patch is not YAML: ${detail}`, cause),
  );
  if (!Array.isArray(change) && !isObject(change)) throw entry.error('patch', 'is not a patch');
  const pattern = (name: string): RegExp => {
    try {
      return new RegExp(`^(?:${target.text(name) ?? '.*'})$`);
    } catch {
      throw target.error(name, 'is not a regular expression');
    }
  };
  return { field: entry.path.slice(0, -1), kind: pattern('kind'), name: pattern('name'), change };
}

async function readText(entry: FieldReader, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw kustomizationError(entry.file, `${entry.path}path: ${file} cannot be read`, cause);
  }
}
