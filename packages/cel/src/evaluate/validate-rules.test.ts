import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { validateRules } from './validate-rules.ts';

interface Case {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly self: unknown;
  readonly oldSelf?: unknown;
  readonly root?: boolean;
  readonly result: { readonly errors: readonly Failure[] };
}

interface Failure {
  readonly type: string;
  readonly field: string;
  readonly detail: string;
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../test-data/validations.json', import.meta.url), 'utf8'),
) as { cases: readonly Case[] };

/** The path of a failure as the API server writes it, which distinguishes map keys from property names. */
function fieldOf(schema: StructuralSchema, path: readonly (string | number)[], fieldPath = ''): string {
  let [field, at]: [string, StructuralSchema | undefined] = ['root', schema];
  for (const key of path) {
    const isProperty: boolean = at?.properties !== undefined;
    field += isProperty ? `.${key}` : `[${key}]`;
    const values: unknown = at?.additionalProperties;
    at =
      typeof key === 'number' ? at?.items : isProperty ? at?.properties?.[key] : (values as StructuralSchema);
  }
  return fieldPath === '' ? field : `${field}.${fieldPath}`;
}

// The facts are the output of the validator of k8s.io/apiextensions-apiserver v0.36.3: see
// scripts/evaluation-facts.go.
describe('the rules of a schema fail as in the API server', () => {
  test.each(cases.map((each) => [each.name, each] as const))(
    '%s',
    (_, { schema, self, oldSelf, root = false, result }) => {
      const failures = validateRules(schema, self, oldSelf, { root });
      const got = failures.map(({ path, message, reason, fieldPath }) => ({
        type: reason,
        // Its library repeats the dot of a path like `.name`.
        field: fieldOf(schema, path, fieldPath?.replace(/^\./, '').replace(/^\['(.*)'\]$/, '$1')),
        // The API server omits the message of a duplicate.
        detail: reason === 'FieldValueDuplicate' ? '' : message,
      }));
      const order = (list: readonly Failure[]) =>
        list.toSorted((a, b) => (a.field + a.detail < b.field + b.detail ? -1 : 1));
      expect(order(got)).toEqual(order(result.errors));
    },
  );
});
