/**
 * A JSON merge patch (RFC 7386) for a `T`: absent fields stay, null removes, lists are replaced whole.
 */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: MergePatch<T[Key]> | null | undefined }
    : T;

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string };
