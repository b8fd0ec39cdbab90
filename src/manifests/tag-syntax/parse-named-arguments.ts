import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { type ArgumentSpec, type Arguments, parseArguments } from './parse-arguments.ts';
import { type Tag, restOfTag } from './tag.ts';

/** The arguments of a tag that begins with a name. */
export interface NamedArguments {
  /** Undefined or empty if the tag has none. */
  readonly name: string | undefined;
  readonly args: Arguments;
}

/**
 * Reads `[Name] [key=value …]`. The name may have blanks and quotes, and may also be an argument.
 *
 * @param nameSpec the argument that is the name
 * @returns undefined after errors, which are in the diagnostics
 */
export function parseNamedArguments(
  tag: Tag,
  nameSpec: ArgumentSpec,
  specs: readonly ArgumentSpec[],
  diagnostics: Diagnostics,
): NamedArguments | undefined {
  const [written] = /^[^{]*?(?=[A-Za-z]\w*\s*=|$)/.exec(tag.value) ?? [''];
  const args = parseArguments(restOfTag(tag, written.length), [nameSpec, ...specs], diagnostics);
  if (!args) return undefined;
  return { name: written.trim().replace(/^(["'])(.*)\1$/, '$2') || args.string(nameSpec.name), args };
}
