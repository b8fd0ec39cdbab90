import type { ReconcileRecord } from 'ots-runtime/debugging';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import type { DevState } from '../../dev/model/dev-state.ts';
import { endedState } from '../../dev/operator/reconcile-state.ts';
import { startPage } from '../../dev/server/start-page.ts';
import { initialState } from '../../dev/store/initial-state.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { OtsError } from '../../errors/ots-error.ts';

/**
 * Shows records on the page of `ots dev`, until a signal ends it.
 *
 * @param records the newest first
 * @param operator where they come from
 * @throws InterruptedError when the page is closed
 */
export async function showPage(
  records: readonly ReconcileRecord[],
  operator: string,
  { json }: CommonOptions,
  { stdout, untilSignal }: Context,
): Promise<never> {
  const signal = untilSignal();
  const state = stateOf(records, operator);
  const page = await startPage({
    state: () => state,
    // Nothing changes.
    subscribe: () => () => {},
    act: () => Promise.reject(onlyRecords()),
    host: '127.0.0.1',
  });
  stdout.write(
    json ? `${JSON.stringify({ page: page.url })}\n` : `${page.url}#/reconciles\nPress Ctrl-C to stop.\n`,
  );
  const name = await signal;
  await page.close();
  throw new InterruptedError(name);
}

function stateOf(records: readonly ReconcileRecord[], operator: string): DevState {
  const initial = initialState(operator, '', false);
  return {
    ...initial,
    cluster: { ...initial.cluster, url: operator },
    operator: { ...initial.operator, phase: 'running' },
    reconciles: records.map(endedState).toReversed(),
  };
}

function onlyRecords(): OtsError {
  return new OtsError('ONLY_RECORDS', 'This page shows what happened, and does not reach the operator', {
    hint: 'Use kubectl to change something in the cluster.',
  });
}
