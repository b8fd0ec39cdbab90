/** The Go type that JSON is decoded into, as far as clients can observe it. */
export type GoType = GoScalar | GoList | GoMap | GoStruct | GoUnion;

/** A value that is neither a list nor a struct; `json` is arbitrary JSON, kept unchanged. */
export interface GoScalar {
  readonly kind:
    | 'string'
    | 'bool'
    | 'int32'
    | 'int64'
    | 'float64'
    | 'bytes'
    | 'time'
    | 'microTime'
    | 'quantity'
    | 'intOrString'
    | 'json';
  /** As in messages, such as `v1.Protocol`. */
  readonly name: string;
}

export interface GoList {
  readonly kind: 'list';
  readonly name: string;
  readonly items: GoType;
}

export interface GoMap {
  readonly kind: 'map';
  readonly name: string;
  readonly items: GoType;
}

export interface GoStruct {
  readonly kind: 'struct';
  /** Such as `v1.PodSpec`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, GoField>;
  /** The fields that Go writes even when absent. */
  readonly written: readonly GoField[];
}

/** A type whose JSON is that of one of its fields. */
export interface GoUnion {
  readonly kind: 'union';
  readonly name: string;
  readonly choices: readonly GoType[];
}

export interface GoField {
  readonly name: string;
  /** Its name, prefixed by the embedded structs that contain it: `VolumeSource.emptyDir`. */
  readonly goPath: string;
  readonly type: GoType;
  /** Whether the field is decoded but dropped from the result. */
  readonly isForgotten: boolean;
  /** Whether a zero value (`""`, 0, false) differs from an absent one. */
  readonly keepsZero: boolean;
  /** The value for an absent field; undefined for none. It is shared: copy it. */
  readonly whenAbsent: unknown;
}
