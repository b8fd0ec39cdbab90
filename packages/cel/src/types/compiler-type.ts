import type { CelType, TypeKind } from './cel-type.ts';

/** The kinds whose names in the messages of the compiler differ from those in its other messages. */
const messageNames: Partial<Record<TypeKind, string>> = {
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
  duration: 'duration',
};

const fullNames: Partial<Record<TypeKind, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The name of a type in an error of cel-go's compiler, such as `map(string, dyn)`. */
export function compilerType(type: CelType): string {
  return named(type, messageNames);
}

/** The name of a type where the API server itself writes it: `google.protobuf.Timestamp`. */
export function fullTypeName(type: CelType): string {
  return named(type, fullNames);
}

function named(type: CelType, names: Partial<Record<TypeKind, string>>): string {
  const { params } = type;
  const name = names[type.kind] ?? type.name;
  return params.length === 0 ? name : `${type.name}(${params.map((part) => named(part, names)).join(', ')})`;
}
