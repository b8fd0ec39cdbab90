import { parseQuantity } from 'ots-apimachinery/quantity/parse-quantity';
import type { ProtobufField, ProtobufMessage, ProtobufScalar } from 'ots-kubernetes/protobuf-messages';

/**
 * The text of which Kubernetes makes hashes: a value as Go has it after decoding, with the names and types of all fields, also of those
 * that are not set (`%#v` of the spew library, as k8s.io/utils/dump.ForHash configures it).
 *
 * @param object an object as the server returns it. Quantities beyond 64 bits are not supported.
 */
export function goDump(message: ProtobufMessage, object: unknown): string {
  return `(${goTypes(message)})${dumpSingle(message, object)}`;
}

function dumpField({ shape, type, typeName }: ProtobufField, value: unknown): string {
  const element = goTypes(type, typeName);
  switch (shape) {
    case 'pointer':
      return `(*${element})${value === undefined || value === null ? '<nil>' : dumpSingle(type, value)}`;
    case 'list': {
      const items = (value ?? []) as readonly unknown[];
      return `([]${element})${items.length === 0 ? '<nil>' : `[${items.map((item) => dumpSingle(type, item)).join(' ')}]`}`;
    }
    case 'map':
      return `(${typeName ?? `map[string]${element}`})${dumpMap(type, (value ?? {}) as Record<string, unknown>)}`;
    default:
      return `(${element})${dumpSingle(type, value)}`;
  }
}

function dumpMap(type: ProtobufField['type'], values: Record<string, unknown>): string {
  const keys = Object.keys(values).toSorted((a, b) => (a < b ? -1 : 1));
  if (keys.length === 0) return '<nil>';
  return `map[${keys.map((key) => `${key}:${dumpSingle(type, values[key])}`).join(' ')}]`;
}

function dumpSingle(type: ProtobufField['type'], value: unknown): string {
  if (typeof type !== 'object') return dumpScalar[type](value as Scalar);
  const object = (value ?? {}) as Record<string, unknown>;
  const fields = type.fields.map((field) => {
    const inner = field.name === '' ? object : object[field.name];
    return `${field.goName}:${dumpField(field, inner)}`;
  });
  return `{${fields.join(' ')}}`;
}

function goTypes(type: ProtobufField['type'], typeName?: string): string {
  return typeName ?? (typeof type === 'object' ? `v1.${type.name}` : goTypeOf[type]);
}

const goTypeOf: Record<ProtobufScalar, string> = {
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
  json: 'runtime.RawExtension',
};

/** A value of a field that has no fields. */
type Scalar = string | number | boolean | null | undefined;

const dumpText = (value: Scalar): string => String(value ?? '');
const dumpNumber = (value: Scalar): string => String(value ?? 0);
/** No template has a time: the server drops it. */
const dumpTime = (): string => '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';

const dumpScalar: Record<ProtobufScalar, (value: Scalar) => string> = {
  string: dumpText,
  bool: (value) => String(value ?? false),
  int32: dumpNumber,
  int64: dumpNumber,
  double: dumpNumber,
  bytes: dumpText,
  time: dumpTime,
  microTime: dumpTime,
  quantity: dumpQuantity,
  intOrString: (value) =>
    typeof value === 'string'
      ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
      : `{Type:(intstr.Type)0 IntVal:(int32)${dumpNumber(value)} StrVal:(string)}`,
  json: dumpText,
};

const forms = { decimal: 'DecimalSI', binary: 'BinarySI', exponent: 'DecimalExponent' };

function dumpQuantity(value: Scalar): string {
  const text = dumpText(value);
  const parsed = parseQuantity(text);
  const known = typeof parsed === 'string' ? undefined : parsed;
  const { value: amount = 0n, scale = 0, form = 'decimal', digits = '' } = known ?? {};
  // Go keeps the text if it is the shortest form for certain.
  const isKept =
    text === '0' ||
    (form === 'binary' ? (BigInt(digits || 0) & 7n) !== 0n : scale % 3 === 0 && !/^0|000$/.test(digits));
  return (
    `{i:(resource.int64Amount){value:(int64)${amount} scale:(resource.Scale)${scale}} ` +
    `d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${isKept ? text : ''} Format:(resource.Format)${forms[form]}}`
  );
}
