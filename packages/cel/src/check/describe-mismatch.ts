import type { Overload } from '../declare/overload.ts';
import type { UnplacedProblem } from '../problem.ts';
import { type CelType, optionalValue } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';

const numberKinds = new Set(['int', 'uint', 'double']);

/**
 * The message about a call that matches no overload.
 *
 * @param name the function or operator
 * @param method whether it is called as a method; the receiver is the first argument
 */
export function describeMismatch(
  name: string,
  method: boolean,
  args: readonly CelType[],
  overloads: readonly Overload[],
): UnplacedProblem {
  const types = args.map(formatType);
  const message = `${applied(name, method, types)} is not possible`;
  return {
    code: 'no-such-overload',
    message,
    hint: hintFor(name, args) ?? signatures(name, method, overloads),
  };
}

/** The operator, or the call, with types in place of values. */
function applied(name: string, method: boolean, types: readonly string[]): string {
  const operator = /^_(\W+)_$/.exec(name)?.[1] ?? (name === '@in' ? 'in' : undefined);
  if (name === '_?_:_') return `${types[0]} ? ${types[1]} : ${types[2]}`;
  if (name === '_[_]' || name === '_[?_]') return `${types[0]}[${types[1]}]`;
  if (operator) return `${types[0]} ${operator} ${types[1]}`;
  if (name === '!_' || name === '-_') return `${name[0]}${types[0]}`;
  return method ? `${types[0]}.${name}(${types.slice(1).join(', ')})` : `${name}(${types.join(', ')})`;
}

function hintFor(name: string, args: readonly CelType[]): string | undefined {
  const kinds = args.map((arg) => arg.kind);
  if (name === '_==_' || name === '_!=_') {
    if (kinds.includes('null'))
      return 'fields without a value are absent: write has(self.x), or !has(self.x)';
    if (args.some((arg) => optionalValue(arg)))
      return 'get the value of the optional: x.orValue("default"), or x.hasValue()';
    if (kinds.every((kind) => numberKinds.has(kind)))
      return 'numbers of different types are not equal: convert one, such as double(x) == 1.5';
    return time(kinds) ?? 'values of different types are never equal: convert one, such as string(x) == "1"';
  }
  if (/^_[<>]=?_$/.test(name)) return time(kinds) ?? 'values of these types have no order';
  if (name === '_?_:_')
    return kinds[0] === 'bool' ? 'both outcomes must have one type' : 'write a condition before "?"';
  if (/^_[-+*/%]_$/.test(name) && kinds.every((kind) => numberKinds.has(kind)) && kinds[0] !== kinds[1]) {
    return 'numbers of different types cannot be combined: convert one, such as double(x) * 1.5';
  }
  if (name === '_+_' && kinds.includes('string')) return 'convert other values to strings: "a" + string(x)';
  if (name === '@in') return 'write value in list, or key in map, with a value of their type';
  if (name === '_[_]') return 'index a list with an int, and a map with a key of its type';
  return undefined;
}

/** A duration or timestamp is compared with a string. */
function time(kinds: readonly string[]): string | undefined {
  if (!kinds.includes('string')) return undefined;
  if (kinds.includes('duration')) return 'convert the string: duration("1h30m")';
  return kinds.includes('timestamp') ? 'convert the string: timestamp("2024-01-31T12:00:00Z")' : undefined;
}

function signatures(name: string, method: boolean, overloads: readonly Overload[]): string {
  const fitting = overloads.filter((overload) => overload.method === method);
  const shown = (fitting.length > 0 ? fitting : overloads).slice(0, 4).map((overload) => {
    return applied(name, overload.method, overload.args.map(formatType));
  });
  return `possible ${shown.length === 1 ? 'is' : 'are'} ${shown.join(', ')}`;
}
