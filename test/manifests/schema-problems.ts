import type { Diagnostic } from '../../src/manifests/diagnostics/diagnostic.ts';
import { Diagnostics } from '../../src/manifests/diagnostics/diagnostics.ts';
import type { Schema } from '../../src/manifests/schema/schema.ts';
import { SourceText } from '../../src/manifests/source/source-text.ts';
import { SchemaChecks } from '../../src/manifests/structural/schema-checks.ts';

/** What `ots manifests` says about the finished schema of a kind `Foo`. */
export function schemaProblems(root: Schema, { hasStatus = false } = {}): Diagnostic[] {
  const diagnostics = new Diagnostics();
  const kind = { source: new SourceText('src/foo.ts', 'Foo'), span: { start: 0, end: 3 } };
  new SchemaChecks(diagnostics).report(root, hasStatus, kind);
  return diagnostics.sorted();
}
