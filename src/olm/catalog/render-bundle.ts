import type { Bundle } from '../bundle/bundle.ts';
import type { Csv } from '../bundle/csv.ts';
import { type Dependency, dependenciesIn } from '../bundle/dependencies.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { schemas } from './catalog.ts';
import { csvMetadata } from './csv-metadata.ts';

/** An `olm.bundle` for a catalog. */
export interface RenderedBundle {
  readonly schema: string;
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly RenderedProperty[];
  readonly relatedImages?: readonly { readonly name: string; readonly image: string }[];
}

interface RenderedProperty {
  readonly type: string;
  readonly value: unknown;
}

/**
 * Renders a bundle for a catalog as `opm render` does: what it is, what it provides and needs, the images that it uses, and what OLM shows
 * of it. A bundle without an image gets its manifests instead of the latter.
 *
 * @param bundle without problems
 * @param image empty for none
 */
export function renderBundle(bundle: Bundle, image: string): RenderedBundle {
  const csv = bundle.csv?.csv ?? {};
  const relatedImages = relatedImagesOf(csv, image);
  return {
    schema: schemas.bundle,
    name: bundle.name,
    package: bundle.package,
    image,
    properties: [...distinct(propertiesOf(bundle, csv)), ...contentOf(bundle, csv, image)],
    ...(relatedImages.length > 0 && { relatedImages }),
  };
}

/** Why a bundle without other problems cannot be part of a catalog. @returns undefined when it can */
export function renderProblem(bundle: Bundle): string | undefined {
  if (bundle.package === '') return 'metadata/annotations.yaml does not name the package';
  if (bundle.name === '') return 'the ClusterServiceVersion has no metadata.name';
  const provided = new Set(
    bundle.crds.flatMap(({ crd: { spec } }) =>
      spec.versions.map(({ name }) => `${spec.names.plural}.${spec.group}/${name}, Kind=${spec.names.kind}`),
    ),
  );
  const owned = bundle.csv?.csv.spec?.customresourcedefinitions?.owned ?? [];
  const missing = owned
    .map(({ name = '', version = '', kind = '' }) => `${name}/${version}, Kind=${kind}`)
    .find((key) => !provided.has(key));
  return missing === undefined
    ? undefined
    : `the ClusterServiceVersion owns ${missing}, but the bundle has no such CRD`;
}

/** What a package shows of its newest bundle. */
export function aboutPackage({ csv }: Bundle): JsonObject {
  const { description = '', icon } = csv?.csv.spec ?? {};
  const [first] = icon ?? [];
  return {
    ...(description !== '' && { description }),
    ...(first && { icon: { base64data: first.base64data ?? '', mediatype: first.mediatype ?? '' } }),
  };
}

function propertiesOf(bundle: Bundle, csv: Csv): RenderedProperty[] {
  const stated = [...statedProperties(bundle), ...annotatedProperties(csv)];
  const dependencies = bundle.files.files
    .filter(({ directory }) => directory === 'metadata')
    .map((file) => dependenciesIn(file))
    .find((list) => list !== undefined);
  return [
    packageProperty(bundle, csv, stated),
    ...stated.filter(({ type }) => type !== 'olm.package'),
    ...providedKinds(bundle, csv).map((value) => ({ type: 'olm.gvk', value })),
    ...requiredKinds(csv).map((value) => ({ type: 'olm.gvk.required', value })),
    ...(dependencies ?? []).map(requiredProperty),
  ];
}

/** Of the first file in metadata/ that has some. */
function statedProperties({ files }: Bundle): RenderedProperty[] {
  for (const { directory, document } of files.files) {
    const list = directory === 'metadata' && 'value' in document ? valueOf(document.value, 'properties') : [];
    if (Array.isArray(list) && list.length > 0) return list.filter(isObject).map(propertyOf);
  }
  return [];
}

/** Those in the annotation `olm.properties`. OLM ignores an annotation that is not JSON. */
function annotatedProperties({ metadata }: Csv): RenderedProperty[] {
  try {
    const list: unknown = JSON.parse(metadata?.annotations?.['olm.properties'] ?? '[]');
    return Array.isArray(list) ? list.filter(isObject).map(propertyOf) : [];
  } catch {
    return [];
  }
}

function propertyOf(item: JsonObject): RenderedProperty {
  const type = textOf(item, 'type');
  const value = valueOf(item, 'value');
  return { type, value: type === 'olm.gvk' ? groupVersionKind(value) : value };
}

/** What the author states comes before what the annotations of the bundle say. */
function packageProperty(bundle: Bundle, csv: Csv, stated: readonly RenderedProperty[]): RenderedProperty {
  const last = stated.findLast(({ type }) => type === 'olm.package')?.value;
  const { version = '', release = '' } = csv.spec ?? {};
  const value = last ?? { packageName: bundle.package, version, release };
  const lastRelease = textOf(value, 'release');
  return {
    type: 'olm.package',
    value: {
      packageName: textOf(value, 'packageName'),
      ...(lastRelease !== '' && { release: lastRelease }),
      version: textOf(value, 'version'),
    },
  };
}

function requiredProperty({ type, value }: Dependency): RenderedProperty {
  if (type === 'olm.gvk') return { type: 'olm.gvk.required', value: groupVersionKind(value) };
  if (type !== 'olm.package') return { type, value };
  const required = { packageName: textOf(value, 'packageName'), versionRange: textOf(value, 'version') };
  return { type: 'olm.package.required', value: required };
}

function groupVersionKind(value: unknown): object {
  return { group: textOf(value, 'group'), kind: textOf(value, 'kind'), version: textOf(value, 'version') };
}

/** Every version of the CRDs, and the owned API services. */
function providedKinds({ crds }: Bundle, { spec }: Csv): object[] {
  const ofCrds = crds.flatMap(({ crd: { spec: definition } }) =>
    definition.versions.map(({ name }) =>
      groupVersionKind({ group: definition.group, kind: definition.names.kind, version: name }),
    ),
  );
  return [...ofCrds, ...(spec?.apiservicedefinitions?.owned ?? []).map(groupVersionKind)];
}

function requiredKinds({ spec }: Csv): object[] {
  return [
    ...(spec?.customresourcedefinitions?.required ?? []).map(({ name = '', kind, version }) =>
      groupVersionKind({ group: name.slice(name.indexOf('.') + 1), kind, version }),
    ),
    ...(spec?.apiservicedefinitions?.required ?? []).map(groupVersionKind),
  ];
}

/** In the order of type and value. */
function distinct(properties: readonly RenderedProperty[]): RenderedProperty[] {
  const byText = new Map(
    properties.map((property) => [`${property.type}\n${JSON.stringify(property.value)}`, property]),
  );
  return [...byText].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, property]) => property);
}

function contentOf({ objects }: Bundle, csv: Csv, image: string): RenderedProperty[] {
  if (image !== '') return [{ type: 'olm.csv.metadata', value: csvMetadata(csv) }];
  return objects
    .filter(({ kind }) => kind !== '')
    .map(({ object }) => Buffer.from(JSON.stringify(object)).toString('base64'))
    .toSorted()
    .map((data) => ({ type: 'olm.bundle.object', value: { data } }));
}

/** The images that the author names, that of the bundle, and those of the operator's containers. */
function relatedImagesOf({ spec }: Csv, image: string): { name: string; image: string }[] {
  const stated = (spec?.relatedImages ?? []).map((each) => ({
    name: each.name ?? '',
    image: each.image ?? '',
  }));
  const known = new Set(stated.map((each) => each.image));
  const deployments = spec?.install?.strategy === 'deployment' ? spec.install.spec?.deployments : undefined;
  const pods = (deployments ?? []).map((each) => each.spec?.template?.spec);
  const containers = pods.flatMap((pod) => [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])]);
  const further = [...(image === '' ? [] : [image]), ...containers.map((container) => container.image ?? '')];
  const added = [...new Set(further)]
    .filter((each) => !known.has(each))
    .map((each) => ({ name: '', image: each }));
  return [...stated, ...added].toSorted((left, right) => (left.image < right.image ? -1 : 1));
}
