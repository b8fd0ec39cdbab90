import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Blob = Record<string, unknown>;

/** The parts of a bundle of brew that tests change. */
export interface SmallBundle {
  readonly spec?: Blob;
  readonly annotations?: Blob;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Writes a bundle of brew, as JSON, which is YAML. */
export function writeBundle(
  directory: string,
  version: string,
  { spec, annotations, files }: SmallBundle = {},
): void {
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: `brew.v${version}`, namespace: 'placeholder', annotations },
    spec: {
      version,
      displayName: 'Brew',
      description: `Brews tea ${version}.`,
      icon: [{ base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' }],
      provider: { name: 'Brewers' },
      customresourcedefinitions: { owned: [{ name: 'teas.brew.example.com', version: 'v1', kind: 'Tea' }] },
      installModes: [{ type: 'AllNamespaces', supported: true }],
      install: {
        strategy: 'deployment',
        spec: { deployments: [deploymentOf('registry.example.com/brew:1')] },
      },
      ...spec,
    },
  };
  const all: Record<string, unknown> = {
    'manifests/brew.clusterserviceversion.yaml': csv,
    'manifests/teas.yaml': crd,
    'metadata/annotations.yaml': {
      annotations: {
        'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
        'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
        'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
        'operators.operatorframework.io.bundle.package.v1': 'brew',
        'operators.operatorframework.io.bundle.channels.v1': 'stable',
      },
    },
    ...files,
  };
  for (const [file, content] of Object.entries(all)) {
    mkdirSync(join(directory, file, '..'), { recursive: true });
    writeFileSync(join(directory, file), JSON.stringify(content));
  }
}

function deploymentOf(image: string): object {
  const labels = { app: 'brew' };
  const spec = { containers: [{ name: 'manager', image }] };
  return {
    name: 'brew',
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

const schema = { openAPIV3Schema: { type: 'object' } };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'teas.brew.example.com' },
  spec: {
    group: 'brew.example.com',
    scope: 'Namespaced',
    names: { plural: 'teas', singular: 'tea', kind: 'Tea', listKind: 'TeaList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v1alpha1', served: true, storage: false, schema },
    ],
  },
};
