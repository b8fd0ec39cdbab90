import { expect, test } from 'vitest';
import { disturbancesOf } from './disturbance.ts';

const watched = new Set(['deployments.apps', 'pods']);

test('each write is disturbed in three ways, and each watch is late, alone and with all others', () => {
  expect(disturbancesOf({ maxWrites: 5, watched }, Infinity)).toHaveLength(5 * 3 + 3);
});

test('a limit spreads the disturbances over all writes', () => {
  const titles: string[] = [];
  const disturbances = disturbancesOf({ maxWrites: 45, watched }, 4);
  expect(disturbances).toHaveLength(4 * 3 + 3);
  const killed = (number: number, disturbance: (typeof disturbances)[number]) => {
    const run = { note: (title: string) => titles.push(title), killOperator: () => {} };
    const write = { verb: 'patch', resource: 'pods', namespace: 'default', name: 'web' };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a kill needs of them
    void disturbance.after?.(run as never, write as never, number);
  };
  for (const disturbance of disturbances.slice(0, 4))
    for (let number = 1; number <= 45; number += 1) killed(number, disturbance);
  expect(titles.map((title) => /write (\d+)/.exec(title)?.[1])).toEqual(['1', '12', '23', '34']);
});
