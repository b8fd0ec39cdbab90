import { StorageClass } from 'ots-kubernetes/storage/v1';
import { type Client, isAlreadyExists } from 'ots-runtime';
import { simulatedProvisioner } from './provisioner.ts';

/**
 * Creates the default StorageClass: `standard`, as kind names it, which waits for the first pod, as that of kind does. Unlike there,
 * volumes can be expanded.
 */
export async function createDefaultClass(client: Client): Promise<void> {
  try {
    await client.create(StorageClass, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name: 'standard',
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
      provisioner: simulatedProvisioner,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
