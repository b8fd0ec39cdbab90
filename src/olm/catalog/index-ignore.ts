/** The file with patterns of files that are not part of a catalog. */
export const indexIgnoreFile = '.indexignore';

/** A line of an `.indexignore`. */
interface Pattern {
  /** The folder of the file with the pattern, in parts. */
  readonly domain: readonly string[];
  readonly parts: readonly string[];
  readonly isInclusion: boolean;
  readonly isForDirectories: boolean;
}

/**
 * Reads the patterns of an `.indexignore`. Their syntax is that of .gitignore; a pattern for a folder also matches what is below it, and
 * a later `!` pattern includes single files again.
 *
 * @param directory of the file, relative to the catalog; empty for the catalog itself
 */
export function parseIndexIgnore(text: string, directory: string): Pattern[] {
  const domain = directory === '' ? [] : directory.split('/');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isInclusion = line.startsWith('!');
      const pattern = (isInclusion ? line.slice(1) : line).trimEnd();
      const isForDirectories = pattern.endsWith('/');
      const parts = (isForDirectories ? pattern.slice(0, -1) : pattern).split('/');
      return { domain, parts, isInclusion, isForDirectories };
    });
}

/** Whether a file of a catalog is ignored: the last pattern that matches it decides. */
export function isIgnored(file: string, patterns: readonly Pattern[]): boolean {
  const path = file.split('/');
  const last = patterns.findLast((pattern) => matches(pattern, path));
  return last !== undefined && !last.isInclusion;
}

function matches(pattern: Pattern, path: readonly string[]): boolean {
  const { domain, parts } = pattern;
  if (path.length <= domain.length || domain.some((part, index) => path[index] !== part)) return false;
  const below = path.slice(domain.length);
  return parts.length > 1 ? matchesPath(pattern, below) : matchesName(pattern, below);
}

/** A pattern without a slash matches any part of the path. */
function matchesName({ parts, isForDirectories }: Pattern, path: readonly string[]): boolean {
  const found = path.findIndex((name) => matchesGlob(parts[0]!, name));
  return found !== -1 && !(isForDirectories && found === path.length - 1);
}

function matchesPath({ parts, isForDirectories }: Pattern, path: readonly string[]): boolean {
  let at = 0;
  let isMatch = false;
  let canSkip = false;
  for (const [index, part] of parts.entries()) {
    if (part === '' || part === '**') {
      if (part === '**' && index === parts.length - 1) break;
      canSkip = part === '**';
      continue;
    }
    if (part.includes('**') || at === path.length) return false;
    if (canSkip) {
      while (at < path.length && !matchesGlob(part, path[at]!)) at += 1;
      isMatch = at < path.length;
      at += isMatch ? 1 : 0;
      canSkip = false;
    } else {
      if (!matchesGlob(part, path[at]!)) return false;
      isMatch = true;
      at += 1;
    }
  }
  return isMatch && !(isForDirectories && at === path.length);
}

/** `*`, `?`, classes and escapes, as Go's filepath.Match. A malformed pattern matches nothing. */
function matchesGlob(pattern: string, name: string): boolean {
  try {
    return new RegExp(`^${expressionOf(pattern)}$`, 'su').test(name);
  } catch {
    return false;
  }
}

function expressionOf(pattern: string): string {
  return pattern.replaceAll(
    /\*+|\?|\[(\^?)((?:\\[^]|[^\]\\])+)\]|\\([^])|[^]/gu,
    (token: string, negation: string, characters: string | undefined, escaped: string | undefined) => {
      if (characters !== undefined) return `[${negation}${characters.replaceAll('[', String.raw`\[`)}]`;
      if (escaped !== undefined) return literal(escaped);
      // Malformed, as is what it becomes.
      if (token === '[' || token === '\\') return '[';
      if (token.startsWith('*')) return '[^/]*';
      return token === '?' ? '[^/]' : literal(token);
    },
  );
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
