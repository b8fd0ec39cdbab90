import { posix } from 'node:path';
import { type ImportDeclaration, type Program, parseSync, Visitor } from 'oxc-parser';
import { type TextEdit, applyEdits, endOfLine } from '../text-edit.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Removes the imports of some files from a list of controllers or webhooks, and the entries of the list that name them. Imports that the
 * file uses in another way stay.
 *
 * @param path of the list, for relative imports
 * @param isGone whether a file leaves the project
 * @returns undefined if the text is not valid TypeScript
 */
export function removeSetups(
  text: string,
  path: string,
  isGone: (file: string) => boolean,
): string | undefined {
  const { program, errors } = parseSync(path, text, { sourceType: 'module' });
  if (errors.length > 0) return undefined;
  const edits = program.body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration') return [];
    if (!isGone(posix.join(posix.dirname(path), statement.source.value))) return [];
    const entries = entriesOf(program, statement);
    if (!entries) return [];
    const line = { start: statement.start, end: endOfLine(text, statement.end), text: '' };
    return [line, ...entries.map((entry) => withoutEntry(text, entry))];
  });
  return applyEdits(text, edits);
}

/** The entries of lists that name what a statement imports; undefined if something else does so too. */
function entriesOf(program: Program, statement: ImportDeclaration): Place[] | undefined {
  const names = new Set(statement.specifiers.map(({ local }) => local.name));
  const entries = new Map<number, Place>();
  const uses: Place[] = [];
  new Visitor({
    ArrayExpression({ elements }) {
      for (const element of elements) {
        if (element?.type === 'Identifier' && names.has(element.name)) entries.set(element.start, element);
      }
    },
    Identifier(identifier) {
      const isImport = identifier.start >= statement.start && identifier.end <= statement.end;
      if (names.has(identifier.name) && !isImport) uses.push(identifier);
    },
  }).visit(program);
  return uses.every(({ start }) => entries.has(start)) ? [...entries.values()] : undefined;
}

/** Removes an entry with its comma, and with its line if nothing else is there. */
function withoutEntry(text: string, { start, end }: Place): TextEdit {
  const afterComma = end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextLine = endOfLine(text, afterComma);
  const isAlone = text.slice(lineStart, start).trim() === '' && text[nextLine - 1] === '\n';
  if (isAlone) return { start: lineStart, end: nextLine, text: '' };
  return { start, end: afterComma + (/^[ \t]*/.exec(text.slice(afterComma))?.[0].length ?? 0), text: '' };
}
