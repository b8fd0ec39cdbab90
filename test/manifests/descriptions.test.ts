import { expect, test } from 'vitest';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';

function descriptionOf(...comment: string[]): string | undefined {
  const spec = `/**\n${comment.map((line) => ` * ${line}\n`).join('')} */\nx: string;`;
  const [crd] = generate({ 'src/a.ts': apiSource({ spec }) })['config/crd/bases/a.example.com_foos.yaml']!;
  return crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.x.description;
}

test.each<[string, string[], string | undefined]>([
  ['a line that begins with TODO', ['Kept.', '  TODO(me): left out', 'Kept too.'], 'Kept.\nKept too.'],
  ['TODO within a line', ['Not a TODO here.'], 'Not a TODO here.'],
  ['all that follows a line of dashes', ['Kept.', '', '---', 'Left out.'], 'Kept.'],
  ['nothing else', ['TODO: everything'], undefined],
])('notes for other authors are omitted: %s', (_, comment, description) => {
  expect(descriptionOf(...comment)).toBe(description);
});

test.each(['```', '~~~'])('code between %s is kept as it is', (fence) => {
  const code = [fence, 'TODO: a', '---', 'b: c', fence];
  expect(descriptionOf('Like:', ...code, '---', 'Left out.')).toBe(['Like:', ...code].join('\n'));
});
