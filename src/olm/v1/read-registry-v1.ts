import { decodeYaml, goTypeOfKind } from 'ots-apiserver/decoding';
import type { BundleFile, BundleFiles } from '../bundle/bundle-files.ts';
import type { Csv } from '../bundle/csv.ts';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { type JsonObject, isDeeperThan, isObject, textOf, valueOf } from '../bundle/json.ts';
import { bundleLabels } from '../bundle/labels.ts';
import { readMetadata } from '../bundle/read-metadata.ts';
import { decodeCsv } from '../bundle/read-csv.ts';
import { readDocuments } from '../catalog/split-documents.ts';
import { withProperties } from './properties.ts';
import { type ManifestObject, UnreadableBundleError, type RegistryV1 } from './registry-v1.ts';

const manifests = 'manifests';
const annotationsFile = 'metadata/annotations.yaml';
const propertiesFile = 'metadata/properties.yaml';
const maxDepth = 500;

/** Kubernetes converts objects without JSON: names match exactly, and a boolean is not a text. */
const conversion = { textFromScalars: false, exactNames: true } as const;

/**
 * Reads a bundle as OLM v1 does: every document of every file in `manifests`, and the items of lists. Source: the bundle source of
 * operator-controller.
 *
 * @throws {UnreadableBundleError} for the first thing that OLM v1 cannot read
 */
export function readRegistryV1(files: BundleFiles): RegistryV1 {
  if (files.problem !== undefined) throw new UnreadableBundleError(`it cannot be read: ${files.problem}`);
  const packageName = readPackage(files);
  for (const directory of files.directories)
    if (directory.startsWith(`${manifests}/`))
      throw new UnreadableBundleError(
        `a directory among the manifests; move its files to ${manifests}`,
        directory,
      );
  const objects = files.files.filter((file) => file.directory === manifests).flatMap(objectsIn);
  const last = objects.findLast(({ kind }) => kind === 'ClusterServiceVersion');
  const csvs = objects.filter(({ kind }) => kind === 'ClusterServiceVersion').map(csvOf);
  if (!last) throw new UnreadableBundleError(`${manifests} has no ClusterServiceVersion`);
  return {
    package: packageName,
    csv: withProperties(csvs.at(-1)!, readProperties(files), { csv: last.file, properties: propertiesFile }),
    file: last.file,
    crds: objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(crdOf),
    others: objects.filter(
      ({ kind }) => kind !== 'ClusterServiceVersion' && kind !== 'CustomResourceDefinition',
    ),
  };
}

/** Only this file counts, and only its first document. Names match without regard to case. */
function readPackage(files: BundleFiles): string {
  const value = readYaml(fileAt(files, annotationsFile), annotationsFile) ?? undefined;
  if (!files.files.some(({ path }) => path === annotationsFile))
    throw new UnreadableBundleError(`${annotationsFile} does not exist`);
  const annotations = valueLike(value ?? {}, 'annotations') ?? {};
  if (!isObject(value ?? {}) || !isObject(annotations))
    throw new UnreadableBundleError('it has no map of annotations', annotationsFile);
  const { package: packageLabel, channels, defaultChannel } = bundleLabels;
  for (const label of [packageLabel, channels, defaultChannel])
    if (typeof (valueLike(annotations, label) ?? '') === 'object')
      throw new UnreadableBundleError(`${label} is not a text`, annotationsFile);
  const name = valueLike(annotations, packageLabel);
  return typeof name === 'string' || typeof name === 'number' || typeof name === 'boolean'
    ? String(name)
    : '';
}

function valueLike(object: unknown, key: string): unknown {
  if (!isObject(object)) return undefined;
  const name = Object.keys(object).find((each) => each.toLowerCase() === key);
  return valueOf(object, name ?? key);
}

function readProperties(files: BundleFiles): unknown {
  const file = fileAt(files, propertiesFile);
  const value = readYaml(file, propertiesFile);
  return file?.content.length ? value : undefined;
}

function fileAt({ files }: BundleFiles, path: string): BundleFile | undefined {
  return files.find((file) => file.path === path);
}

/** @returns undefined without a file, or with an empty one */
function readYaml(file: BundleFile | undefined, path: string): unknown {
  if (!file) return undefined;
  if (file.problem !== undefined) throw new UnreadableBundleError(file.problem, path);
  try {
    const { value } = decodeYaml(file.content.toString('utf8').replace(/^\u{feff}/u, ''));
    if (!isDeeperThan(value, maxDepth)) return value;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UnreadableBundleError(`it is not YAML: ${firstLine(error)}`, path);
    if (!(error instanceof RangeError)) throw error;
  }
  throw new UnreadableBundleError('values are nested too deep', path);
}

function firstLine({ message }: Error): string {
  return message
    .replace(/^yaml: /, '')
    .split('\n')[0]!
    .trim();
}

function objectsIn(file: BundleFile): ManifestObject[] {
  if (file.problem !== undefined) throw new UnreadableBundleError(file.problem, file.path);
  return readDocuments(file.content.toString('utf8')).flatMap((document) => {
    if ('problem' in document)
      throw new UnreadableBundleError(`line ${document.line}: ${document.problem}`, file.path);
    return document.value === null ? [] : objectsOf(document.value, file.path);
  });
}

/** What has items is a list, of which the items count. */
function objectsOf(value: unknown, file: string): ManifestObject[] {
  const object = checked(value, file);
  converted(file, () => readMetadata(object['metadata'] ?? {}));
  const items = valueOf(object, 'items');
  if (items === undefined) return [manifestObject(object, file)];
  if (items !== null && !Array.isArray(items)) throw new UnreadableBundleError('items is not a list', file);
  return (items ?? []).map((item) => itemOf(item, object, file));
}

/** An item may leave out both its apiVersion and its kind, if its list says them. */
function itemOf(value: unknown, ofList: JsonObject, file: string): ManifestObject {
  const kind = textOf(ofList, 'kind').replace(/List$/, '');
  const isBare = textOf(value, 'kind') === '' && textOf(value, 'apiVersion') === '';
  const isOfList = isObject(value) && isBare && kind !== '';
  const item = checked(isOfList ? { ...value, apiVersion: ofList['apiVersion'], kind } : value, file);
  if (textOf(item, 'apiVersion') === '')
    throw new UnreadableBundleError('an item of a list has no apiVersion', file);
  if (valueOf(item, 'items') !== undefined)
    throw new UnreadableBundleError('an item of a list is a list itself', file);
  return manifestObject(item, file);
}

function manifestObject(object: JsonObject, file: string): ManifestObject {
  return {
    file,
    object,
    kind: textOf(object, 'kind'),
    name: textOf(valueOf(object, 'metadata'), 'name'),
  };
}

function checked(value: unknown, file: string): JsonObject {
  if (!isObject(value)) throw new UnreadableBundleError('a document is not an object of Kubernetes', file);
  if (textOf(value, 'kind') === '') throw new UnreadableBundleError('an object has no kind', file);
  const apiVersion = valueOf(value, 'apiVersion') ?? '';
  if (typeof apiVersion !== 'string' || apiVersion.split('/').length > 2)
    throw new UnreadableBundleError('the apiVersion of an object is malformed', file);
  return value;
}

function csvOf({ file, object }: ManifestObject): Csv {
  return converted(file, () => decodeCsv(object, conversion));
}

function crdOf(crd: ManifestObject): ManifestObject {
  const type = goTypeOfKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  if (!type) throw new TypeError('there is no type of CustomResourceDefinitions');
  return converted(crd.file, () => ({
    ...crd,
    object: decodeLikeGo(crd.object, type, conversion) as JsonObject,
  }));
}

function converted<Result>(file: string, convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    throw new UnreadableBundleError(error.message, file);
  }
}
