import { useEffect, useState } from 'preact/hooks';

/**
 * The time of the cluster, which moves once per second while the page is visible.
 *
 * @param ahead seconds
 * @returns milliseconds since 1970
 */
export function useNow(ahead: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  // Never before what was received since the last tick.
  return Math.max(now, Date.now() - 1000) + ahead * 1000;
}
