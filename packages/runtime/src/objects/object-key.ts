/** Names one object of a kind. */
export interface ObjectKey {
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
}

/** `namespace/name`, or the name alone. */
export function keyText({ name, namespace }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}
