import { eventually } from './eventually.ts';

/** Resources that come and go without the code under test: pipes to the test runner, and turns of the event loop. */
const ofTheRunner = /^(?:PipeWrap|Immediate)$/;

/** The kinds of what keeps this process running, such as TCPSocketWrap, FSEventWrap and Timeout: one per resource. */
export function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => !ofTheRunner.test(kind));
}

/**
 * Waits until this process has nothing open. A test calls it before its work and after its work. A comparison of two
 * counts would fail on a busy machine: the first count includes timers of the test runner and connections of earlier
 * tests, which are about to end.
 */
export async function expectNothingOpen(): Promise<void> {
  await eventually(() => openResources().length === 0).catch(() => {
    throw new Error(`still open: ${openResources().join(', ')}`);
  });
}
