import type { DeepReadonly } from 'ots-runtime';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { type ProtobufMessage, protobufMessage } from 'ots-kubernetes/protobuf-messages';
import { goDump } from './go-dump.ts';
import { safeHash } from './safe-hash.ts';

/**
 * The value of the label `pod-template-hash`, the same as of kube-controller-manager.
 *
 * @param collisionCount how often another object had the name that follows from the hash
 */
export function podTemplateHash(template: DeepReadonly<PodTemplateSpec>, collisionCount?: number): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) count.writeUInt32LE(collisionCount);
  return safeHash(Buffer.concat([Buffer.from(goDump(templateMessage(), template)), count]));
}

function templateMessage(): ProtobufMessage {
  const template = protobufMessage('v1', 'PodTemplate')?.fields.find(({ name }) => name === 'template');
  if (typeof template?.type !== 'object') throw new Error('the table of messages has no pod templates');
  return template.type;
}
