/** What versions of OLM v1 support, with the feature gates that they enable by default. */
export interface SupportedFeatures {
  /** Whether operators may have webhooks, if cert-manager or OpenShift makes their certificates. */
  readonly webhooks: boolean;
  /** Whether operators may support OwnNamespace or SingleNamespace only. */
  readonly singleOwnNamespace: boolean;
}

/** The newest version of OLM v1 whose rules ots knows. */
export const newestOlmV1 = '1.11';

/**
 * What a version of OLM v1 supports. Source: the feature gates of operator-controller; versions after the newest count as that.
 *
 * @param version such as 1.6, v1.8.0
 * @returns undefined for a text that is not a version from 1.0 on
 */
export function supportedFeatures(version: string): SupportedFeatures | undefined {
  const [, minorText] = /^v?1\.(\d{1,5})(?:\.\d+)?$/.exec(version) ?? [];
  if (minorText === undefined) return undefined;
  const minor = Number(minorText);
  // Later versions disabled what 1.8 enabled.
  return { webhooks: minor >= 6, singleOwnNamespace: minor === 8 };
}
