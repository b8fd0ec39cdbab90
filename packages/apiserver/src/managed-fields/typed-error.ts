/** One thing that does not fit the schema. */
export interface Misfit {
  path: string;
  message: string;
}

/** A value that does not fit its schema. The message is the one of a real server. */
export class TypedError extends Error {
  override readonly name = 'TypedError';

  constructor(misfits: readonly Misfit[]) {
    const lines = misfits.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(
      lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n'),
    );
  }
}
