import { gzipSync } from 'node:zlib';
import type { Bundle, BundleCsv } from '../bundle/bundle.ts';
import { type Finding, reporter } from '../finding.ts';
import { formatSemver, parseTolerantSemver } from '../versions/semver.ts';
import { groupInName, gvkText } from './group-version-kind.ts';
import { imageProblem } from '../../images/image-problem.ts';
import type { Validator } from './validator.ts';

const { error, warning } = reporter('bundle');
const type = 'BundleNotValid';

/** OLM unpacks a bundle into one ConfigMap. */
const maxCompressedBytes = 2 ** 20;
const nearlyTooLarge = 0.85 * maxCompressedBytes;

/** The rules for a bundle as a whole: its CRDs, service accounts, size, name and related images. */
export const validateBundle: Validator = (bundle) => {
  const { csv } = bundle;
  if (!csv) return [];
  return [
    ...validateCrds(bundle, csv),
    ...validateServiceAccounts(bundle, csv),
    ...validateSize(bundle),
    ...validateName(bundle, csv),
    ...validateImages(csv),
  ];
};

function validateCrds({ crds, name }: Bundle, { csv, file }: BundleCsv): Finding[] {
  const versions = crds.flatMap(({ crd, file: crdFile, v1beta1 }) =>
    // A definition of v1beta1 without versions has one without a name.
    (v1beta1 && crd.spec.versions.length === 0 ? [{ name: '' }] : crd.spec.versions).map((version) => ({
      file: crdFile,
      kind: crd.spec.names.kind,
      group: crd.spec.group,
      gvk: gvkText(crd.spec.group, version.name, crd.spec.names.kind),
    })),
  );
  const present = new Set(versions.map(({ gvk }) => gvk));
  const owned = (csv.spec?.customresourcedefinitions?.owned ?? []).map((description) => {
    const { name: crdName = '', version = '', kind = '' } = description;
    const group = groupInName(crdName) ?? crdName;
    return { group, kind, gvk: gvkText(group, version, kind) };
  });
  const found = owned.filter(({ gvk }) => present.has(gvk));
  const ownedKinds = new Set(found.map(kindText));
  return [
    ...repeated(versions).map(({ gvk, file: crdFile }) =>
      error({
        type,
        value: gvk,
        file: crdFile,
        detail: `bundle "${name}" has the CRD "${gvk}" more than once`,
      }),
    ),
    ...owned
      .filter(({ gvk }) => !present.has(gvk))
      .map(({ gvk }) => error({ type, value: gvk, file, detail: `owned CRD "${gvk}" is not in the bundle` })),
    ...repeated(found).map(({ gvk }) =>
      error({ type, value: gvk, file, detail: `owned CRD "${gvk}" is listed more than once` }),
    ),
    ...distinct(versions.filter((each) => !ownedKinds.has(kindText(each)))).map(({ gvk, file: crdFile }) =>
      error({
        type,
        value: gvk,
        file: crdFile,
        detail: `CRD "${gvk}" is not among the owned CRDs of the ClusterServiceVersion; list it there`,
      }),
    ),
  ];
}

function kindText({ group, kind }: { group: string; kind: string }): string {
  return `${kind}.${group}`;
}

/** The items of a kind after the first. */
function repeated<Item extends { gvk: string }>(items: readonly Item[]): Item[] {
  const first = new Set(distinct(items));
  return items.filter((item) => !first.has(item));
}

/** The first item of each kind. */
function distinct<Item extends { gvk: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.toReversed().map((item) => [item.gvk, item])).values()].toReversed();
}

function validateServiceAccounts({ objects }: Bundle, { csv }: BundleCsv): Finding[] {
  const deployments = csv.spec?.install?.spec?.deployments ?? [];
  const used = new Set(deployments.map(({ spec }) => spec?.template?.spec?.serviceAccountName ?? ''));
  return objects
    .filter(
      ({ apiVersion, kind, name }) => apiVersion === 'v1' && kind === 'ServiceAccount' && used.has(name),
    )
    .map(({ name, file }) =>
      error({
        type,
        value: name,
        file,
        detail: `OLM creates the service account ${name} of a deployment; remove it from the bundle, or rename one of them`,
      }),
    );
}

function validateSize({ files: { files }, name }: Bundle): Finding[] {
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes === 0)
    return [
      warning({ type: 'ValidationFailed', value: name, detail: 'the size of the bundle is not known' }),
    ];
  // Text in base64 that is not compressed is larger by a third.
  if (bytes * 1.4 + files.length * 64 < nearlyTooLarge) return [];
  const compressed = files.reduce((sum, { content }) => sum + compressedBytes(content), 0);
  if (compressed <= nearlyTooLarge) return [];
  const report = compressed > maxCompressedBytes ? error : warning;
  return [
    report({
      type,
      value: name,
      detail: `the bundle has ${kilobytes(compressed)} compressed, and OLM takes at most ${kilobytes(maxCompressedBytes)}; it has ${kilobytes(bytes)} uncompressed`,
    }),
  ];
}

/** As gzip in base64. */
function compressedBytes(content: Buffer): number {
  return Math.ceil(gzipSync(content, { level: 9 }).length / 3) * 4;
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

function validateName(bundle: Bundle, { csv, file }: BundleCsv): Finding[] {
  const { version = '0.0.0', release } = csv.spec ?? {};
  if (release === undefined) return [];
  const parsed = parseTolerantSemver(version);
  const expected = `${bundle.package}-v${parsed ? formatSemver(parsed) : version}-${release}`;
  if (bundle.name === expected) return [];
  return [
    error({
      type,
      value: bundle.name,
      file,
      detail: `with spec.release, the name of the bundle must be "${expected}", not "${bundle.name}"`,
    }),
  ];
}

function validateImages({ csv, file }: BundleCsv): Finding[] {
  return (csv.spec?.relatedImages ?? []).flatMap(({ image = '' }, index) => {
    const problem = imageProblem(image);
    if (problem === undefined) return [];
    const value = `spec.relatedImages[${index}].image`;
    return [error({ type, value, file, detail: `${value} ${problem}` })];
  });
}
