import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DevProject } from '../support/dev-project.ts';
import { addField, breakField } from '../support/memcached-edits.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { Pty } from '../support/pty.ts';
import type { TerminalScreen } from '../support/terminal-screen.ts';

/** Between two things that the author does, in milliseconds. */
const pauseMs = 3000;

const sample = (size: number): string => `apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
spec:
  size: ${size}
`;

/** Runs a session up to a moment that shows what `ots dev` is good for: a pod has failed, and a type is wrong. */
export async function recordTerminal(): Promise<TerminalScreen> {
  const project = new DevProject('memcached');
  const samples = join(project.directory, 'config/samples/cache_v1alpha1_memcached.yaml');
  writeFileSync(samples, sample(2));
  const terminal = new Pty(process.execPath, [otsBinary, 'dev'], {
    columns: 96,
    rows: 32,
    cwd: project.directory,
    env: { NO_COLOR: undefined, FORCE_COLOR: undefined },
  });
  const shows = (...texts: readonly string[]) =>
    terminal.waitFor((rows) => texts.every((text) => rows.join('\n').includes(text)));
  const ready = (await shows('Available=True')).join('\n');
  await delay(pauseMs);
  writeFileSync(samples, sample(3));
  await shows('Ready 3/3');
  project.edit(addField);
  await shows('● running  2 starts');
  await delay(pauseMs);
  await fetch(`${/page (http\S+)/.exec(ready)![1]}api/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      action: 'fail-pod',
      namespace: 'default',
      name: /Pod (sessions-\S+)/.exec(ready)![1],
    }),
  });
  await shows('! BackOff', '2 of 3 pods');
  project.edit(breakField);
  await shows('PROBLEMS', '● broken');
  return terminal.screen;
}
