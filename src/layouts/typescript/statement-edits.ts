import type { Statement } from 'oxc-parser';
import type { Selection } from './select-statements.ts';
import { type TextEdit, endOfLine } from './text-edit.ts';
import type { TopLevel } from './top-level.ts';

/**
 * Returns the edits that reduce a file to a selection of its statements and the imports and exports they
 * need.
 */
export function statementEdits(
  text: string,
  statements: readonly TopLevel[],
  selection: Selection,
): TextEdit[] {
  return statements.flatMap((item, index) => {
    const { start, end } = item.statement;
    const rest = remainder(text, item, selection);
    if (rest === 'all') return [];
    if (rest !== 'nothing') return [{ start, end, text: rest }];
    const before = statements[index - 1]?.statement;
    const from = before ? endOfLine(text, before.end) : afterHeader(text, item.statement);
    return [{ start: from, end: endOfLine(text, end), text: '' }];
  });
}

/** Returns `all`, `nothing`, or the new text of a statement of which a part remains. */
function remainder(text: string, item: TopLevel, { kept, names }: Selection): string {
  const { statement } = item;
  if (statement.type === 'ImportDeclaration') {
    const used = statement.specifiers.filter(({ local }) => names.has(local.name));
    if (used.length === 0) return 'nothing';
    if (used.length === statement.specifiers.length) return 'all';
    const named = used.filter(({ type }) => type === 'ImportSpecifier');
    const parts = used
      .filter(({ type }) => type !== 'ImportSpecifier')
      .map(({ start, end }) => text.slice(start, end));
    if (named.length > 0) parts.push(`{ ${textsOf(text, named)} }`);
    const keyword = statement.importKind === 'type' ? 'import type' : 'import';
    return `${keyword} ${parts.join(', ')} from ${text.slice(statement.source.start, statement.end)}`;
  }
  if (statement.type === 'ExportNamedDeclaration' && !statement.declaration) {
    if (statement.source) return 'nothing';
    const declared = new Set([...kept].flatMap(({ declares }) => declares));
    const left = statement.specifiers.filter(({ local }) => 'name' in local && declared.has(local.name));
    if (left.length === 0) return 'nothing';
    if (left.length === statement.specifiers.length) return 'all';
    return `${statement.exportKind === 'type' ? 'export type' : 'export'} { ${textsOf(text, left)} };`;
  }
  if (statement.type === 'ExportDefaultDeclaration' && statement.declaration.type === 'Identifier') {
    const { name } = statement.declaration;
    return [...kept].some(({ declares }) => declares.includes(name)) ? 'all' : 'nothing';
  }
  return kept.has(item) ? 'all' : 'nothing';
}

function textsOf(text: string, nodes: readonly { start: number; end: number }[]): string {
  return nodes.map(({ start, end }) => text.slice(start, end)).join(', ');
}

/** Returns where the first statement begins, including its comment. What precedes that concerns the file. */
function afterHeader(text: string, { type, start }: Statement): number {
  if (type === 'ImportDeclaration') return start;
  return /^(?:[^]*\n[ \t]*\r?\n)?/.exec(text.slice(0, start))![0].length;
}
