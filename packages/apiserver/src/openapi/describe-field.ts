/** Descriptions that clients such as `kubectl explain` show for fields of all kinds. */
export const typeDescriptions = {
  apiVersion: 'APIVersion defines the group and version of the schema of this object.',
  kind: 'Kind is the type of this object. It is immutable.',
} as const;

/** The descriptions of the `metadata` of an object, and of a list. */
export const metadataDescriptions = {
  object: "Standard object's metadata.",
  list: 'Standard list metadata.',
} as const;

const objectMeta: Readonly<Record<string, string>> = {
  annotations: 'Annotations are strings that tools store with the object. Selectors cannot use them.',
  creationTimestamp: 'CreationTimestamp is when the object was created. The server sets it.',
  deletionGracePeriodSeconds:
    'The grace period of the deletion in seconds. The server sets it with deletionTimestamp.',
  deletionTimestamp:
    'When the object will be deleted. The server sets it when a client requests the deletion.',
  finalizers: 'The tasks to complete before the deletion. The object is removed when this list is empty.',
  generateName:
    'The prefix of a generated name, which the server completes with random characters if name is not set.',
  generation: 'The number of changes of the desired state.',
  labels: 'Labels are strings that selectors can use.',
  managedFields: 'The owners of the fields.',
  name: 'Name is unique among the objects of a kind in a namespace. It is immutable.',
  namespace: 'Namespace is the namespace of the object. It is immutable.',
  ownerReferences: 'The owners of the object. It is deleted when all of them are gone.',
  resourceVersion: 'Changes with every write. The server refuses an update with an outdated one.',
  selfLink: 'No longer set.',
  uid: 'UID identifies the object, also among earlier objects of the same name. The server sets it.',
};

/**
 * The description of a field of a built-in type; undefined for most: this server does not contain the texts of
 * Kubernetes.
 *
 * @param type the short name of the definition
 * @param siblings the names of all fields of the definition
 */
export function describeField(
  type: string | undefined,
  field: string,
  siblings: ReadonlyMap<string, unknown>,
): string | undefined {
  if (type === 'ObjectMeta') return objectMeta[field];
  if (!siblings.has('metadata') || !siblings.has('kind')) return undefined;
  if (field === 'apiVersion' || field === 'kind') return typeDescriptions[field];
  if (field === 'metadata') return metadataDescriptions[siblings.has('items') ? 'list' : 'object'];
  return undefined;
}
