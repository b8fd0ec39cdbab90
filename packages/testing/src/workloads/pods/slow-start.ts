import { attemptAll } from './attempt-all.ts';

/**
 * Makes a number of calls in batches of 1, 2, 4 and so on. A batch with an error is the last one: where one pod is refused, others
 * would be refused, too. Unlike in Kubernetes, the calls of a batch wait for each other, which makes their order certain.
 *
 * @param call receives the index of the call
 * @throws the first error of the last batch
 */
export async function slowStart(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start = 2 * start + 1) {
    const length = Math.min(start + 1, count - start);
    const batch = Array.from({ length }, (_, index) => start + index);
    await attemptAll(batch, call);
  }
}
