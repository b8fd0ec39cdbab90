import type { KubernetesObject } from 'ots-kubernetes';
import { describe, expect, test } from 'vitest';
import { SelectorError } from '../selectors/selector-error.ts';
import {
  type Predicate,
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  matchesLabels,
  not,
  or,
} from './predicates.ts';

const object = (metadata: KubernetesObject['metadata']): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Part',
  metadata: { name: 'a', ...metadata },
});
const known = { finalStateUnknown: false };
const web = { labels: { app: 'web' } };
const db = { labels: { app: 'db' } };

/** What passes of a creation, a deletion and an update of these metadata. */
function passes(
  predicate: Predicate<KubernetesObject>,
  before: KubernetesObject['metadata'],
  after: KubernetesObject['metadata'],
): boolean[] {
  return [
    predicate.create?.(object(after)) ?? true,
    predicate.update?.(object(before), object(after)) ?? true,
    predicate.delete?.(object(after), known) ?? true,
  ];
}

describe('predicates of updates let every creation and deletion pass', () => {
  test.each([
    ['generationChanged', generationChanged(), { generation: 1 }, { generation: 2 }, true],
    [
      'generationChanged',
      generationChanged(),
      { generation: 1 },
      { generation: 1, labels: { a: 'b' } },
      false,
    ],
    ['generationChanged', generationChanged(), {}, {}, false],
    [
      'annotationChanged',
      annotationChanged(),
      { annotations: { a: '1' } },
      { annotations: { a: '2' } },
      true,
    ],
    ['annotationChanged', annotationChanged(), { annotations: { a: '1' } }, {}, true],
    [
      'annotationChanged',
      annotationChanged(),
      { annotations: { a: '1', b: '2' } },
      { annotations: { b: '2', a: '1' } },
      false,
    ],
    ['annotationChanged', annotationChanged(), {}, { annotations: {}, ...web }, false],
    ['labelChanged', labelChanged(), web, db, true],
    ['labelChanged', labelChanged(), web, { ...web, annotations: { a: 'b' } }, false],
    ['labelChanged', labelChanged(), { labels: {} }, {}, false],
  ])('%s', (_, predicate, before, after, expected) => {
    expect(passes(predicate, before, after)).toEqual([true, expected, true]);
  });
});

describe('matchesLabels', () => {
  test.each([
    ['passes what it selects', web, web, [true, true, true]],
    ['drops what it does not select', db, db, [false, false, false]],
    ['passes what it selects from now on', db, web, [true, true, true]],
    ['passes what it no longer selects', web, db, [false, true, false]],
    ['drops what has no labels', {}, {}, [false, false, false]],
  ])('%s', (_, before, after, expected) => {
    expect(passes(matchesLabels({ matchLabels: { app: 'web' } }), before, after)).toEqual(expected);
    expect(passes(matchesLabels('app=web'), before, after)).toEqual(expected);
  });

  test('a selector that Kubernetes would refuse is an error at once', () => {
    expect(() => matchesLabels('app in')).toThrow(SelectorError);
  });
});

describe('combinations', () => {
  const yes: Predicate<KubernetesObject> = { create: () => true, update: () => true, delete: () => true };
  const no: Predicate<KubernetesObject> = { create: () => false, update: () => false, delete: () => false };
  const undefinedOnes: Predicate<KubernetesObject> = {};
  const all = [true, true, true];
  const none = [false, false, false];

  test.each([
    ['and of all that pass', and(yes, undefinedOnes), all],
    ['and with one that does not', and(yes, no), none],
    ['and of nothing', and(), all],
    ['or with one that passes', or(no, yes), all],
    ['or of none that pass', or(no, no), none],
    ['or with one that is not defined', or(no, undefinedOnes), all],
    ['not of what passes', not(yes), none],
    ['not of what does not', not(no), all],
    ['not of what is not defined', not(undefinedOnes), none],
    ['nested ones', and(or(no, yes), not(no)), all],
  ])('%s', (_, predicate, expected) => {
    expect(passes(predicate, {}, {})).toEqual(expected);
  });

  test('the details of a deletion reach them', () => {
    const unknown: Predicate<KubernetesObject> = { delete: (_, { finalStateUnknown }) => finalStateUnknown };
    for (const predicate of [and(unknown), or(unknown), not(not(unknown))]) {
      expect(predicate.delete!(object({}), { finalStateUnknown: true })).toBe(true);
      expect(predicate.delete!(object({}), known)).toBe(false);
    }
  });
});
