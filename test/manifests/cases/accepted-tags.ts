import type { AcceptedSchema } from '../accepted-schemas.ts';

const string = { type: 'string' };
const int32 = { type: 'integer', format: 'int32' };
const strings = { type: 'array', items: string };
const intOrString = { anyOf: [{ type: 'integer' }, string], 'x-kubernetes-int-or-string': true };
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const pair = { type: 'object', properties: { a: string, b: string } };

/** The same effect of a doc tag and of markers, above a member `x` of a type. */
function spelled(
  name: string,
  type: string,
  spellings: readonly string[],
  schema: object,
  rest: Partial<AcceptedSchema> = {},
): AcceptedSchema[] {
  const member = rest.optional ? `x?: ${type};` : `x: ${type};`;
  return spellings.map((spelling) => {
    const comment = spelling.startsWith('@')
      ? `/** ${spelling} */`
      : spelling
          .split('\n')
          .map((line) => `// ${line}`)
          .join('\n');
    return { name: `${name}: ${spelling}`, spec: `${comment}\n${member}`, schema, ...rest };
  });
}

/** The same for tags on a declared type, `X`. */
function onType(name: string, type: string, spellings: readonly string[], schema: object): AcceptedSchema[] {
  return spellings.map((spelling) => {
    const comment = spelling.startsWith('@') ? `/** ${spelling} */` : `// ${spelling}`;
    return {
      name: `${name}, on the type: ${spelling}`,
      types: `${comment}\ntype X = ${type};`,
      spec: 'x: X;',
      schema,
    };
  });
}

const kb = '+kubebuilder:validation:';

const bounds: AcceptedSchema[] = [
  ...spelled('minimum', 'int32', ['@minimum -3', `${kb}Minimum=-3`, `${kb}Minimum:=-3`, '+k8s:minimum=-3'], {
    ...int32,
    minimum: -3,
  }),
  ...spelled('a bound with a comment', 'int32', ['+k8s:maximum=9 # see #12', '+k8s:maximum=9#12'], {
    ...int32,
    maximum: 9,
  }),
  ...spelled('maximum', 'double', ['@maximum 1.5', `${kb}Maximum=1.5`, '+k8s:maximum=1.5'], {
    type: 'number',
    format: 'double',
    maximum: 1.5,
  }),
  ...spelled(
    'exclusive bounds',
    'int32',
    [
      '@exclusiveMinimum 1 @exclusiveMaximum 5',
      '@minimum 1 @exclusiveMinimum true @maximum 5 @exclusiveMaximum true',
      `${kb}Minimum=1\n${kb}ExclusiveMinimum=true\n${kb}Maximum=5\n${kb}ExclusiveMaximum=true`,
    ],
    { ...int32, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
  ),
  ...spelled('a bound that is not exclusive', 'int32', [`${kb}Minimum=1\n${kb}ExclusiveMinimum=false`], {
    ...int32,
    minimum: 1,
  }),
  ...spelled('multipleOf', 'int32', ['@multipleOf 5', `${kb}MultipleOf=5`], { ...int32, multipleOf: 5 }),
  ...spelled(
    'lengths',
    'string',
    ['@minLength 1 @maxLength 5', `${kb}MinLength=1\n${kb}MaxLength=5`, '+k8s:minLength=1\n+k8s:maxLength=5'],
    { ...string, minLength: 1, maxLength: 5 },
  ),
  ...spelled('a length of IntOrString', 'IntOrString', ['@maxLength 5', `${kb}MaxLength=5`], {
    ...intOrString,
    maxLength: 5,
  }),
  ...spelled(
    'numbers of items',
    'string[]',
    ['@minItems 1 @maxItems 5', `${kb}MinItems=1\n${kb}MaxItems=5`, '+k8s:minItems=1\n+k8s:maxItems=5'],
    { ...strings, minItems: 1, maxItems: 5 },
  ),
  ...spelled(
    'numbers of properties',
    'Record<string, string>',
    [
      '@minProperties 1 @maxProperties 5',
      `${kb}MinProperties=1\n${kb}MaxProperties=5`,
      '+k8s:minProperties=1\n+k8s:maxProperties=5',
    ],
    { type: 'object', additionalProperties: string, minProperties: 1, maxProperties: 5 },
  ),
  ...onType('bounds', 'string', ['@maxLength 5', `${kb}MaxLength=5`], { ...string, maxLength: 5 }),
  {
    name: 'bounds of a type, narrowed by the field',
    types: '/** @minimum 1 @maximum 10 */ type X = int32;',
    spec: '/** @minimum 0 @maximum 5 */ x: X;',
    schema: { ...int32, minimum: 1, maximum: 5 },
  },
];

const texts: AcceptedSchema[] = [
  ...spelled(
    'pattern',
    'string',
    [
      '@pattern ^\\d+$',
      '@pattern /^\\d+$/',
      `${kb}Pattern=\`^\\d+$\``,
      `${kb}Pattern="^\\\\d+$"`,
      `${kb}Pattern=^\\d+$`,
    ],
    { ...string, pattern: '^\\d+$' },
  ),
  ...spelled('a pattern that would end the comment', 'string', ['@pattern ^.*\\/x$'], {
    ...string,
    pattern: '^.*/x$',
  }),
  ...spelled('a pattern with what looks like arguments', 'string', [`${kb}Pattern=\`^a=b,c;{d}$\``], {
    ...string,
    pattern: '^a=b,c;{d}$',
  }),
  {
    name: 'patterns of a type and a field, which both hold',
    types: '/** @pattern ^a */ type A = string;',
    spec: '/** @pattern b$ */ x: A;',
    schema: { ...string, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
  },
  {
    name: 'patterns of two types and a field',
    types: '/** @pattern ^a */ type A = string; /** @pattern b$ */ type B = A;',
    spec: '/** @pattern ^a */ x: A; /** @pattern .c. */ y?: B;',
    schema: { ...string, pattern: '^a' },
  },
  {
    name: 'a pattern of a Quantity',
    spec: '/** @pattern ^[0-9]+$ */ x: Quantity;',
    schema: {
      ...intOrString,
      allOf: [
        {
          pattern:
            '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
        },
        { pattern: '^[0-9]+$' },
      ],
    },
  },
  {
    name: 'multiples of a type and a field',
    types: '/** @multipleOf 2 */ type Even = int32;',
    spec: '/** @multipleOf 3 @default 6 */ x: Even;',
    schema: { ...int32, allOf: [{ multipleOf: 2 }, { multipleOf: 3 }], default: 6 },
  },
  ...spelled(
    'format',
    'string',
    ['@format hostname', `${kb}Format=hostname`, `${kb}Format="hostname"`, '+k8s:format=hostname'],
    {
      ...string,
      format: 'hostname',
    },
  ),
  ...spelled(
    'enum',
    'string',
    [
      '@enum a;b c',
      '@enum ["a", "b c"]',
      `${kb}Enum=a;b c`,
      `${kb}Enum={a, b c}`,
      `${kb}Enum={"a","b c"}`,
      `${kb}Enum=a;"b c"`,
    ],
    { ...string, enum: ['a', 'b c'] },
  ),
  ...spelled('an enum of numbers', 'int32', ['@enum 1;2', `${kb}Enum=1;2`, `${kb}Enum={1,2}`], {
    ...int32,
    enum: [1, 2],
  }),
  ...spelled('an enum of texts that look like numbers', 'string', ['@enum 1;true', `${kb}Enum=1;true`], {
    ...string,
    enum: ['1', 'true'],
  }),
  ...spelled('an enum with what separates', 'string', [`${kb}Enum={"a;b","c,d"}`, '@enum ["a;b","c,d"]'], {
    ...string,
    enum: ['a;b', 'c,d'],
  }),
  ...spelled('an enum that picks values of the type', `'a' | 'b' | 'c'`, ['@enum c;a', `${kb}Enum=c;a`], {
    ...string,
    enum: ['c', 'a'],
  }),
  ...spelled('an enum that can be null', 'string | null', ['@enum a;b', `${kb}Enum=a;b`], {
    ...string,
    nullable: true,
    pattern: '^(a|b)$',
  }),
  ...onType('k8s:enum', `'a' | 'b'`, ['+k8s:enum'], { ...string, enum: ['a', 'b'] }),
  ...spelled(
    'title',
    'string',
    ['@title The "x"', '+kubebuilder:title="The \\"x\\""', '+kubebuilder:title=The "x"'],
    {
      ...string,
      title: 'The "x"',
    },
  ),
  ...spelled(
    'externalDocs',
    'string',
    [
      '@externalDocs https://example.com/x More of it.',
      '@externalDocs {url: https://example.com/x, description: More of it.}',
      '+kubebuilder:externalDocs:url=https://example.com/x,description="More of it."',
    ],
    { ...string, externalDocs: { url: 'https://example.com/x', description: 'More of it.' } },
  ),
  ...onType('title and externalDocs', 'string', ['@title X @externalDocs https://example.com'], {
    ...string,
    title: 'X',
    externalDocs: { url: 'https://example.com' },
  }),
];

const values: AcceptedSchema[] = [
  ...spelled(
    'default of a text',
    'string',
    [
      '@default a b',
      '@default "a b"',
      '@defaultValue a b',
      '+kubebuilder:default=a b',
      '+kubebuilder:default:=a b',
      '+kubebuilder:default="a b"',
      '+kubebuilder:default=`a b`',
      '+default="a b"',
    ],
    { ...string, default: 'a b' },
    { optional: true },
  ),
  ...spelled(
    'default of a text that looks like something else',
    'string',
    ['@default 3', '+kubebuilder:default="3"', '+kubebuilder:default=3', '+default="3"'],
    { ...string, default: '3' },
    { optional: true },
  ),
  ...spelled(
    'default of an empty text',
    'string',
    ['@default ""', '+kubebuilder:default=""', '+default=""'],
    {
      ...string,
      default: '',
    },
  ),
  ...spelled('default that would end the comment', 'string', ['@default a*\\/b', '@default "a*\\/b"'], {
    ...string,
    default: 'a*/b',
  }),
  ...spelled('default of a number', 'int32', ['@default -1', '+kubebuilder:default=-1', '+default=-1'], {
    ...int32,
    default: -1,
  }),
  ...spelled(
    'default of a boolean',
    'boolean',
    ['@default true', '+kubebuilder:default=true', '+default=true'],
    {
      type: 'boolean',
      default: true,
    },
  ),
  ...spelled(
    'default of a list',
    'string[]',
    [
      '@default ["a", "b;c"]',
      '+kubebuilder:default={"a","b;c"}',
      '+kubebuilder:default={a,"b;c"}',
      '+kubebuilder:default=a;"b;c"',
      '+kubebuilder:default=["a","b;c"]',
      '+default=["a","b;c"]',
    ],
    { ...strings, default: ['a', 'b;c'] },
  ),
  ...spelled('default of no items', 'string[]', ['@default []', '+kubebuilder:default={}', '+default=[]'], {
    ...strings,
    default: [],
  }),
  ...spelled(
    'default of no entries',
    'Record<string, string>',
    ['@default {}', '+kubebuilder:default={}', '+default={}'],
    {
      type: 'object',
      additionalProperties: string,
      default: {},
    },
  ),
  ...spelled(
    'default of an object',
    '{ a?: string; n?: int32; l?: string[] }',
    [
      '@default {a: "b, c", n: 3, l: [x, y]}',
      '+kubebuilder:default={a: "b, c", n: 3, l: x;y}',
      '+kubebuilder:default={"a":"b, c",n:3,l:{x,y}}',
      '+default={"a": "b, c", "n": 3, "l": ["x", "y"]}',
    ],
    {
      type: 'object',
      properties: { a: string, n: int32, l: strings },
      default: { a: 'b, c', n: 3, l: ['x', 'y'] },
    },
  ),
  ...spelled('default of a list of objects', '{ a: string }[]', ['+kubebuilder:default={{a: b},{a: "c"}}'], {
    type: 'array',
    items: { type: 'object', required: ['a'], properties: { a: string } },
    default: [{ a: 'b' }, { a: 'c' }],
  }),
  ...spelled(
    'default of a quantity',
    'Quantity',
    ['@default 100Mi', '+kubebuilder:default="100Mi"', '+kubebuilder:default=100Mi'],
    {
      ...intOrString,
      pattern:
        '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      default: '100Mi',
    },
  ),
  ...spelled(
    'default of IntOrString',
    'IntOrString',
    ['@default 80', '+kubebuilder:default=80', '+default=80'],
    {
      ...intOrString,
      default: 80,
    },
  ),
  ...spelled(
    'a default that beats the other one',
    'string',
    ['+default="a"\n+kubebuilder:default=b', '+kubebuilder:default=b\n+default="a"'],
    {
      ...string,
      default: 'b',
    },
  ),
  ...spelled(
    'default of what is kept',
    'object',
    [
      '@preserveUnknownFields @default {a: {b: [1, x]}}',
      '+kubebuilder:pruning:PreserveUnknownFields\n+default={"a":{"b":[1,"x"]}}',
    ],
    { type: 'object', ...preserve, default: { a: { b: [1, 'x'] } } },
  ),
  ...spelled('a default within an object that has none', '{ /** @default a */ b?: string }', ['@title X'], {
    type: 'object',
    title: 'X',
    properties: { b: { ...string, default: 'a' } },
  }),
  ...spelled(
    'example',
    'string',
    ['@example a b', '+kubebuilder:example="a b"', '+kubebuilder:example=a b'],
    {
      ...string,
      example: 'a b',
    },
  ),
  ...spelled('an example that is null', 'string | null', ['@example null', '+kubebuilder:example=null'], {
    ...string,
    nullable: true,
    example: null,
  }),
  ...spelled(
    'null within a default',
    '{ a?: string | null }',
    ['@default {a: null}', '+default={"a":null}'],
    {
      type: 'object',
      properties: { a: { ...string, nullable: true } },
      default: { a: null },
    },
  ),
  ...spelled('an example for people', 'string', ['@example ```\n * x: 1\n * ```\n'], string),
];

const presence: AcceptedSchema[] = [
  ...spelled('optional', 'string', ['@optional', '+optional', '+k8s:optional', `${kb}Optional`], string, {
    optional: true,
  }),
  ...spelled(
    'required',
    'string',
    ['@required', '+required', `${kb}Required`, '+required\n+kubebuilder:validation:Required'],
    string,
  ),
  ...spelled('required and not empty', 'string', ['+k8s:required'], { ...string, minLength: 1 }),
  ...spelled('required and not empty', 'string[]', ['+k8s:required'], { ...strings, minItems: 1 }),
  ...spelled('required and not empty', 'Record<string, string>', ['+k8s:required'], {
    type: 'object',
    additionalProperties: string,
    minProperties: 1,
  }),
  ...spelled('required, and longer', 'string', ['+k8s:required\n+k8s:minLength=0'], {
    ...string,
    minLength: 0,
  }),
  ...spelled('required number', 'int32', ['+k8s:required'], int32),
  ...spelled('nullable', 'string', ['@nullable', '+nullable'], { ...string, nullable: true }),
];

const shapes: AcceptedSchema[] = [
  ...spelled(
    'preserveUnknownFields of an object',
    '{ a?: string }',
    ['@preserveUnknownFields', '+kubebuilder:pruning:PreserveUnknownFields', `${kb}XPreserveUnknownFields`],
    { type: 'object', properties: { a: string }, ...preserve },
  ),
  ...spelled(
    'preserveUnknownFields of unknown',
    'unknown',
    ['@preserveUnknownFields', '+kubebuilder:pruning:PreserveUnknownFields'],
    preserve,
  ),
  ...spelled(
    'preserveUnknownFields of object',
    'object',
    ['@preserveUnknownFields', `${kb}XPreserveUnknownFields`],
    {
      type: 'object',
      ...preserve,
    },
  ),
  ...onType(
    'preserveUnknownFields',
    'unknown',
    ['@preserveUnknownFields', '+kubebuilder:pruning:PreserveUnknownFields'],
    preserve,
  ),
  ...spelled(
    'embeddedResource',
    'object',
    [
      '@embeddedResource @preserveUnknownFields',
      `${kb}EmbeddedResource\n+kubebuilder:pruning:PreserveUnknownFields`,
      `${kb}XEmbeddedResource\n${kb}XPreserveUnknownFields`,
    ],
    { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserve },
  ),
  ...spelled('embeddedResource of unknown', 'unknown', ['@embeddedResource @preserveUnknownFields'], {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    ...preserve,
  }),
  ...spelled(
    'embeddedResource with properties',
    '{ apiVersion: string; kind: string; spec?: { a?: string } }',
    ['@embeddedResource'],
    {
      type: 'object',
      required: ['apiVersion', 'kind'],
      properties: { apiVersion: string, kind: string, spec: { type: 'object', properties: { a: string } } },
      'x-kubernetes-embedded-resource': true,
    },
  ),
  ...spelled(
    'the default of an embedded resource',
    'object',
    ['@embeddedResource @preserveUnknownFields @default {apiVersion: v1, kind: Pod, metadata: {name: a}}'],
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      ...preserve,
      default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    },
  ),
  ...spelled('type', 'unknown', ['@type string', '@asType string', `${kb}Type=string`], string),
  ...spelled('a type that says the same', 'string', ['@type string', `${kb}Type="string"`], string),
  ...spelled('a type with constraints', 'unknown', [`${kb}Type=integer\n${kb}Minimum=3`], {
    type: 'integer',
    minimum: 3,
  }),
  ...spelled('intOrString', 'unknown', ['@intOrString', `${kb}XIntOrString`], intOrString),
  ...spelled('intOrString of IntOrString', 'IntOrString', ['@intOrString', `${kb}XIntOrString`], intOrString),
  ...spelled(
    'schemaless',
    '{ a: string; b: int32[] }',
    ['@schemaless @preserveUnknownFields', `${kb}Schemaless\n+kubebuilder:pruning:PreserveUnknownFields`],
    preserve,
  ),
  ...spelled(
    'schemaless with a type',
    'Quantity',
    ['@schemaless @type string @maxLength 9', `${kb}Schemaless\n${kb}Type=string\n${kb}MaxLength=9`],
    {
      ...string,
      maxLength: 9,
    },
  ),
];

const topology: AcceptedSchema[] = [
  ...spelled('listType', 'string[]', ['@listType set', '+listType=set', '+k8s:listType=set'], {
    ...strings,
    'x-kubernetes-list-type': 'set',
  }),
  ...spelled(
    'listMapKey',
    '{ a: string; b: int32; c?: string }[]',
    [
      '@listType map\n * @listMapKey a\n * @listMapKey b\n',
      '+listType=map\n+listMapKey=a\n+listMapKey=b',
      '+k8s:listType=map\n+k8s:listMapKey=a\n+k8s:listMapKey=b',
    ],
    {
      type: 'array',
      items: { type: 'object', required: ['a', 'b'], properties: { a: string, b: int32, c: string } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
  ),
  ...spelled(
    'a key with a default',
    '{ /** @default TCP */ a?: string }[]',
    ['@listType map @listMapKey a'],
    {
      type: 'array',
      items: { type: 'object', properties: { a: { ...string, default: 'TCP' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
  ),
  ...spelled('a set of atomic lists', 'string[][]', ['@listType set'], {
    type: 'array',
    items: strings,
    'x-kubernetes-list-type': 'set',
  }),
  ...spelled(
    'mapType',
    'Record<string, string>',
    ['@mapType atomic', '+mapType=atomic', '@structType atomic', '+structType=atomic'],
    {
      type: 'object',
      additionalProperties: string,
      'x-kubernetes-map-type': 'atomic',
    },
  ),
  ...onType('structType', '{ a?: string; b?: string }', ['@structType granular', '+structType=granular'], {
    ...pair,
    'x-kubernetes-map-type': 'granular',
  }),
];

const items: AcceptedSchema[] = [
  ...(
    [
      ['minimum', 'int32', int32, '1', { minimum: 1 }],
      ['maximum', 'int32', int32, '9', { maximum: 9 }],
      ['multipleOf', 'int32', int32, '3', { multipleOf: 3 }],
      ['minLength', 'string', string, '1', { minLength: 1 }],
      ['maxLength', 'string', string, '9', { maxLength: 9 }],
      ['pattern', 'string', string, '^a', { pattern: '^a' }],
      ['enum', 'string', string, 'a;b', { enum: ['a', 'b'] }],
      ['format', 'string', string, 'date', { format: 'date' }],
      ['minItems', 'string[]', strings, '1', { minItems: 1 }],
      ['maxItems', 'string[]', strings, '9', { maxItems: 9 }],
      ['minProperties', '{ a?: string; b?: string }', pair, '1', { minProperties: 1 }],
      ['maxProperties', '{ a?: string; b?: string }', pair, '2', { maxProperties: 2 }],
      ['type', 'string', string, 'string', {}],
    ] as const
  ).flatMap(([name, type, schema, value, effect]) =>
    spelled(
      'of items',
      `(${type})[]`,
      [`@items.${name} ${value}`, `${kb}items:${name[0]!.toUpperCase()}${name.slice(1)}=${value}`],
      { type: 'array', items: { ...schema, ...effect } },
    ),
  ),
  ...spelled(
    'exclusive bounds of items',
    'int32[]',
    [
      '@items.exclusiveMinimum 1 @items.exclusiveMaximum 5',
      `${kb}items:Minimum=1\n${kb}items:ExclusiveMinimum=true\n${kb}items:Maximum=5\n${kb}items:ExclusiveMaximum=true`,
    ],
    {
      type: 'array',
      items: { ...int32, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
    },
  ),
  ...spelled(
    'kept items',
    'unknown[]',
    ['@items.preserveUnknownFields', `${kb}items:XPreserveUnknownFields`],
    {
      type: 'array',
      items: preserve,
    },
  ),
  ...spelled(
    'embedded items',
    'object[]',
    [
      '@items.embeddedResource @items.preserveUnknownFields',
      `${kb}items:XEmbeddedResource\n${kb}items:XPreserveUnknownFields`,
    ],
    { type: 'array', items: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserve } },
  ),
  ...spelled(
    'items that are integers or strings',
    'unknown[]',
    ['@items.intOrString', `${kb}items:XIntOrString`],
    {
      type: 'array',
      items: intOrString,
    },
  ),
  ...spelled(
    'rules of items',
    'string[]',
    [
      `@items.validation {rule: "self != ''", message: no}\n * @items.cel self != 'b' -- Not b.\n`,
      `${kb}items:XValidation:rule="self != ''",message=no\n${kb}items:XValidation:rule="self != 'b'",message="Not b."`,
    ],
    {
      type: 'array',
      items: {
        ...string,
        'x-kubernetes-validations': [
          { rule: "self != ''", message: 'no' },
          { rule: "self != 'b'", message: 'Not b.' },
        ],
      },
    },
  ),
  ...spelled(
    'of items of items',
    'string[][]',
    ['@items.items.minLength 1', `${kb}items:items:MinLength=1`],
    {
      type: 'array',
      items: { type: 'array', items: { ...string, minLength: 1 } },
    },
  ),
  {
    name: 'items of one field, and not of another with the same type',
    types: 'type Names = string[];',
    spec: '/** @items.minLength 1 @default ["a"] */ x: Names; y?: Names;',
    schema: { type: 'array', items: { ...string, minLength: 1 }, default: ['a'] },
  },
];

const rules: AcceptedSchema[] = [
  ...spelled(
    'a rule',
    'string',
    [
      `@validation {rule: "self != 'a'", message: "must not be a"}`,
      `@validation {rule: 'self != ''a''', message: must not be a}`,
      "@validation {rule: `self != 'a'`, message: 'must not be a'}",
      `@validation rule="self != 'a'", message="must not be a"`,
      `@cel self != 'a' -- must not be a`,
      `${kb}XValidation:rule="self != 'a'",message="must not be a"`,
      `${kb}XValidation:rule=\`self != 'a'\`,message=must not be a`,
      `${kb}XValidation:message="must not be a",rule="self != 'a'"`,
    ],
    { ...string, 'x-kubernetes-validations': [{ rule: "self != 'a'", message: 'must not be a' }] },
  ),
  ...onType(
    'a rule',
    'string',
    [`@cel self != 'a'`, `@validation {rule: self != 'a'}`, `${kb}XValidation:rule="self != 'a'"`],
    { ...string, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] },
  ),
  ...spelled(
    'a rule with everything',
    '{ a?: string; m?: Record<string, string> }',
    [
      `@validation {rule: "self == oldSelf.orValue(self)", messageExpression: "'is ' + self.a", reason: FieldValueForbidden, fieldPath: ".m['k']", optionalOldSelf: true}`,
      `${kb}XValidation:rule="self == oldSelf.orValue(self)",messageExpression="'is ' + self.a",reason=FieldValueForbidden,fieldPath=".m['k']",optionalOldSelf=true`,
    ],
    {
      type: 'object',
      properties: { a: string, m: { type: 'object', additionalProperties: string } },
      'x-kubernetes-validations': [
        {
          rule: 'self == oldSelf.orValue(self)',
          messageExpression: "'is ' + self.a",
          reason: 'FieldValueForbidden',
          fieldPath: ".m['k']",
          optionalOldSelf: true,
        },
      ],
    },
  ),
  ...spelled(
    'escapes in a rule',
    'string',
    [
      `@validation {rule: "self.matches(r'^\\\\d+\\\\.\\u0061$')"}`,
      `${kb}XValidation:rule="self.matches(r'^\\\\d+\\\\.\\u0061$')"`,
      "@validation {rule: `self.matches(r'^\\d+\\.a$')`}",
      "@cel self.matches(r'^\\d+\\.a$')",
    ],
    { ...string, 'x-kubernetes-validations': [{ rule: "self.matches(r'^\\d+\\.a$')" }] },
  ),
  {
    name: 'a rule of several lines, which keeps them without their stars',
    spec: `/**
 * How much.
 * @validation {
 *   rule: "self > 1 &&
 *     self < 9",
 *   message: "between 1 and 9"
 * }
 * @maximum 20
 */
x: int32;`,
    schema: {
      ...int32,
      description: 'How much.',
      maximum: 20,
      'x-kubernetes-validations': [{ rule: 'self > 1 &&\n    self < 9', message: 'between 1 and 9' }],
    },
  },
  {
    name: 'a rule of several lines with a message of several lines',
    spec: `/**
 * @cel self > 1 &&
 *   self < 9 -- It must be
 *   between.
 */
x: int32;`,
    schema: {
      ...int32,
      'x-kubernetes-validations': [{ rule: 'self > 1 &&\n  self < 9', message: 'It must be between.' }],
    },
  },
  {
    name: 'rules of a field, before those of its type',
    types: `/** @cel self != 'c' */ type A = string; /** @cel self != 'b' */ type B = A;`,
    spec: `/**\n * @cel self != 'x'\n * @validation {rule: "self != 'y'"}\n * @cel self != 'z'\n */\nx: B;`,
    schema: {
      ...string,
      'x-kubernetes-validations': ['x', 'y', 'z', 'b', 'c'].map((letter) => ({
        rule: `self != '${letter}'`,
      })),
    },
  },
  ...spelled('immutable', 'string', ['@immutable', '+k8s:immutable'], {
    ...string,
    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
  }),
  {
    name: 'optional properties that are immutable',
    spec: 'x: { /** @immutable */ a?: string; /** @immutable */ b: string; /** @immutable */ "c-d"?: string };',
    schema: {
      type: 'object',
      required: ['b'],
      properties: Object.fromEntries(
        ['a', 'b', 'c-d'].map((name) => [
          name,
          {
            ...string,
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
          },
        ]),
      ),
      'x-kubernetes-validations': [
        { rule: '!has(oldSelf.a) || has(self.a)', message: 'field a is immutable once set' },
        {
          rule: '!has(oldSelf.c__dash__d) || has(self.c__dash__d)',
          message: 'field c-d is immutable once set',
        },
      ],
    },
  },
  ...onType(
    'exactlyOneOf',
    '{ a?: string; b?: string }',
    [
      '@exactlyOneOf a b',
      '@exactlyOneOf a;b',
      '@exactlyOneOf [a, b]',
      `${kb}ExactlyOneOf=a;b`,
      `${kb}ExactlyOneOf={a,"b"}`,
    ],
    {
      ...pair,
      'x-kubernetes-validations': [
        {
          rule: '(has(self.a)?1:0)+(has(self.b)?1:0) == 1',
          message: 'exactly one of the fields in [a b] must be set',
        },
      ],
    },
  ),
  ...onType('atMostOneOf', '{ a?: string; b?: string }', ['@atMostOneOf a b', `${kb}AtMostOneOf=a;b`], {
    ...pair,
    'x-kubernetes-validations': [
      {
        rule: '(has(self.a)?1:0)+(has(self.b)?1:0) <= 1',
        message: 'at most one of the fields in [a b] may be set',
      },
    ],
  }),
  ...onType('atLeastOneOf', '{ a?: string; b?: string }', ['@atLeastOneOf a b', `${kb}AtLeastOneOf=a;b`], {
    ...pair,
    'x-kubernetes-validations': [
      { rule: 'has(self.a)||has(self.b)', message: 'at least one of the fields in [a b] must be set' },
    ],
  }),
  {
    name: 'all of them, in the order of controller-gen',
    types: `/**
 * @atLeastOneOf a b
 * @exactlyOneOf in c-d
 * @atMostOneOf a in
 * @atMostOneOf b c-d
 * @cel has(self.a)
 */
interface X { a?: string; b?: string; in?: string; 'c-d'?: string }`,
    spec: 'x: X;',
    schema: {
      type: 'object',
      properties: { a: string, b: string, in: string, 'c-d': string },
      'x-kubernetes-validations': [
        { rule: 'has(self.a)' },
        {
          rule: '(has(self.a)?1:0)+(has(self.__in__)?1:0) <= 1',
          message: 'at most one of the fields in [a in] may be set',
        },
        {
          rule: '(has(self.b)?1:0)+(has(self.c__dash__d)?1:0) <= 1',
          message: 'at most one of the fields in [b c-d] may be set',
        },
        {
          rule: '(has(self.__in__)?1:0)+(has(self.c__dash__d)?1:0) == 1',
          message: 'exactly one of the fields in [in c-d] must be set',
        },
        { rule: 'has(self.a)||has(self.b)', message: 'at least one of the fields in [a b] must be set' },
      ],
    },
  },
];

const ignored: AcceptedSchema[] = [
  {
    name: 'markers for tools of Go',
    types:
      '// +kubebuilder:object:generate=true\n// +k8s:deepcopy-gen=false\n// +kubebuilder:ac:generate=false\n// +k8s:openapi-gen=true\ninterface X { a?: string }',
    spec: '// +kubebuilder:scaffold:field\nx: X;',
    schema: { type: 'object', properties: { a: string } },
  },
];

export const acceptedTags: readonly AcceptedSchema[] = [
  ...bounds,
  ...texts,
  ...values,
  ...presence,
  ...shapes,
  ...topology,
  ...items,
  ...rules,
  ...ignored,
];
