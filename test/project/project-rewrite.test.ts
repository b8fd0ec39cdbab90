import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/project/project.ts';
import { ProjectFile } from '../../src/project/project-file.ts';
import { resource } from './example-project.ts';

/** Applies changes to a PROJECT file and returns its new text. */
function rewrite(text: string, ...changes: ((file: ProjectFile) => void)[]): string {
  const file = ProjectFile.parse(text);
  for (const change of changes) change(file);
  return file.toString();
}

const addSailor = (file: ProjectFile) =>
  file.addOrMergeResource(resource({ kind: 'Sailor', path: undefined, controller: true }));
const addDefaulting = (file: ProjectFile) =>
  file.addOrMergeResource(resource({ api: undefined, path: undefined, webhooks: { defaulting: true } }));
const nameController = (file: ProjectFile) =>
  file.addOrMergeResource(resource({ api: undefined, path: undefined, controllers: [{ name: 'backup' }] }));

const decorated = `# Mine
version: '3'   # three

layout:   "typescript.ots/v1"
x-team: {name:   fleet, pager: [1,2]}   # unknown to ots
resources:   # all of them
  # the first
  - kind:    Captain   # the kind
    group: crew
    version: v1
    domain: example.com
    controller: true # one
    x-note: >-
      folded
      text
    # behind the captain

# about the domain
domain: example.com
projectName: fleet
__proto__: {a: 1}
`;

describe('PROJECT is rewritten in place', () => {
  test('does not change a byte when nothing is added', () => {
    for (const text of [
      decorated,
      decorated.replaceAll('\n', '\r\n'),
      `\uFEFF${decorated}`,
      decorated.trimEnd(),
    ]) {
      expect(rewrite(text)).toBe(text);
      expect(
        rewrite(text, (file) => file.addOrMergeResource(resource({ api: undefined, path: undefined }))),
      ).toBe(text);
    }
  });

  test('appends a resource behind the comments of the last one, indented like it', () => {
    expect(rewrite(decorated, addSailor)).toBe(
      decorated.replace(
        '    # behind the captain\n',
        `    # behind the captain
  - api:
      crdVersion: v1
      namespaced: true
    controller: true
    domain: example.com
    group: crew
    kind: Sailor
    version: v1
`,
      ),
    );
  });

  test('adds keys behind those of the entry', () => {
    expect(rewrite(decorated, addDefaulting)).toBe(
      decorated.replace(
        '      text\n',
        '      text\n    webhooks:\n      defaulting: true\n      webhookVersion: v1\n',
      ),
    );
  });

  test('puts the list of controllers in the place of the flag, and keeps its comment', () => {
    expect(rewrite(decorated, nameController)).toBe(
      decorated.replace(
        '    controller: true # one\n',
        '    controllers:\n      - name: captain\n      - name: backup # one\n',
      ),
    );
  });

  test('replaces a value and nothing around it', () => {
    expect(rewrite(decorated, (file) => file.set('domain', 'other.org'))).toBe(
      decorated.replace('\ndomain: example.com', '\ndomain: other.org'),
    );
    expect(rewrite(`${decorated}multigroup:   false  # no\n`, (file) => file.set('multigroup', true))).toBe(
      `${decorated}multigroup:   true  # no\n`,
    );
  });

  test('adds a key to a file in alphabetical order where it belongs, and to any other at its end', () => {
    const sorted = 'domain: a.b\nlayout:\n- typescript.ots/v1\nprojectName: fleet\nversion: "3"\n';

    expect(rewrite(sorted, (file) => file.set('multigroup', true))).toBe(
      sorted.replace('projectName', 'multigroup: true\nprojectName'),
    );
    expect(rewrite(sorted, (file) => file.set('cliVersion', '1.0.0'))).toBe(`cliVersion: 1.0.0\n${sorted}`);
    expect(rewrite(decorated, (file) => file.set('multigroup', true))).toBe(`${decorated}multigroup: true\n`);
  });

  test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['no line break at the end', (text: string) => text.replace(/\n$/, '')],
    ['empty lines at the end', (text: string) => `${text}\n\n`],
  ])('keeps %s', (_name, change) => {
    const file = ProjectFile.parse(change(decorated));
    const plain = ProjectFile.parse(decorated);
    for (const apply of [addSailor, addDefaulting, nameController]) {
      apply(file);
      apply(plain);
    }

    expect(file.toString()).toBe(change(plain.toString()));
  });

  test.each([
    ['dashes below the key', 'resources:\n- kind: Captain\n', '  ', '- api:\n    crdVersion: v1\n'],
    [
      'dashes right of the key',
      'resources:\n    - kind: Captain\n',
      '      ',
      '    - api:\n        crdVersion: v1\n',
    ],
  ])('follows %s', (_name, entry, indent, expected) => {
    const text = `version: "3"\nlayout: typescript.ots/v1\ndomain: a.b\nprojectName: fleet\n${entry}${[
      'group: crew',
      'version: v1',
      'domain: example.com',
    ]
      .map((line) => `${indent}${line}\n`)
      .join('')}`;

    expect(rewrite(text, addSailor)).toContain(text + expected);
  });

  test.each([
    ['an empty flow list', 'resources: []  # none\n', 'resources:  # none\n- api:\n'],
    ['no value', 'resources:   # none\n', 'resources:   # none\n- api:\n'],
    ['a null', 'resources: ~\n', 'resources:\n- api:\n'],
    [
      'an entry in flow style',
      `resources: [{kind: Captain, group: crew, version: v1, domain: a.b}]\n`,
      'domain: a.b}, { api: {',
    ],
  ])('fills a list that is %s', (_name, list, expected) => {
    const head = 'version: "3"\nlayout: typescript.ots/v1\ndomain: a.b\nprojectName: fleet\n';

    expect(rewrite(head + list, addSailor)).toContain(head + list.slice(0, 10));
    expect(rewrite(head + list, addSailor)).toContain(expected);
  });

  test('adds to an entry in flow style on its line', () => {
    const text =
      'version: "3"\nlayout: typescript.ots/v1\ndomain: a.b\nprojectName: fleet\nresources:\n' +
      '- {group: crew, kind: Captain, version: v1, domain: example.com, controller: true, api: {}} # short\n';

    expect(rewrite(text, addDefaulting, nameController)).toBe(
      text.replace(
        'controller: true, api: {}}',
        'controllers: [ { name: captain }, { name: backup } ], api: {}, webhooks: { defaulting: true, webhookVersion: v1 }}',
      ),
    );
  });
});

describe('what leaves PROJECT', () => {
  const reduce =
    (kind: string, left: Partial<Resource>) =>
    (file: ProjectFile): void => {
      const known = file.project.resources.find((candidate) => candidate.kind === kind)!;
      file.reduceResource(known, { ...known, ...left });
    };
  const nothing = { api: undefined, controller: false, controllers: [], webhooks: undefined };

  test('is exactly what was added, in every layout', () => {
    const flow = `version: '3'\nlayout: typescript.ots/v1\ndomain: example.com\nprojectName: fleet\nresources: [{group: crew, kind: Captain, version: v1, domain: example.com, controller: true}]\n`;
    const layouts = [
      decorated,
      decorated.replaceAll('\n', '\r\n'),
      `\uFEFF${decorated}`,
      decorated.trimEnd(),
      flow,
    ];
    for (const text of layouts) {
      expect(rewrite(text, addSailor, reduce('Sailor', nothing))).toBe(text);
      expect(rewrite(text, addDefaulting, reduce('Captain', { webhooks: undefined }))).toBe(text);
    }
  });

  test('leaves the comments between entries, and takes those inside', () => {
    expect(rewrite(decorated, reduce('Captain', nothing))).toBe(
      decorated.replace(/resources:[^]*# behind the captain\n/, '  # the first\n'),
    );
  });

  test('takes the first key of an entry, and the rest moves behind the dash', () => {
    const text = decorated
      .replace(
        '  - kind:    Captain   # the kind\n    group: crew\n',
        '  - controller: true # one\n    # which\n    kind: Captain\n    group: crew\n',
      )
      .replace('    controller: true # one\n    x-note', '    x-note');
    expect(rewrite(text, addDefaulting, reduce('Captain', { controller: false }))).toContain(
      '  - # which\n    kind: Captain\n',
    );
  });

  test('takes one item of a list, and keeps the others', () => {
    const named = rewrite(decorated, nameController);
    const once = rewrite(named, (file) =>
      file.addOrMergeResource(
        resource({ api: undefined, path: undefined, controllers: [{ name: 'other' }] }),
      ),
    );
    const names = ['captain', 'backup'].map((name) => ({ name }));
    expect(rewrite(once, reduce('Captain', { controllers: names }))).toBe(named);
  });
});
