import { type JsonObject, isObject, textOf } from '../bundle/json.ts';
import { type InputObject, nameOf } from './input-object.ts';

/** The ClusterServiceVersion that the author wrote, or one to start with. */
export interface Base {
  readonly csv: JsonObject;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Chooses the base: the first of the package in the input, or else the file of the author, or else one with texts to replace.
 *
 * @param inInput the ClusterServiceVersions in the input
 * @param file the one in config/manifests/bases, if there is one
 */
export function chooseBase(
  packageName: string,
  inInput: readonly InputObject[],
  file: JsonObject | undefined,
): Base {
  const first = inInput.find(({ name }) => name.startsWith(`${packageName}.`));
  const problems = inInput
    .filter((csv) => csv !== first)
    .map((csv) =>
      csv.name.startsWith(`${packageName}.`)
        ? `${nameOf(csv)} (${csv.source}) is left out: ${first!.source} has another ClusterServiceVersion of the package`
        : `${nameOf(csv)} (${csv.source}) is left out: its name does not start with ${packageName}.`,
    );
  const csv = first?.object ?? file;
  const notes = [
    `there is no ClusterServiceVersion to start from: the bundle has one with texts to replace, such as "Provider Name"`,
  ];
  if (!csv) return { csv: defaultBase(packageName), problems, notes };
  return { csv: withoutNull(csv) as JsonObject, problems, notes: [] };
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNull(item)]),
  );
}

/** What operator-sdk starts with, except for its icon, which is empty and which OperatorHub refuses. */
function defaultBase(packageName: string): JsonObject {
  const displayName = packageName
    .split(/[-_. ]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const { spec, ...base } = newBase(packageName);
  return {
    ...base,
    spec: {
      ...spec,
      displayName,
      description: `${displayName} description. TODO.`,
      keywords: [packageName],
      links: [{ name: displayName, url: `https://${packageName}.domain` }],
      maintainers: [{ name: 'Maintainer Name', email: 'your@email.com' }],
      provider: { name: 'Provider Name', url: 'https://your.domain' },
    },
  };
}

/**
 * A ClusterServiceVersion that does not describe the operator yet.
 *
 * @param installMode the one that the operator supports
 */
export function newBase(
  packageName: string,
  installMode: 'AllNamespaces' | 'OwnNamespace' = 'AllNamespaces',
): JsonObject & { readonly spec: JsonObject } {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${packageName}.v0.0.0`,
      namespace: 'placeholder',
      annotations: { capabilities: 'Basic Install' },
    },
    spec: {
      maturity: 'alpha',
      version: '0.0.0',
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
        type,
        supported: type === installMode,
      })),
    },
  };
}

/** The name of the file of a ClusterServiceVersion. */
export function csvFileName(packageName: string): string {
  return `${packageName}.clusterserviceversion.yaml`;
}

/** The first ClusterServiceVersion of some objects. */
export function firstCsv(objects: readonly InputObject[]): JsonObject | undefined {
  return objects.find(({ object }) => textOf(object, 'kind') === 'ClusterServiceVersion')?.object;
}
