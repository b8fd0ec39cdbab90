import { expect, test } from 'vitest';
import { Sight } from './sight.ts';

const db = (uid: string, kind?: string) => ({
  ...(kind && { kind }),
  metadata: { name: 'db', namespace: 'a', uid },
});
const asked = (uid: string, kind = 'Pod') => ({ kind, namespace: 'a', name: 'db', uid });

test.each([
  ['a response', JSON.stringify(db('1', 'Pod'))],
  [
    'a list, whose items do not say their kind',
    Buffer.from(JSON.stringify({ kind: 'PodList', items: [db('1')] })),
  ],
  ['an event of a watch', `${JSON.stringify({ type: 'ADDED', object: db('1', 'Pod') })}\n`],
])('an operator knows objects from %s', (_, json) => {
  const sight = new Sight();
  sight.receive(json);
  expect(sight.knowsOnlyAnother(asked('1'))).toBe(false);
  expect(sight.knowsOnlyAnother(asked('2'))).toBe(true);
  expect(sight.knowsOnlyAnother(asked('2', 'Service'))).toBe(false);
});

test('an operator that has seen both objects of a name knows both', () => {
  const sight = new Sight();
  for (const uid of ['1', '2']) sight.receive(JSON.stringify(db(uid, 'Pod')));
  expect([asked('1'), asked('2'), asked('3')].map((object) => sight.knowsOnlyAnother(object))).toEqual([
    false,
    false,
    true,
  ]);
});

test('an operator that has received what cannot be read here may know every object', () => {
  const sight = new Sight();
  sight.receive('ok');
  sight.receive(JSON.stringify({ kind: 'PodList', items: null }));
  sight.receive(JSON.stringify(db('1', 'Pod')));
  sight.receiveUnread();
  expect(sight.knowsOnlyAnother(asked('2'))).toBe(false);
});
