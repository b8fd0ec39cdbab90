import type { PersistentVolume, Pod, Volume } from 'ots-kubernetes/core/v1';
import type { Randomness } from '../../support/randomness.ts';

export const namespaces = ['node-a', 'node-b'];
export const nodes = ['one', 'two', 'three'];
const names = ['a', 'b', 'c', 'd'];
export const volumeNames = ['volume-a', 'volume-b', 'volume-c', 'volume-d', 'volume-e'];
const podNames = Array.from({ length: 8 }, (_, index) => `pod-${index}`);

/** A pod that uses Secrets, ConfigMaps, claims and a ServiceAccount in random ways. */
export function randomPod(random: Randomness, name: string): Pod {
  const isMirror = random.chance(0.1);
  const reference = () => ({ name: random.pick(names) });
  const container = (containerName: string) => ({
    name: containerName,
    image: 'a',
    ...(random.chance(0.2) && { envFrom: [{ secretRef: reference() }, { configMapRef: reference() }] }),
    ...(random.chance(0.2) && {
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { ...reference(), key: 'k' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { ...reference(), key: 'k' } } },
      ],
    }),
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(isMirror && { annotations: { 'kubernetes.io/config.mirror': 'x' } }) },
    spec: {
      ...(random.chance(0.85) && { nodeName: random.pick(nodes) }),
      containers: [container('a')],
      // A mirror pod may not refer to other objects.
      ...(!isMirror && {
        ...(random.chance(0.7) && { serviceAccountName: random.pick(names) }),
        ...(random.chance(0.2) && { imagePullSecrets: [reference()] }),
        ...(random.chance(0.3) && { initContainers: [container('init')] }),
        volumes: Array.from({ length: random.pick([0, 1, 2, 3]) }, (_, index) => ({
          name: `v${index}`,
          ...randomSource(random),
        })),
      }),
    },
  };
}

type Source = Omit<Volume, 'name'>;

/** Volume sources that refer to a Secret. */
export const secretSources: Readonly<Record<string, (name: string) => Source>> = {
  secret: (name) => ({ secret: { secretName: name } }),
  projected: (name) => ({ projected: { sources: [{ secret: { name } }] } }),
  azureFile: (name) => ({ azureFile: { secretName: name, shareName: 's' } }),
  csi: (name) => ({ csi: { driver: 'd.example.com', nodePublishSecretRef: { name } } }),
  cephfs: (name) => ({ cephfs: { monitors: ['m'], secretRef: { name } } }),
  cinder: (name) => ({ cinder: { volumeID: 'v', secretRef: { name } } }),
  iscsi: (name) => ({
    iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:a', lun: 0, secretRef: { name } },
  }),
  rbd: (name) => ({ rbd: { monitors: ['m'], image: 'i', secretRef: { name } } }),
  flexVolume: (name) => ({ flexVolume: { driver: 'd/d', secretRef: { name } } }),
  scaleIO: (name) => ({ scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name } } }),
  storageOS: (name) => ({ storageos: { volumeName: 'v', secretRef: { name } } }),
};

function randomSource(random: Randomness): Source {
  const name = random.pick(names);
  const secretRef = { name };
  return random.pick<Source>([
    { secret: { secretName: name } },
    { configMap: { name } },
    { persistentVolumeClaim: { claimName: name } },
    { persistentVolumeClaim: { claimName: name } },
    {
      ephemeral: {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      },
    },
    { projected: { sources: [{ secret: { name } }, { configMap: { name: random.pick(names) } }] } },
    { azureFile: { secretName: name, shareName: 's' } },
    { csi: { driver: 'd.example.com', nodePublishSecretRef: secretRef } },
    { cephfs: { monitors: ['m'], secretRef } },
    { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:a', lun: 0, secretRef } },
    { rbd: { monitors: ['m'], image: 'i', secretRef } },
    { flexVolume: { driver: 'd/d', secretRef } },
  ]);
}

/** A volume with Secrets, bound to a claim or to none. */
export function randomVolume(random: Randomness, name: string): PersistentVolume {
  const secret = () => ({ name: random.pick(names), namespace: random.pick(namespaces) });
  const csi = {
    driver: 'd.example.com',
    volumeHandle: 'h',
    controllerPublishSecretRef: secret(),
    nodePublishSecretRef: secret(),
    nodeStageSecretRef: secret(),
  };
  const source = random.pick<Partial<NonNullable<PersistentVolume['spec']>>>([
    { csi },
    { csi },
    { azureFile: { secretName: random.pick(names), shareName: 's' } },
    { rbd: { monitors: ['m'], image: 'i', secretRef: { name: random.pick(names) } } },
    { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:a', lun: 0, secretRef: secret() } },
  ]);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      ...source,
      ...(random.chance(0.8) && {
        claimRef: { namespace: random.pick(namespaces), name: random.pick(names) },
      }),
    },
  };
}

const clusterScoped = new Set([
  'persistentvolumes',
  'nodes',
  'volumeattachments',
  'csinodes',
  'resourceslices',
]);
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Resources by group, with the names of their objects and their subresources. */
const resources: readonly (readonly [
  group: string,
  resource: string,
  names: readonly string[],
  subresources?: readonly string[],
])[] = [
  ['', 'configmaps', names],
  ['', 'serviceaccounts', names, ['token']],
  ['', 'persistentvolumeclaims', [...names, 'pod-1-v0', 'pod-3-v1'], ['status']],
  ['', 'persistentvolumes', volumeNames],
  ['', 'persistentvolumes', volumeNames],
  ['', 'pods', podNames],
  ['', 'secrets', names],
  ['', 'secrets', names],
  ['', 'configmaps', names],
  ['', 'serviceaccounts', names, ['token']],
  ['', 'persistentvolumeclaims', [...names, 'pod-1-v0', 'pod-3-v1'], ['status']],
  ['', 'persistentvolumes', volumeNames, ['status']],
  ['', 'pods', podNames, ['status', 'eviction', 'log']],
  ['', 'nodes', nodes, ['status', 'proxy']],
  ['', 'events', names],
  ['', 'services', names],
  ['', 'namespaces', namespaces],
  ['apps', 'deployments', names],
  ['storage.k8s.io', 'volumeattachments', nodes.map((node) => `attached-${node}`)],
  ['storage.k8s.io', 'csinodes', nodes],
  ['coordination.k8s.io', 'leases', nodes],
  ['resource.k8s.io', 'resourceslices', nodes],
  ['resource.k8s.io', 'resourceclaims', names],
  ['certificates.k8s.io', 'certificatesigningrequests', names],
  ['certificates.k8s.io', 'podcertificaterequests', names],
];

/** The resource attributes of a review. Most ask to read an object that exists or could. */
export function randomAccess(random: Randomness): object {
  const [group, resource, objects, subresources = []] = random.pick(resources);
  const subresource = random.chance(0.3) && subresources.length > 0 ? random.pick(subresources) : undefined;
  const usual = subresource === undefined ? 'get' : subresource === 'status' ? 'patch' : 'create';
  const isNamespaced = random.chance(0.1) === clusterScoped.has(resource);
  return {
    verb: random.chance(0.7) ? usual : random.pick(verbs),
    group,
    version: 'v1',
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(isNamespaced && { namespace: random.pick([...namespaces, ...namespaces, 'kube-node-lease']) }),
    ...(random.chance(0.85) && { name: random.pick(objects) }),
    ...(random.chance(0.25) && { fieldSelector: randomFieldSelector(random) }),
  };
}

function randomFieldSelector(random: Randomness): object {
  const value = random.pick(nodes);
  return random.pick([
    { rawSelector: `spec.nodeName=${value}` },
    { rawSelector: `status.phase!=Failed,spec.nodeName==${value}` },
    { rawSelector: `spec.nodeName!=${value}` },
    { rawSelector: `metadata.name=${random.pick(podNames)}` },
    { rawSelector: 'spec.nodeName in (one)' },
    { requirements: [{ key: 'spec.nodeName', operator: 'In', values: [value] }] },
    { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['one', 'two'] }] },
    { requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: [value] }] },
  ]);
}
