import { FlagError } from '../flags/flag-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { errorMessage } from './error-message.ts';
import { RuntimeError } from './runtime-error.ts';

/**
 * Says what went wrong, and ends the process: `await main().catch(exitWithError)` runs an operator. What did not
 * stop in time must not keep the process alive: whoever started it starts it anew.
 *
 * A mistake on the command line (`FlagError`) is told to the person who made it, in two lines, with exit code 2. All
 * else is logged at level fatal, as JSON or for people at a terminal, with exit code 1.
 */
export function exitWithError(error: unknown): never {
  if (error instanceof FlagError) {
    process.stderr.write(`${error.message}\n${error.hint}\n`);
    process.exit(2);
  }
  const isTerminal = process.stderr.isTTY;
  // Messages and hints of the runtime speak for themselves; people find them below a stack no more.
  const fields = isTerminal && error instanceof RuntimeError ? { hint: error.hint } : { err: error };
  const logger = createLogger({ format: isTerminal ? 'pretty' : 'json' });
  logger.fatal(fields, `the operator stopped: ${errorMessage(error)}`);
  process.exit(1);
}
