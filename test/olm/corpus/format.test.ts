import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../../src/olm/bundle/bundle.ts';
import { readBundle } from '../../../src/olm/bundle/read-bundle.ts';
import type { Finding } from '../../../src/olm/finding.ts';
import { requiredValidators } from '../../../src/olm/validate/validators.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Expected {
  readonly bundle?: string;
  readonly format?: readonly string[];
  readonly content?: readonly string[];
  readonly crash?: string;
}

/** What a message of either side is about. A message that fits none fails the test. */
const subjects: readonly (readonly [subject: string, theirs: RegExp, ours: RegExp])[] = [
  ['no directory', /^Unable to locate (\w+) directory/, /^the bundle has no directory (\w+)/],
  ['no annotations', /^Could not find annotations file/, /^the directory has no annotations/],
  ['missing', /^Missing annotation "(.+)"/, /^the annotation (\S+) is missing/],
  ['media type', /^Expecting annotation "\S+" to have value "(.+)" instead/, /are of type "(.+)"/],
  [
    'empty',
    /^Expecting annotation "(.+)" to have non-empty/,
    /^the annotation (\S+) (?:names no channel|is empty)/,
  ],
  ['dependency', /^couldn't parse dependency of type (.*)/, /^a dependency of type "(.*)" cannot be read/],
  ['label', /^Label information is missing/, /olm\.label needs a label/],
  ['package name', /^Package name is empty/, /needs a packageName/],
  ['package version', /^Package version is empty/, /olm\.package needs a version/],
  ['range', /^Invalid semver format version/, /is not a range/],
  ['cel', /^The CEL field is missing/, /olm\.constraint needs cel;/],
  ['kind', /^(\w+) is not supported type/, /^a bundle cannot have a (\w+);/],
  ['owned', /owned CRD \S+?\/(\S+) not found/, /owned CRD "\S+?\/([^,]+), Kind=\w+" is not in the bundle/],
  ['crd version', /^Unsupported api version of CRD/, /a CustomResourceDefinition needs/],
  ['directory', /^Unable to read file/, /^a directory among the manifests/],
  ['not an object', /cannot unmarshal string into Go value/, /is not an object of Kubernetes/],
  ['namespace type', /struct field ObjectMeta.metadata.namespace/, /^metadata.namespace is /],
  ['install modes', /install modes not found/, /spec\.installModes is missing/],
  ['case', /provided annotation (\S+) uses wrong case/, /^metadata\.annotations\[(\S+)\] is not read/],
  ['crd field', /^Error: Field (\S+), /, /^(spec\.[\w.]+): /],
];

/** Cases in which we say something else on purpose, and what; the reasons are in docs/olm.md. */
const differences: Readonly<Record<string, readonly string[]>> = {
  'content-two-csvs': ['a second ClusterServiceVersion'],
  // The loader of OLM refuses Chart.yaml, which is not an object of Kubernetes, before anyone looks at the content.
  'mediatype-helm-chart': ['has no kind'],
  // Theirs reads the bundle itself as the manifests, and finds nothing in it.
  'no-manifests-dir': ['has no ClusterServiceVersion'],
};

function subjectOf(message: string, side: 1 | 2): string {
  for (const subject of subjects) {
    const match = subject[side].exec(message);
    if (match) return `${subject[0]} ${match[1] ?? ''}`.trim();
  }
  return message;
}

/** What opm validates as the content: with the rules for the ClusterServiceVersion and the CRDs, but few of those for the whole. */
function contentOf(bundle: Bundle): Finding[] {
  const run = (name: string) => requiredValidators[name]!(bundle, { values: {} });
  return [
    ...bundle.problems.filter(({ file }) => !file?.startsWith('metadata/')),
    ...run('content'),
    ...run('csv'),
    ...run('crd'),
    ...run('bundle').filter(({ detail }) => detail.startsWith('owned CRD')),
  ].filter(({ level }) => level === 'error');
}

describe.skipIf(!hasCorpus)('format', () => {
  test.each(casesOf<Expected>('format'))('$name', async ({ name, directory, expected }) => {
    const bundle = await readBundle(path.join(directory, expected.bundle ?? 'bundle'));
    const content = contentOf(bundle).map(({ detail }) => detail);
    const format = requiredValidators['format']!(bundle, { values: {} }).map(({ detail }) => detail);
    if (expected.crash !== undefined) {
      expect(content).not.toEqual([]);
      return;
    }
    const sorted = (list: readonly string[], side: 1 | 2) =>
      list.map((each) => subjectOf(each, side)).toSorted();
    // Theirs was asked about the format only of bundles with manifests.
    if (bundle.files.directories.has('manifests'))
      expect(sorted(format, 2)).toEqual(sorted(expected.format ?? [], 1));
    else expect(format).toContain('the bundle has no directory manifests');
    const difference = differences[name];
    if (difference) expect(content).toEqual(difference.map((part) => expect.stringContaining(part)));
    else expect(sorted(content, 2)).toEqual(sorted(expected.content ?? [], 1));
  });
});
