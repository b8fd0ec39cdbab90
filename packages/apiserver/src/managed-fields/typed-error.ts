/** One violation of the schema. */
export interface Misfit {
  path: string;
  message: string;
}

/** A value violates its schema. The message is that of a real server. */
export class TypedError extends Error {
  override readonly name = 'TypedError';

  constructor(misfits: readonly Misfit[]) {
    const lines = misfits.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(
      lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  }
}
