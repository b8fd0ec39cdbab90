/** On a claim: its binding is complete. */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
/** On a volume or claim: the controller chose the other side, so it may also release it. */
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
/** On a volume: who provisioned it. */
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
/** On a claim: the node for which a volume is to be provisioned. */
export const selectedNode = 'volume.kubernetes.io/selected-node';
/** On a claim: who is to provision its volume. */
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const betaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
