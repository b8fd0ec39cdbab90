import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CelType } from '../types/cel-type.ts';
import { findFunction } from './find-function.ts';

interface DeclaredOverload {
  readonly name: string;
  readonly id: string;
  readonly method: boolean;
  readonly args: readonly string[];
  readonly result: string;
}

const declared = JSON.parse(
  readFileSync(new URL('../../test-data/functions.json', import.meta.url), 'utf8'),
) as DeclaredOverload[];

/** A function that rules of a custom resource cannot call, or that is checked like a field. */
function isElsewhere({ name, args }: DeclaredOverload): boolean {
  return (
    args[0]?.startsWith('kubernetes.authorization') === true ||
    ['_?._', '_in_', 'in', '__not_strictly_false__'].includes(name)
  );
}

function written({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(written).join(', ')})`;
}

test('declares the functions of an API server, overloads in their order', () => {
  const theirs = declared.filter((overload) => !isElsewhere(overload));
  const ours = [...new Set(theirs.map(({ name }) => name))].flatMap((name) => {
    return (findFunction(name) ?? []).map(({ id, method, args, result }) => ({
      name,
      id,
      method,
      args: args.map(written),
      result: written(result),
    }));
  });
  expect(ours).toEqual(
    theirs.map(({ name, id, method, args, result }) => ({ name, id, method, args, result })),
  );
});

test('declares no other functions', () => {
  expect(findFunction('cel.bind')).toBeUndefined();
  expect(findFunction('constructor')).toBeUndefined();
});
