/** So many requests at a time are polite to a registry. */
const atATime = 8;

/** Maps values with some calls at a time. The results are in the order of the values. */
export async function mapInParallel<Value, Result>(
  values: readonly Value[],
  map: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...values.entries()];
  const work = async (): Promise<void> => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift())
      results[entry[0]] = await map(entry[1]);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return results;
}
