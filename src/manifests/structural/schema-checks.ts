import { SchemaValidator } from 'ots-apiserver/validation';
import type { FieldError } from 'ots-apiserver/validation';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { hasRules } from '../rules/has-rules.ts';
import { reportRuleProblems } from '../rules/report-rule-problems.ts';
import type { Origin } from '../schema/origin.ts';
import { schemaToJson } from '../schema/schema-json.ts';
import type { Schema } from '../schema/schema.ts';
import { contradictionsIn } from './contradictions.ts';
import { describeFieldError } from './describe-field-error.ts';
import { hintFor } from './hints.ts';
import { locateField } from './locate-field.ts';

/**
 * Checks finished schemas with the API server's own code, so ots does not write a CRD that the API server rejects.
 * Each tag is checked where it is applied, with better messages; this covers combinations of tags. Kinds share parts
 * of their schemas: each part is checked once.
 */
export class SchemaChecks {
  /** Returns a schema as plain JSON. */
  readonly toJson = schemaToJson();
  readonly #validator = new SchemaValidator();
  readonly #diagnostics: Diagnostics;

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  /**
   * Reports what is wrong with the schema of a version: its structure, its rules, and its defaults.
   * @param hasStatus whether the version has a status subresource
   * @param kind the fallback location for errors
   */
  report(root: Schema, hasStatus: boolean, kind: Origin): void {
    const json = this.toJson(root);
    const report = (code: string, problems: readonly Problem[]) =>
      reportOnce(problems, root, kind, code, this.#diagnostics);
    const structure = [
      ...contradictionsIn(root),
      ...this.#validator.validateForm(json, hasStatus).map(asProblem),
    ];
    report('structural-schema', structure);
    // Rules are compiled against types, which only a structural schema has, and defaults must satisfy the rules.
    if (structure.length > 0) return;
    if (hasRules(root) && !reportRuleProblems(root, json, kind, this.#diagnostics)) return;
    report('default', this.#validator.validateDefaults(json).map(asProblem));
  }
}

/** What is wrong with a part of a schema, whose path is as the API server writes it. */
interface Problem {
  readonly field: string;
  readonly message: string;
  /** Default: what helps against the message of the API server. */
  readonly hint?: string;
}

function asProblem(error: FieldError): Problem {
  return { field: error.field, message: describeFieldError(error) };
}

/** Shared parts of a schema have the same problems in every place. Reports only the first. */
function reportOnce(
  problems: readonly Problem[],
  root: Schema,
  kind: Origin,
  code: string,
  diagnostics: Diagnostics,
): void {
  const known = new Map<Schema, Set<string>>();
  for (const { field, message, hint } of problems) {
    const { schema, origin, path, keyword } = locateField(field, root);
    const text = keyword === '' ? message : `${keyword}: ${message}`;
    const texts = known.get(schema) ?? new Set();
    if (texts.has(text)) continue;
    known.set(schema, texts.add(text));
    const { source, span } = origin ?? kind;
    const where = path === '' ? '' : ` (at ${path})`;
    diagnostics.error(source, span, code, `${text}${where}`, hint ?? hintFor(text));
  }
}
