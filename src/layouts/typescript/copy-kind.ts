import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { findKinds } from '../../manifests/crd/find-kinds.ts';
import type { Kind } from '../../manifests/crd/kind.ts';
import { Diagnostics } from '../../manifests/diagnostics/diagnostics.ts';
import { ModuleGraph } from '../../manifests/source/module-graph.ts';
import type { SourceFiles } from '../../manifests/source/source-files.ts';
import { updateImports, relativeSpecifiers } from './update-imports.ts';
import { selectStatements } from './select-statements.ts';
import { statementEdits } from './statement-edits.ts';
import { type TextEdit, applyEdits } from './text-edit.ts';
import { type TopLevel, topLevelOf } from './top-level.ts';
import { versionEdits } from './version-edits.ts';

/** The types of a kind in another version. */
export interface KindCopy {
  readonly text: string;
  /** Other declarations of the file that the copy leaves out, because they are not types of the kind. */
  readonly leftOut: readonly string[];
  /** Paths of the files that the copy imports. A change in them affects both versions. */
  readonly shared: readonly string[];
  /** Whether lines of the original are missing, so the rest may need formatting. */
  readonly isShorter: boolean;
}

interface CopyRequest {
  /** The group of the kind, as in an apiVersion. */
  readonly group: string;
  readonly kind: string;
  /** The version to copy, and the new version. */
  readonly fromVersion: string;
  readonly toVersion: string;
  /** The file that declares the kind, and the file of the copy. */
  readonly from: string;
  readonly to: string;
  /** Further tags of the kind, one per line, such as `@shortName jw`. */
  readonly tags: readonly string[];
}

/**
 * Copies the types of a kind to a file for another version: the kind, the types it is made of, and other
 * types of the file. Leaves out the file's other kinds, functions and values without a reference from a type,
 * and unused imports. Everything else stays byte for byte as the author wrote it, except for the names of the
 * version.
 *
 * @returns undefined if the file does not declare the kind in a form that `ots manifests` reads
 */
export function copyKind(files: SourceFiles, request: CopyRequest): KindCopy | undefined {
  const found = findKind(files, request);
  if (!found) return undefined;
  const { own, others, text } = found;
  const statements = topLevelOf(parseSync(request.from, text, { lang: 'ts', sourceType: 'module' }).program);
  const statementAt = (offset: number) =>
    statements.find(({ statement: { start, end } }) => start <= offset && offset < end)!;
  const declaration = statementAt(own.declaration.nameSpan.start);
  const names = new Set([...declaration.declares, ...statementAt(own.definition.span.start).declares]);
  const selection = selectStatements(statements, names, others);
  const cuts = statementEdits(text, statements, selection);
  const edits = [
    ...versionEdits(
      text,
      own,
      declaration.statement.start,
      `${request.group}/${request.toVersion}`,
      request.tags,
    ),
    ...cuts,
    ...importOfKinds(
      statements,
      [...others].filter((name) => selection.names.has(name)),
      request.from,
    ),
  ];
  const copy = applyEdits(text, edits).replace(/^(?:\r?\n)+/, '');
  const leftOut = statements.filter((item) => !selection.kept.has(item));
  return {
    text: updateImports(copy, request.from, request.to, new Map()),
    leftOut: [...new Set(leftOut.flatMap(({ declares }) => declares))],
    shared: relativeSpecifiers(copy, request.from).map(({ value }) =>
      posix.join(posix.dirname(request.from), value),
    ),
    isShorter: cuts.length > 0,
  };
}

function findKind(
  files: SourceFiles,
  { from, group, kind, fromVersion }: CopyRequest,
): { own: Kind; others: Set<string>; text: string } | undefined {
  const content = files.read(from);
  const diagnostics = new Diagnostics();
  const graph = new ModuleGraph(files, diagnostics);
  const module = content === undefined ? undefined : graph.load(from, content);
  if (!module) return undefined;
  const { kinds, broken } = findKinds(module, graph, diagnostics);
  const own = kinds.find(
    (found) => found.group === group && found.kind === kind && found.version === fromVersion,
  );
  if (!own) return undefined;
  const others = [...kinds, ...broken].filter(({ declaration }) => declaration !== own.declaration);
  return {
    own,
    others: new Set(others.map(({ declaration }) => declaration.name)),
    text: module.source.text,
  };
}

/** The copy imports what it needs of other kinds from the original file. */
function importOfKinds(statements: readonly TopLevel[], names: readonly string[], from: string): TextEdit[] {
  if (names.length === 0) return [];
  const last = statements.findLast(({ statement }) => statement.type === 'ImportDeclaration');
  const at = last?.statement.end ?? 0;
  return [{ start: at, end: at, text: `\nimport { ${names.join(', ')} } from './${posix.basename(from)}';` }];
}
