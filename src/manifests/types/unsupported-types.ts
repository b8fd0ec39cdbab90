/** Why a type of the language has no place in an API, and what to write instead. */
export interface Advice {
  readonly message: string;
  readonly hint: string;
}

const PRESERVE = 'declare the properties, or write Record<string, T> for a map of T';

/** For types that are written with syntax of their own; keyed by the node's type in the syntax tree. */
const SYNTAX: Readonly<Record<string, Advice>> = {
  TSNumberKeyword: {
    message: 'number does not say which numbers are meant',
    hint: 'write int32, int64, float or double from ots-runtime',
  },
  TSBigIntKeyword: { message: 'bigint cannot be written as JSON', hint: 'write int64 from ots-runtime' },
  TSAnyKeyword: { message: 'any has no schema', hint: PRESERVE },
  TSUnknownKeyword: { message: 'unknown has no schema', hint: PRESERVE },
  TSObjectKeyword: { message: 'object has no schema', hint: PRESERVE },
  TSNullKeyword: { message: 'null alone is no type of a value', hint: 'write T | null' },
  TSUndefinedKeyword: {
    message: 'undefined alone is no type of a value',
    hint: 'write a `?` after the name',
  },
  TSNeverKeyword: { message: 'never has no values', hint: 'leave the property out' },
  TSVoidKeyword: { message: 'void has no values', hint: 'leave the property out' },
  TSSymbolKeyword: { message: 'symbol cannot be written as JSON', hint: 'write string' },
  TSFunctionType: { message: 'a function cannot be stored', hint: 'leave the property out' },
  TSConstructorType: { message: 'a constructor cannot be stored', hint: 'leave the property out' },
  TSIntersectionType: {
    message: 'intersections are not supported in API types',
    hint: 'write an interface that extends the parts',
  },
  TSTupleType: {
    message: 'tuples are not supported in API types',
    hint: 'write an array, or an object with named properties',
  },
  TSTemplateLiteralType: {
    message: 'template literal types are not supported in API types',
    hint: 'write string with a @pattern tag',
  },
  TSMappedType: {
    message: 'mapped types are not supported in API types',
    hint: 'write Record<string, T>, or the properties',
  },
  TSConditionalType: {
    message: 'conditional types are not supported in API types',
    hint: 'write the type out',
  },
  TSIndexedAccessType: {
    message: 'indexed access types are not supported in API types',
    hint: 'give the type a name of its own and use that in both places',
  },
  TSTypeOperator: { message: 'type operators are not supported in API types', hint: 'write the type out' },
  TSTypeQuery: { message: 'typeof is not supported in API types', hint: 'write the type out' },
  TSImportType: {
    message: 'import() is not supported in API types',
    hint: 'write an import statement above',
  },
};

/** For types that the language brings along without an import. */
const GLOBALS: ReadonlyMap<string, Advice> = new Map([
  ['Date', { message: 'JSON has no Date', hint: 'write Time from ots-runtime' }],
  ...['Map', 'WeakMap'].map(
    (name) =>
      [name, { message: `${name} cannot be written as JSON`, hint: 'write Record<string, T>' }] as const,
  ),
  ...['Set', 'WeakSet'].map(
    (name) =>
      [name, { message: `${name} cannot be written as JSON`, hint: 'write T[] with @listType set' }] as const,
  ),
  ...['Function', 'Promise', 'Symbol', 'RegExp', 'Error', 'URL'].map(
    (name) =>
      [
        name,
        {
          message: `${name} cannot be stored in an object of the API`,
          hint: 'write string, or an interface with the properties that are meant',
        },
      ] as const,
  ),
  ...['Uint8Array', 'Buffer', 'ArrayBuffer'].map(
    (name) => [name, { message: `JSON has no ${name}`, hint: 'write string with @format byte' }] as const,
  ),
  ...['Partial', 'Required', 'Readonly', 'Pick', 'Omit', 'Exclude', 'Extract', 'NonNullable'].map(
    (name) =>
      [
        name,
        {
          message: `${name}<…> is not supported in API types`,
          hint: 'write an interface with the properties that are meant',
        },
      ] as const,
  ),
  ['Object', { message: 'Object has no schema', hint: PRESERVE }],
  [
    'Number',
    {
      message: 'Number does not say which numbers are meant',
      hint: 'write int32, int64, float or double from ots-runtime',
    },
  ],
  ['String', { message: 'String is the wrapper object', hint: 'write string' }],
  ['Boolean', { message: 'Boolean is the wrapper object', hint: 'write boolean' }],
]);

/** Advice for a type by its syntax. */
export function adviceForSyntax(nodeType: string): Advice {
  return (
    SYNTAX[nodeType] ?? { message: 'this type is not supported in API types', hint: 'write the type out' }
  );
}

/** Advice for a type by a name that is neither declared nor imported; undefined when the language has none of that name. */
export function adviceForGlobal(name: string): Advice | undefined {
  return GLOBALS.get(name);
}
