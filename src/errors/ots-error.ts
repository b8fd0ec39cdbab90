/** The details of an {@link OtsError}. */
export interface OtsErrorOptions {
  /** What the reader can do, as one line. */
  hint: string;
  /** The error that caused this one. */
  cause?: unknown;
  /** Facts for programs, such as `line` and `column`; part of `--json` output. */
  details?: Readonly<Record<string, unknown>>;
}

/** An error that ots expects and explains: the message says what is wrong, the hint says what to do. */
export class OtsError extends Error {
  override readonly name: string = 'OtsError';
  /** Stable identifier in UPPER_SNAKE_CASE, such as `INVALID_KIND`; scripts may rely on it. */
  readonly code: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: OtsErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    if (options.details) this.details = options.details;
  }
}
