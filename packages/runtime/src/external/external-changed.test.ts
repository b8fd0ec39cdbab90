import { expect, test } from 'vitest';
import { bucket } from '../../test/buckets.ts';
import { externalChanged } from './external-changed.ts';

const id = 'runtime.ots/external-id';
const started = 'runtime.ots/external-create-started';
const created = 'runtime.ots/external-created';
const failed = 'runtime.ots/external-create-failed';

const at = (annotations: Record<string, string>, generation = 1) => ({
  ...bucket('a'),
  metadata: { name: 'a', generation, ...(Object.keys(annotations).length > 0 && { annotations }) },
});

test.each<[string, Record<string, string>, Record<string, string>, boolean]>([
  ['nothing', {}, {}, false],
  ['another annotation', { [id]: 'a' }, { [id]: 'a', team: 'b' }, true],
  ['the identity of a new object', {}, { [id]: 'a', [started]: 'now' }, false],
  ['another creation', { [id]: 'a', [started]: 'then' }, { [id]: 'a', [started]: 'now' }, false],
  ['the begin of a creation', {}, { [started]: 'now' }, false],
  ['the begin of another creation', { [id]: 'a', [created]: 'then' }, { [started]: 'now' }, false],
  ['the result of a creation', { [started]: 'then' }, { [id]: 'a', [created]: 'now' }, false],
  ['the refusal of a creation', { [started]: 'then' }, { [failed]: 'now' }, false],
  ['the ID that a person found', { [started]: 'then' }, { [started]: 'then', [id]: 'a' }, true],
  ['the word of a person that nothing was made', { [started]: 'then' }, {}, true],
])('an update of %s', (_, before, after, passes) => {
  expect(externalChanged().update!(at(before), at(after))).toBe(passes);
  expect(externalChanged().update!(at(before), at(after, 2))).toBe(true);
});
