import { expect, test } from 'vitest';
import { Holds } from '../../../src/dev/operator/holds.ts';

const object = (name: string, namespace?: string) => ({
  controller: 'website',
  name,
  ...(namespace !== undefined && { namespace }),
});

/** Which reconciles run, in their order. */
function setUp() {
  const holds = new Holds();
  const ran: string[] = [];
  const admit = (name: string, namespace?: string): void => {
    const held = holds.admit(object(name, namespace));
    if (held) void held.then(() => ran.push(name));
    else ran.push(name);
  };
  const afterwards = async (): Promise<string[]> => {
    await Promise.resolve();
    return ran.splice(0);
  };
  return { holds, admit, afterwards };
}

test('without a pause, all run', async () => {
  const { holds, admit, afterwards } = setUp();
  holds.step();
  admit('a');
  expect(await afterwards()).toEqual(['a']);
});

test('a pause of all holds them until they step one by one, or resume in their order', async () => {
  const { holds, admit, afterwards } = setUp();
  holds.pause();
  for (const name of ['a', 'b', 'c', 'd']) admit(name);
  expect(await afterwards()).toEqual([]);
  holds.step();
  expect(await afterwards()).toEqual(['a']);
  holds.step(object('c'));
  holds.step(object('none'));
  expect(await afterwards()).toEqual(['c']);
  holds.resume();
  expect(await afterwards()).toEqual(['b', 'd']);
  admit('e');
  expect(await afterwards()).toEqual(['e']);
});

test('a pause of one object holds only that one', async () => {
  const { holds, admit, afterwards } = setUp();
  holds.pause(object('a', 'default'));
  admit('a', 'default');
  admit('a', 'other');
  admit('a');
  expect(await afterwards()).toEqual(['a', 'a']);
  holds.resume(object('a', 'other'));
  expect(await afterwards()).toEqual([]);
  holds.resume(object('a', 'default'));
  expect(await afterwards()).toEqual(['a']);
});

test('an object that is paused alone stays so until all resume', async () => {
  const { holds, admit, afterwards } = setUp();
  holds.pause();
  holds.pause(object('a'));
  admit('a');
  holds.resume(object('a'));
  expect(await afterwards()).toEqual([]);
  holds.pause(object('a'));
  holds.resume();
  expect(await afterwards()).toEqual(['a']);
  admit('a');
  expect(await afterwards()).toEqual(['a']);
});
