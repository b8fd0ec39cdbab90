import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../examples/', import.meta.url));

/** An operator in examples/, made with the commands in its commands.txt. */
export interface Example {
  readonly name: string;
  readonly directory: string;
}

export const examples: readonly Example[] = readdirSync(directory)
  .map((name) => ({ name, directory: join(directory, name) }))
  .filter((example) => existsSync(join(example.directory, 'commands.txt')));
