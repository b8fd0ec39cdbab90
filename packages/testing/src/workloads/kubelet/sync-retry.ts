/** When a kubelet tries again to start a container that cannot start as it is. */
export const syncRetryMs = 10_000;
