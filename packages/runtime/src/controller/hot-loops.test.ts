import { expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { createLogger } from '../logging/create-logger.ts';
import { HotLoops } from './hot-loops.ts';

const versioned = (resourceVersion: string): Thing => {
  const made = thing('a');
  return { ...made, metadata: { ...made.metadata, resourceVersion } };
};

function setUp() {
  const warned: unknown[] = [];
  let looped = 0;
  let version = 0;
  const stream = { write: (line: string) => warned.push((JSON.parse(line) as { name: string }).name) };
  const loops = new HotLoops({ logger: createLogger({ stream }), looped: () => (looped += 1) });
  /** A run that writes, and then the event of that write, or of the write of another client. */
  const run = (name: string, event: 'own' | 'foreign' | 'none' = 'own'): void => {
    const request = { name };
    loops.began(name, request);
    version += 1;
    loops.wrote(name, Thing, 'status', versioned(String(version)));
    loops.ended(name);
    if (event !== 'none') loops.requested(request, event === 'own' ? String(version) : `other-${version}`);
  };
  return { loops, run, warned, looped: () => looped };
}

test('an event that arrives before the response to its write also counts', () => {
  const { loops, warned } = setUp();
  for (let version = 0; version <= 52; version += 1) {
    loops.began('a', { name: 'a' });
    // Something is known of the object from the first write on.
    loops.requested({ name: 'a' }, String(version));
    loops.wrote('a', Thing, 'status', versioned(String(version)));
    loops.ended('a');
  }
  expect(warned).toEqual(['a']);
});

test.each<['foreign' | 'none', string]>([
  ['foreign', 'a change by another client'],
  ['none', 'a run that only its requeueAfter asked for'],
])('%s: %s breaks the chain', (event) => {
  const { run, warned, looped } = setUp();
  for (let round = 0; round < 20; round += 1) {
    for (let each = 0; each < 40; each += 1) run('a');
    run('a', event);
  }
  expect([warned, looped()]).toEqual([[], 0]);
});

test('a request from another source breaks the chain, and so does a reconcile that writes nothing', () => {
  const { loops, run, warned } = setUp();
  for (let round = 0; round < 20; round += 1) {
    for (let each = 0; each < 40; each += 1) run('a');
    loops.requested({ name: 'a' }, undefined);
    for (let each = 0; each < 40; each += 1) run('a');
    loops.began('a', { name: 'a' });
    loops.ended('a');
    expect(loops.size).toBe(0);
  }
  expect(warned).toEqual([]);
});

test('memory is bounded, and some of too many concurrent loops are still found', () => {
  const { loops, run, warned, looped } = setUp();
  // Behind a predicate: the events never come.
  for (let each = 0; each < 5000; each += 1) run(`quiet-${each}`, 'none');
  expect(loops.size).toBe(1000);
  run('loud');
  for (let round = 0; round < 60; round += 1) run('loud');
  expect(warned).toEqual(['loud']);
  for (let round = 0; round < 60; round += 1) for (let each = 0; each < 1500; each += 1) run(`busy-${each}`);
  expect(loops.size).toBe(1000);
  expect(warned.length).toBeGreaterThan(900);
  expect(new Set(warned).size).toBe(warned.length);
  expect(looped()).toBeGreaterThan(warned.length);
});
