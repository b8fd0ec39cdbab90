/** Descriptions that clients such as `kubectl explain` show for fields of all kinds. */
export const typeDescriptions = {
  apiVersion: 'APIVersion defines the group and the version of the schema that this object is written in.',
  kind: 'Kind names what sort of object this is. It cannot be changed.',
} as const;

/** The descriptions of the `metadata` of an object, and of a list. */
export const metadataDescriptions = {
  object: "Standard object's metadata.",
  list: 'Standard list metadata.',
} as const;

const objectMeta: Readonly<Record<string, string>> = {
  annotations: 'Annotations are texts that tools keep with the object. Objects cannot be selected by them.',
  creationTimestamp: 'CreationTimestamp is a timestamp of the creation of the object. The server sets it.',
  deletionGracePeriodSeconds:
    'How many seconds the object is given to end by itself. Set together with deletionTimestamp.',
  deletionTimestamp: 'When the object goes away. The server sets it once a deletion is asked for.',
  finalizers: 'What has to be done before the object can go. It is removed only when this list is empty.',
  generateName: 'The start of a name that the server completes with random characters, where name is absent.',
  generation: 'Counts the changes of what is wanted.',
  labels: 'Labels are texts that objects are selected by.',
  managedFields: 'Who has set which fields.',
  name: 'Name is unique among the objects of one kind in one namespace. It cannot be changed.',
  namespace: 'Namespace is where the object is. It cannot be changed.',
  ownerReferences: 'The objects that this one belongs to. It is removed when all of them are gone.',
  resourceVersion: 'Changes with every write. An update that sends an old one is refused.',
  selfLink: 'No longer set.',
  uid: 'UID tells the object from all others, those of the same name before it too. The server sets it.',
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
