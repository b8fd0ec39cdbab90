// Times `ots manifests` and controller-gen on twin projects, as whole processes and in turn: npm run bench:manifests
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { outputFileSync, removeSync } from 'fs-extra/esm';
import { goFiles, projects, typescriptFiles } from './manifests-twins.mjs';
import { median } from './median.mjs';

const otsBinary = fileURLToPath(new URL('../bin/ots.cjs', import.meta.url));
const cachePath = fileURLToPath(new URL('../node_modules/.cache/bench/', import.meta.url));
const controllerToolsVersion = 'v0.23.0';
const roundCount = Number(process.argv[2] ?? 10);

function write(directory, files) {
  for (const [path, text] of Object.entries(files)) outputFileSync(join(directory, path), text);
}

function execute(command, args, cwd, env = process.env) {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error || status !== 0)
    throw error ?? new Error(`${command} ${args.join(' ')} failed: ${String(stderr)}`);
}

/** Every run writes all files again. */
function time(command, args, cwd) {
  for (const path of ['config/crd/bases', 'config/rbac/role.yaml']) removeSync(join(cwd, path));
  const start = performance.now();
  execute(command, args, cwd);
  return performance.now() - start;
}

/** The path of controller-gen, built once; undefined without Go. */
function controllerGen() {
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  const directory = join(cachePath, `controller-tools-${controllerToolsVersion}`);
  const binary = join(directory, 'controller-gen');
  if (!existsSync(binary)) {
    console.log(`Building controller-gen ${controllerToolsVersion} ...`);
    write(directory, { 'go.mod': 'module bench\n\ngo 1.25\n' });
    execute(
      'go',
      ['get', `sigs.k8s.io/controller-tools/cmd/controller-gen@${controllerToolsVersion}`],
      directory,
    );
    execute('go', ['build', '-o', binary, 'sigs.k8s.io/controller-tools/cmd/controller-gen'], directory);
  }
  return binary;
}

const ms = (value) => `${value.toFixed(0)} ms`;

/** How long after a file is saved the definition that is made from it stands, for `ots manifests --watch`. */
async function watchLatency(directory, file, definition) {
  const source = join(directory, file);
  const text = readFileSync(source, 'utf8');
  const child = spawn(process.execPath, [otsBinary, 'manifests', '--watch', '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A line for each run.
  const runs = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await runs.next();
  const samples = [];
  for (let round = 1; round <= roundCount + 3; round++) {
    const start = performance.now();
    writeFileSync(source, text.replace('@maxLength 64', `@maxLength ${64 + round}`));
    await runs.next();
    if (round > 3) samples.push(performance.now() - start); // the first ones warm up
    if (!readFileSync(join(directory, definition), 'utf8').includes(`maxLength: ${64 + round}\n`))
      throw new Error('The change did not arrive');
  }
  writeFileSync(source, text);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return median(samples);
}

const generator = controllerGen();
if (!generator) console.log('Go is not installed: controller-gen is left out.');
const base = mkdtempSync(join(tmpdir(), 'ots-bench-'));
try {
  const twins = projects.map((project) => {
    const { name } = project;
    const typescript = join(base, 'ts', name);
    const go = join(base, 'go', name);
    write(typescript, typescriptFiles(project));
    if (generator) {
      write(go, goFiles(project));
      execute('go', ['mod', 'tidy'], go, { ...process.env, GOFLAGS: '-mod=mod' });
    }
    return { name, typescript, go, samples: { bare: [], ots: [], controllerGen: [] } };
  });
  const generators = ['crd', 'rbac:roleName=manager-role', 'webhook', 'paths=./...'];
  for (let round = 0; round <= roundCount; round++) {
    for (const { typescript, go, samples } of twins) {
      const bare = time(process.execPath, ['-e', '0'], typescript);
      const ots = time(process.execPath, [otsBinary, 'manifests', '-q'], typescript);
      const controller = generator ? time(generator, generators, go) : NaN;
      if (round === 0) continue; // warms up
      samples.bare.push(bare);
      samples.ots.push(ots);
      samples.controllerGen.push(controller);
    }
  }
  console.log(`Medians of ${roundCount} rounds, whole processes, Node ${process.version}\n`);
  console.log(
    'project                            ots   x bare node   controller-gen   ratio   after a change with --watch',
  );
  for (const { name, typescript, samples } of twins) {
    const ots = median(samples.ots);
    const controller = median(samples.controllerGen);
    const latency = await watchLatency(
      typescript,
      'src/api/v1/kind0.ts',
      'config/crd/bases/bench.example.com_kind0s.yaml',
    );
    const columns = generator ? [ms(controller), (ots / controller).toFixed(2)] : ['-', '-'];
    const timesBare = (ots / median(samples.bare)).toFixed(2);
    console.log(
      `${name.padEnd(28)}${ms(ots).padStart(10)}${timesBare.padStart(14)}${columns[0].padStart(17)}${columns[1].padStart(8)}${ms(latency).padStart(30)}`,
    );
  }
} finally {
  removeSync(base);
}
