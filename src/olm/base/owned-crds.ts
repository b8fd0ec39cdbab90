import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';

/** What the sources of an operator say about a version of a kind. */
export interface KindDescription {
  /** The name of the CRD. */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined: keeps the one of the base. */
  readonly displayName: string | undefined;
  /** For a base without one. */
  readonly defaultDisplayName: string;
  /** Empty: keeps the one of the base. */
  readonly description: string;
  /** Undefined for the last ones. */
  readonly order: number | undefined;
  /** Undefined: keeps those of the base. */
  readonly resources: readonly object[] | undefined;
  readonly specDescriptors: readonly FieldDescription[];
  readonly statusDescriptors: readonly FieldDescription[];
  /** Whether the spec or the status has a field at a path such as `users[0].name`. */
  hasField(part: 'spec' | 'status', path: string): boolean;
}

/** How user interfaces show a field. */
interface FieldDescription {
  readonly path: string;
  readonly displayName: string;
  readonly description: string;
  readonly xDescriptors: readonly string[];
}

/** A ClusterServiceVersion, and what is said about its changes. */
export interface Described {
  readonly csv: JsonObject;
  readonly notes: readonly string[];
}

/**
 * Writes what the sources say about kinds into `spec.customresourcedefinitions.owned`. What they do not say stays: other entries at
 * their index, descriptors of other fields, names and resources without a tag. Only descriptors of fields that the kind does not
 * have are removed.
 */
export function describeKinds(csv: JsonObject, kinds: readonly KindDescription[]): Described {
  const definitions = objectOf(valueOf(valueOf(csv, 'spec'), 'customresourcedefinitions'));
  const list = definitions['owned'];
  const former = Array.isArray(list) ? (list as unknown[]) : [];
  const notes: string[] = [];
  const described = kinds.map((kind) => {
    const entry = objectOf(former.find((candidate) => isAbout(candidate, kind)));
    return { order: kind.order ?? Infinity, entry: describeKind(entry, kind, notes) };
  });
  const others = former
    .map((entry, order) => ({ order, entry }))
    .filter(({ entry }) => !kinds.some((kind) => isAbout(entry, kind)));
  const sorted = [...described.toSorted((a, b) => compare(a.entry, b.entry)), ...others];
  const owned = sorted
    .toSorted((a, b) => (a.order === b.order ? 0 : a.order - b.order))
    .map(({ entry }) => entry);
  if (owned.length === 0) return { csv, notes };
  const spec = { ...objectOf(csv['spec']), customresourcedefinitions: { ...definitions, owned } };
  return { csv: { ...csv, spec }, notes };
}

function isAbout(entry: unknown, { name, version, kind }: KindDescription): boolean {
  return (
    textOf(entry, 'name') === name && textOf(entry, 'version') === version && textOf(entry, 'kind') === kind
  );
}

/** By name, and new versions first. */
function compare(a: JsonObject, b: JsonObject): number {
  const [left, right] = [textOf(a, 'name'), textOf(b, 'name')];
  if (left !== right) return left < right ? -1 : 1;
  return textOf(a, 'version') < textOf(b, 'version') ? 1 : -1;
}

function describeKind(former: JsonObject, kind: KindDescription, notes: string[]): JsonObject {
  const { name, version, resources } = kind;
  const description = kind.description || textOf(former, 'description');
  const entry: JsonObject = {
    ...former,
    ...(description !== '' && { description }),
    displayName: kind.displayName ?? (textOf(former, 'displayName') || kind.defaultDisplayName),
    kind: kind.kind,
    name,
    ...(resources && { resources: resources.map((resource) => ({ ...resource })) }),
    version,
  };
  for (const part of ['spec', 'status'] as const) {
    const descriptors = descriptorsOf(former, kind, part, notes);
    if (descriptors.length > 0) entry[`${part}Descriptors`] = descriptors;
    else delete entry[`${part}Descriptors`];
  }
  return entry;
}

function descriptorsOf(
  former: JsonObject,
  kind: KindDescription,
  part: 'spec' | 'status',
  notes: string[],
): unknown[] {
  const tagged = kind[`${part}Descriptors`];
  const list = former[`${part}Descriptors`];
  const known = Array.isArray(list) ? (list as unknown[]) : [];
  const kept = known.filter((entry) => {
    const path = textOf(entry, 'path');
    if (tagged.some((descriptor) => descriptor.path === path)) return false;
    if (kind.hasField(part, path)) return true;
    notes.push(
      `removed the descriptor of ${part}.${path}: ${kind.kind} ${kind.version} does not have the field`,
    );
    return false;
  });
  return [...tagged.map(descriptorOf), ...kept];
}

function descriptorOf({ path, displayName, description, xDescriptors }: FieldDescription): JsonObject {
  return {
    ...(description !== '' && { description }),
    displayName,
    path,
    ...(xDescriptors.length > 0 && { 'x-descriptors': [...xDescriptors] }),
  };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
