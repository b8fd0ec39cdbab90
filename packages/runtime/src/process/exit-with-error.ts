import { FlagError } from '../flags/read-flags.ts';
import { createLogger } from '../logging/create-logger.ts';
import { latestFormat } from '../logging/line-format.ts';
import { errorMessage } from '../errors/error-message.ts';

/**
 * Reports an error and ends the process: `await main().catch(exitWithError)` runs an operator. Work that did not stop
 * in time must not keep the process alive: the kubelet restarts it.
 *
 * A wrong command line (`FlagError`) prints two lines, with exit code 2. Every other error is logged to standard error
 * at level fatal, with exit code 1: in the format of the program's last logger (`--zap-encoder`), or, if none exists
 * yet, as text on a terminal and as JSON elsewhere.
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
