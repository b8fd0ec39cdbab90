import { expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { conditionTrue } from '../conditions/condition-true.ts';
import { type ObjectSource, waitForObject } from './wait-for-object.ts';

const key = { name: 'a', namespace: 'default' };

function reader(states: (Thing | undefined | Error)[]): ObjectSource {
  const get = (): Thing | undefined => {
    const state = states.length > 1 ? states.shift() : states[0];
    if (state instanceof Error) throw state;
    return state;
  };
  return { get } as ObjectSource;
}

const withStatus = (status: string): Thing =>
  Object.assign(thing('a'), {
    status: { secret: 'hidden', conditions: [{ type: 'Ready', status, reason: 'Why' }] },
  });

test('returns the object for which the predicate held', async () => {
  const clock = new VirtualClock();
  const ready = withStatus('True');
  const states = reader([undefined, new Error('away'), withStatus('False'), ready]);
  const waiting = waitForObject(states, Thing, key, conditionTrue('Ready'), { clock });
  await settled();
  await clock.advance(750);
  expect(await waiting).toBe(ready);
});

test('can wait for the deletion of an object', async () => {
  const clock = new VirtualClock();
  const options = { clock, interval: undefined };
  const waiting = waitForObject(reader([thing('a'), undefined]), Thing, key, (object) => !object, options);
  await settled();
  expect(Math.min(...clock.delays)).toBe(250);
  await clock.advance(250);
  expect(await waiting).toBeUndefined();
});

test.each([
  [withStatus('False'), 'Ready=False Why'],
  [undefined, 'the object does not exist'],
  [thing('a'), 'no conditions'],
  [
    { ...withStatus('True'), metadata: { name: 'a', deletionTimestamp: 'now', generation: 1 } },
    'being deleted, Ready=True Why',
  ],
])('the error contains the last conditions and nothing else', async (last, text) => {
  const clock = new VirtualClock();
  const waiting = waitForObject(reader([last]), Thing, key, () => false, { clock, timeout: '1s' }).catch(
    (error: unknown) => error,
  );
  await settled();
  await clock.advance(1000);
  const error = (await waiting) as Error;
  expect(error.message).toBe(
    `Timed out after 1000 ms waiting for the condition on the Thing default/a (${text})`,
  );
});
