/** A webhook could not be called, or its response cannot be used. The message is that of kube-apiserver. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
}
