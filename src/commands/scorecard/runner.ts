// The process of a custom test of `ots scorecard`: it lets Node load TypeScript, runs the test, and reports what it returned. A bundle
// of its own.
import { register } from 'node:module';
import type { FromRunner, TestInput, ToRunner } from './runner-message.ts';

/** Requests for a cluster that wait, by number. */
const waiting = new Map<number, { resolve: (kubeconfig: string) => void; reject: (error: Error) => void }>();

function report(message: FromRunner): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

/** Sets KUBECONFIG, too, so clients find the cluster by themselves. */
async function cluster({ operator = false }: { operator?: boolean } = {}): Promise<{ kubeconfig: string }> {
  const id = waiting.size + 1;
  const answer = new Promise<string>((resolve, reject) => waiting.set(id, { resolve, reject }));
  await report({ type: 'cluster', id, operator });
  const kubeconfig = await answer;
  process.env['KUBECONFIG'] = kubeconfig;
  return { kubeconfig };
}

function receive(message: ToRunner): void {
  if (message.type === 'run') void run(message.input);
  else if (message.type === 'cluster') waiting.get(message.id)?.resolve(message.kubeconfig);
  else waiting.get(message.id)?.reject(new Error(message.problem));
}

async function run({ module, ...input }: TestInput): Promise<void> {
  await report(await outcome(module, { ...input, cluster }));
  process.exit();
}

async function outcome(module: string, context: object): Promise<FromRunner> {
  let test: unknown;
  try {
    ({ default: test } = (await import(module)) as { default?: unknown });
  } catch (error) {
    return { type: 'broken', problem: `the module cannot be loaded: ${firstLine(error)}` };
  }
  if (typeof test !== 'function')
    return { type: 'broken', problem: 'the module has no function as its default export' };
  let value: unknown;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any function can be called
    value = await (test as (context: object) => unknown)(context);
  } catch (error) {
    console.error(error);
    return { type: 'failed', problem: firstLine(error) };
  }
  try {
    const json = JSON.stringify(value) as string | undefined;
    return { type: 'returned', ...(json !== undefined && { json }) };
  } catch (error) {
    return { type: 'broken', problem: `what the test returned is not JSON: ${firstLine(error)}` };
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n')[0] || 'it threw an error without a message';
}

// Without `ots scorecard` nothing would end the test.
process.on('disconnect', () => process.exit());
register('./dev-hooks.mjs', import.meta.url);
process.on('message', receive);
