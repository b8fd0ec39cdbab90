/** Why an API cannot use a TypeScript type, and what to write instead. */
export interface Advice {
  readonly message: string;
  readonly hint: string;
}

const numbers = 'write int32, int64, float or double from ots-runtime';
const leaveOut = 'leave the property out';
const writeResult = 'write the type that it results in';

/** Advice for types with their own syntax, by the node's type in the syntax tree. */
const syntax: Readonly<Record<string, Advice>> = {
  TSNumberKeyword: { message: 'number does not say which numbers are meant', hint: numbers },
  TSBigIntKeyword: { message: 'bigint cannot be written as JSON', hint: 'write int64 from ots-runtime' },
  TSNullKeyword: { message: 'null alone is not the type of a value', hint: 'write T | null' },
  TSUndefinedKeyword: {
    message: 'undefined alone is not the type of a value',
    hint: 'write a `?` after the name',
  },
  TSNeverKeyword: { message: 'never has no values', hint: leaveOut },
  TSVoidKeyword: { message: 'void has no values', hint: leaveOut },
  TSSymbolKeyword: { message: 'symbol cannot be written as JSON', hint: 'write string' },
  TSFunctionType: { message: 'a function cannot be stored', hint: leaveOut },
  TSConstructorType: { message: 'a constructor cannot be stored', hint: leaveOut },
  TSTypePredicate: { message: 'a type predicate has no values', hint: 'write boolean' },
  TSThisType: { message: 'this is not a type of an API', hint: 'write the name of the interface' },
  TSConditionalType: { message: 'conditional types are not supported in API types', hint: writeResult },
  TSInferType: { message: 'infer is not supported in API types', hint: writeResult },
  TSTypeOperator: { message: 'this type operator is not supported in API types', hint: 'write string' },
  TSIntrinsicKeyword: { message: 'intrinsic is not supported in API types', hint: writeResult },
};

/** Advice for TypeScript's global types. */
const globals: ReadonlyMap<string, Advice> = new Map([
  ['Date', { message: 'JSON has no Date', hint: 'write Time from ots-runtime' }],
  ...adviceForAll(
    ['Map', 'WeakMap'],
    (name) => `${name} cannot be written as JSON`,
    'write Record<string, T>',
  ),
  ...adviceForAll(
    ['Set', 'WeakSet'],
    (name) => `${name} cannot be written as JSON`,
    'write T[] with @listType set',
  ),
  ...adviceForAll(
    ['Function', 'Promise', 'Symbol', 'RegExp', 'Error', 'URL'],
    (name) => `${name} cannot be stored in an object of the API`,
    'write string, or an interface with the properties that are meant',
  ),
  ...adviceForAll(
    ['Uint8Array', 'Buffer', 'ArrayBuffer'],
    (name) => `JSON has no ${name}`,
    'write string with @format byte',
  ),
  ...adviceForAll(
    ['Uppercase', 'Lowercase', 'Capitalize', 'Uncapitalize'],
    (name) => `${name}<…> is not supported in API types`,
    'write the literals out',
  ),
  ...adviceForAll(
    'Awaited ConstructorParameters InstanceType NoInfer Parameters ReturnType ThisParameterType'.split(' '),
    (name) => `${name}<…> is not supported in API types`,
    writeResult,
  ),
  [
    'Object',
    {
      message: 'Object has no schema',
      hint: 'declare the properties, or write Record<string, T> for a map of T',
    },
  ],
  ['Number', { message: 'Number does not say which numbers are meant', hint: numbers }],
  ['BigInt', { message: 'BigInt cannot be written as JSON', hint: 'write int64 from ots-runtime' }],
  ['String', { message: 'String is the wrapper object', hint: 'write string' }],
  ['Boolean', { message: 'Boolean is the wrapper object', hint: 'write boolean' }],
  ['this', syntax['TSThisType']!],
]);

function adviceForAll(
  names: readonly string[],
  message: (name: string) => string,
  hint: string,
): (readonly [string, Advice])[] {
  return names.map((name) => [name, { message: message(name), hint }]);
}

/** Returns advice for a type by its syntax. */
export function adviceForSyntax(nodeType: string): Advice {
  return (
    syntax[nodeType] ?? { message: 'this type is not supported in API types', hint: 'write the type out' }
  );
}

/**
 * Returns advice for a name that is neither declared nor imported, or undefined if TypeScript has no such
 * type.
 */
export function adviceForGlobal(name: string): Advice | undefined {
  return globals.get(name);
}
