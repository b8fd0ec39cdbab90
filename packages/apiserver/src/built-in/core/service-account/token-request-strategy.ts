import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { bodyKind } from '../../../registry/body-kind.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import type { Resource } from '../../../registry/resource.ts';

const type = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
const defaultSeconds = 3600;

/** The defaults of a TokenRequest, which webhooks see. */
class TokenRequestStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<TokenRequest>): void {
    if (spec) spec.expirationSeconds ??= defaultSeconds;
  }
}

/** A TokenRequest, as a resource for those who decode bodies. */
export function tokenRequestKind(): Resource {
  const strategy = new TokenRequestStrategy({ ...type, hasStatus: false });
  return { ...bodyKind(type.group, type.version, type.kind), strategy };
}
