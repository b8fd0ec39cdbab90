import { until } from '../../../support/fixtures.ts';
import type { Session } from '../../../support/session.ts';

/** The status of a policy that has been checked. The names of types have random numbers. */
export async function statusOf(session: Session, path: string, generation = 1): Promise<unknown> {
  let status: { observedGeneration?: number } = {};
  await until(async () => {
    ({ status } = (await session.get(path)).body);
    return status?.observedGeneration === generation;
  });
  return JSON.parse(JSON.stringify(status).replaceAll(/\b([A-Z][A-Za-z]+)\d+\b/g, '$1…'));
}
