import type { AcceptedSchema } from '../accepted-schemas.ts';

const string = { type: 'string' };
const int32 = { type: 'integer', format: 'int32' };
const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const oneOf = (...values: unknown[]) => ({ type: 'string', enum: values });
const rules = (...rule: [rule: string, message: string][]) => ({
  'x-kubernetes-validations': rule.map(([text, message]) => ({ rule: text, message })),
});

const part = 'interface Part { /** @minLength 1 */ a: string; /** How many. */ b?: int32; c: boolean }';
const [a, b, c] = [
  { type: 'string', minLength: 1 },
  { ...int32, description: 'How many.' },
  { type: 'boolean' },
];
const source = `interface S3 { type: 'S3'; /** Its name. */ bucket: string; region?: string }
interface Git { type: 'Git'; url: string; region?: string }
interface None { type: 'None' }`;

export const acceptedTypes: readonly AcceptedSchema[] = [
  // Intersections and parents.
  {
    name: 'an intersection of interfaces',
    types: `${part} interface More { d: string }`,
    spec: 'x: Part & More;',
    schema: object({ a, b, c, d: string }, 'a', 'c', 'd'),
  },
  {
    name: 'an intersection that makes a property required',
    spec: 'x: { a?: string } & { a: string; b?: string };',
    schema: object({ a: string, b: string }, 'a'),
  },
  {
    name: 'an intersection whose properties narrow each other',
    types:
      '/** @minLength 2 @maxLength 9 @pattern ^a */ type Name = string; /** @minLength 1 @maxLength 5 @pattern b$ */ type Short = string;',
    spec: 'x: { a: Name; b: 1 | 2 | 3 } & { a: Short; b: 2 | 3 | 4 };',
    schema: object(
      {
        a: { type: 'string', minLength: 2, maxLength: 5, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
        b: { type: 'integer', enum: [2, 3] },
      },
      'a',
      'b',
    ),
  },
  {
    name: 'an intersection of two scalars',
    types: '/** @minimum 1 */ type Positive = int32; /** @maximum 9 @minimum 0 */ type Small = int32;',
    spec: 'x: Positive & Small;',
    schema: { ...int32, minimum: 1, maximum: 9 },
  },
  {
    name: 'an intersection of lists and maps',
    spec: `x: { a: string[]; b: Record<string, 'v' | 'w'> } & { a: ('v' | 'w')[]; b: Record<string, 'w'> };`,
    schema: object(
      {
        a: { type: 'array', items: oneOf('v', 'w') },
        b: { type: 'object', additionalProperties: oneOf('w') },
      },
      'a',
      'b',
    ),
  },
  {
    name: 'an intersection of a nested object',
    spec: 'x: { a: { b: string } } & { a: { c?: string } };',
    schema: object({ a: object({ b: string, c: string }, 'b') }, 'a'),
  },
  {
    name: 'an intersection with literals',
    types: `type Level = 'low' | 'high' | 'max';`,
    spec: `x: Level & ('max' | 'low');`,
    schema: oneOf('low', 'max'),
  },
  {
    name: 'a brand',
    types: `type Id = string & { readonly __brand: unique symbol };`,
    spec: 'x: Id;',
    schema: string,
  },
  {
    name: 'an intersection that keeps the tags of its parts',
    types: '/** About A. @minProperties 1 */ interface A { a?: string } interface B { b?: string }',
    spec: 'x: A & B;',
    schema: { ...object({ a: string, b: string }), minProperties: 1 },
  },
  {
    name: 'an interface that keeps the tags of its parents',
    types: '/** About A. @minProperties 1 */ interface A { a?: string } interface B extends A { b?: string }',
    spec: 'x: B;',
    schema: { ...object({ a: string, b: string }), minProperties: 1 },
  },
  {
    name: 'extends with utility types, of which a property is overridden',
    types: `${part} interface Base { d: string; e?: string }
      interface Child extends Omit<Part, 'c'>, Partial<Base> { a: 'one' | 'two'; e: string }`,
    spec: 'x: Child;',
    schema: object({ a: oneOf('one', 'two'), b, d: string, e: string }, 'a', 'e'),
  },
  {
    name: 'extends with type arguments',
    types: 'interface Box<T> { value: T } interface Named extends Box<int32> { name: string }',
    spec: 'x: Named;',
    schema: object({ value: int32, name: string }, 'name', 'value'),
  },
  {
    name: 'extends of an intersection',
    types: 'type Both = { a: string } & { b: string }; interface More extends Both { c: string }',
    spec: 'x: More;',
    schema: object({ a: string, b: string, c: string }, 'a', 'b', 'c'),
  },
  {
    name: 'parents that declare the same property',
    types:
      'interface A { a: string; b: string } interface B { a: string; c: string } interface C extends A, B {}',
    spec: 'x: C;',
    schema: object({ a: string, b: string, c: string }, 'a', 'b', 'c'),
  },
  {
    name: 'extends of a type of Kubernetes',
    types: 'interface Meta extends ObjectMeta { owner: string }',
    spec: 'x: Pick<Meta, "labels" | "owner">;',
    schema: object({ labels: { type: 'object', additionalProperties: string }, owner: string }, 'owner'),
  },
  {
    name: 'an interface in several parts',
    types:
      '/** One. */ interface A { a: string } /** Two. @maxProperties 3 */ interface A { b?: int32 } interface A { a: string }',
    spec: 'x: A;',
    schema: { ...object({ a: string, b: int32 }, 'a'), description: 'One.', maxProperties: 3 },
  },
  // Generics.
  {
    name: 'a generic interface',
    types: 'interface Box<T> { value: T; all?: T[] }',
    spec: 'x: Box<string>;',
    schema: object({ value: string, all: { type: 'array', items: string } }, 'value'),
  },
  {
    name: 'a generic type within itself',
    types: 'interface Box<T> { value: T }',
    spec: 'x: Box<Box<Box<string>>>;',
    schema: object({ value: object({ value: object({ value: string }, 'value') }, 'value') }, 'value'),
  },
  {
    name: 'default type arguments, one of which refers to another',
    types: 'type Pair<A = string, B = A[]> = { a: A; b: B };',
    spec: 'x: { p: Pair; q: Pair<int32> };',
    schema: object(
      {
        p: object({ a: string, b: { type: 'array', items: string } }, 'a', 'b'),
        q: object({ a: int32, b: { type: 'array', items: int32 } }, 'a', 'b'),
      },
      'p',
      'q',
    ),
  },
  {
    name: 'type parameters that are passed on',
    types: `interface Ref<K extends string> { kind: K; name: string }
      type Refs<K extends string, N extends string> = Record<N, Ref<K>>;`,
    spec: `x: Refs<'Secret' | 'ConfigMap', 'key' | 'cert'>;`,
    schema: object(
      {
        key: object({ kind: oneOf('Secret', 'ConfigMap'), name: string }, 'kind', 'name'),
        cert: object({ kind: oneOf('Secret', 'ConfigMap'), name: string }, 'kind', 'name'),
      },
      'cert',
      'key',
    ),
  },
  {
    name: 'a type parameter that hides a type',
    types: 'type Part = boolean; type Box<Part> = { value: Part };',
    spec: 'x: Box<string>;',
    schema: object({ value: string }, 'value'),
  },
  {
    name: 'an argument that allows undefined and null',
    types: 'interface Box<T> { value: T }',
    spec: 'x: Box<string | undefined | null>;',
    schema: object({ value: { type: 'string', nullable: true } }),
  },
  {
    name: 'a generic alias of a utility type',
    types: `${part} type Without<T, K extends keyof T> = Omit<T, K>;`,
    spec: `x: Without<Part, 'b' | 'c'>;`,
    schema: object({ a }, 'a'),
  },
  {
    name: 'tags of a generic type',
    types: '/** A list of few. @maxItems 3 */ type Few<T> = T[];',
    spec: 'x: Few<string>;',
    schema: { type: 'array', items: string, maxItems: 3, description: 'A list of few.' },
  },
  // Utility types.
  { name: 'Pick', types: part, spec: `x: Pick<Part, 'a' | 'b'>;`, schema: object({ a, b }, 'a') },
  { name: 'Omit', types: part, spec: `x: Omit<Part, 'a'>;`, schema: object({ b, c }, 'c') },
  {
    name: 'Omit of a property that has no schema',
    types: 'interface Tree { name: string; children: Tree[]; /** @minLength 1 */ any: any }',
    spec: `x: Omit<Tree, 'children' | 'any'>;`,
    schema: object({ name: string }, 'name'),
  },
  {
    name: 'Omit of what refers to itself through Omit',
    types: `interface Tree { name: string; left?: Omit<Tree, 'left'> }`,
    spec: 'x: Tree;',
    schema: object({ name: string, left: object({ name: string }, 'name') }, 'name'),
  },
  { name: 'Partial', types: part, spec: 'x: Partial<Part>;', schema: object({ a, b, c }) },
  { name: 'Required', types: part, spec: 'x: Required<Part>;', schema: object({ a, b, c }, 'a', 'b', 'c') },
  {
    name: 'Required of what allows undefined',
    spec: 'x: Required<{ a: string | undefined }>;',
    schema: object({ a: string }, 'a'),
  },
  {
    name: 'Partial keeps what is said of the type',
    types: '/** A part. @minProperties 1 */ interface P { a: string }',
    spec: 'x: Partial<P>;',
    schema: { ...object({ a: string }), description: 'A part.', minProperties: 1 },
  },
  { name: 'Readonly', types: part, spec: 'x: Readonly<Part>;', schema: object({ a, b, c }, 'a', 'c') },
  { name: 'Readonly of a list', spec: 'x: Readonly<string[]>;', schema: { type: 'array', items: string } },
  {
    name: 'utility types of utility types',
    types: part,
    spec: `x: Partial<Pick<Part, 'a'>> & Omit<Part, 'a'>;`,
    schema: object({ a, b, c }, 'c'),
  },
  {
    name: 'a type of Kubernetes without a property',
    spec: `x: Omit<Condition, 'lastTransitionTime' | 'observedGeneration' | 'reason' | 'message' | 'type'>;`,
    schema: object({ status: oneOf('True', 'False', 'Unknown') }, 'status'),
  },
  {
    name: 'NonNullable',
    types: '/** @minLength 1 */ type Name = string;',
    spec: 'x: NonNullable<Name | null | undefined>;',
    schema: { type: 'string', minLength: 1 },
  },
  {
    name: 'Exclude',
    types: `type Level = 'low' | 'high' | 'max';`,
    spec: `x: Exclude<Level, 'max' | 'min'>;`,
    schema: oneOf('low', 'high'),
  },
  {
    name: 'Extract',
    types: `type Level = 'low' | 1 | 'max';`,
    spec: `x: Extract<Level, string>;`,
    schema: oneOf('low', 'max'),
  },
  {
    name: 'Extract of an object by its tag',
    types: source,
    spec: `x: Extract<S3 | Git | None, { type: 'None' }>;`,
    schema: object({ type: oneOf('None') }, 'type'),
  },
  {
    name: 'Record with literal keys',
    spec: `x: Record<'a' | 'b', string>;`,
    schema: object({ a: string, b: string }, 'a', 'b'),
  },
  {
    name: 'Partial of a Record',
    types: 'enum Size { Small = "s", Large = "l" }',
    spec: 'x: Partial<Record<Size, int32>>;',
    schema: object({ s: int32, l: int32 }),
  },
  {
    name: 'an index signature',
    spec: 'x: { [name: string]: int32 };',
    schema: { type: 'object', additionalProperties: int32 },
  },
  {
    name: 'an interface with an index signature',
    types: '/** Names. */ interface Names { readonly [name: string]: string }',
    spec: 'x: Names;',
    schema: { type: 'object', additionalProperties: string, description: 'Names.' },
  },
  // Mapped types.
  {
    name: 'a mapped type over string',
    spec: 'x: { [K in string]: int32 };',
    schema: { type: 'object', additionalProperties: int32 },
  },
  {
    name: 'a mapped type over literals',
    spec: `x: { [K in 'a' | 'b']?: K };`,
    schema: object({ a: oneOf('a'), b: oneOf('b') }),
  },
  {
    name: 'a homomorphic mapped type',
    types: part,
    spec: 'x: { readonly [K in keyof Part]?: Part[K] };',
    schema: object({ a, b, c }),
  },
  {
    name: 'a mapped type that requires',
    types: part,
    spec: 'x: { -readonly [K in keyof Part]-?: Part[K] };',
    schema: object({ a, b, c }, 'a', 'b', 'c'),
  },
  {
    name: 'a mapped type of other values',
    types: part,
    spec: 'x: { [K in keyof Part]: boolean };',
    schema: object({ a: { type: 'boolean' }, b: { type: 'boolean' }, c: { type: 'boolean' } }, 'a', 'c'),
  },
  {
    name: 'a mapped type of lists of the values',
    types: part,
    spec: `x: { [K in 'a' | 'c']: Part[K][] };`,
    schema: object({ a: { type: 'array', items: a }, c: { type: 'array', items: c } }, 'a', 'c'),
  },
  {
    name: 'a Pick of the project',
    types: `${part} type Only<T, K extends keyof T> = { [P in K]: T[P] };`,
    spec: `x: Only<Part, 'a' | 'b'>;`,
    schema: object({ a, b }, 'a'),
  },
  // keyof, typeof and indexed access.
  { name: 'keyof', types: part, spec: 'x: keyof Part;', schema: oneOf('a', 'b', 'c') },
  { name: 'keyof of a map', spec: 'x: keyof Record<string, int32>;', schema: string },
  {
    name: 'an indexed access, which leaves the default behind',
    types: 'interface P { /** Where. @minimum 1 @default 80 */ port: int32 }',
    spec: `x: P['port'];`,
    schema: { ...int32, minimum: 1, description: 'Where.' },
  },
  {
    name: 'an indexed access to the type itself',
    spec: `x: NonNullable<FooSpec['y']>; y?: string;`,
    schema: string,
  },
  {
    name: 'an indexed access to a property that can be missing',
    types: part,
    spec: `x: Part['b'];`,
    optional: true,
    schema: b,
  },
  {
    name: 'an indexed access to the items of a list',
    types: 'interface P { items: { a: string }[]; map: Record<string, int32> }',
    spec: `x: { i: P['items'][number]; m: P['map'][string] };`,
    schema: object({ i: object({ a: string }, 'a'), m: int32 }, 'i', 'm'),
  },
  {
    name: 'an indexed access with several keys',
    types: `interface P { a: 'x' | 'y'; b: 'z'; c: string }`,
    spec: `x: P['a' | 'b'];`,
    schema: oneOf('x', 'y', 'z'),
  },
  {
    name: 'the type of a tag of a union',
    types: source,
    spec: `x: (S3 | Git)['type'];`,
    schema: oneOf('S3', 'Git'),
  },
  {
    name: 'the values of a constant',
    types: `const Level = { Low: 'low', High: 'high' } as const; type Level = typeof Level[keyof typeof Level];`,
    spec: 'x: Level;',
    schema: oneOf('low', 'high'),
  },
  {
    name: 'the names of a constant',
    types: `const Level = { Low: 'low', High: 'high' } as const;`,
    spec: 'x: keyof typeof Level;',
    schema: oneOf('Low', 'High'),
  },
  {
    name: 'the items of a constant list',
    types: `const BASE = ['a', 'b'] as const; const ALL = [...BASE, 'c'] as const satisfies readonly string[];`,
    spec: 'x: (typeof ALL)[number];',
    schema: oneOf('a', 'b', 'c'),
  },
  {
    name: 'a constant within a constant',
    types: `const one = 1; const LIMITS = { low: { least: one, most: -2 } } as const;`,
    spec: `x: typeof LIMITS.low['least' | 'most'];`,
    schema: { type: 'integer', enum: [1, -2] },
  },
  { name: 'an enum', types: `enum E { A = 'a', B = 'b' }`, spec: 'x: E;', schema: oneOf('a', 'b') },
  {
    name: 'a const enum of numbers that count on',
    types: '/** Levels. */ const enum E { A, B = 5, C, D = -1 }',
    spec: 'x: E;',
    schema: { type: 'integer', enum: [0, 5, 6, -1], description: 'Levels.' },
  },
  { name: 'a member of an enum', types: `enum E { A = 'a', B = 'b' }`, spec: 'x: E.B;', schema: oneOf('b') },
  {
    name: 'the names of an enum',
    types: `enum E { A = 'a', 'B-C' = 'b' }`,
    spec: 'x: keyof typeof E;',
    schema: oneOf('A', 'B-C'),
  },
  // Tuples.
  {
    name: 'a tuple',
    spec: 'x: [string, string];',
    schema: { type: 'array', items: string, minItems: 2, maxItems: 2 },
  },
  {
    name: 'a tuple with names, an optional element and readonly',
    spec: 'x: readonly [from: int32, to?: int32];',
    schema: { type: 'array', items: int32, minItems: 1, maxItems: 2 },
  },
  {
    name: 'a list of at least one',
    spec: 'x: [string, ...string[]];',
    schema: { type: 'array', items: string, minItems: 1 },
  },
  // Template literals.
  {
    name: 'a template of a number',
    spec: 'x: `${number}%`;',
    schema: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?%$' },
  },
  {
    name: 'a template of an integer and a boolean',
    spec: 'x: `${int32}/${boolean}`;',
    schema: { type: 'string', pattern: '^-?\\d+/(true|false)$' },
  },
  {
    name: 'a template whose text is escaped',
    spec: 'x: `${string}.(example)+[com]{1}|^$\\\\*?`;',
    schema: { type: 'string', pattern: '^.*\\.\\(example\\)\\+\\[com\\]\\{1\\}\\|\\^\\$\\\\\\*\\?$' },
  },
  {
    name: 'a template with literals and another template',
    types: 'type Size = `${number}${"Mi" | "Gi"}`;',
    spec: 'x: `${Size}:${"a.b" | "c"}`;',
    schema: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?(Mi|Gi):(a\\.b|c)$' },
  },
  {
    name: 'a template of literals alone',
    types: `type Side = 'left' | 'right';`,
    spec: 'x: `${Side}-${1 | 2}`;',
    schema: oneOf('left-1', 'left-2', 'right-1', 'right-2'),
  },
  {
    name: 'templates beside literals',
    spec: 'x: `${number}%` | "auto" | `${number}px`;',
    schema: { type: 'string', pattern: '^(-?\\d+(\\.\\d+)?%|auto|-?\\d+(\\.\\d+)?px)$' },
  },
  {
    name: 'a template as keys',
    spec: 'x: Record<`${"http" | "grpc"}Port`, int32>;',
    schema: object({ httpPort: int32, grpcPort: int32 }, 'grpcPort', 'httpPort'),
  },
  // Integers and strings.
  { name: 'number | string', spec: 'x: number | string;', schema: intOrString },
  {
    name: 'int32 | string | null | undefined',
    spec: 'x: int32 | string | null | undefined;',
    optional: true,
    schema: { ...intOrString, nullable: true },
  },
  {
    name: 'integers and a percentage',
    spec: 'x: int32 | `${number}%`;',
    schema: { ...intOrString, pattern: '^-?\\d+(\\.\\d+)?%$' },
  },
  {
    name: 'integers and literals',
    spec: `x: number | 'auto' | 'none';`,
    schema: { ...intOrString, pattern: '^(auto|none)$' },
  },
  {
    name: 'literals of integers and strings',
    spec: `x: 1 | 'auto' | 2;`,
    schema: { ...intOrString, enum: [1, 'auto', 2] },
  },
  // Unions of objects.
  {
    name: 'a discriminated union',
    types: source,
    spec: 'x: S3 | Git | None;',
    schema: {
      ...object(
        {
          type: oneOf('S3', 'Git', 'None'),
          bucket: { ...string, description: 'Its name.' },
          region: string,
          url: string,
        },
        'type',
      ),
      ...rules(
        [
          `self.type == 'S3' ? has(self.bucket) && !has(self.url) : true`,
          'bucket is required and url must not be set when type is S3',
        ],
        [
          `self.type == 'Git' ? !has(self.bucket) && has(self.url) : true`,
          'bucket must not be set and url is required when type is Git',
        ],
        [
          `self.type == 'None' ? !has(self.bucket) && !has(self.region) && !has(self.url) : true`,
          'bucket, region, url must not be set when type is None',
        ],
      ),
    },
  },
  {
    name: 'a discriminated union with a comment, common properties and null',
    types: `interface Common { /** @minLength 1 */ name: string } /** Where from. */ type Source = Common & (
      { type: 'a'; a?: string } | { type: 'b' | 'c'; b: string } | null);`,
    spec: 'x: Source | null;',
    schema: {
      ...object({ name: a, type: oneOf('a', 'b', 'c'), a: string, b: string }, 'name', 'type'),
      description: 'Where from.',
      nullable: true,
      ...rules(
        [`self.type == 'a' ? !has(self.b) : true`, 'b must not be set when type is a'],
        [
          `self.type in ['b', 'c'] ? !has(self.a) && has(self.b) : true`,
          'a must not be set and b is required when type is b or c',
        ],
      ),
    },
  },
  {
    name: 'a discriminated union in a list, with names that rules must escape',
    types: `type Source = { 'the-type': "it's"; 'a.b': string; namespace?: string } | { 'the-type': 'x'; in__: string };`,
    spec: '/** @maxItems 100 */ x: Source[];',
    schema: {
      type: 'array',
      maxItems: 100,
      items: {
        ...object(
          { 'the-type': oneOf("it's", 'x'), 'a.b': string, namespace: string, in__: string },
          'the-type',
        ),
        ...rules(
          [
            `self.the__dash__type == 'it\\'s' ? has(self.a__dot__b) && !has(self.in__underscores__) : true`,
            "a.b is required and in__ must not be set when the-type is it's",
          ],
          [
            `self.the__dash__type == 'x' ? !has(self.a__dot__b) && !has(self.__namespace__) && has(self.in__underscores__) : true`,
            'a.b, namespace must not be set and in__ is required when the-type is x',
          ],
        ),
      },
    },
  },
  {
    name: 'a union within lists and maps without bounds',
    spec: `x: Record<string, { parts: ({ type: 'a'; a: string } | { type: 'b'; b: string })[] }>;`,
    schema: {
      type: 'object',
      additionalProperties: object(
        {
          parts: {
            type: 'array',
            items: {
              ...object({ type: oneOf('a', 'b'), a: string, b: string }, 'type'),
              ...rules(
                [
                  `self.type == 'a' ? has(self.a) && !has(self.b) : true`,
                  'a is required and b must not be set when type is a',
                ],
                [
                  `self.type == 'b' ? !has(self.a) && has(self.b) : true`,
                  'a must not be set and b is required when type is b',
                ],
              ),
            },
          },
        },
        'parts',
      ),
    },
  },
  {
    name: 'unions of unions',
    types: `${source} /** Stored. */ type Stored = S3 | Git;`,
    spec: 'x: Stored | None | Stored;',
    schema: {
      ...object(
        {
          type: oneOf('S3', 'Git', 'None'),
          bucket: { ...string, description: 'Its name.' },
          region: string,
          url: string,
        },
        'type',
      ),
      ...rules(
        [
          `self.type == 'S3' ? has(self.bucket) && !has(self.url) : true`,
          'bucket is required and url must not be set when type is S3',
        ],
        [
          `self.type == 'Git' ? !has(self.bucket) && has(self.url) : true`,
          'bucket must not be set and url is required when type is Git',
        ],
        [
          `self.type == 'None' ? !has(self.bucket) && !has(self.region) && !has(self.url) : true`,
          'bucket, region, url must not be set when type is None',
        ],
      ),
    },
  },
  {
    name: 'a union that true and false tell apart',
    spec: 'x: { enabled: true; size: int32 } | { enabled: false };',
    schema: {
      ...object({ enabled: { type: 'boolean' }, size: int32 }, 'enabled'),
      ...rules(
        ['self.enabled == true ? has(self.size) : true', 'size is required when enabled is true'],
        ['self.enabled == false ? !has(self.size) : true', 'size must not be set when enabled is false'],
      ),
    },
  },
  {
    name: 'a union that numbers tell apart, and whose other literals depend on them',
    spec: `x: { v: 1; mode: 'a' } | { v: 2; mode: 'b' | 'c'; note?: 'd' } | { v: 3; mode: 'a'; note?: 'e' };`,
    schema: {
      ...object(
        {
          v: { type: 'integer', enum: [1, 2, 3] },
          mode: oneOf('a', 'b', 'c'),
          note: oneOf('d', 'e'),
        },
        'mode',
        'v',
      ),
      ...rules(
        [
          `self.v == 1 ? self.mode in ['a'] && !has(self.note) : true`,
          'mode must be a and note must not be set when v is 1',
        ],
        [
          `self.v == 2 ? self.mode in ['b', 'c'] && (!has(self.note) || self.note in ['d']) : true`,
          'mode must be b or c and note must be d when v is 2',
        ],
        [
          `self.v == 3 ? self.mode in ['a'] && (!has(self.note) || self.note in ['e']) : true`,
          'mode must be a and note must be e when v is 3',
        ],
      ),
    },
  },
  {
    name: 'a union with a property that can be null, which rules take for missing',
    spec: `x: { type: 'a'; a: string | null } | { type: 'b'; b: string };`,
    schema: {
      ...object({ type: oneOf('a', 'b'), a: { type: 'string', nullable: true }, b: string }, 'type'),
      ...rules(
        [`self.type == 'a' ? !has(self.b) : true`, 'b must not be set when type is a'],
        [
          `self.type == 'b' ? !has(self.a) && has(self.b) : true`,
          'a must not be set and b is required when type is b',
        ],
      ),
    },
  },
  {
    name: 'a union of which one property must be set',
    types: 'interface S3 { bucket: string } interface Git { url: string }',
    spec: 'x: { s3: S3; name?: string } | { git: Git; name?: string };',
    schema: {
      ...object({
        s3: object({ bucket: string }, 'bucket'),
        name: string,
        git: object({ url: string }, 'url'),
      }),
      ...rules([
        '(has(self.s3)?1:0)+(has(self.git)?1:0) == 1',
        'exactly one of the fields in [s3 git] must be set',
      ]),
    },
  },
  {
    name: 'a union without a tag, with never',
    spec: 'x: { host: string; port: int32; url?: never } | { url: string; host?: never; port?: never; path?: string };',
    schema: {
      ...object({ host: string, port: int32, url: string, path: string }),
      ...rules([
        '(has(self.host) && has(self.port) && !has(self.url) && !has(self.path)) || (!has(self.host) && !has(self.port) && has(self.url))',
        'one of these must hold: host is required, port is required, url must not be set, path must not be set; or host must not be set, port must not be set, url is required',
      ]),
    },
  },
  {
    name: 'a union without anything to check',
    spec: `x: { type: 'a' } | { type: 'b' };`,
    schema: object({ type: oneOf('a', 'b') }, 'type'),
  },
  // Values of any type.
  {
    name: 'unknown that is preserved',
    spec: '/** @preserveUnknownFields */ x: unknown;',
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'any that is preserved',
    spec: '// +kubebuilder:pruning:PreserveUnknownFields\nx?: any;',
    optional: true,
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'object that is preserved',
    spec: '/** @preserveUnknownFields */ x: object;',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'a Record of unknown that is preserved',
    types: 'type Values = Record<string, unknown>;',
    spec: '/** @preserveUnknownFields */ x: Values | null;',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, nullable: true },
  },
  {
    name: 'an alias of unknown that is preserved by its own tag',
    types: '/** Anything. @preserveUnknownFields */ type Json = unknown;',
    spec: 'x: Record<string, Json>;',
    schema: {
      type: 'object',
      additionalProperties: { description: 'Anything.', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  {
    name: 'an object with a tag to keep what it does not know',
    spec: '/** @preserveUnknownFields */ x: { a: string };',
    schema: { ...object({ a: string }, 'a'), 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'unknown items that are preserved',
    spec: '/** @items.preserveUnknownFields */ x: unknown[];',
    schema: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
  },
  {
    name: 'a type that contains itself, without a schema',
    types:
      'interface Tree { name: string; /** @schemaless @preserveUnknownFields */ children: Tree[] | null }',
    spec: 'x: Tree;',
    schema: object(
      { name: string, children: { nullable: true, 'x-kubernetes-preserve-unknown-fields': true } },
      'children',
      'name',
    ),
  },
  {
    name: 'a type without a schema of its own, which its tags give it',
    spec: '/** When. @schemaless @type string @format date-time */ x: Date | undefined;',
    optional: true,
    schema: { type: 'string', format: 'date-time', description: 'When.' },
  },
  // References.
  {
    name: 'a type of a namespace import',
    types: `import type * as kubernetes from 'ots-kubernetes';`,
    spec: 'x: Pick<kubernetes.ObjectMeta, "name">;',
    schema: object({ name: string }),
  },
  {
    name: 'a type that is declared below its use',
    types: 'type A = B; type B = C[]; type C = string;',
    spec: 'x: A;',
    schema: { type: 'array', items: string },
  },
];
