import { expect, test } from 'vitest';
import { type Thing, thing } from '../../test/thing.ts';
import { UsageError } from '../errors/usage-error.ts';
import { Pause, type PauseOptions } from './pause.ts';
import { generationChanged, matchesLabels } from './predicates.ts';

const annotation = 'example.com/paused';

function at(value: string | undefined, more: Partial<Thing['metadata']> = {}): Thing {
  const annotations: Record<string, string> = value === undefined ? {} : { [annotation]: value };
  return {
    ...thing('a'),
    metadata: { name: 'a', namespace: 'default', generation: 1, annotations, ...more },
  };
}

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

test.each([
  ['true', 'paused'],
  ['', 'paused'],
  ['until Monday', 'paused'],
  ['0', 'paused'],
  ['false', 'active'],
  [' False ', 'active'],
  [undefined, 'active'],
])('an object with the value %j is %s', (value, state) => {
  expect(new Pause(annotation).stateOf(at(value))).toBe(state);
});

test('an object without annotations, and one that does not exist, are active', () => {
  const pause = new Pause(annotation);
  expect([pause.stateOf(thing('a')), pause.stateOf(undefined)]).toEqual(['active', 'active']);
});

test.each<[PauseOptions, string]>([
  [{}, 'deletion paused'],
  [{ deletion: 'wait' }, 'deletion paused'],
  [{ deletion: 'reconcile' }, 'active'],
])('a paused object that is being deleted, with %j, is %s', (options, state) => {
  expect(new Pause(annotation, options).stateOf(at('true', deleted))).toBe(state);
});

test('what pauses or resumes an object passes predicates that ignore annotations, and not those that select objects', () => {
  const pause = new Pause(annotation, { deletion: 'reconcile' });
  const predicate = pause.within<Thing>([generationChanged(), matchesLabels('shard=1')]);
  const labels = { shard: '1' };
  const passes = (before: Thing, after: Thing): boolean => predicate.update!(before, after);
  const [active, paused] = [at(undefined, { labels }), at('true', { labels })];
  expect(passes(active, paused)).toBe(true);
  expect(passes(paused, active)).toBe(true);
  expect(passes(paused, at('yes', { labels }))).toBe(false);
  expect(passes(paused, at('true', { labels, ...deleted }))).toBe(true);
  expect(passes(active, at(undefined, { labels, generation: 2 }))).toBe(true);
  expect(passes(at(undefined), at('true'))).toBe(false);
});

test.each(['', 'with space', 'a/b/c', '/name'])('%j is not the name of an annotation', (name) => {
  expect(() => new Pause(name)).toThrow(UsageError);
});
