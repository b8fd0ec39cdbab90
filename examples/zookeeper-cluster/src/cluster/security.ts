// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

/** What the Pod Security Standard `restricted` asks of a pod. The group lets ZooKeeper write to its volume. */
export const restrictedPod = {
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    fsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
} as const;

/** What the Pod Security Standard `restricted` asks of a container. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
} as const;
