// What Node 22 does with enableCompileCache, for Node 20: keeps V8's compiled code of the bundle between runs. Compiling is a
// third of what a command costs.
const { mkdirSync, lstatSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const { Script } = require('node:vm');

const buildId = require('../dist/build-id.json');

const bundle = path.resolve(__dirname, '../dist') + path.sep;
const [before, after] = Module.wrapper;

/** Names the files by the build, because V8 compares no more of a source than its length. */
module.exports = function enableCompileCache() {
  const directory = path.join(tmpdir(), `ots-compile-cache-${process.getuid?.() ?? ''}`);
  if (process.env.NODE_DISABLE_COMPILE_CACHE || !isOwn(directory)) return;
  const fileOf = (name) => path.join(directory, `${buildId}-${v8.cachedDataVersionTag()}-${name}`);
  const compiled = new Map();
  const { _compile: compile } = Module.prototype;
  const compileCached = function compileCached(source, filename) {
    if (!filename.startsWith(bundle)) return Reflect.apply(compile, this, [source, filename]);
    const file = fileOf(path.basename(filename));
    const cachedData = readIfPresent(file);
    const script = new Script(before + source + after, {
      filename,
      columnOffset: -before.length,
      cachedData,
    });
    if (!cachedData || script.cachedDataRejected) compiled.set(file, script);
    const args = [this.exports, Module.createRequire(filename), this, filename, path.dirname(filename)];
    return Reflect.apply(script.runInThisContext(), this.exports, args);
  };
  Object.assign(Module.prototype, { _compile: compileCached });
  // At the end, so that it includes the functions that ran.
  process.once('exit', () => compiled.forEach((script, file) => keep(file, script.createCachedData())));
};

/** Code in a directory that others can write to would run as this user. */
function isOwn(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(directory);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  } catch {
    return false;
  }
}

function readIfPresent(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep(file, content) {
  try {
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, content, { mode: 0o600 });
    renameSync(partial, file);
  } catch {
    // A full disk, for example: the next run compiles again.
  }
}
