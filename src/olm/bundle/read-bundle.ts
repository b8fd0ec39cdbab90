import { posix } from 'node:path';
import { type Finding, type FindingParts, reporter } from '../finding.ts';
import { type BundleAnnotations, annotationsIn, findAnnotations } from './annotations.ts';
import { type BundleFile, type BundleFiles, readBundleFiles } from './bundle-files.ts';
import type { Bundle, BundleCrd, BundleCsv, BundleObject } from './bundle.ts';
import { WrongTypeError } from './decode-like-go.ts';
import { isObject, textOf, valueOf } from './json.ts';
import { bundleLabels } from './labels.ts';
import { fromV1beta1, readCrd } from './read-crd.ts';
import { readCsv } from './read-csv.ts';

const { error } = reporter('load');

/**
 * Reads the bundle in a directory. What is wrong in its files becomes a problem of the bundle, not an error.
 *
 * @param directory an absolute path
 * @throws the error of the file system, when it is not a directory or cannot be read
 */
export async function readBundle(directory: string): Promise<Bundle> {
  return bundleOf(await readBundleFiles(directory));
}

/** The bundle that some files are. */
export function bundleOf(files: BundleFiles): Bundle {
  const problems: Finding[] = [];
  const report = (parts: FindingParts) => problems.push(error(parts));
  if (files.problem !== undefined)
    report({ type: 'FileReadError', detail: `the directory is not a bundle: ${files.problem}` });
  const annotations = findAnnotations(files);
  const manifests = manifestsDirectory(files, annotations);
  const objects = files.files
    .filter(({ directory }) => directory === manifests)
    .flatMap((file) => readObject(file, report));
  for (const directory of directoriesIn(files, manifests)) report(misplaced(directory, manifests));
  checkAnnotationFiles(files, report);
  const csv = csvOf(objects, manifests, report);
  const stated = (label: string) => annotations?.values[label] ?? '';
  return {
    files,
    name: csv?.csv.metadata?.name ?? '',
    package: stated(bundleLabels.package),
    channels: listed(stated(bundleLabels.channels)),
    defaultChannel: stated(bundleLabels.defaultChannel),
    annotations,
    manifests,
    objects,
    csv,
    crds: objects.flatMap((object) => crdOf(object, report)),
    problems,
  };
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Where the annotations say, or in `manifests`. A bundle that has no ClusterServiceVersion there is searched for one: OLM takes the
 * files beside it as the manifests.
 */
function manifestsDirectory(files: BundleFiles, annotations: BundleAnnotations | undefined): string {
  const stated = annotations?.values[bundleLabels.manifests] ?? 'manifests';
  const normal = posix.normalize(stated).replace(/^\.?\/|\/$/g, '');
  const directory = normal === '.' ? '' : normal;
  const withCsv = new Set(files.files.filter((file) => isCsvFile(file)).map((file) => file.directory));
  if (withCsv.has(directory)) return directory;
  return [...withCsv].at(-1) ?? directory;
}

function isCsvFile(file: BundleFile): boolean {
  if (file.isHidden || !file.content.includes('ClusterServiceVersion')) return false;
  return 'value' in file.document && textOf(file.document.value, 'kind') === 'ClusterServiceVersion';
}

function directoriesIn({ directories }: BundleFiles, manifests: string): string[] {
  return [...directories].filter((directory) => posix.dirname(directory).replace(/^\.$/, '') === manifests);
}

function misplaced(directory: string, manifests: string): FindingParts {
  return {
    type: 'ManifestStructureNotValid',
    file: directory,
    detail: `a directory among the manifests; move its files to ${manifests === '' ? 'the bundle' : manifests}, or out of it`,
  };
}

function readObject(file: BundleFile, report: (parts: FindingParts) => void): BundleObject[] {
  const { path, document } = file;
  if (file.name.startsWith('.')) {
    report({
      type: 'ManifestStructureNotValid',
      file: path,
      detail: 'a hidden file among the manifests; delete it',
    });
    return [];
  }
  if ('problem' in document) {
    const type = file.problem === undefined ? 'ParseError' : 'FileReadError';
    report({
      type,
      file: path,
      ...('line' in document && { line: document.line }),
      detail: document.problem,
    });
    return [];
  }
  const { value } = document;
  if (value !== null && !isObject(value)) {
    report({ type: 'ParseError', file: path, detail: 'its first document is not an object of Kubernetes' });
    return [];
  }
  const object = value ?? {};
  const kind = textOf(object, 'kind');
  // A document without anything in it has no kind either, but that is another problem: see the validator of contents.
  if (value !== null && kind === '') {
    report({ type: 'ParseError', file: path, detail: 'its first document has no kind' });
    return [];
  }
  const name = textOf(valueOf(object, 'metadata'), 'name');
  const apiVersion = textOf(object, 'apiVersion');
  if (apiVersion.split('/').length > 2) {
    const detail = `apiVersion is ${JSON.stringify(apiVersion)}, not <version> or <group>/<version>`;
    report({ type: 'ParseError', file: path, detail });
    return [];
  }
  return [{ file: path, object, apiVersion, kind, name }];
}

/** The loader of OLM reads every file whose name starts with `annotations`. */
function checkAnnotationFiles({ files }: BundleFiles, report: (parts: FindingParts) => void): void {
  for (const file of files) {
    if (file.isHidden || !file.name.startsWith('annotations') || file.problem !== undefined) continue;
    const detail = annotationsProblem(file);
    if (detail === undefined) continue;
    report({ type: 'ParseError', file: file.path, detail });
  }
}

function annotationsProblem(file: BundleFile): string | undefined {
  const { document } = file;
  if ('problem' in document) return file.content.length > 0 ? document.problem : undefined;
  if (document.value === null) return undefined;
  const isEmpty = isObject(document.value) && (document.value['annotations'] ?? undefined) === undefined;
  return isEmpty || annotationsIn(file) ? undefined : 'its annotations are not a map of texts';
}

function csvOf(
  objects: readonly BundleObject[],
  manifests: string,
  report: (parts: FindingParts) => void,
): BundleCsv | undefined {
  const csvs = objects.filter(({ kind }) => kind === 'ClusterServiceVersion');
  const [first, second] = csvs;
  if (!first) {
    const place = manifests === '' ? 'the bundle' : manifests;
    report({
      type: 'ManifestStructureNotValid',
      detail: `${place} has no ClusterServiceVersion; ots generate bundle makes one`,
    });
    return undefined;
  }
  if (second)
    report({
      type: 'ManifestStructureNotValid',
      file: second.file,
      detail: `a second ClusterServiceVersion beside ${first.file}; a bundle has exactly one`,
    });
  try {
    return { file: first.file, csv: readCsv(first.object) };
  } catch (cause) {
    report(parseProblem(first.file, cause));
    return undefined;
  }
}

function crdOf(
  { file, kind, apiVersion, object }: BundleObject,
  report: (parts: FindingParts) => void,
): BundleCrd[] {
  if (kind !== 'CustomResourceDefinition') return [];
  const isOld = apiVersion === 'apiextensions.k8s.io/v1beta1';
  if (!isOld && apiVersion !== 'apiextensions.k8s.io/v1') {
    report({
      type: 'FieldTypeNotSupported',
      file,
      detail: `apiVersion is ${JSON.stringify(apiVersion)}; a CustomResourceDefinition needs apiextensions.k8s.io/v1`,
    });
    return [];
  }
  try {
    return [
      { file, crd: readCrd(isOld ? fromV1beta1(object) : object), v1beta1: isOld ? object : undefined },
    ];
  } catch (cause) {
    report(parseProblem(file, cause));
    return [];
  }
}

function parseProblem(file: string, cause: unknown): FindingParts {
  if (!(cause instanceof WrongTypeError)) throw cause;
  return { type: 'ParseError', file, field: cause.path, detail: cause.message };
}
