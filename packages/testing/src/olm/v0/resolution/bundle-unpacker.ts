import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Pod, ServiceAccount } from 'ots-kubernetes/core/v1';
import { Role, RoleBinding } from 'ots-kubernetes/rbac/v1';
import type { KubernetesObject } from 'ots-kubernetes';
import { type DeepReadonly, findCondition, ownerReference } from 'ots-runtime';
import { type Bundle, bundleOf, readBundle } from '../../content/bundle.ts';
import { ContentError } from '../../content/documents.ts';
import type { CatalogKey } from '../catalogs/connections.ts';
import { ignoringExisting } from '../catalogs/registry-objects.ts';
import { CatalogSource } from '../kinds.ts';
import { managed } from '../olm-user.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';

/** The bundle that a Job unpacks: the name of the ConfigMap. */
export const unpackLabel = 'operatorframework.io/bundle-unpack-ref';

/** OLM gives up on a bundle after this time, in seconds. */
const deadline = 600;
/** The images of OLM's own containers. */
const tools = {
  opm: 'quay.io/operator-framework/opm:latest',
  util: 'quay.io/operator-framework/olm:simulated',
};

/** How far a bundle is. */
export type Unpacking =
  | { readonly state: 'unpacked'; readonly bundle: Bundle; readonly configMap: string }
  | { readonly state: 'pending'; readonly message: string }
  | { readonly state: 'failed'; readonly reason: string; readonly message: string };

/** Unpacks the images of bundles into ConfigMaps, with a Job for each. */
export class BundleUnpacker {
  readonly #context: V0Context;
  readonly #broken = new Set<string>();

  constructor(context: V0Context) {
    this.#context = context;
  }

  /** Unpacks the image of a bundle in the namespace of its catalog. */
  async unpack(image: string, catalog: CatalogKey): Promise<Unpacking> {
    const { cache, client } = this.#context;
    const name = unpackName(image);
    const { namespace } = catalog;
    const source = cache.get(CatalogSource, catalog);
    if (!source) return { state: 'pending', message: 'referenced catalogsource not found' };
    this.#fail(image, name);
    const map = await this.#ensureConfigMap(name, source);
    const job = cache.get(Job, { name, namespace });
    if (!job) {
      await this.#ensureAccess(map);
      await client.create(Job, unpackJob(image, map));
      return { state: 'pending', message: 'unpack job not completed' };
    }
    const failed = findCondition(job.status?.conditions, 'Failed');
    if (failed?.status === 'True')
      return { state: 'failed', reason: failed.reason ?? '', message: failed.message ?? '' };
    if (findCondition(job.status?.conditions, 'Complete')?.status !== 'True')
      return { state: 'pending', message: this.#pendingMessage(job) };
    const bundle = bundleIn(map) ?? (await this.#extract(image, map));
    return { state: 'unpacked', bundle, configMap: name };
  }

  /** Makes the pods fail of an image that does not exist, or that is not a bundle. */
  #fail(image: string, name: string): void {
    const { failures, images } = this.#context;
    if (this.#broken.has(image)) return;
    const directory = images.get(image);
    if (directory === undefined) {
      this.#broken.add(image);
      failures.add({ image }, { imagePull: 'not found' });
      return;
    }
    try {
      readBundle(directory);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      this.#broken.add(image);
      failures.add({ labels: `${unpackLabel}=${name}`, image: tools.opm }, { crashAfter: 0 });
    }
  }

  async #ensureConfigMap(
    name: string,
    source: DeepReadonly<CatalogSource>,
  ): Promise<DeepReadonly<ConfigMap>> {
    const { cache, client } = this.#context;
    const { namespace } = source.metadata;
    const existing = cache.get(ConfigMap, { name, namespace });
    if (existing) return existing;
    const ownerReferences = [{ ...ownerReference(source), controller: false, blockOwnerDeletion: false }];
    const metadata = { name, namespace: namespace!, labels: managed, ownerReferences };
    return client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }

  /** What the Job writes with. */
  async #ensureAccess(map: DeepReadonly<ConfigMap>): Promise<void> {
    const { client } = this.#context;
    const { name = '', namespace = '' } = map.metadata;
    const metadata = { name, namespace, labels: managed, ownerReferences: [ownerReference(map)] };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const rules = [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: [name],
        verbs: ['create', 'get', 'update'],
      },
    ];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    await ignoringExisting(client.create(Role, { apiVersion, kind: 'Role', metadata, rules }));
    await ignoringExisting(
      client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    );
    await ignoringExisting(
      client.create(RoleBinding, { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects }),
    );
  }

  /** What keeps the pod of a Job, in the words of OLM. */
  #pendingMessage({ metadata }: DeepReadonly<Job>): string {
    const { cache } = this.#context;
    const labelSelector = { matchLabels: { 'job-name': metadata.name! } };
    const pods = cache.list(Pod, { namespace: metadata.namespace, labelSelector });
    const waits = pods
      .filter(({ status }) => status?.phase === 'Pending')
      .flatMap((pod) =>
        (pod.status?.initContainerStatuses ?? [])
          .filter(({ ready }) => !ready)
          .map(({ name, state }) => {
            const subject = `Unpack pod(${pod.metadata.namespace}/${pod.metadata.name}) container(${name}) is pending`;
            const waiting = state?.waiting;
            return waiting
              ? `${subject}. Reason: ${waiting.reason}, Message: ${waiting.message ?? ''}`
              : subject;
          }),
      );
    const message = 'unpack job not completed';
    return waits.length > 0 ? `${message}: ${waits.join(' | ')}` : message;
  }

  /** Writes into the ConfigMap what the Job would have written. */
  async #extract(image: string, map: DeepReadonly<ConfigMap>): Promise<Bundle> {
    const { images, client } = this.#context;
    const bundle = readBundle(images.get(image)!);
    const binaryData = Object.fromEntries(
      [bundle.csv, ...bundle.objects].map((object, index) => [
        `${index}.${object.kind.toLowerCase()}.json`,
        gzipSync(JSON.stringify(object)).toString('base64'),
      ]),
    );
    await client.update(ConfigMap, { ...thawed(map), binaryData });
    return bundle;
  }
}

/** The name of what unpacks an image: a hash, as OLM has it. */
function unpackName(image: string): string {
  return createHash('sha256').update(image).digest('hex').slice(0, 63);
}

/** The bundle that was unpacked into a ConfigMap; undefined before. */
function bundleIn({ binaryData }: DeepReadonly<ConfigMap>): Bundle | undefined {
  if (!binaryData) return undefined;
  const texts = Object.values(binaryData).map((base64) =>
    gunzipSync(Buffer.from(base64, 'base64')).toString(),
  );
  return bundleOf(texts.map((text) => JSON.parse(text) as KubernetesObject));
}

/** The Job of OLM, without its resources, tolerations and security. */
function unpackJob(image: string, map: DeepReadonly<ConfigMap>): Job {
  const { name = '', namespace = '' } = map.metadata;
  const labels = { ...managed, [unpackLabel]: name };
  const bundle = { name: 'bundle', mountPath: '/bundle' };
  const util = { name: 'util', mountPath: '/util' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels, ownerReferences: [ownerReference(map)] },
    spec: {
      activeDeadlineSeconds: deadline,
      backoffLimit: 3,
      ttlSecondsAfterFinished: 300,
      template: {
        metadata: { name, labels },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: name,
          initContainers: [
            {
              name: 'util',
              image: tools.util,
              command: ['/bin/cp', '-Rv', '/bin/cpb', '/util/cpb'],
              volumeMounts: [util],
            },
            { name: 'pull', image, command: ['/util/cpb', '/bundle'], volumeMounts: [bundle, util] },
          ],
          containers: [
            {
              name: 'extract',
              image: tools.opm,
              command: [
                'opm',
                'alpha',
                'bundle',
                'extract',
                '-m',
                '/bundle/',
                '-n',
                namespace,
                '-c',
                name,
                '-z',
              ],
              env: [{ name: 'CONTAINER_IMAGE', value: image }],
              volumeMounts: [bundle],
            },
          ],
          volumes: [
            { name: 'bundle', emptyDir: {} },
            { name: 'util', emptyDir: {} },
          ],
        },
      },
    },
  };
}
