// A process of the search of `ots torture`: it lets Node load TypeScript, and lets the ots-testing of the project torture its operator. A
// bundle of its own.
import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectSetupOptions, TortureReport, projectSetup, torture } from 'ots-testing';
import { oneLine } from '../../output/one-line.ts';
import { locationInStack } from '../../output/location-in-stack.ts';
import type { FromRunner, SearchInput, ToRunner } from './runner-message.ts';

/** How often to say that this process does not hang, in milliseconds. */
const aliveMs = 1000;

const stop = new AbortController();

/** What this process cannot do, and what to do about it. */
class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function report(message: FromRunner): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

function receive(message: ToRunner): void {
  if (message.type === 'stop') stop.abort();
  else void run(message.input);
}

async function run(input: SearchInput): Promise<void> {
  setInterval(() => void report({ type: 'alive' }), aliveMs).unref();
  await report(await outcome(input).catch(failed));
  process.exit();
}

async function outcome({ sample, namespaced, seed, budget, plans, share }: SearchInput): Promise<FromRunner> {
  const testing = await loadTesting();
  const config = await loadConfig();
  const setup = await testing.projectSetup({
    sample: sample.file,
    kind: sample.kind,
    namespaced,
    setup: [
      await loadSetup('src/controllers/index.ts', 'setupControllers'),
      ...(existsSync('src/webhooks/index.ts')
        ? [await loadSetup('src/webhooks/index.ts', 'setupWebhooks')]
        : []),
    ],
    ...(config && { config }),
  });
  const options = {
    seed,
    ...(budget !== undefined && { budget: `${budget}s` as const }),
    ...(plans && { plans }),
    share,
    signal: stop.signal,
    onProgress: (progress: Extract<FromRunner, { type: 'progress' }>['progress']) =>
      void report({ type: 'progress', progress }),
  };
  return { type: 'report', report: withShortPaths(await testing.torture(setup, options)) };
}

/** Sources relative to the project, as everywhere in the output of ots. */
function withShortPaths(tortured: TortureReport): TortureReport {
  const findings = tortured.findings.map((finding) => ({
    ...finding,
    ...(finding.source && { source: { ...finding.source, file: shortPath(finding.source.file) } }),
  }));
  return { ...tortured, findings };
}

function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll(sep, '/');
}

/** The library of the project: with another one, there would be two copies of the runtime. */
async function loadTesting(): Promise<{
  readonly projectSetup: typeof projectSetup;
  readonly torture: typeof torture;
}> {
  const fromProject = createRequire(join(process.cwd(), 'package.json'));
  const module: unknown = await import(pathToFileURL(fromProject.resolve('ots-testing')).href);
  if (hasFunction(module, 'torture') && hasFunction(module, 'projectSetup')) return module as never;
  throw new SearchError(
    'The ots-testing of the project is older than ots torture',
    'Update it to the version of ots, with ots alpha update.',
  );
}

async function loadSetup(file: string, name: string): Promise<ProjectSetupOptions['setup'][number]> {
  const module = existsSync(file) ? await load(file) : {};
  if (hasFunction(module, name)) return module[name] as ProjectSetupOptions['setup'][number];
  throw new SearchError(
    `${file} does not export ${name}`,
    'Restore it as ots scaffolded it, so ots torture can start the operator.',
  );
}

async function loadConfig(): Promise<ProjectSetupOptions['config']> {
  const file = 'torture.config.ts';
  if (!existsSync(file)) return undefined;
  const { default: config } = (await load(file)) as { default?: unknown };
  const isConfig =
    typeof config === 'object' &&
    config !== null &&
    Object.values(config).every((value) => typeof value === 'function');
  if (isConfig) return config as ProjectSetupOptions['config'];
  throw new SearchError(
    'The default export of torture.config.ts is not an object of functions',
    'Export a function by kind, such as { MyApp: (setup) => ({ ...setup, time: "5m" }) }.',
  );
}

async function load(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new SearchError(`${file} cannot be loaded: ${describe(error)}`, 'Run npm run typecheck.');
  }
}

function hasFunction(module: unknown, name: string): module is Record<string, unknown> {
  return (
    typeof module === 'object' &&
    module !== null &&
    typeof (module as Record<string, unknown>)[name] === 'function'
  );
}

function failed(error: unknown): FromRunner {
  const { hint } = error as { hint?: unknown };
  return { type: 'failed', problem: describe(error), ...(typeof hint === 'string' && { hint }) };
}

/** An error of the API server and of this file has its hint apart. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { problem } = error as { problem?: unknown };
  const location = locationInStack(error.stack ?? '');
  const message = oneLine(typeof problem === 'string' ? problem : error.message);
  return location === undefined ? message : `${message}, at ${location}`;
}

// Without `ots torture` nothing would end the search.
process.on('disconnect', () => process.exit());
// A terminal sends Ctrl-C to all processes: `ots torture` decides when this one ends.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('uncaughtException', (error) => {
  void report({
    type: 'failed',
    problem: `The operator threw outside of a reconcile: ${describe(error)}`,
    hint: 'Catch it where it happens: in a cluster it ends the operator.',
  }).then(() => process.exit(1));
});
register('./dev-hooks.mjs', import.meta.url);
process.on('message', receive);
