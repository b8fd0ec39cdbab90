import type { Kubelet } from './kubelet.ts';

/**
 * What an application answers, unless it takes too long or the cluster stops.
 *
 * @param timeout in milliseconds; undefined waits for as long as it takes
 * @param late what to return instead
 */
export async function inTime<T>(
  answer: Promise<T>,
  timeout: number | undefined,
  { clock, signal }: Pick<Kubelet, 'clock' | 'signal'>,
  late: () => T,
): Promise<T> {
  let end!: () => void;
  const over = new Promise<T>((resolve) => {
    end = () => resolve(late());
  });
  const timer = timeout === undefined ? undefined : clock.setTimeout(end, timeout);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([answer, over]);
  } finally {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
