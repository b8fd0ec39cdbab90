import type { PodStreams } from 'ots-apiserver';

/**
 * The streams of kubelets that start after the server that asks them.
 *
 * @param current the kubelets when they run; until then the server cannot reach their nodes
 */
export function latePodStreams(current: () => PodStreams | undefined): PodStreams {
  return {
    log: (...asked) => current()?.log(...asked),
    exec: (...asked) => current()?.exec?.(...asked),
    attach: (...asked) => current()?.attach?.(...asked),
    portForward: (...asked) => current()?.portForward?.(...asked),
  };
}
