import { goTypeName, printGo, printGoAsString } from './go-value.ts';

/** A strategic merge patch that does not fit the object. A real server answers each kind of misfit with a code of its own. */
export class StrategicMergeError extends Error {
  override readonly name = 'StrategicMergeError';
  /** The HTTP status code. */
  readonly code: 400 | 422 | 500;

  /**
   * @param message in the words of a kube-apiserver
   * @param code 500 for everything that a real server did not expect
   */
  constructor(message: string, code: 400 | 422 | 500 = 500) {
    super(message);
    this.code = code;
  }
}

/** An item of a list that is merged by key does not say which item it is. */
export function noMergeKey(item: unknown, mergeKey: string): StrategicMergeError {
  return new StrategicMergeError(`map: ${printGo(item)} does not contain declared merge key: ${mergeKey}`);
}

/** A value of the patch is of another type than its place asks for. */
export function unexpectedType(expected: 'map' | 'list', actual: unknown): StrategicMergeError {
  const name = goTypeName(expected === 'map' ? {} : []);
  return new StrategicMergeError(`expected a ${name}, but received a ${goTypeName(actual)}`);
}

/** A `$patch` that does not exist. */
export function unknownDirective(directive: unknown, map: unknown): StrategicMergeError {
  return new StrategicMergeError(`unknown patch type: ${printGoAsString(directive)} in map: ${printGo(map)}`);
}
