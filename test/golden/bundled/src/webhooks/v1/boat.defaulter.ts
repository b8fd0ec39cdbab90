import { type Defaulter, type Manager, WebhookBuilder } from 'ots-runtime';
import { Boat } from '../../api/v1/boat.ts';

/**
 * BoatDefaulter sets fields that the author of a Boat left out, before it is validated and stored. A value can
 * depend on other fields. A default that is always the same belongs in the type (`@default`).
 *
 * @webhook
 */
export class BoatDefaulter implements Defaulter<Boat> {
  default(resource: Boat): void {
    resource.metadata.labels ??= {};
    resource.metadata.labels['app.kubernetes.io/managed-by'] ??= 'bundled';
  }
}

/** Adds the webhook to the manager. */
export function setupBoatV1Defaulter(manager: Manager): void {
  new WebhookBuilder(manager, Boat).withDefaulter(new BoatDefaulter()).complete();
}
