import { expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { runInContext } from '../context/work-context.ts';
import { reconcileContext } from '../testing/reconcile-context.ts';
import { ExternalCalls } from './external-calls.ts';
import { ExternalCallError, ExternalTimeoutError } from './external-errors.ts';
import type { ExternalContext } from './external-resource.ts';

const clock = new VirtualClock();
const calls = new ExternalCalls(clock, 1000);
const never = (): Promise<never> => new Promise(() => {});
const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('the context has the identity and everything of the reconcile, whose reasons stay unread', async () => {
  let reads = 0;
  const context = reconcileContext({ attempt: 3 });
  Object.defineProperty(context, 'reasons', { get: () => (reads += 1), enumerable: true });
  let received: ExternalContext | undefined;
  const work = async (given: ExternalContext): Promise<void> => void (received = given);
  await calls.make({ operation: 'observe', identity: 'a', work }, context);
  expect(reads).toBe(0);
  expect(received).toMatchObject({ identity: 'a', attempt: 3, reconcileId: context.reconcileId });
  expect(received!.signal.aborted).toBe(false);
});

test.each(['create', 'update', 'delete'] as const)(
  '%s is not called by a process that may no longer write, and observe is',
  async (operation) => {
    const fence = (): void => {
      throw new Error('not the leader any more');
    };
    const called: string[] = [];
    const make = (each: 'observe' | typeof operation): Promise<unknown> => {
      const work = async (): Promise<void> => void called.push(each);
      return outcome(calls.make({ operation: each, identity: 'a', work }, reconcileContext()));
    };
    const [read, write] = await runInContext({ fence }, () =>
      Promise.all([make('observe'), make(operation)]),
    );
    expect(read).toBeUndefined();
    expect(write).toEqual(new Error('not the leader any more'));
    expect(called).toEqual(['observe']);
  },
);

test('a call that takes too long fails, and its signal says why', async () => {
  let signal: AbortSignal | undefined;
  const work = (context: ExternalContext): Promise<never> => {
    ({ signal } = context);
    return never();
  };
  const call = outcome(calls.make({ operation: 'create', identity: 'a', work }, reconcileContext()));
  await settled();
  await clock.advance(1000);
  const error = (await call) as ExternalCallError;
  expect(error).toBeInstanceOf(ExternalCallError);
  expect(error).toMatchObject({ code: 'EXTERNAL_CALL', operation: 'create' });
  expect(error.cause).toBeInstanceOf(ExternalTimeoutError);
  expect(signal!.reason).toBe(error.cause);
});

test('a call ends with its reconcile, unless its result could not be found out later', async () => {
  const controller = new AbortController();
  const context = reconcileContext({ signal: controller.signal });
  const interrupted = outcome(calls.make({ operation: 'create', identity: 'a', work: never }, context));
  let finish: ((id: string) => void) | undefined;
  const work = (): Promise<string> => new Promise((resolve) => (finish = resolve));
  const create = { operation: 'create', identity: 'a', isUninterrupted: true } as const;
  const other = calls.make({ ...create, work }, context);
  let refuse: ((error: Error) => void) | undefined;
  const refused = outcome(
    calls.make({ ...create, work: () => new Promise((_, reject) => (refuse = reject)) }, context),
  );
  controller.abort(new Error('the manager stops'));
  expect(await interrupted).toEqual(new Error('the manager stops'));
  finish!('id-1');
  expect(await other).toBe('id-1');
  refuse!(new Error('no'));
  expect(await refused).toMatchObject({ code: 'EXTERNAL_CALL', cause: new Error('no') });
  const late = outcome(calls.make({ operation: 'observe', identity: 'a', work: never }, context));
  expect(await late).toEqual(new Error('the manager stops'));
});

test('a method that throws instead of rejecting fails the call', async () => {
  const work = (): never => {
    throw new Error('bug');
  };
  const call = calls.make({ operation: 'update', identity: 'a', work }, reconcileContext());
  await expect(call).rejects.toThrow('update failed: bug');
});
