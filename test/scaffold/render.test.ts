import { describe, expect, test } from 'vitest';
import { compileTemplate } from '../../src/scaffold/compile-template.ts';
import { listTemplates, renderName, renderTemplate } from '../../src/scaffold/render.ts';

describe('compileTemplate', () => {
  test('finds the variables of every branch, also of branches that are not rendered', () => {
    const text =
      '{{a}}{{#if b}}{{c}}{{else}}{{d}}{{/if}}{{#each e}}{{this}}{{item}}{{../f}}{{@index}}{{/each}}{{#unless g}}x{{/unless}}';
    expect(compileTemplate(text).names).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('keeps raw blocks', () => {
    expect(compileTemplate('{{{{raw}}}}${{ github.ref }}{{{{/raw}}}}{{a}}').names).toEqual(['a']);
  });

  test('refuses an invalid template', () => {
    expect(() => compileTemplate('{{#if a}}')).toThrow('Parse error');
  });
});

describe('renderTemplate', () => {
  test('refuses missing variables and names them', () => {
    expect(() => renderTemplate('typescript/api/types.ts', { kind: 'X' })).toThrow(
      /typescript\/api\/types\.ts names unknown variables: .*projectName/,
    );
  });

  test('knows every template by name', () => {
    const names = listTemplates('typescript');
    expect(names).toContain('typescript/init/.github/workflows/test.yml');
    expect(names.length).toBeGreaterThan(60);
  });
});

describe('renderName', () => {
  test('fills in variables and refuses unknown ones', () => {
    expect(renderName('config/{{group}}_{{kind}}.yaml', { group: 'g', kind: 'k' })).toBe('config/g_k.yaml');
    expect(() => renderName('{{nope}}.yaml', {})).toThrow('unknown variable nope');
  });
});
