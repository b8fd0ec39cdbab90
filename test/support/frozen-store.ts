import type { StoredRecord } from '../../packages/apiserver/src/storage/stored-record.ts';
import { Table } from '../../packages/apiserver/src/storage/table.ts';

/**
 * Freezes what embedded API servers store. Components of a cluster in the same process share these objects, so nothing may
 * change them: what does so fails its request, and the test.
 */
const isFreezing = Symbol.for('ots frozen store');
if (!(isFreezing in Table.prototype)) {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its table
  const put: (this: Table, ...stored: Parameters<Table['put']>) => StoredRecord = Table.prototype.put;
  const putFrozen: typeof put = function putFrozen(...stored) {
    const record = put.apply(this, stored);
    freezeAll(record.object);
    return record;
  };
  Object.assign(Table.prototype, { [isFreezing]: true, put: putFrozen });
}

/** Without recursion: bodies may be nested 10,000 levels deep. */
function freezeAll(root: object): void {
  const left: object[] = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    Object.freeze(next);
    for (const value of Object.values(next))
      if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) left.push(value as object);
  }
}
