import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../crd/custom-resource-definition.ts';
import { marksKey } from '../schema/field-marks.ts';
import type { OlmResource } from '../schema/field-marks.ts';
import type { Schema } from '../schema/schema.ts';
import { type Descriptor, descriptorsIn, hasField } from './descriptors.ts';
import { wordsOf } from './words-of.ts';

/** What the sources say about a served version of a kind, for the entry of the kind in a ClusterServiceVersion. */
export interface OwnedKind {
  /** The name of the CRD. */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined without a tag. */
  readonly displayName: string | undefined;
  /** The kind in words. */
  readonly defaultDisplayName: string;
  /** The comment above the kind; empty if it has none. */
  readonly description: string;
  /** Kinds with lower numbers come first; undefined for the last ones. */
  readonly order: number | undefined;
  /** What the operator creates for an object; undefined without a tag. */
  readonly resources: readonly OlmResource[] | undefined;
  readonly specDescriptors: readonly Descriptor[];
  readonly statusDescriptors: readonly Descriptor[];
  /** Whether the spec or the status has a field at a path such as `users[0].name`. */
  hasField(part: 'spec' | 'status', path: string): boolean;
}

/** Reads the @olm tags and the comments of the served versions of generated CRDs. */
export function ownedKinds(crds: readonly CustomResourceDefinition[]): OwnedKind[] {
  return crds.flatMap((crd) =>
    crd.spec.versions.filter(({ served }) => served).map((version) => ownedKind(crd, version)),
  );
}

function ownedKind(crd: CustomResourceDefinition, version: CustomResourceDefinitionVersion): OwnedKind {
  const { kind } = crd.spec.names;
  const { openAPIV3Schema: schema } = version.schema;
  const tags = schema[marksKey]?.olm ?? [];
  const resources = tags.flatMap((tag) => tag.resources ?? []);
  return {
    name: crd.metadata.name,
    version: version.name,
    kind,
    displayName: tags.findLast(({ displayName }) => displayName)?.displayName,
    defaultDisplayName: wordsOf(kind),
    description: schema.description ?? '',
    order: tags.findLast(({ order }) => order !== undefined)?.order,
    resources: resources.length > 0 ? resources.toSorted(byName) : undefined,
    specDescriptors: descriptorsIn(partOf(schema, 'spec'), 'spec'),
    statusDescriptors: descriptorsIn(partOf(schema, 'status'), 'status'),
    hasField: (part, path) => hasField(partOf(schema, part), path),
  };
}

function partOf(schema: Schema, part: 'spec' | 'status'): Schema {
  return schema.properties?.get(part) ?? {};
}

function byName(a: OlmResource, b: OlmResource): number {
  const [left, right] = [a, b].map(({ name, kind, version }) => `${name}\n${kind}\n${version}`);
  return left! < right! ? -1 : Number(left! > right!);
}
