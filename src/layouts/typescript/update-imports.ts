import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { OtsError } from '../../errors/ots-error.ts';
import { importPath } from './import-path.ts';

interface Specifier {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * Rewrites the relative imports of a file after files moved, and nothing else.
 *
 * @param text content of the file
 * @param from its path before the move, `to` its path after the move
 * @param moves old path → new path of every file that moves
 * @throws OtsError `INVALID_SOURCE` if the file is not valid TypeScript
 */
export function updateImports(
  text: string,
  from: string,
  to: string,
  moves: ReadonlyMap<string, string>,
): string {
  const specifiers = relativeSpecifiers(text, from).toSorted((a, b) => b.start - a.start);
  return specifiers.reduce((updated, { start, end, value }) => {
    const target = posix.join(posix.dirname(from), value);
    const moved = newPlaceOf(target, moves);
    if (from === to && moved === target) return updated;
    const quote = updated[start] ?? "'";
    return `${updated.slice(0, start)}${quote}${importPath(to, moved)}${quote}${updated.slice(end)}`;
  }, text);
}

/** TypeScript can be imported as `.ts`, as the compiled `.js`, or without an extension. */
function newPlaceOf(target: string, moves: ReadonlyMap<string, string>): string {
  const exact = moves.get(target);
  if (exact !== undefined) return exact;
  const extension = target.endsWith('.js') ? '.js' : '';
  const source = `${target.slice(0, target.length - extension.length)}.ts`;
  const moved = moves.get(source);
  return moved === undefined ? target : `${moved.slice(0, -'.ts'.length)}${extension}`;
}

/**
 * Finds where a file names others by a relative path, in imports, exports and types.
 *
 * @throws OtsError `INVALID_SOURCE` if it is not valid TypeScript
 */
export function relativeSpecifiers(text: string, path: string): Specifier[] {
  const { module, program, errors } = parseSync(path, text, { sourceType: 'module' });
  const [error] = errors;
  if (error) {
    throw new OtsError('INVALID_SOURCE', `${path} is not valid TypeScript: ${error.message}`, {
      hint: 'Correct the file, so ots can update its imports, and run the command again.',
    });
  }
  const requests = [
    ...module.staticImports.map((statement) => statement.moduleRequest),
    ...module.staticExports.flatMap((statement) =>
      statement.entries.flatMap((entry) => entry.moduleRequest ?? []),
    ),
  ];
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"])(.*)\1$/.exec(text.slice(start, end));
    return literal?.[2] === undefined ? [] : [{ start, end, value: literal[2] }];
  });
  const types: Specifier[] = [];
  new Visitor({
    TSImportType: ({ source }) => types.push(source),
  }).visit(program);
  const unique = new Map([...requests, ...dynamic, ...types].map((request) => [request.start, request]));
  return [...unique.values()].filter(({ value }) => /^\.\.?\//.test(value));
}
