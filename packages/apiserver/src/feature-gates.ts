/** Features of kube-apiserver that are off by default, and that this server has on request. */
export type FeatureGate = 'ShardedListAndWatch';
