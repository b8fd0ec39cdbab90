/** A metric of a HorizontalPodAutoscaler cannot be read. */
export class MetricError extends Error {
  /** The reason of the condition and the event, such as `FailedGetResourceMetric`. */
  readonly reason: string;
  /** The same in the words of the event about all metrics. */
  readonly summary: string;

  constructor(reason: string, message: string, summary: string) {
    super(message);
    this.reason = reason;
    this.summary = summary;
  }
}

/** Says of what kind an error about a metric is. @param context what the summary says before the message */
export async function withReason<T>(reason: string, context: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { message } = error as Error;
    throw new MetricError(reason, message, `${context}: ${message}`);
  }
}

/** Adds what was attempted to an error. */
export function within<T>(context: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${context}: ${(error as Error).message}`, { cause: error });
  }
}
