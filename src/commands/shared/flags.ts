import { type Command, InvalidArgumentError, Option } from 'commander';
import { licenses } from '../../project/names/licenses.ts';
import { suggest } from './suggestions.ts';

/** `--flag`, `--flag=true` and `--flag=false`. */
export function onOff(flag: string, description: string): Option {
  const option = new Option(`${flag} [on]`, description).argParser((value: string) => {
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw new InvalidArgumentError('Expected true or false');
  });
  return suggest(option, () => ['true', 'false']);
}

/** Parses the value of a flag that takes comma-separated names. */
export function list(value: string): string[] {
  return value.split(',').map((item) => item.trim());
}

/** The flags that choose the header of source files. */
export function headerFlags(command: Command): Command {
  return command
    .option('--owner <owner>', 'copyright owner in the header of source files')
    .addOption(
      suggest(
        new Option('--license <license>', 'license of source files: apache2, mit or none'),
        () => licenses,
      ),
    )
    .option('--license-file <file>', 'use the text of this file as the header of source files');
}
