import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ClusterServiceVersion } from '../../src/olm/v0/kinds.ts';

const group = 'cache.example.com';
export const crdName = `memcacheds.${group}`;

/** What of a bundle differs from the usual one. */
export interface BundleChanges {
  readonly version?: string;
  readonly csv?: Partial<ClusterServiceVersion['spec']>;
  /** Properties of the spec of the kind. */
  readonly fields?: Record<string, unknown>;
  readonly objects?: readonly KubernetesObject[];
}

/** The objects of a bundle of memcached-operator: its CSV, its CRD and others. */
export function bundleObjects({
  version = '0.0.1',
  csv = {},
  fields,
  objects = [],
}: BundleChanges = {}): KubernetesObject[] {
  return [csvOf(version, csv), crdOf(fields), ...objects];
}

function csvOf(version: string, changes: Partial<ClusterServiceVersion['spec']>): ClusterServiceVersion {
  const labels = { 'control-plane': 'controller-manager' };
  const serviceAccountName = 'memcached-operator-controller-manager';
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: `memcached-operator.v${version}`, annotations: { 'alm-examples': '[]' } },
    spec: {
      displayName: 'Memcached',
      version,
      installModes: [
        { type: 'OwnNamespace', supported: false },
        { type: 'SingleNamespace', supported: false },
        { type: 'MultiNamespace', supported: false },
        { type: 'AllNamespaces', supported: true },
      ],
      customresourcedefinitions: { owned: [{ name: crdName, version: 'v1alpha1', kind: 'Memcached' }] },
      install: {
        strategy: 'deployment',
        spec: {
          permissions: [
            {
              serviceAccountName,
              rules: [
                { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create'] },
              ],
            },
          ],
          clusterPermissions: [
            { serviceAccountName, rules: [{ apiGroups: [group], resources: ['memcacheds'], verbs: ['*'] }] },
          ],
          deployments: [
            {
              name: 'memcached-operator-controller-manager',
              label: labels,
              spec: {
                replicas: 1,
                selector: { matchLabels: labels },
                template: {
                  metadata: { labels },
                  spec: {
                    serviceAccountName,
                    containers: [{ name: 'manager', image: `example.com/memcached-operator:v${version}` }],
                  },
                },
              },
            },
          ],
        },
      },
      ...changes,
    },
  };
}

function crdOf(fields: Record<string, unknown> = { size: { type: 'integer' } }): KubernetesObject {
  const spec = { type: 'object', properties: fields };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName },
    spec: {
      group,
      names: { kind: 'Memcached', plural: 'memcacheds', singular: 'memcached', listKind: 'MemcachedList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } } },
        },
      ],
    },
  };
  return definition;
}

/** An entry of a channel. */
export interface Entry {
  readonly version: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
}

const csvName = (version: string): string => `memcached-operator.v${version}`;

/** Blobs of a catalog with the package memcached-operator and the channel alpha. */
export function catalogBlobs(
  entries: readonly Entry[],
  bundle: (version: string) => { readonly image?: string; readonly inline?: readonly KubernetesObject[] },
  properties: readonly object[] = [],
): object[] {
  return [
    { schema: 'olm.package', name: 'memcached-operator', defaultChannel: 'alpha' },
    {
      schema: 'olm.channel',
      package: 'memcached-operator',
      name: 'alpha',
      entries: entries.map(({ version, ...rest }) => ({ name: csvName(version), ...rest })),
    },
    ...entries.map(({ version }) => {
      const { image = '', inline = [] } = bundle(version);
      return {
        schema: 'olm.bundle',
        package: 'memcached-operator',
        name: csvName(version),
        image,
        properties: [
          { type: 'olm.package', value: { packageName: 'memcached-operator', version } },
          { type: 'olm.gvk', value: { group, version: 'v1alpha1', kind: 'Memcached' } },
          ...properties,
          ...inline.map((object) => ({
            type: 'olm.bundle.object',
            value: { data: Buffer.from(JSON.stringify(object)).toString('base64') },
          })),
        ],
      };
    }),
  ];
}

/** Directories with the contents of images, which disappear with the test. */
export class ImageDirectories implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async create(): Promise<ImageDirectories> {
    return new ImageDirectories(await mkdtemp(path.join(tmpdir(), 'ots-olm-')));
  }

  /** Writes a bundle. @returns its directory */
  async bundle(name: string, objects: readonly KubernetesObject[]): Promise<string> {
    const manifests = path.join(this.root, name, 'manifests');
    await mkdir(manifests, { recursive: true });
    await Promise.all(
      objects.map((object, index) =>
        writeFile(path.join(manifests, `${index}.yaml`), JSON.stringify(object)),
      ),
    );
    return path.join(this.root, name);
  }

  /** Writes a catalog. @returns its directory */
  async catalog(name: string, blobs: readonly object[]): Promise<string> {
    const directory = path.join(this.root, name);
    await mkdir(directory, { recursive: true });
    await writeFile(
      path.join(directory, 'catalog.json'),
      blobs.map((blob) => JSON.stringify(blob)).join('\n'),
    );
    return directory;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
