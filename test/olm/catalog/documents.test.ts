import { describe, expect, test } from 'vitest';
import { parseCatalog } from '../../../src/olm/catalog/read-catalog.ts';

/** The lines of other schemas that were read, and the lines of problems. */
function read(text: string): { readonly schemas: string[]; readonly problems: string[] } {
  const { others, problems } = parseCatalog('f', text);
  return {
    schemas: others.map(({ schema, place }) => `${schema}:${place.line}`),
    problems: problems.map(({ type, line }) => `${type}:${line}`),
  };
}

describe('documents', () => {
  test.each<[string, string, string[]]>([
    ['YAML', 'schema: a\n---\nschema: b\n', ['a:1', 'b:3']],
    [
      'YAML with comments and a separator at both ends',
      '---\n# about\nschema: a\n---   # more\nschema: b\n---\n',
      ['a:3', 'b:5'],
    ],
    ['YAML with carriage returns', 'schema: a\r\n---\r\nschema: b\r\n', ['a:1', 'b:3']],
    ['YAML up to the end of the first document', 'schema: a\n...\nschema: b\n', ['a:1']],
    ['JSON values in a row', '\n{"schema":"a"}{"schema":"b"}\n\n{"schema":\n"c"}', ['a:2', 'b:2', 'c:4']],
    ['JSON with braces in texts', '{"schema":"a","x":"}{\\"]"}\n{"schema":"b"}', ['a:1', 'b:2']],
    ['JSON, then YAML', '{"schema":"a"}\n---\n{"schema":"b"}\n---\nschema: c\n', ['a:1', 'b:3', 'c:5']],
    ['YAML that begins like JSON', '{schema: a}\n', ['a:1']],
    ['YAML with a byte order mark', '\u{feff}schema: a\n', ['a:1']],
    ['an empty file', '', []],
    ['a key with other capitals', 'Schema: a\nNAME: b\n', ['a:1']],
  ])('%s', (_, text, schemas) => {
    expect(read(text)).toEqual({ schemas, problems: [] });
  });

  test.each<[string, string, string[]]>([
    ['a document with only a comment', '# about\n---\nschema: a\n', ['missing-schema:1']],
    ['an empty document at the end', 'schema: a\n---\n\n', ['missing-schema:3']],
    ['a text behind a separator', 'schema: a\n--- b\nschema: c\n', ['invalid-document:2']],
    ['YAML with an error', 'schema: a\n---\nb: c\nd: e: f\n', ['invalid-document:4']],
    ['YAML behind two JSON values', '{"schema":"a"}\n{"schema":"b"}\nschema: c\n', ['invalid-document:3']],
    ['JSON without an end', '{"schema":"a"}\n{"schema":\n', ['invalid-document:2']],
    ['a control character', 'schema: a\nb: "\u0000"\n', ['invalid-document:2']],
    ['a list', '- schema: a\n', ['invalid-document:1']],
    ['a text', 'hello\n', ['invalid-document:1']],
    ['no schema', 'name: a\n', ['missing-schema:1']],
    ['a schema that YAML takes for a boolean', 'schema: y\n', ['invalid-document:1']],
    ['a package that is null', 'schema: a\npackage:\n', ['invalid-document:1']],
    ['keys that differ in case', 'schema: a\nName: b\nname: c\n', ['invalid-document:1']],
    ['a channel with wrong entries', 'schema: olm.channel\nentries: {}\n', ['invalid-document:1']],
    ['an icon that is not base64', 'schema: olm.package\nicon: {base64data: "!"}\n', ['invalid-document:1']],
    [
      'a manifest that is not base64',
      'schema: olm.bundle\nproperties: [{type: olm.bundle.object, value: {data: "!"}}]\n',
      ['invalid-document:1'],
    ],
    ['a property that is not an object', 'schema: olm.bundle\nproperties: [1]\n', ['invalid-document:1']],
    ['deep nesting', `schema: a\nb: ${'['.repeat(600)}${']'.repeat(600)}\n`, ['invalid-document:1']],
    [
      'very deep nesting in JSON',
      `{"schema":"a","b":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      ['invalid-document:1'],
    ],
  ])('%s is a problem', (_, text, problems) => {
    expect(read(text).problems).toEqual(problems);
  });
});
