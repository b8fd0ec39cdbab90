import type { Bundle } from '../../src/olm/bundle/bundle.ts';
import { BundleFile } from '../../src/olm/bundle/bundle-files.ts';
import { bundleOf } from '../../src/olm/bundle/read-bundle.ts';

/** A bundle to which no validator objects, as text by file. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'metadata/annotations.yaml': `annotations:
  operators.operatorframework.io.bundle.mediatype.v1: registry+v1
  operators.operatorframework.io.bundle.manifests.v1: manifests/
  operators.operatorframework.io.bundle.metadata.v1: metadata/
  operators.operatorframework.io.bundle.package.v1: tea
  operators.operatorframework.io.bundle.channels.v1: stable
`,
  'manifests/tea.clusterserviceversion.yaml': `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: tea.v1.2.3
  annotations:
    capabilities: Basic Install
    categories: Developer Tools
    alm-examples: '[{"apiVersion": "tea.example.com/v1", "kind": "Pot", "metadata": {"name": "a"}}]'
spec:
  displayName: Tea
  version: 1.2.3
  minKubeVersion: 1.28.0
  provider: {name: Tea House}
  maintainers:
    - {name: Ada, email: ada@example.com}
  links:
    - {name: Home, url: 'https://tea.example.com'}
  icon:
    - {base64data: PHN2Zy8+, mediatype: image/svg+xml}
  installModes:
    - {type: AllNamespaces, supported: true}
    - {type: OwnNamespace, supported: false}
  customresourcedefinitions:
    owned:
      - {name: pots.tea.example.com, version: v1, kind: Pot, description: A pot of tea}
  relatedImages:
    - {name: kettle, image: registry.example.com/tea/kettle:v1}
  install:
    strategy: deployment
    spec:
      deployments:
        - name: tea
          spec:
            selector: {matchLabels: {app: tea}}
            template:
              metadata: {labels: {app: tea}}
              spec:
                serviceAccountName: tea
                containers:
                  - name: manager
                    image: registry.example.com/tea/operator:v1.2.3
                    resources: {requests: {cpu: 10m, memory: 64Mi}}
      clusterPermissions:
        - serviceAccountName: tea
          rules:
            - {apiGroups: [tea.example.com], resources: [pots], verbs: ['*']}
`,
  'manifests/tea.example.com_pots.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pots.tea.example.com
spec:
  group: tea.example.com
  names: {kind: Pot, plural: pots}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: {type: object}
`,
};

export const csvFile = 'manifests/tea.clusterserviceversion.yaml';
export const crdFile = 'manifests/tea.example.com_pots.yaml';
export const annotationsFile = 'metadata/annotations.yaml';

/** The bundle that files are, given as text by path. */
export function bundleFrom(texts: Readonly<Record<string, string>>): Bundle {
  const files = Object.entries(texts)
    .map(([path, text]) => new BundleFile(path, Buffer.from(text)))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
  return bundleOf({ files, directories: new Set(files.map(({ directory }) => directory).filter(Boolean)) });
}

/** A text, and what replaces it. */
export type Change = readonly [from: string | RegExp, to: string];

/** The sample with parts of a file replaced. Fails when there is nothing to replace. */
export function replaced(file: string, ...changes: readonly Change[]): Bundle {
  let text = sampleFiles[file]!;
  for (const [from, to] of changes) {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`${file} has no ${String(from)}`);
    text = next;
  }
  return bundleFrom({ ...sampleFiles, [file]: text });
}

/** The sample with another manifest. */
export function withManifest(text: string): Bundle {
  return bundleFrom({ ...sampleFiles, 'manifests/other.yaml': text });
}
