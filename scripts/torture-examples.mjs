// Runs `ots torture` for the operators in examples/. Run `npm run build` before.
// Usage: npm run test:torture -- [options of ots torture]; default --budget 5s
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const examples = new URL('../examples/', import.meta.url);
const command = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const names = [
  'memcached',
  'my-app',
  'job-watcher',
  'static-site',
  'wordpress',
  'custom-image-deploy',
  'etcd-cluster',
  'zookeeper-cluster',
];
const options = process.argv.length > 2 ? process.argv.slice(2) : ['--budget', '5s'];

const failed = [];
for (const name of names) {
  // The packages are those of the repository. The command keeps its last report there.
  const modules = new URL(`${name}/node_modules/`, examples);
  const hadModules = existsSync(modules);
  console.log(`\n== examples/${name}: ots torture ${options.join(' ')}`);
  const child = spawn(process.execPath, [command, 'torture', ...options], {
    cwd: fileURLToPath(new URL(name, examples)),
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) failed.push(name);
  if (!hadModules) await rm(modules, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`\nFindings or errors in ${failed.join(', ')}`);
  process.exitCode = 1;
}
