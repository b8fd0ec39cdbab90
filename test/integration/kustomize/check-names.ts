import { type Manifest, describeManifest, groupOf, isNamespaced, ofKind } from './manifest.ts';

/** How the objects of config/default have to be named. */
export interface Names {
  readonly namespace: string;
  readonly prefix: string;
}

/** The longest name that fits everywhere: into labels, and into the names of pods' hosts. */
const maxNameLength = 63;
const leftovers = [
  /SERVICE_NAME|CERTIFICATE_|ISSUER_|PLACEHOLDER|CHANGE_?ME|REPLACE_?ME|TODO|FIXME|XXX/i,
  /example\.(org|net)/,
  /\{\{|\}\}|\$\(|\$\{|<[a-z-]+>/,
  // The namespace of config/ before kustomize gives it its real name; `system:masters` is something else.
  /(^|[./])system($|[./])/,
];

/** Every object is in the namespace and has the prefix, and nothing is left of what kustomize has to replace. */
export function checkNames(all: readonly Manifest[], names: Names): string[] {
  return [
    ...checkNamespace(all, names),
    ...checkUnique(all),
    ...all.flatMap((manifest) => [
      ...checkName(manifest, all, names).map((problem) => `${describeManifest(manifest)} ${problem}`),
      ...checkLeftovers(manifest),
    ]),
  ];
}

function checkNamespace(all: readonly Manifest[], { namespace }: Names): string[] {
  const namespaces = ofKind(all, 'Namespace');
  const found = namespaces.map(({ metadata }) => metadata.name).join(', ');
  if (found !== namespace) return [`the namespaces are [${found}] and not ${namespace}`];
  const level = namespaces[0]?.metadata.labels?.['pod-security.kubernetes.io/enforce'];
  return level === 'restricted' ? [] : [`Namespace ${namespace} enforces ${level}, not restricted`];
}

/** No two objects are one to the server, which knows an object in each of the versions of its group. */
export function checkUnique(all: readonly Manifest[]): string[] {
  const seen = new Set<string>();
  return all.flatMap((manifest) => {
    const name = describeManifest(manifest);
    const identity = `${groupOf(manifest)} ${name}`;
    if (seen.has(identity)) return `${name} is there twice`;
    seen.add(identity);
    return [];
  });
}

function checkName(manifest: Manifest, all: readonly Manifest[], { namespace, prefix }: Names): string[] {
  const { kind, metadata } = manifest;
  const wanted = isNamespaced(manifest, all) ? namespace : undefined;
  const problems = metadata.namespace === wanted ? [] : [`is in ${metadata.namespace} and not in ${wanted}`];
  // The name of a definition is made of its plural and group, and that of the namespace was checked.
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace') return problems;
  if (!metadata.name.startsWith(prefix)) problems.push(`lacks the prefix ${prefix}`);
  if (metadata.name.length > maxNameLength) problems.push(`has ${metadata.name.length} characters`);
  return problems;
}

/** Placeholders that were not replaced, anywhere in an object. */
export function checkLeftovers(manifest: Manifest): string[] {
  return stringsOf(manifest)
    .filter((text) => leftovers.some((leftover) => leftover.test(text)))
    .map((text) => `${describeManifest(manifest)} holds ${JSON.stringify(text)}`);
}

/** Every text in a value, keys included. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)]);
}
