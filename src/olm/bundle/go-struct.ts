import type { GoField, GoStruct, GoType } from 'ots-apiserver/decoding';

/** A list of values of a type. */
export function list(items: GoType): GoType {
  return { kind: 'list', name: `[]${items.name}`, items };
}

/** These are in an embedded struct. */
const goPaths = new Map([['apiVersion', 'TypeMeta.apiVersion']]);

/** A struct with fields that Go omits when they are empty. */
export function goStruct(name: string, types: Record<string, GoType>): GoStruct {
  const fields = Object.entries(types).map(([field, of]): [string, GoField] => [
    field,
    {
      name: field,
      goPath: goPaths.get(field) ?? field,
      type: of,
      isForgotten: false,
      keepsZero: false,
      whenAbsent: undefined,
    },
  ]);
  return { kind: 'struct', name: `v1alpha1.${name}`, fields: new Map(fields), written: [] };
}

/** The type of a field of a built-in kind. */
export function fieldOf(of: GoType | undefined, name: string): GoType {
  const field = of?.kind === 'struct' ? of.fields.get(name) : undefined;
  if (!field) throw new TypeError(`a built-in kind has no field ${name}`);
  return field.type;
}
