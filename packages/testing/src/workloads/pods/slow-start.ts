/**
 * Makes a number of calls in batches of 1, 2, 4 and so on. A batch with an error is the last one: where one pod is refused, others
 * would be refused, too. Unlike in Kubernetes, the calls of a batch wait for each other, which makes their order certain.
 *
 * @param call receives the index of the call
 * @throws the first error of the last batch
 */
export async function slowStart(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (let done = 0, size = 1; done < count && errors.length === 0; size *= 2) {
    for (const end = Math.min(done + size, count); done < end; done++) {
      await call(done).catch((error: unknown) => errors.push(error));
    }
  }
  if (errors.length > 0) throw errors[0];
}
