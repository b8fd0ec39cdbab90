import type { ProtobufMessage } from 'ots-kubernetes/protobuf-messages';
import { goDump } from '../pods/go-dump.ts';

const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x1000000000000000000013bn;

/** Items in the order of their hashes (FNV-1a with 128 bits), in which Kubernetes writes parts of endpoints. */
export function inHashOrder<T>(message: ProtobufMessage, items: readonly T[]): T[] {
  // Hashes of 128 bits take time, and most lists have one item.
  if (items.length < 2) return [...items];
  return items
    .map((item) => ({ item, hash: hashOf(goDump(message, item)) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item);
}

function hashOf(text: string): bigint {
  let hash = offset;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime);
  return hash;
}
