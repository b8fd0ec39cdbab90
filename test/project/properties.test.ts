import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProjectFile } from '../../src/project/project-file.ts';
import { checkDomain } from '../../src/project/names/check-domain.ts';
import { checkExternalApiPath } from '../../src/project/names/check-external-api-path.ts';
import { checkGroup } from '../../src/project/names/check-group.ts';
import { checkImage } from '../../src/project/names/check-image.ts';
import { checkKind } from '../../src/project/names/check-kind.ts';
import { checkLicense } from '../../src/project/names/check-license.ts';
import { checkOwner } from '../../src/project/names/check-owner.ts';
import { checkPlural } from '../../src/project/names/check-plural.ts';
import { checkProjectName } from '../../src/project/names/check-project-name.ts';
import { checkRepo } from '../../src/project/names/check-repo.ts';
import { checkShortNames } from '../../src/project/names/check-short-names.ts';
import { checkVersion } from '../../src/project/names/check-version.ts';
import { checkControllerName } from '../../src/project/names/controller-name.ts';
import { coreResource } from '../../src/project/names/core-resource.ts';
import { derivedNames } from '../../src/project/names/derived-names.ts';
import { kebabCase } from '../../src/project/names/kebab-case.ts';
import { isPackageName, packageName } from '../../src/project/names/package-name.ts';
import { pluralOf } from '../../src/project/names/plural.ts';
import { checkWebhookPath } from '../../src/project/names/webhook-path.ts';
import { codeOf, errorOf } from './error-of.ts';
import { resource } from './example-project.ts';
import { unicodeCharacter } from '../support/unicode-character.ts';
import { propertyRuns } from '../support/property-runs.ts';

/** What the API server itself demands, written down apart from the code under test. */
const isLabel1123 = (name: string) => name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
const isLabel1035 = (name: string) => isLabel1123(name) && /^[a-z]/.test(name);
const isSubdomain = (name: string) => name.length <= 253 && name.split('.').every(isLabel1123);

/** Strings of all sorts, and strings that come close to names. */
const anyString = fc.oneof(
  fc.string({ unit: unicodeCharacter, maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(...Array.from('abzAZ019-._/:@ \n\t*$\'"`\\éK\u2028')), maxLength: 80 }),
  fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9./@:_-]{0,70}$/),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,65}$/),
  fc.stringMatching(/^[A-Z][a-zA-Z0-9]{0,65}$/),
  fc.string({ maxLength: 20 }).map((part) => part.repeat(1000)),
);

const validators: [name: string, check: (value: string) => unknown, holds: (value: string) => boolean][] = [
  ['domain', checkDomain, isSubdomain],
  ['group', (group) => checkGroup(group, 'example.com'), (group) => isSubdomain(`${group}.example.com`)],
  ['version', checkVersion, (version) => isLabel1035(version) && /^v\d+((alpha|beta)\d+)?$/.test(version)],
  [
    'kind',
    checkKind,
    (kind) =>
      isLabel1035(kind.toLowerCase()) && isLabel1035(`${kind}List`.toLowerCase()) && /^[A-Z]\w*$/.test(kind),
  ],
  ['plural', (plural) => checkPlural(plural, 'a.b'), isLabel1035],
  [
    'short name',
    (name) => checkShortNames([name], { kind: 'Captain', plural: 'captains', others: [] }),
    isLabel1035,
  ],
  ['project name', checkProjectName, (name) => derivedNames(name).every(isLabel1035)],
  ['repo', checkRepo, (repo) => isPackageName(packageName(repo))],
  ['image', checkImage, (image) => /^[\w.:/@[\]-]+$/.test(image)],
  ['owner', checkOwner, (owner) => !owner.includes('*/') && owner.split(/[\n\r\u2028]/).length === 1],
  ['license', checkLicense, (license) => ['apache2', 'mit', 'none'].includes(license)],
  [
    'webhook path',
    (path) => checkWebhookPath(path, []),
    (path) => path.startsWith('/') && path.slice(1).split('/').every(isSubdomain),
  ],
  ['controller name', (name) => checkControllerName(name, []), isLabel1035],
  [
    'external API path',
    checkExternalApiPath,
    (path) => /^[\w@./~-]+$/.test(path) && !path.split('/').includes('..') && !path.startsWith('/'),
  ],
  ['built-in kind', (kind) => coreResource('apps', 'v1', kind), (kind) => /^[A-Z][A-Za-z]+$/.test(kind)],
];

describe.each(validators)('any string as a %s', (_name, check, holds) => {
  test('is accepted only when the real rule holds, and refused in two clear lines otherwise', () => {
    fc.assert(
      fc.property(anyString, (value) => {
        const isAccepted = codeOf(() => check(value)) === undefined;
        const isClear = () => /^[A-Z]+(_[A-Z]+)*$/.test(errorOf(() => check(value)).code);

        expect([value, isAccepted ? holds(value) : isClear()]).toEqual([value, true]);
      }),
      { numRuns: propertyRuns(125) },
    );
  });
});

describe('any kind', () => {
  const kinds = fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,58}$/);

  test('has a plural and a file name that are labels', () => {
    fc.assert(
      fc.property(kinds, (kind) => {
        expect(isLabel1035(pluralOf(kind).slice(0, 63).replace(/-+$/, ''))).toBe(true);
        expect(kebabCase(kind)).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
        expect(kebabCase(kind).replaceAll('-', '')).toBe(kind.toLowerCase());
      }),
    );
  });
});

describe('any PROJECT', () => {
  /** A comment or a key that ots does not know, in the place of any line. */
  const extra = fc.constantFrom(
    '# note',
    '# "quoted": {',
    'x-a: {b: [1, 2], c: "d"}',
    "x-b: 'it''s'",
    'x-c:\n- 1\n- {k: v}',
    '',
  );
  const lines = ['version: "3"', 'layout: [typescript.ots/v1]', 'domain: example.com', 'projectName: fleet'];
  const kinds = fc.uniqueArray(fc.constantFrom('Captain', 'Sailor', 'Ship', 'Harbour', 'DNS'), {
    minLength: 1,
  });
  const project = fc
    .tuple(fc.shuffledSubarray(lines, { minLength: 4 }), fc.uniqueArray(extra), fc.constantFrom('\n', '\r\n'))
    .map(([head, extras, eol]) =>
      [...head.flatMap((line, index) => [line, ...extras.slice(index, index + 1)]), '']
        .join('\n')
        .replaceAll('\n', eol),
    );

  test('keeps every line that it had, whatever is recorded', () => {
    fc.assert(
      fc.property(project, kinds, fc.boolean(), (text, names, controller) => {
        const file = ProjectFile.parse(text);
        for (const kind of names) file.addOrMergeResource(resource({ kind, controller }));
        for (const kind of names) file.addOrMergeResource(resource({ kind, webhooks: { validation: true } }));
        const result = file.toString();

        const kept = result.split('\n');
        for (const line of text.split('\n').filter(Boolean)) expect(kept).toContain(line);
        expect(ProjectFile.parse(result).project).toEqual(file.project);
        expect(file.project.resources.map(({ kind }) => kind)).toEqual(names);
        expect(result.includes('\r')).toBe(text.includes('\r'));
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('is read or refused with a position, whatever it holds', () => {
    const junk = fc.oneof(
      fc.string({ unit: unicodeCharacter, maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...Array.from('ab:-[]{}&*!|>\'"#%@`,?~\t \n')), maxLength: 200 }),
      fc
        .tuple(
          fc.constantFrom(...lines),
          fc.string({ unit: fc.constantFrom(...Array.from(':-[]{}&*!|\'"# \n')), maxLength: 8 }),
          fc.nat(80),
        )
        .map(([line, noise, at]) => {
          const text = `${lines.join('\n')}\nresources:\n- {group: crew, kind: Captain, version: v1, domain: ${line}}\n`;
          return text.slice(0, at) + noise + text.slice(at);
        }),
      fc.json().map((json) => `${lines.join('\n')}\nresources: ${json}\nplugins: ${json}\n`),
    );
    fc.assert(
      fc.property(junk, (text) => {
        const isAccepted = codeOf(() => ProjectFile.parse(text)) === undefined;
        const place = () => /^PROJECT:\d+:\d+: /.exec(errorOf(() => ProjectFile.parse(text)).message);

        expect([text, isAccepted || place() !== null]).toEqual([text, true]);
      }),
      { numRuns: propertyRuns(250) },
    );
  });
});
