import { goTypeName, printGo, printGoAsString } from './go-value.ts';

/** A strategic merge patch does not fit the object. kube-apiserver answers each problem with its own code. */
export class StrategicMergeError extends Error {
  override readonly name = 'StrategicMergeError';
  /** The HTTP status code. */
  readonly code: 400 | 422 | 500;

  /**
   * @param message in the words of kube-apiserver
   * @param code the HTTP status code; 500 for everything that a real server does not expect
   */
  constructor(message: string, code: 400 | 422 | 500 = 500) {
    super(message);
    this.code = code;
  }
}

/** A list item lacks the merge key. */
export function noMergeKey(item: unknown, mergeKey: string): StrategicMergeError {
  return new StrategicMergeError(`map: ${printGo(item)} does not contain declared merge key: ${mergeKey}`);
}

/** A value of the patch has the wrong type for its field. */
export function unexpectedType(expected: 'map' | 'list', actual: unknown): StrategicMergeError {
  const name = goTypeName(expected === 'map' ? {} : []);
  return new StrategicMergeError(`expected a ${name}, but received a ${goTypeName(actual)}`);
}

/** A `$patch` directive that does not exist. */
export function unknownDirective(directive: unknown, map: unknown): StrategicMergeError {
  return new StrategicMergeError(`unknown patch type: ${printGoAsString(directive)} in map: ${printGo(map)}`);
}
