import { annotationsIn } from '../bundle/annotations.ts';
import type { BundleFile } from '../bundle/bundle-files.ts';
import { dependenciesIn } from '../bundle/dependencies.ts';
import { bundleLabels } from '../bundle/labels.ts';
import { mediaTypeOf } from '../bundle/media-type.ts';
import { type Finding, reporter } from '../finding.ts';
import { dependencyProblems } from './dependencies.ts';
import type { Validator } from './validator.ts';

const { error } = reporter('format');
const type = 'BundleFormatNotValid';

/** The rules for the folders, the annotations and the dependencies of a bundle. Source: opm alpha bundle validate. */
export const validateFormat: Validator = ({ files }) => {
  const missing = ['manifests', 'metadata'].filter((name) => !files.directories.has(name));
  if (missing.length > 0)
    return missing.map((name) => error({ type, detail: `the bundle has no directory ${name}` }));
  const metadata = files.files.filter(({ directory }) => directory === 'metadata');
  const annotated = metadata.find((file) => annotationsIn(file));
  const mediaType = mediaTypeOf(files, 'manifests');
  return [
    ...(mediaType ? [] : [error({ type, file: 'manifests', detail: 'the directory has no files' })]),
    ...(annotated
      ? validateAnnotations(annotated, mediaType ?? '')
      : [
          error({
            type,
            file: 'metadata',
            detail: 'the directory has no annotations; write them to metadata/annotations.yaml',
          }),
        ]),
    ...validateDependencies(metadata.filter((file) => file !== annotated)),
  ];
};

function validateAnnotations(file: BundleFile, mediaType: string): Finding[] {
  const values = annotationsIn(file) ?? {};
  const {
    mediaType: mediaLabel,
    manifests,
    metadata,
    package: packageLabel,
    channels,
    defaultChannel,
  } = bundleLabels;
  const report = (field: string, detail: string) => error({ type, field, file: file.path, detail });
  const has = (label: string) => Object.hasOwn(values, label);
  const valueAt = (label: string) => (has(label) ? values[label]! : '');
  return [
    ...[mediaLabel, manifests, metadata, packageLabel, channels]
      .filter((label) => !has(label))
      .map((label) => report(label, `the annotation ${label} is missing`)),
    ...(valueAt(mediaLabel) === mediaType
      ? []
      : [
          report(
            mediaLabel,
            `the annotation ${mediaLabel} is "${valueAt(mediaLabel)}", but the manifests are of type "${mediaType}"`,
          ),
        ]),
    ...(valueAt(channels) === '' ? [report(channels, `the annotation ${channels} names no channel`)] : []),
    ...(has(defaultChannel) && valueAt(defaultChannel) === ''
      ? [report(defaultChannel, `the annotation ${defaultChannel} is empty; name a channel or delete it`)]
      : []),
  ];
}

/** The first file with dependencies counts. */
function validateDependencies(candidates: readonly BundleFile[]): Finding[] {
  for (const file of candidates) {
    const dependencies = dependenciesIn(file);
    if (dependencies)
      return dependencies
        .flatMap(dependencyProblems)
        .map((detail) => error({ type, file: file.path, detail }));
  }
  return [];
}
