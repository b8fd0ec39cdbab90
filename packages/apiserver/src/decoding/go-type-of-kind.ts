import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import {
  type ProtobufField,
  type ProtobufMessage,
  type ProtobufScalar,
  protobufMessage,
} from 'ots-kubernetes/protobuf-messages';
import type { GoField, GoStruct, GoType } from './go-type.ts';

const scalarNames: Readonly<Record<ProtobufScalar, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  json: 'json',
};

/** The kinds of scalars that can have a type name. */
const named = new Set<GoType['kind']>(['string', 'int32', 'int64', 'bool']);

const types = new Map<ProtobufMessage, GoType>();

/**
 * The Go type of a built-in kind. Its protobuf message says which fields are pointers and which Go omits; its
 * schema says what a server writes for absent ones.
 *
 * @param apiVersion such as `apps/v1`
 * @returns the same type at every call; undefined when there is no such kind
 */
export function goTypeOfKind(group: string, version: string, kind: string): GoStruct | undefined {
  const message =
    protobufMessage(group === '' ? version : `${group}/${version}`, kind) ??
    // Delete options belong to every group and version.
    protobufMessage('meta.k8s.io/v1', kind);
  const schema = objectSchema(group, version, kind);
  if (!message || !schema) return undefined;
  const type = typeOfMessage(message, schema);
  return type.kind === 'struct' ? type : undefined;
}

/** A struct that resolves its fields on first use, because it may contain itself. */
class LazyStruct implements GoStruct {
  readonly kind = 'struct';
  readonly name: string;
  readonly #makeFields: () => GoField[];
  #fields: ReadonlyMap<string, GoField> | undefined;
  #written: readonly GoField[] | undefined;

  constructor(name: string, makeFields: () => GoField[]) {
    this.name = name;
    this.#makeFields = makeFields;
  }

  get fields(): ReadonlyMap<string, GoField> {
    return (this.#fields ??= new Map(this.#makeFields().map((field) => [field.name, field])));
  }

  get written(): readonly GoField[] {
    return (this.#written ??= [...this.fields.values()].filter(({ whenAbsent }) => whenAbsent !== undefined));
  }
}

function typeOfMessage(message: ProtobufMessage, schema: ObjectSchema): GoType {
  let type = types.get(message);
  if (!type) {
    type = message.isUnion
      ? unionOf(message, schema)
      : new LazyStruct(nameOf(message, schema), () => [
          ...typeMetaOf(message, schema),
          ...fieldsOf(message, schema),
        ]);
    types.set(message, type);
  }
  return type;
}

function unionOf(message: ProtobufMessage, schema: ObjectSchema): GoType {
  const name = nameOf(message, schema);
  const [only, ...others] = message.fields;
  // A named list type.
  if (only?.shape === 'list' && others.length === 0) {
    return { kind: 'list', name, items: typeOfValue(only, schema.items ?? {}) };
  }
  let choices: GoType[] | undefined;
  return {
    kind: 'union',
    name,
    get choices() {
      return (choices ??= message.fields.map((field) => typeOfField(field, schema)));
    },
  };
}

function nameOf(message: ProtobufMessage, { definition = `v1.${message.name}` }: ObjectSchema): string {
  return definition.split('.').slice(-2).join('.');
}

/** apiVersion and kind are not part of the message. They are decoded and dropped: the type is known by other means. */
function typeMetaOf({ fields }: ProtobufMessage, { properties }: ObjectSchema): GoField[] {
  return ['kind', 'apiVersion']
    .filter((name) => properties?.has(name) && !fields.some((field) => field.name === name))
    .map((name) => ({
      name,
      goPath: `TypeMeta.${name}`,
      type: { kind: 'string', name: 'string' },
      isForgotten: true,
      keepsZero: false,
      whenAbsent: undefined,
    }));
}

/** Embedded structs are replaced by their fields. */
function fieldsOf(message: ProtobufMessage, schema: ObjectSchema, goPrefix = ''): GoField[] {
  return message.fields.flatMap((field) => {
    if (field.name === '' && typeof field.type === 'object')
      return fieldsOf(field.type, schema, `${goPrefix}${field.goName}.`);
    const own = schema.properties?.get(field.name);
    return {
      name: field.name,
      goPath: `${goPrefix}${field.name}`,
      type: typeOfField(field, own ?? {}),
      isForgotten: false,
      keepsZero: field.shape === 'pointer' || field.showsZero,
      whenAbsent: own?.whenAbsent,
    };
  });
}

function typeOfField(field: ProtobufField, schema: ObjectSchema): GoType {
  const { shape, typeName = '' } = field;
  if (shape !== 'list' && shape !== 'map') return typeOfValue(field, schema, typeName);
  const itemSchema = shape === 'list' ? schema.items : schema.additionalProperties;
  // For maps with named key types this names keys and values; for scalars their type; for others that of the list
  // or map.
  const [, ofValues = typeName] = /^map\[.*\](.+)$/.exec(typeName) ?? [];
  const items = typeOfValue(field, itemSchema ?? {}, ofValues);
  const isOwn = typeName !== '' && items.name !== typeName;
  return {
    kind: shape,
    name: isOwn ? typeName : `${shape === 'list' ? '[]' : 'map[string]'}${items.name}`,
    items,
  };
}

function typeOfValue({ type }: ProtobufField, schema: ObjectSchema, typeName = ''): GoType {
  if (typeof type === 'object') return typeOfMessage(type, schema);
  const kind = type === 'double' ? 'float64' : type;
  return { kind, name: typeName !== '' && named.has(kind) ? typeName : scalarNames[type] };
}
