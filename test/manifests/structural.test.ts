import { describe, expect, test } from 'vitest';
import { originKey } from '../../src/manifests/schema/origin.ts';
import type { Schema } from '../../src/manifests/schema/schema.ts';
import { SourceText } from '../../src/manifests/source/source-text.ts';
import { structuralCases } from './cases/structural.ts';
import { schemaFromJson } from './schema-from-json.ts';
import { schemaProblems } from './schema-problems.ts';

const withoutAdvice = 'change the type or the tags of this part';

describe('a finished schema', () => {
  test.each(structuralCases)('$name', ({ schema, refused }) => {
    const problems = schemaProblems(schemaFromJson({ type: 'object', properties: { x: schema } }));
    const said = problems.map(({ message }) => message);
    if (refused) expect(said.join('\n')).toMatch(refused);
    else expect(said).toEqual([]);
    for (const { hint } of problems) expect(hint).not.toBe(withoutAdvice);
  });

  test.each([
    ['no object', { type: 'string' }, /must be object at the root/],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, /must not be used at the root/],
    ['null', { type: 'object', nullable: true }, /nullable cannot be true at the root/],
  ])('a kind is not %s', (_, schema, message) => {
    const problems = schemaProblems(schemaFromJson(schema));
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
    expect(problems[0]!.hint).not.toBe(withoutAdvice);
  });

  test('a kind with a status subresource has only certain keywords', () => {
    const schema = { type: 'object', properties: { status: { type: 'object' } }, maxProperties: 5 };
    expect(schemaProblems(schemaFromJson(schema))).toEqual([]);
    const [problem] = schemaProblems(schemaFromJson(schema), { hasStatus: true });
    expect(problem!.message).toMatch(/^only \[.*\] fields are allowed at the root of the schema/);
  });

  test('reports a part that several places share once, where it is declared', () => {
    const source = new SourceText('src/part.ts', 'type Part = {}');
    const part: Schema = { [originKey]: { source, span: { start: 5, end: 9 } } };
    const root: Schema = {
      type: 'object',
      properties: new Map([
        ['a]b', part],
        ['x', part],
      ]),
    };
    expect(schemaProblems(root)).toEqual([
      {
        code: 'structural-schema',
        file: 'src/part.ts',
        line: 1,
        column: 6,
        length: 4,
        sourceLine: 'type Part = {}',
        message: 'type: Required value: must not be empty for specified object fields (at a]b)',
        hint: 'give it a type, or add @preserveUnknownFields',
      },
    ]);
  });
});
