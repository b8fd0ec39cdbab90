import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Graph } from './graph.ts';

function graph(needs: Record<string, string[]>): Graph {
  return new Graph(new Map(Object.entries(needs)));
}

describe('a graph is refused', () => {
  test.each([
    [{ a: ['a'] }, 'form a cycle: a -> a'],
    [{ z: ['a'], a: ['b'], b: ['c'], c: ['a'] }, 'form a cycle: a -> b -> c -> a'],
    [{ a: ['b'] }, 'a depends on b, which does not exist'],
  ])('%j', (needs: Record<string, string[]>, message) => {
    expect(() => graph(needs)).toThrow(message);
  });
});

test('names that depend on a name that is not reached are not visited, the others are', async () => {
  const visited: string[] = [];
  await graph({ a: [], b: ['a'], c: ['b'], d: [], e: ['d', 'c'], f: ['d'] }).run(async (name) => {
    visited.push(name);
    return name !== 'b';
  });
  expect(visited.toSorted()).toEqual(['a', 'b', 'd', 'f']);
});

test('a rejected visit is reported when the others are done', async () => {
  let isDone = false;
  const running = graph({ a: [], b: [], c: ['b'] }).run(async (name) => {
    if (name === 'a') throw new Error('no');
    await Promise.resolve();
    isDone = name === 'c';
    return true;
  });
  await expect(running).rejects.toThrow('no');
  expect(isDone).toBe(true);
});

/** Names in a random order, each needing some of those before it. */
const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.tuple(
      fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: size, maxLength: size }),
      fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size, maxLength: size },
      ),
    ),
  )
  .map(([links, order]) => {
    const needs = links.map((each, index): [string, string[]] => [
      `n${index}`,
      index === 0 ? [] : [...new Set(each.map((link) => `n${link % index}`))],
    ]);
    return new Map(order.map((index) => needs[index]!));
  });

test('random graphs are visited in order, each name once, and in parallel where possible', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.scheduler(), async (needs, scheduler) => {
      const begun = new Set<string>();
      const done = new Set<string>();
      const running = new Graph(needs).run(async (name) => {
        expect(begun.has(name)).toBe(false);
        for (const each of needs.get(name)!) expect(done.has(each)).toBe(true);
        begun.add(name);
        await scheduler.schedule(Promise.resolve(), name);
        done.add(name);
        return true;
      });
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        // Whatever could have begun has.
        for (const [name, needed] of needs) {
          expect(begun.has(name)).toBe(needed.every((each) => done.has(each)));
        }
        if (scheduler.count() === 0) break;
        await scheduler.waitOne();
      }
      await running;
      expect(done.size).toBe(needs.size);
    }),
  );
});

test('a reversed graph is visited in the reverse order', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (needs) => {
      const order: string[] = [];
      await new Graph(needs).reversed().run(async (name) => order.push(name) > 0);
      for (const [name, needed] of needs) {
        for (const each of needed) expect(order.indexOf(each)).toBeGreaterThan(order.indexOf(name));
      }
    }),
  );
});
