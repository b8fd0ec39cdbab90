import { expect, test } from 'vitest';
import { ReconcileHistory } from './reconcile-history.ts';
import type { ReconcileRecord } from './reconcile-record.ts';

test('has the last thousand records, the newest first', () => {
  const history = new ReconcileHistory();
  const add = (id: number): void => history.ended({ id: String(id) } as ReconcileRecord);
  const ids = (): number[] => history.newestFirst.map(({ id }) => Number(id));
  add(1);
  add(2);
  expect(ids()).toEqual([2, 1]);
  for (let id = 3; id <= 1500; id += 1) add(id);
  expect(ids()).toEqual(Array.from({ length: 1000 }, (_, index) => 1500 - index));
});
