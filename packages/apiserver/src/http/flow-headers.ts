import type { ClientConnection } from './http-message.ts';
import { type Attributes, isPath } from '../authorization/attributes.ts';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { FlowClassifier } from '../flow-control/flow-classifier.ts';
import type { ApiRequest } from './api-request.ts';

/** What stays open, which priority and fairness leave alone. */
const streaming = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Tells the client how priority and fairness classify its request. */
export function setFlowHeaders(
  connection: ClientConnection,
  request: ApiRequest,
  flows: FlowClassifier,
): void {
  const attributesOf = () => requestAttributes(request.user, request);
  if (request.segments.some((segment) => streaming.has(segment)) && isStreaming(attributesOf())) return;
  const found = flows.classify(request.user, attributesOf);
  if (!found) return;
  connection.setHeader('X-Kubernetes-PF-FlowSchema-UID', found.flowSchema);
  connection.setHeader('X-Kubernetes-PF-PriorityLevel-UID', found.priorityLevel);
}

function isStreaming(attributes: Attributes): boolean {
  return !isPath(attributes) && (attributes.verb === 'proxy' || streaming.has(attributes.subresource));
}
