import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { type GroupedItem, ReadyGroups } from './ready-groups.ts';

const limit = 2;
const step = record({
  adds: boolean(),
  group: constantFrom(undefined, 'a', 'b', 'c'),
  priority: integer({ min: 0, max: 2 }),
  pick: integer({ min: 0, max: 1000 }),
});

test('whatever is added, handed out and done: limits hold, priorities count, groups take turns, nothing is lost', () => {
  assert(
    property(array(step, { maxLength: 200 }), (steps) => {
      const ready = new ReadyGroups<GroupedItem>(limit);
      const waiting: GroupedItem[] = [];
      const running: GroupedItem[] = [];
      /** How often others of the same priority passed a group whose items could have been handed out. */
      const passedBy = new Map<string | undefined, Map<string | undefined, number>>();
      let order = 0;
      const runningIn = (group: string | undefined) => running.filter((each) => each.group === group).length;
      const handOut = (): void => {
        const open = waiting.filter(({ group }) => runningIn(group) < limit);
        const { first } = ready;
        expect(first === undefined).toBe(open.length === 0);
        if (!first) return;
        const highest = Math.max(...open.map(({ priority }) => priority));
        expect(first.priority).toBe(highest);
        const inGroup = open.filter(({ group, priority }) => group === first.group && priority === highest);
        expect(first.order).toBe(Math.min(...inGroup.map((each) => each.order)));
        const rivals = new Set(open.filter(({ priority }) => priority === highest).map(({ group }) => group));
        rivals.delete(first.group);
        passedBy.delete(first.group);
        for (const rival of rivals) {
          const passes = passedBy.get(rival) ?? new Map<string | undefined, number>();
          passes.set(first.group, (passes.get(first.group) ?? 0) + 1);
          passedBy.set(rival, passes);
          // Once before it was its turn, and never again.
          expect(passes.get(first.group)).toBeLessThanOrEqual(1);
        }
        for (const group of passedBy.keys()) if (!rivals.has(group)) passedBy.delete(group);
        ready.handOut(first);
        waiting.splice(waiting.indexOf(first), 1);
        running.push(first);
      };
      const end = (index: number): void => ready.ended(running.splice(index, 1)[0]!);
      for (const { adds, group, priority, pick } of steps) {
        if (adds) {
          const item = { group, priority, order: (order += 1), previous: undefined, next: undefined };
          waiting.push(item);
          ready.add(item);
        } else if (pick % 3 === 0 && running.length > 0) end(pick % running.length);
        else if (pick % 7 === 0 && waiting.length > 0) {
          const [removed] = waiting.splice(pick % waiting.length, 1);
          ready.remove(removed!);
        } else handOut();
        expect(ready.length).toBe(waiting.length);
        const counted = [...ready.lengths().values()].reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(waiting.length);
      }
      while (waiting.length > 0 || running.length > 0) {
        handOut();
        if (running.length > 0) end(0);
      }
      expect(ready.first).toBeUndefined();
    }),
    { numRuns: propertyRuns(300) },
  );
});
