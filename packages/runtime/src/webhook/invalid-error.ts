import { RuntimeError } from '../errors/runtime-error.ts';

/** One field of an object that is wrong. */
export interface FieldError {
  /** The path of the field, such as `spec.ports[0].name`. */
  field: string;
  /** What is wrong with it, for people. */
  message: string;
  /** What is wrong with it; `FieldValueInvalid` by default. */
  reason?:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueNotSupported'
    | undefined;
}

/** Throw it from a webhook handler to refuse an object for its fields: the answer is 422 Invalid, field by field. */
export class InvalidError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'INVALID';
  /** Every field that is wrong. */
  readonly errors: readonly FieldError[];

  constructor(errors: FieldError | readonly FieldError[]) {
    const list = Array.isArray(errors) ? (errors as readonly FieldError[]) : [errors as FieldError];
    super(
      list.map(({ field, message }) => `${field}: ${message}`).join('; '),
      'Correct the fields that are named.',
    );
    this.errors = list;
  }
}
