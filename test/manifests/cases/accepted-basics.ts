import type { AcceptedSchema } from '../accepted-schemas.ts';

const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

export const acceptedBasics: readonly AcceptedSchema[] = [
  { name: 'string', spec: 'x: string;', schema: { type: 'string' } },
  { name: 'boolean', spec: 'x: boolean;', schema: { type: 'boolean' } },
  { name: 'int32', spec: 'x: int32;', schema: { type: 'integer', format: 'int32' } },
  { name: 'int64', spec: 'x: int64;', schema: { type: 'integer', format: 'int64' } },
  { name: 'float', spec: 'x: float;', schema: { type: 'number', format: 'float' } },
  { name: 'double', spec: 'x: double;', schema: { type: 'number', format: 'double' } },
  { name: 'IntOrString', spec: 'x: IntOrString;', schema: intOrString },
  { name: 'Quantity', spec: 'x: Quantity;', schema: { ...intOrString, pattern: quantityPattern } },
  { name: 'Time', spec: 'x: Time;', schema: { type: 'string', format: 'date-time' } },
  { name: 'MicroTime', spec: 'x: MicroTime;', schema: { type: 'string', format: 'date-time' } },
  { name: 'Duration', spec: 'x: Duration;', schema: { type: 'string' } },
  { name: 'int32 | string', spec: 'x: int32 | string;', schema: intOrString },
  { name: 'an optional property', spec: 'x?: string;', optional: true, schema: { type: 'string' } },
  { name: 'T | undefined', spec: 'x: string | undefined;', optional: true, schema: { type: 'string' } },
  { name: 'T | null', spec: 'x: string | null;', schema: { type: 'string', nullable: true } },
  {
    name: 'a readonly property with a quoted name',
    spec: 'readonly "x": string;',
    schema: { type: 'string' },
  },
  { name: 'a literal', spec: `x: 'A';`, schema: { type: 'string', enum: ['A'] } },
  {
    name: 'a template literal without substitutions',
    spec: 'x: `A`;',
    schema: { type: 'string', enum: ['A'] },
  },
  { name: 'string literals', spec: `x: 'B' | 'A';`, schema: { type: 'string', enum: ['B', 'A'] } },
  { name: 'integer literals', spec: 'x: 1 | -2 | 1;', schema: { type: 'integer', enum: [1, -2] } },
  { name: 'number literals', spec: 'x: 1 | 2.5;', schema: { type: 'number', enum: [1, 2.5] } },
  { name: 'true | false', spec: 'x: true | false;', schema: { type: 'boolean' } },
  {
    name: 'nullable literals',
    spec: `x: 'A' | null;`,
    schema: {
      type: 'string',
      nullable: true,
      pattern: '^A$',
    },
  },
  {
    name: 'nullable numbers and texts',
    spec: `x: 1 | 2 | null; y?: 1 | 'auto' | null;`,
    schema: {
      type: 'integer',
      nullable: true,
      'x-kubernetes-validations': [
        { rule: 'self == 1 || self == 2', message: 'must be null or one of 1, 2' },
      ],
    },
  },
  {
    name: 'a union of aliases',
    types: `type Low = 'A' | 'B'; type High = 'C';`,
    spec: `x: Low | High | 'B';`,
    schema: { type: 'string', enum: ['A', 'B', 'C'] },
  },
  { name: 'T[]', spec: 'x: string[];', schema: { type: 'array', items: { type: 'string' } } },
  {
    name: 'Array<T>',
    spec: 'x: Array<int32>;',
    schema: { type: 'array', items: { type: 'integer', format: 'int32' } },
  },
  {
    name: 'readonly T[]',
    spec: 'x: readonly (string)[];',
    schema: { type: 'array', items: { type: 'string' } },
  },
  {
    name: 'ReadonlyArray<T>',
    spec: 'x: ReadonlyArray<string>;',
    schema: { type: 'array', items: { type: 'string' } },
  },
  {
    name: 'nullable items',
    spec: `x: ('A' | null)[];`,
    schema: {
      type: 'array',
      items: {
        type: 'string',
        nullable: true,
        pattern: '^A$',
      },
    },
  },
  {
    name: 'Record',
    spec: 'x: Record<string, string>;',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  {
    name: 'a Record of Records',
    spec: 'x: Record<string, Record<string, int32>>;',
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
    },
  },
  {
    name: 'an inline object',
    spec: 'x: { /** Its name. */ a: string; b?: boolean };',
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', description: 'Its name.' }, b: { type: 'boolean' } },
    },
  },
  { name: 'an empty object', spec: 'x: {};', schema: { type: 'object', properties: {} } },
  {
    name: 'an interface, whose description is used',
    types: '/** A part. */ interface Part { a: string }',
    spec: 'x: Part;',
    schema: {
      type: 'object',
      description: 'A part.',
      required: ['a'],
      properties: { a: { type: 'string' } },
    },
  },
  {
    name: 'an alias of an object, whose description gives way to that of the property',
    types: '/** A part. */ type Part = { a: string };',
    spec: '/** Mine. */ x: Part;',
    schema: { type: 'object', description: 'Mine.', required: ['a'], properties: { a: { type: 'string' } } },
  },
  {
    name: 'extends, with a property that is narrowed and made optional',
    types:
      'interface A { a: string; b: string } type B = { c: boolean }; interface Part extends A, B { b?: "x" }',
    spec: 'x: Part;',
    schema: {
      type: 'object',
      required: ['a', 'c'],
      properties: { a: { type: 'string' }, b: { type: 'string', enum: ['x'] }, c: { type: 'boolean' } },
    },
  },
  {
    name: 'a property called __proto__',
    spec: 'x: { __proto__: string; constructor: string };',
    schema: {
      type: 'object',
      required: ['__proto__', 'constructor'],
      properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}'),
    },
  },
  {
    name: 'ObjectMeta',
    spec: 'x: ObjectMeta;',
    schema: {
      type: 'object',
      properties: {
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        finalizers: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        name: { type: 'string' },
        namespace: { type: 'string' },
      },
    },
  },
  {
    name: 'numeric bounds',
    spec: '/** @minimum -1 @maximum 1e2 @multipleOf 1 */ x: int32;',
    schema: { type: 'integer', format: 'int32', minimum: -1, maximum: 100, multipleOf: 1 },
  },
  {
    name: 'exclusive bounds',
    spec: '/** @exclusiveMinimum 0 @maximum 9 @exclusiveMaximum true */ x: double;',
    schema: {
      type: 'number',
      format: 'double',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: true,
    },
  },
  {
    name: 'exclusive bounds that are false',
    spec: '/** @minimum 0 @exclusiveMinimum false */ x: double;',
    schema: { type: 'number', format: 'double', minimum: 0 },
  },
  {
    name: 'lengths and a pattern',
    spec: '/** @minLength 1 @maxLength 63 @pattern ^[^@ ]+@[a-z]{2,}$ */ x: string;',
    schema: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[^@ ]+@[a-z]{2,}$' },
  },
  {
    name: 'a pattern between slashes',
    spec: '/** @pattern /^a"$/ */ x: string;',
    schema: { type: 'string', pattern: '^a"$' },
  },
  {
    name: 'a pattern on an IntOrString',
    spec: '/** @pattern ^\\d+%$ @maxLength 4 */ x: IntOrString;',
    schema: { ...intOrString, pattern: '^\\d+%$', maxLength: 4 },
  },
  {
    name: 'counts',
    spec: '/** @minItems 1 @maxItems 3 */ x: string[];',
    schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
  },
  {
    name: 'an enum tag',
    spec: '/** @enum a;"b c";c */ x: string;',
    schema: { type: 'string', enum: ['a', 'b c', 'c'] },
  },
  {
    name: 'an enum tag on integers',
    spec: '/** @enum [1, 2] */ x: int32;',
    schema: { type: 'integer', format: 'int32', enum: [1, 2] },
  },
  {
    name: 'a format',
    spec: '/** @format hostname */ x: string;',
    schema: { type: 'string', format: 'hostname' },
  },
  {
    name: 'a default without quotes',
    spec: '/** @default 5 * * * * */ x: string;',
    schema: { type: 'string', default: '5 * * * *' },
  },
  {
    name: 'a default that would end the comment',
    spec: '/** @default *\\/5 * * * * */ x: string;',
    schema: { type: 'string', default: '*/5 * * * *' },
  },
  {
    name: 'a default in quotes',
    spec: '/** @default "a @minimum 1 \\"b\\"" */ x: string;',
    schema: { type: 'string', default: 'a @minimum 1 "b"' },
  },
  {
    name: 'an empty default',
    spec: '/** @default "" */ x: string;',
    schema: { type: 'string', default: '' },
  },
  {
    name: 'a default of digits on a string',
    spec: '/** @default 007 */ x: string;',
    schema: { type: 'string', default: '007' },
  },
  {
    name: 'a boolean default',
    spec: '/** @default false */ x: boolean;',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'a numeric default',
    spec: '/** @default 3 */ x: int32;',
    schema: { type: 'integer', format: 'int32', default: 3 },
  },
  {
    name: 'a default that is a list',
    spec: '/** @default [a, "b"] */ x: string[];',
    schema: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
  },
  {
    name: 'a default that is an object',
    spec: '/** @default {a: b, n: 1} */ x: { a: string; n?: int32 };',
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, n: { type: 'integer', format: 'int32' } },
      default: { a: 'b', n: 1 },
    },
  },
  {
    name: 'a default for a Record',
    spec: '/** @default {a: b} */ x: Record<string, string>;',
    schema: { type: 'object', additionalProperties: { type: 'string' }, default: { a: 'b' } },
  },
  {
    name: 'a default on IntOrString',
    spec: '/** @default 25% */ x: IntOrString;',
    schema: { ...intOrString, default: '25%' },
  },
  {
    name: 'a default on Quantity',
    spec: '/** @default 100Mi */ x: Quantity;',
    schema: { ...intOrString, pattern: quantityPattern, default: '100Mi' },
  },
  {
    name: 'a default that matches its pattern and format',
    spec: '/** @pattern ^20 @default 2024-02-29T00:00:00Z */ x: Time;',
    schema: { type: 'string', format: 'date-time', pattern: '^20', default: '2024-02-29T00:00:00Z' },
  },
  {
    name: 'a default that is a multiple despite rounding',
    spec: '/** @multipleOf 0.01 @default 0.07 */ x: double;',
    schema: { type: 'number', format: 'double', multipleOf: 0.01, default: 0.07 },
  },
  {
    name: 'an example',
    spec: '/** @example 3 */ x: int32;',
    schema: { type: 'integer', format: 'int32', example: 3 },
  },
  {
    name: 'an example that is a block of code',
    spec: '/**\n * @example\n * ```yaml\n * x: 3\n * ```\n */\nx: int32;',
    schema: { type: 'integer', format: 'int32' },
  },
  {
    name: 'an atomic list',
    spec: '/** @listType atomic */ x: string[];',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
  },
  {
    name: 'a set',
    spec: '/** @listType set @default [a] */ x: string[];',
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', default: ['a'] },
  },
  {
    name: 'a set of atomic objects',
    types: '/** @mapType atomic */ interface Part { a?: string }',
    spec: '/** @listType set */ x: Part[];',
    schema: {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-map-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    },
  },
  {
    name: 'a list map, one key of which has a default',
    spec: '/** @listType map\n @listMapKey port\n @listMapKey protocol */ x: { port: int32; /** @default TCP */ protocol?: string }[];',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: {
          port: { type: 'integer', format: 'int32' },
          protocol: { type: 'string', default: 'TCP' },
        },
      },
    },
  },
  {
    name: 'an atomic map',
    spec: '/** @mapType atomic */ x: Record<string, string>;',
    schema: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
  },
  {
    name: 'tags of an alias',
    types: '/** A name. @minLength 1 @maxLength 9 */ type Name = string;',
    spec: 'x: Name;',
    schema: { type: 'string', description: 'A name.', minLength: 1, maxLength: 9 },
  },
  {
    name: 'tags of an alias that the property narrows',
    types: '/** @minLength 1 @maxLength 9 */ type Name = string;',
    spec: '/** @minLength 0 @maxLength 5 */ x: Name;',
    schema: { type: 'string', minLength: 1, maxLength: 5 },
  },
  {
    name: 'items that are constrained through an alias',
    types: '/** @pattern ^a */ type Name = string;',
    spec: 'x: Name[];',
    schema: { type: 'array', items: { type: 'string', pattern: '^a' } },
  },
  {
    name: "kubebuilder's markers in a doc comment",
    spec: '/**\n * How many.\n * +kubebuilder:validation:Minimum=0\n * +kubebuilder:validation:ExclusiveMinimum=true\n * +kubebuilder:default:=1\n * Really.\n */\nx: int32;',
    schema: {
      type: 'integer',
      format: 'int32',
      description: 'How many.\nReally.',
      minimum: 0,
      exclusiveMinimum: true,
      default: 1,
    },
  },
  {
    name: "kubebuilder's markers in line comments",
    spec: '/** Which. */\n// +kubebuilder:validation:Enum=a;b\n// +kubebuilder:validation:Pattern=`^[ab]$`\n// +nullable\nx: string;',
    schema: {
      type: 'string',
      description: 'Which.',
      allOf: [{ pattern: '^[ab]$' }, { pattern: '^(a|b)$' }],
      nullable: true,
    },
  },
  {
    name: "kubebuilder's list markers",
    spec: '// +listType=map\n// +listMapKey=a\n// +kubebuilder:default={}\nx: { a: string }[];',
    schema: {
      type: 'array',
      default: [],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
  },
  {
    name: 'prose that looks like tags',
    spec: '/** Mail `@minimum 5` to ops@example.com, see {@link Foo | the kind} and {@link Bar}, or ask @ops. */ x: string;',
    schema: {
      type: 'string',
      description: 'Mail `@minimum 5` to ops@example.com, see the kind and Bar, or ask @ops.',
    },
  },
  {
    name: 'tags of documentation',
    spec: '/**\n * Text.\n * @remarks more\n * @see https://example.com\n * @deprecated use y\n */\nx: string;',
    schema: { type: 'string', description: 'Text.' },
  },
  {
    name: 'fenced code',
    spec: '/**\n * Text:\n * ```\n * @minimum 5\n * ```\n */\nx: string;',
    schema: { type: 'string', description: 'Text:\n```\n@minimum 5\n```' },
  },
  {
    name: 'CRLF',
    spec: '/**\r\n * One.\r\n * Two.\r\n * @minLength 1\r\n */\r\nx: string;',
    schema: { type: 'string', description: 'One.\nTwo.', minLength: 1 },
  },
];
