import { formatQuantity } from 'ots-apimachinery/quantity/amount';

/** Writes thousandths as a quantity, memory with binary suffixes. @param resource what it is about. Default: a number of things. */
export function quantityOf(milli: number, resource?: string): string {
  const form = resource === 'memory' ? 'binary' : 'decimal';
  return formatQuantity({ nanos: BigInt(milli) * 1_000_000n, form });
}
