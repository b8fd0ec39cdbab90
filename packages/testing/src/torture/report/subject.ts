/** An object that a detail of a verdict is about, and the field. */
export interface Subject {
  /** Such as `statefulsets.apps default/db`, or `pods` for all of them. */
  readonly object: string;
  /** Without indexes; empty for the whole object. */
  readonly field: string;
}

/** What a detail such as `statefulsets.apps default/db: spec.replicas: 2 instead of 1` is about. */
export function subjectOf(detail: string): Subject {
  const { object = '', rest = '' } =
    /^(?<object>[a-z][a-z0-9./]*(?: (?:[a-z0-9.-]+\/)?[a-z0-9.*-]+)?):(?<rest>.*)/s.exec(detail)?.groups ??
    {};
  const { field = '' } = /^ (?<field>[^:\s]+):/.exec(rest)?.groups ?? {};
  return { object, field: field.replaceAll(/\[\d+\]/g, '') };
}
