import type { Context } from '../../context.ts';
import { checkGroup } from '../../project/names/check-group.ts';
import { checkKindSyntax } from '../../project/names/check-kind.ts';
import { checkVersion } from '../../project/names/check-version.ts';
import { ask } from '../../prompts/ask.ts';

export interface GvkOptions {
  group?: string;
  version?: string;
  kind?: string;
}

/** Group, version and kind of an API, each syntactically valid. */
export type GvkFlags = Required<GvkOptions>;

/** Group, version and kind from the flags, or from prompts. */
export async function askGvk(options: GvkOptions, context: Context): Promise<GvkFlags> {
  const group = await ask(
    {
      flag: '--group',
      given: options.group,
      message: 'Which API group, without the domain?',
      example: 'batch',
      check: (answer) => checkGroup(answer, '', 'external'),
    },
    context,
  );
  const version = await ask(
    {
      flag: '--version',
      given: options.version,
      message: 'Which version?',
      example: 'v1alpha1',
      check: checkVersion,
    },
    context,
  );
  const kind = await ask(
    {
      flag: '--kind',
      given: options.kind,
      message: 'Which kind?',
      example: 'JobWatcher',
      check: checkKindSyntax,
    },
    context,
  );
  return { group, version, kind };
}
