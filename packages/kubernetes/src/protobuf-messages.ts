import { goTypeNames, protobufTable } from './protobuf-table.ts';

/**
 * The type of a field that is not an ordinary message. `time`, `microTime`, `quantity`, `intOrString` and `json`
 * are messages whose JSON is not an object of their fields.
 */
export type ProtobufScalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'json';

/** How often a field occurs. A `pointer` may be absent; an absent `single` value means its zero value. */
export type ProtobufShape = 'single' | 'pointer' | 'list' | 'map';

/** One field of a message. */
export interface ProtobufField {
  readonly number: number;
  /** Its name in JSON; empty if the fields of its message are inlined. */
  readonly name: string;
  /** Its name in Go, for error messages. */
  readonly goName: string;
  readonly shape: ProtobufShape;
  /** Whether JSON includes a scalar whose value is zero or empty. */
  readonly showsZero: boolean;
  readonly type: ProtobufScalar | ProtobufMessage;
  /**
   * The named Go type, where the message does not tell it: `v1.Protocol`, for a list `v1.FinalizerName`, for a map
   * `v1.ResourceList`.
   */
  readonly typeName?: string | undefined;
}

/** A message as Go's generated code decodes it. */
export interface ProtobufMessage {
  readonly name: string;
  /** Whether its JSON is that of its last present field instead of an object. */
  readonly isUnion: boolean;
  /** In the order in which Go writes them as JSON. */
  readonly fields: readonly ProtobufField[];
  readonly fieldOfNumber: ReadonlyMap<number, ProtobufField>;
}

const scalars: Readonly<Record<string, ProtobufScalar>> = {
  s: 'string',
  b: 'bool',
  i: 'int32',
  l: 'int64',
  d: 'double',
  y: 'bytes',
  t: 'time',
  u: 'microTime',
  q: 'quantity',
  o: 'intOrString',
  r: 'json',
};
const shapes: Readonly<Record<string, ProtobufShape>> = { '*': 'pointer', '[': 'list', '{': 'map' };

let lines: readonly string[] | undefined;
let typeNames: readonly string[] | undefined;
let lineOfKind: Map<string, number> | undefined;
const messages = new Map<number, ProtobufMessage>();

/**
 * The message of a built-in kind.
 *
 * @param apiVersion such as `v1` or `apps/v1`; delete options are in `meta.k8s.io/v1`
 * @returns a shared message; undefined for an unknown kind. Messages may contain themselves.
 */
export function protobufMessage(apiVersion: string, kind: string): ProtobufMessage | undefined {
  lineOfKind ??= indexKinds();
  const line = lineOfKind.get(`${kind}@${apiVersion}`);
  return line === undefined ? undefined : messageAt(line);
}

/** A message of the table, or one that is not in it. */
export function newMessage(name: string, fields: readonly ProtobufField[], isUnion = false): ProtobufMessage {
  return { name, isUnion, fields, fieldOfNumber: new Map(fields.map((field) => [field.number, field])) };
}

function tableLines(): readonly string[] {
  lines ??= protobufTable.split('\n');
  return lines;
}

function indexKinds(): Map<string, number> {
  const index = new Map<string, number>();
  for (const [at, line] of tableLines().entries()) {
    const name = line.slice(0, line.indexOf(' '));
    if (name.includes('@')) index.set(name, at);
  }
  return index;
}

function messageAt(index: number): ProtobufMessage {
  let message = messages.get(index);
  if (!message) {
    message = parseMessage(tableLines()[index] ?? '');
    messages.set(index, message);
  }
  return message;
}

function nameAt(place: number): string {
  typeNames ??= goTypeNames.split(' ');
  const name = typeNames[place] ?? '';
  return name.includes('.') ? name : `v1.${name}`;
}

/** The table documents the format of its lines. */
function parseMessage(line: string): ProtobufMessage {
  const [head = '', ...tokens] = line.split(' ');
  const [name = ''] = head.replace('|', '').split('@');
  return newMessage(name, tokens.map(parseField), head.startsWith('|'));
}

function parseField(token: string): ProtobufField {
  const match = /^(\d+)([*[{!]?)(?:([a-z])|#(\d+))(?:~(\d+))?\.([^=]*)(?:=(.*))?$/.exec(token);
  if (!match) throw new Error(`the table has no field ${token}`);
  const [, number, mark = '', letter = '', reference, typeName, name = '', goName] = match;
  let type: ProtobufField['type'] | undefined = scalars[letter];
  return {
    number: Number(number),
    name,
    goName: goName ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    shape: shapes[mark] ?? 'single',
    showsZero: mark === '!',
    typeName: typeName && nameAt(Number(typeName)),
    // Resolved on demand: the message may be the current one.
    get type() {
      return (type ??= messageAt(Number(reference)));
    },
  };
}
