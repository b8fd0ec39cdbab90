/** One violation of the schema. */
export interface Violation {
  path: string;
  message: string;
}

/** A value violates its schema. The message is that of a real server. */
export class TypedError extends Error {
  override readonly name = 'TypedError';

  constructor(violations: readonly Violation[]) {
    const lines = violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(
      lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  }
}
