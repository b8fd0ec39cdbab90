import { describe, expect, test } from 'vitest';
import { structuralProblems } from '../../src/manifests/structural/structural-problems.ts';
import { structuralCases } from './cases/structural.ts';
import { schemaFromJson } from './schema-from-json.ts';

describe('a finished schema', () => {
  test.each(structuralCases)('$name', ({ schema, refused }) => {
    const root = schemaFromJson({ type: 'object', properties: { x: schema } });
    const said = structuralProblems(root).map(({ message, path }) => `${message} (at ${path})`);
    if (refused) expect(said.join('\n')).toMatch(refused);
    else expect(said).toEqual([]);
  });

  test.each([
    ['no object', { type: 'string' }, /a kind is an object/],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, /named properties only/],
    ['null', { type: 'object', nullable: true }, /cannot be null/],
  ])('a kind is not %s', (_, schema, message) => {
    expect(structuralProblems(schemaFromJson(schema)).map((problem) => problem.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });
});
