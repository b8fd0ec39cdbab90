import { type Client, isNotFound } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { attemptAll } from '../pods/attempt-all.ts';
import { type CachedPod, readyCondition } from '../pods/pod-state.ts';

/**
 * Makes the condition Ready of pods false because their node is lost, and records that.
 *
 * @param now in RFC 3339
 * @throws the first error of the server, after all pods were tried
 */
export async function markPodsNotReady(
  pods: readonly CachedPod[],
  { client, events, now }: { client: Client; events: EventSink; now: string },
): Promise<void> {
  await attemptAll(pods, async (pod) => {
    const ready = readyCondition(pod);
    if (!ready || ready.status === 'False') return;
    const conditions = pod.status!.conditions!.map((condition) =>
      condition === ready ? { ...ready, status: 'False', lastTransitionTime: now } : condition,
    );
    try {
      await client.status.update(Pod, { ...pod, status: { ...pod.status, conditions } });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    events.record(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
  });
}
