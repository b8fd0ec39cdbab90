// Runs one ots command in the current directory and kills itself, as SIGKILL does, at its N-th operation on files.
// Usage: node die-at.mjs N ARGS...   Exits 0 when the command ended before that.
import { main } from '../../dist/cli.cjs';
import { diskFileSystem } from '../../dist/common.cjs';

const [at, ...args] = process.argv.slice(2);
let count = 0;
const deadly = { ...diskFileSystem };
for (const name of ['write', 'makeDirectory', 'rename', 'removeFile', 'removeDirectory']) {
  deadly[name] = (...parameters) => {
    count += 1;
    if (count === Number(at)) {
      // Half of a write can be on disk when a process dies.
      if (name === 'write')
        diskFileSystem.write(
          parameters[0],
          parameters[1].subarray(0, parameters[1].length / 2),
          parameters[2],
        );
      process.kill(process.pid, 'SIGKILL');
    }
    return diskFileSystem[name](...parameters);
  };
}
const { stdin, stdout, stderr, env } = process;
const now = () => new Date('2026-01-01T00:00:00Z');
process.exitCode = await main(args, {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  interactive: false,
  now,
  fs: deadly,
});
