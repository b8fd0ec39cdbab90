import { FlagError } from '../flags/read-flags.ts';
import { createLogger } from '../logging/create-logger.ts';
import { latestFormat } from '../logging/line-format.ts';
import { errorMessage } from '../errors/error-message.ts';

/**
 * Says what went wrong, and ends the process: `await main().catch(exitWithError)` runs an operator. What did not
 * stop in time must not keep the process alive: whatever started it starts it again.
 *
 * A mistake on the command line (`FlagError`) is two lines for the person who made it, with exit code 2. All else is
 * logged to standard error at level fatal, with exit code 1: in the form that the last logger of the program has
 * (`--zap-encoder`), or, before there is one, as text at a terminal and as JSON elsewhere.
 */
export function exitWithError(error: unknown): never {
  if (error instanceof FlagError) {
    process.stderr.write(`${error.message}\n${error.hint}\n`);
    process.exit(2);
  }
  const logger = createLogger({ format: latestFormat() });
  logger.fatal({ err: error }, `the operator stopped: ${errorMessage(error)}`);
  process.exit(1);
}
