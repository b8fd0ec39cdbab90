/** How severe a finding is: an error makes a bundle invalid, a warning is advice. */
export type Level = 'error' | 'warning';

/**
 * What is wrong with a bundle. Level, validator, type, field and value are those of the programs of the Operator Framework, which
 * other tools know; the detail is ours.
 */
export interface Finding {
  readonly level: Level;
  /** The name of the validator, such as `csv`. */
  readonly validator: string;
  /** The kind of problem, such as `CSVFileNotValid`. */
  readonly type: string;
  /** The path of a field, where one field is wrong. */
  readonly field?: string;
  /** What is wrong, such as the group, version and kind of a CRD. */
  readonly value?: string;
  /** What is wrong and what would be right, as one line. Starts with the path of the field, if there is one. */
  readonly detail: string;
  /** Relative to the bundle; absent where no file is the cause. */
  readonly file?: string;
  /** The path of the field in the file, where other tools name none or name it as in Go: `spec.icon[0]`. */
  readonly path?: string;
  /** Of the path, from 1; absent where it is not known. */
  readonly line?: number;
}

/** The parts of a finding that its validator does not share with the others. */
export type FindingParts = Pick<Finding, 'type' | 'detail'> & Partial<Finding>;

/** Creates findings of one validator. */
export function reporter(validator: string) {
  const finding = (level: Level) => (parts: FindingParts) => ({ validator, level, ...parts }) as Finding;
  return { error: finding('error'), warning: finding('warning') };
}
