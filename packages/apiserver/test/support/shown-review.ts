import { inOrder } from './in-order.ts';
import { masked } from './masked.ts';
import type { WebhookCall } from './webhook-server.ts';

/** What a webhook received, without what differs from run to run. */
export function shown({ path, review: { request, ...review } }: WebhookCall): [string, object] {
  const { uid: _, ...rest } = request;
  return [`${path} ${review.apiVersion}`, inOrder(withoutRandomness(rest))];
}

/** Random suffixes of names, and the addresses and keys of a server. */
function withoutRandomness(value: object): object {
  const text = JSON.stringify(masked(value))
    .replaceAll(/"g-[a-z0-9]{5}"/g, '"g-<random>"')
    .replaceAll(/("token":)"[^"]+"/g, '$1"<token>"')
    .replaceAll(/("resourceVersion":)"\d+"/g, '$1"<revision>"')
    .replaceAll(/("audiences":\[)"https:[^"]+"/g, '$1"<issuer>"')
    .replaceAll(/"10\.0\.0\.\d+"/g, '"<ip>"')
    .replaceAll(/("time":)"[^"]+"/g, '$1"<time>"');
  return JSON.parse(text, (key, part: unknown) =>
    // They are sorted by time, in seconds.
    key === 'managedFields' && Array.isArray(part)
      ? part.map((entry) => JSON.stringify(inOrder(entry))).toSorted()
      : part,
  ) as object;
}
