import { decodeYaml, goTypeOfKind } from 'ots-apiserver/decoding';
import type { BundleFile, BundleFiles } from '../bundle/bundle-files.ts';
import type { Csv } from '../bundle/csv.ts';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { type JsonObject, isDeeperThan, isObject, textOf, valueOf } from '../bundle/json.ts';
import { bundleLabels } from '../bundle/labels.ts';
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
    csv: withProperties(csvs.at(-1)!, readProperties(files), last.file, propertiesFile),
    file: last.file,
    crds: objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(crdOf),
    others: objects.filter(
      ({ kind }) => kind !== 'ClusterServiceVersion' && kind !== 'CustomResourceDefinition',
    ),
  };
}

/** Only this file counts, and only its first document. */
function readPackage(files: BundleFiles): string {
  const value = readYaml(fileAt(files, annotationsFile), annotationsFile);
  if (value === undefined) throw new UnreadableBundleError(`${annotationsFile} does not exist`);
  const annotations = valueOf(value, 'annotations') ?? {};
  if (!isObject(value ?? {}) || !isObject(annotations))
    throw new UnreadableBundleError('it has no map of annotations', annotationsFile);
  const name = valueOf(annotations, bundleLabels.package) ?? '';
  if (typeof name !== 'string' && typeof name !== 'number' && typeof name !== 'boolean')
    throw new UnreadableBundleError(`${bundleLabels.package} is not a text`, annotationsFile);
  return String(name);
}

function readProperties(files: BundleFiles): unknown {
  const file = fileAt(files, propertiesFile);
  const value = readYaml(file, propertiesFile);
  return file?.content.length ? (valueOf(value, 'properties') ?? []) : undefined;
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
    return document.value === null ? [] : flattened(document.value, file.path);
  });
}

/** The items of a list count, and lists are what has items. */
function flattened(value: unknown, file: string, kindOfItems = ''): ManifestObject[] {
  if (!isObject(value)) throw new UnreadableBundleError('a document is not an object of Kubernetes', file);
  const kind = textOf(value, 'kind') || kindOfItems;
  if (kind === '') throw new UnreadableBundleError('an object has no kind', file);
  const items = valueOf(value, 'items');
  if (Array.isArray(items)) {
    const ofItems = kind === 'List' ? '' : kind.replace(/List$/, '');
    return items.flatMap((item) => flattened(item, file, ofItems));
  }
  return [{ file, object: value, kind, name: textOf(valueOf(value, 'metadata'), 'name') }];
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
