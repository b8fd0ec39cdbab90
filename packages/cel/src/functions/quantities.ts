import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { parseQuantity } from '../values/parse-quantity.ts';
import { Quantity } from '../values/quantity.ts';
import { readsFirst } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

const whole = (value: bigint) => new Quantity(value, 0, true);

/** The functions on quantities like `1.5Gi`. */
export const quantities: FunctionTable = {
  quantity: [overload(['string'], parseQuantity, readsFirst)],
  isQuantity: [overload(['string'], (text) => !isError(parseQuantity(text)), readsFirst)],
  sign: [overload(['quantity'], ({ value }) => (value > 0n ? 1n : value < 0n ? -1n : 0n))],
  isGreaterThan: [overload(['quantity', 'quantity'], (a, b) => a.compareTo(b) > 0)],
  isLessThan: [overload(['quantity', 'quantity'], (a, b) => a.compareTo(b) < 0)],
  compareTo: [overload(['quantity', 'quantity'], (a, b) => BigInt(a.compareTo(b)))],
  asApproximateFloat: [overload(['quantity'], (value) => value.asApproximateFloat())],
  asInteger: [
    overload(
      ['quantity'],
      (value) => value.asInteger() ?? new CelEvaluationError('cannot convert value to integer'),
    ),
  ],
  isInteger: [overload(['quantity'], (value) => value.asInteger() !== undefined)],
  add: [
    overload(['quantity', 'quantity'], (a, b) => a.add(b)),
    overload(['quantity', 'int'], (a, b) => a.add(whole(b))),
  ],
  sub: [
    overload(['quantity', 'quantity'], (a, b) => a.add(b.negate())),
    overload(['quantity', 'int'], (a, b) => a.add(whole(-b))),
  ],
};
