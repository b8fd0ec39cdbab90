import { resources } from 'ots-kubernetes/resources';
import { parseAllDocuments } from 'yaml';

/** An object as parsed from YAML. Its fields are not validated. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: any;
}

/** @throws when the text is not YAML or a document is not an object with a name */
export function parseManifests(text: string): Manifest[] {
  return [...parseAllDocuments(text)].map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    const manifest = document.toJS() as Partial<Manifest> | null;
    if (!manifest?.apiVersion || !manifest.kind || !manifest.metadata?.name) {
      throw new Error(`Not a Kubernetes object:\n${document.toString()}`);
    }
    return manifest as Manifest;
  });
}

/** `apps` of `apps/v1`; '' for the core group. */
export function groupOf({ apiVersion }: Pick<Manifest, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** How a manifest is named in what the checks say. */
export function describeManifest({ kind, metadata: { name, namespace } }: Manifest): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Whether the objects of this kind are in a namespace: all are that are neither built in nor defined here. */
export function isNamespaced(manifest: Manifest, all: readonly Manifest[]): boolean {
  const { kind } = manifest;
  const group = groupOf(manifest);
  const builtIn = resources.find((entry) => entry.group === group && entry.kind === kind);
  const definition = ofKind(all, 'CustomResourceDefinition').find(
    ({ spec }) => spec.group === group && spec.names.kind === kind,
  );
  return (builtIn?.scope ?? definition?.['spec'].scope ?? 'Namespaced') === 'Namespaced';
}

/** The objects of one kind. */
export function ofKind(all: readonly Manifest[], kind: string): Manifest[] {
  return all.filter((manifest) => manifest.kind === kind);
}

/** The object that is referred to, if it exists. */
export function find(
  all: readonly Manifest[],
  kind: string,
  name: unknown,
  namespace?: string,
): Manifest | undefined {
  return ofKind(all, kind).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
}
