const prefix = 'operators.operatorframework.io.bundle';

/** The annotations of a bundle, which are also labels of its image. Source: the bundle format of operator-registry. */
export const bundleLabels = {
  mediaType: `${prefix}.mediatype.v1`,
  manifests: `${prefix}.manifests.v1`,
  metadata: `${prefix}.metadata.v1`,
  package: `${prefix}.package.v1`,
  channels: `${prefix}.channels.v1`,
  defaultChannel: `${prefix}.channel.default.v1`,
} as const;
