import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubectlRunner } from './kubectl-runner.ts';

/**
 * Runs commands one after another and records their output, except what differs from run to run.
 *
 * @param lines commands without `kubectl`; `'…'` quotes words, `@name` is a file of {@link writeFiles}
 */
export async function transcribe(
  runner: KubectlRunner,
  lines: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ command: string; says: string }[]> {
  const transcript = [];
  for (const command of lines) {
    // oxlint-disable-next-line no-await-in-loop -- each builds on those before
    transcript.push({ command, says: await sayOf(runner, command, env) });
  }
  return transcript;
}

/** Writes files that commands refer to as `@name`. */
export async function writeFiles(
  { directory }: KubectlRunner,
  files: Readonly<Record<string, string | object>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    // oxlint-disable-next-line no-await-in-loop -- a handful
    await writeFile(join(directory, name), text, { mode: 0o700 });
  }
}

function sayOf(runner: KubectlRunner, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.replace(/^@|(?<==)@/, `${runner.directory}/`) : quoted,
  );
  const options = { env: { ...runner.env, ...env }, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile('kubectl', words, options, (error, stdout, stderr) => {
      const failed = error ? `exit ${error.code}\n` : '';
      resolve(steady(`${failed}${stdout}${stderr}`, runner.directory));
    });
  });
}

function steady(text: string, directory: string): string {
  return text
    .replaceAll(directory, 'DIR')
    .replaceAll(/\/tmp\/(LIVE|MERGED)-\d+\//g, '$1/')
    .replaceAll(/(kubectl-edit-)\d+/g, '$1N')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z|\.\d+ \+0000)?/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/^(Start Time|CreationTimestamp|Created On): .*$/gm, '$1: TIME')
    .replaceAll(/(resourceVersion"?: "?)\d+/g, '$1RV')
    .replaceAll(/\b(10\.\d+\.\d+\.\d+)\b/g, 'IP')
    .replaceAll(/\b3\d{4}(?=\/(TCP|UDP))/g, 'NODEPORT')
    .replaceAll(/(?<=[\s(])(\d+m)?\d+(s|ms)(?= ago|\s|\))/g, 'AGE')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/ +$/gm, '');
}
