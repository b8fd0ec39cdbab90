import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A project whose operator is a given script. Its build takes no compiler. */
function project(main: string, build = 'node -e 0'): string {
  const directory = temporaryDirectory();
  const write = (path: string, content: string | object): void =>
    writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
  mkdirSync(join(directory, 'dist'));
  write('PROJECT', 'version: "3"\n');
  write('package.json', { type: 'module', scripts: { build } });
  write('dist/main.js', main);
  write('kubeconfig', {
    clusters: [{ name: 'here', cluster: { server: 'http://127.0.0.1:1' } }],
    contexts: ['one', 'two'].map((name) => ({ name, context: { cluster: 'here' } })),
    'current-context': 'one',
  });
  return directory;
}

const ots = (cwd: string, ...args: string[]) =>
  execa(process.execPath, [otsBinary, 'run', '--kubeconfig', 'kubeconfig', ...args], { cwd, reject: false });

test('runs what the build wrote, with the flags of the operator, and keeps its exit code', async () => {
  const main = 'console.log(process.argv.slice(2).join(" "), process.env.KUBECONFIG); process.exitCode = 7;';
  const cwd = project(main, 'node -p 40+2');
  const { stdout, stderr, exitCode } = await ots(cwd, '--leader-elect', '--context=mine');
  expect([stdout, stderr, exitCode]).toEqual([
    `42\n--leader-elect --context=mine ${join(cwd, 'kubeconfig')}`,
    '',
    7,
  ]);
});

test('--context chooses the context without a copy of the credentials', async () => {
  const main = `import { readFileSync } from 'node:fs';
const [choice, ...rest] = process.env.KUBECONFIG.split(${JSON.stringify(process.platform === 'win32' ? ';' : ':')});
console.log(JSON.stringify([JSON.parse(readFileSync(choice, 'utf8')), rest]));`;
  const cwd = project(main);
  const { stdout } = await ots(cwd, '--context', 'two');
  expect(JSON.parse(stdout)).toEqual([
    { apiVersion: 'v1', kind: 'Config', 'current-context': 'two' },
    [join(cwd, 'kubeconfig')],
  ]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('ots-run-'))).toEqual([]);
  const { stderr } = await ots(cwd, '--context', 'three');
  expect(stderr).toMatch(/^error: .* has no context "three"\nhint: Choose one of: one, two\.$/);
});

test('a signal reaches the operator, which ends by itself', async () => {
  const main = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
setInterval(() => {}, 1000);
console.log('up');`;
  const cwd = project(main);
  const args = [otsBinary, 'run', '--kubeconfig', 'kubeconfig'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await output).toContain('bye');
});

test('a build that fails is the end', async () => {
  const { stderr, exitCode } = await ots(project('console.log("never")', 'exit 3'));
  expect(stderr).toBe(
    'error: npm run build failed: exit code 3\nhint: Fix what it says above, and run the command again.',
  );
  expect(exitCode).toBe(1);
});

test('--dry-run says what it would run', async () => {
  const cwd = project('');
  expect(await run(cwd, ['run', '--kubeconfig', 'kubeconfig', '--dry-run', '--', '--zap-devel'])).toEqual({
    code: 0,
    stdout: 'Would run node --enable-source-maps dist/main.js --zap-devel against http://127.0.0.1:1\n',
    stderr: '',
  });
});
