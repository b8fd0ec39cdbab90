// A process of bench/torture.mjs: searches the operators that it receives, one after the other.
import { torture } from 'ots-testing';
import { setupOf } from './setup-of.ts';
import type { Variant } from './subject.ts';
import { subjects } from './subjects.ts';

/** What to search, and for how long. */
interface Order {
  readonly name: string;
  readonly variant: Variant;
  readonly budget?: `${number}s`;
}

async function search({ name, variant, budget }: Order): Promise<object> {
  const before = process.cpuUsage();
  const report = await torture(setupOf(subjects[name]!, variant), budget === undefined ? {} : { budget });
  const { user, system } = process.cpuUsage(before);
  return { name, variant, report, cpuMilliseconds: (user + system) / 1000 };
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  search(order).then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ ...order, error: String(error) }),
  );
});
const known = Object.entries(subjects).map(([name, { bugs, pattern, prevented }]) => ({
  name,
  bugs,
  pattern,
  guard: prevented?.by,
}));
process.send!({ known });
