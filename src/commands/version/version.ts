import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { packageVersion } from '../../version.ts';

/** Prints the versions of ots, of Node and of the platform. */
export async function version(options: CommonOptions, context: Context): Promise<void> {
  const versions = {
    ots: packageVersion,
    node: process.version,
    platform: `${process.platform}/${process.arch}`,
  };
  const lines = Object.entries(versions).map(([name, value]) => `${name}: ${value}\n`);
  context.stdout.write(options.json ? `${JSON.stringify(versions)}\n` : lines.join(''));
}
