/** What Go reads JSON into, as far as it matters to whoever sends the JSON. */
export type GoType = GoScalar | GoList | GoMap | GoStruct | GoUnion;

/** A value that is no list and no struct; `json` is any JSON, kept as it is. */
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
  /** As messages have it, such as `v1.Protocol`. */
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
  /** The fields that are written where they are absent. */
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
  /** Its name, behind those of the structs without a name that hold it: `VolumeSource.emptyDir`. */
  readonly goPath: string;
  readonly type: GoType;
  /** Whether it is read, and no part of what was read. */
  readonly isForgotten: boolean;
  /** Whether a zero (`""`, 0, false) is told from none. */
  readonly keepsZero: boolean;
  /** What is written where the field is absent; undefined for nothing. It is shared: copy it. */
  readonly whenAbsent: unknown;
}
