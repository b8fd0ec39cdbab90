// Which processor cores the operators, and which the server and the load run on.
import { availableParallelism } from 'node:os';
import { execa } from 'execa';

/**
 * Gives the last core to the operators, and the others to this process and what it starts: an operator that computes
 * must not slow down the server that it is waiting for. All share all of them, and that is said, where there is only one
 * core, or no `taskset`.
 * @param operators whose `command` is changed
 */
export async function setCoresApart(operators) {
  const last = availableParallelism() - 1;
  try {
    if (last === 0) throw new Error('there is only one');
    await execa('taskset', ['--all-tasks', '--pid', '--cpu-list', `0-${last - 1}`, `${process.pid}`]);
  } catch (error) {
    console.log(`The cores are shared: ${error.shortMessage ?? error.message}`);
    return;
  }
  for (const operator of operators) {
    const { command } = operator;
    operator.command = (mode, workers) => {
      const [file, parameters] = command(mode, workers);
      return ['taskset', ['--cpu-list', `${last}`, file, ...parameters]];
    };
  }
}
