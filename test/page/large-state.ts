import type { DevState } from '../../src/dev/model/dev-state.ts';
import { ago, object, scriptedState } from '../dev/scripted-state.ts';

/** A session with 1,000 objects, 200 of them at the root, and 500 reconciles with five requests each. */
export function largeState(): DevState {
  const [template] = scriptedState.reconciles;
  const shop = scriptedState.objects['website/shop']!;
  const objects = Array.from({ length: 200 }, (_, number) => [
    { ...shop, uid: `website/${number}`, name: `site-${number}` },
    ...['Deployment', 'Service', 'ConfigMap', 'Secret'].map((kind) =>
      object('v1', kind, `site-${number}`, { owners: [`website/${number}`], conditions: shop.conditions }),
    ),
  ]).flat();
  return {
    ...scriptedState,
    objects: Object.fromEntries(objects.map((each) => [each.uid, each])),
    reconciles: Array.from({ length: 500 }, (_, number) => ({
      ...template!,
      id: `r${number}`,
      name: `site-${number % 200}`,
      startedAt: ago(500 - number),
      requests: Array.from({ length: 5 }, () => template!.requests[0]!),
    })),
  };
}
