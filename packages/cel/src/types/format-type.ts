import { type CelType, optionalValue } from './cel-type.ts';

const maxDepth = 5;

/** The name of a type in messages: `list(string)`, `optional(int)`; `object` for the objects of a schema. */
export function formatType(type: CelType): string {
  return formatted(type, 0);
}

function formatted(type: CelType, depth: number): string {
  if (type.kind === 'struct') return type.fields ? 'object' : shortName(type);
  if (type.kind === 'param') return 'any type';
  const name = optionalValue(type) ? 'optional' : shortName(type);
  if (type.params.length === 0) return name;
  const params = depth < maxDepth ? type.params.map((param) => formatted(param, depth + 1)) : ['…'];
  return `${name}(${params.join(', ')})`;
}

function shortName(type: CelType): string {
  return type.name.slice(type.name.lastIndexOf('.') + 1);
}
