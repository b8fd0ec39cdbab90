import type { PersistentVolume, Pod } from 'ots-kubernetes/core/v1';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import {
  claimsOf,
  configMapsOf,
  isMirrorPod,
  resourceClaimsOf,
  secretsOf,
  secretsOfPersistentVolume,
} from './pod-references.ts';

/** The fields that the relations of single objects are about. */
interface Stored {
  readonly spec?: {
    readonly nodeName?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  };
}

/** Finds out which objects a node needs for the pods that are bound to it. */
export class NodeRelations {
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** Whether a pod is bound to a node. */
  pods(node: string, namespace: string, name: string): boolean {
    return this.#get('', 'pods', `${namespace}/${name}`)?.spec?.nodeName === node;
  }

  /** Whether a pod on the node uses a Secret, itself or through a volume. */
  secrets(node: string, namespace: string, name: string): boolean {
    if (this.#podsOn(node, namespace).some((pod) => secretsOf(pod).includes(name))) return true;
    return this.#persistentVolumes().some(
      (volume) =>
        secretsOfPersistentVolume(volume).includes(`${namespace}/${name}`) && this.#isMounted(node, volume),
    );
  }

  /** Whether a pod on the node uses a ConfigMap. */
  configmaps(node: string, namespace: string, name: string): boolean {
    return this.#podsOn(node, namespace).some((pod) => configMapsOf(pod).includes(name));
  }

  /** Whether a pod on the node runs as a ServiceAccount. */
  serviceaccounts(node: string, namespace: string, name: string): boolean {
    return this.#podsOn(node, namespace).some((pod) => pod.spec?.serviceAccountName === name);
  }

  /** Whether a pod on the node uses a PersistentVolumeClaim. */
  persistentvolumeclaims(node: string, namespace: string, name: string): boolean {
    return this.#podsOn(node, namespace).some((pod) => claimsOf(pod).includes(name));
  }

  /** Whether a pod on the node uses the claim that a PersistentVolume is bound to. */
  persistentvolumes(node: string, namespace: string, name: string): boolean {
    const volume = namespace === '' && this.#get('', 'persistentvolumes', name);
    return volume !== false && volume !== undefined && this.#isMounted(node, volume);
  }

  /** Whether a pod on the node uses a ResourceClaim. */
  resourceclaims(node: string, namespace: string, name: string): boolean {
    return this.#podsOn(node, namespace).some((pod) => resourceClaimsOf(pod).includes(name));
  }

  /** Whether a VolumeAttachment is of the node. */
  volumeattachments(node: string, namespace: string, name: string): boolean {
    return this.#names(node, namespace, 'storage.k8s.io', 'volumeattachments', name);
  }

  /** Whether a ResourceSlice is of the node. */
  resourceslices(node: string, namespace: string, name: string): boolean {
    return this.#names(node, namespace, 'resource.k8s.io', 'resourceslices', name);
  }

  /** Whether a cluster-scoped object names the node in its spec. */
  #names(node: string, namespace: string, group: string, plural: string, name: string): boolean {
    const object = this.#get(group, plural, name);
    return namespace === '' && object?.spec?.nodeName === node;
  }

  #isMounted(node: string, { spec }: Stored): boolean {
    const { namespace = '', name = '' } = spec?.claimRef ?? {};
    return name !== '' && this.persistentvolumeclaims(node, namespace, name);
  }

  /** The pods of a namespace that are bound to a node and give it rights. */
  #podsOn(node: string, namespace: string): Pod[] {
    const records = this.#registry.find('', 'v1', 'pods')?.table.list(`${namespace}/`) ?? [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored objects are decoded and valid
    const pods = records.map(({ object }) => object as unknown as Pod);
    return pods.filter((pod) => pod.spec?.nodeName === node && !isMirrorPod(pod));
  }

  #persistentVolumes(): PersistentVolume[] {
    const records = this.#registry.find('', 'v1', 'persistentvolumes')?.table.list() ?? [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored objects are decoded and valid
    return records.map(({ object }) => object as unknown as PersistentVolume);
  }

  #get(group: string, plural: string, key: string): Stored | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored objects are decoded and valid
    return this.#registry.find(group, 'v1', plural)?.table.get(key)?.object as Stored | undefined;
  }
}
